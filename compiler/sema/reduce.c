/* compiler/sema/reduce.c - reductions: fields to scalars, or along axes to fields
 *
 * A whole reduction is a REDUCE statement into a variable, one along axes is fold.c's;
 * mean, var, norm and the like are composed of them.
 */
#include "sema/checker.h"

#include <math.h>
#include <string.h>

static bool is_sum(enum air_reduction r)
{
	return r == REDUCE_SUM || r == REDUCE_PROD;
}

/* What a reduction works in: sums in f64 and i64, any and all in bools. */
static struct value reduced_type(struct sema *s, enum air_reduction r, struct value v)
{
	enum elem_kind kind = elem_kind(value_elem(&v));
	struct value zero = value_scalar(air_int(s->air, ELEM_I64, 0), v.span);

	if (is_sum(r))
		return value_cast(s, v,
				  kind <= KIND_INT       ? ELEM_I64
				  : kind == KIND_COMPLEX ? ELEM_C128
							 : ELEM_F64);
	if (r == REDUCE_ANY || r == REDUCE_ALL)
		return kind == KIND_BOOL ? v
					 : value_binary(s, AST_OP_NE, v, zero, v.span);
	return v;
}

/* Complex numbers have no order. */
static bool reduces(struct sema *s, enum air_reduction r, const struct value *v,
		    const char *stem)
{
	if (elem_kind(value_elem(v)) != KIND_COMPLEX || is_sum(r) || r == REDUCE_ANY ||
	    r == REDUCE_ALL)
		return true;
	sema_fail(s, DIAG_WRONG_TYPE, v->span, "`%s` does not work on complex numbers",
		  stem);
	sema_hint(s, "Take a real of them: `abs(...)`, `real(...)` or `imag(...)`.");
	return false;
}

static void parts_of(struct sema *s, const struct value *v, struct value *part)
{
	enum elem e = elem_part(value_elem(v));
	struct value whole = *v;

	part[0] = value_op(s, AIR_REAL, e, &whole, 1, v->span);
	part[1] = value_op(s, AIR_IMAG, e, &whole, 1, v->span);
}

/* A sum of complex numbers is one of each part. */
static struct value sum_parts(struct sema *s, struct value v, const char *stem)
{
	struct value part[2];

	parts_of(s, &v, part);
	for (int i = 0; i < 2; i++)
		part[i] = reduce_whole(s, REDUCE_SUM, part[i], stem);
	return value_op(s, AIR_COMPLEX, ELEM_C128, part, 2, v.span);
}

/* One scalar of all points of v's grid. */
struct value reduce_whole(struct sema *s, enum air_reduction r, struct value v,
			  const char *stem)
{
	struct air_stmt *st;
	struct grid *g;
	enum elem e;

	v = loose_settle_alone(s, value_operand(s, v));
	if (v.kind == VALUE_ERROR)
		return v;
	if (!value_grid(&v)) {
		struct value error = sema_failed(s, DIAG_WRONG_ARGUMENTS, v.span,
						 "`%s` is of a field, and this is %s",
						 stem, value_text(s, &v));

		return error;
	}
	if (!reduces(s, r, &v, stem) || !value_is_free(s, &v))
		return value_error();
	v = reduced_type(s, r, v);
	if (v.kind == VALUE_ERROR || !value_is_even(s, &v))
		return value_error();
	if (elem_kind(value_elem(&v)) == KIND_COMPLEX && r == REDUCE_SUM)
		return sum_parts(s, v, stem);
	g = grid_closed(&s->air->types, value_grid(&v));
	v = loose_end(s, v, g);
	claims_check(s, &v, g, NULL);
	guard_look_ups(s, v.as.expr, g, &(struct guarded){ NULL, NULL });
	if ((r == REDUCE_MIN || r == REDUCE_MAX) && value_elem(&v) == ELEM_BOOL)
		r = r == REDUCE_MIN ? REDUCE_ALL : REDUCE_ANY;
	e = r == REDUCE_ARGMIN || r == REDUCE_ARGMAX ? ELEM_I64 : value_elem(&v);
	st = sema_emit(s, STMT_REDUCE, sema_place(s, v.span));
	st->reduction = r;
	st->value = v.as.expr;
	st->grid = g;
	st->var = var_new(s, sema_name(s, stem), e, v.span, false);
	return value_scalar(air_read_var(s->air, st->var, v.span), v.span);
}

/* `min(x, y)` of names alone could mean two things. */
bool names_alone(struct sema *s, struct arguments *a)
{
	bool extreme = strcmp(a->name, "min") == 0 || strcmp(a->name, "max") == 0;

	if (a->n < 2 || a->value[0].kind != VALUE_AXIS || a->value[1].kind != VALUE_AXIS)
		return false;
	sema_fail(s, DIAG_WRONG_ARGUMENTS, a->at,
		  "a bare axis after the first argument means a reduction along it");
	if (extreme)
		sema_hint(s, "For the indices themselves write `%s(%s + 0, %s + 0)`.",
			  a->name, a->value[0].as.axis->name, a->value[1].as.axis->name);
	else
		sema_hint(s, "For the field of the indices write `%s(%s + 0, %s)`.",
			  a->name, a->value[0].as.axis->name, a->value[1].as.axis->name);
	return true;
}

/* The first argument, a field of numbers or bools, and the axes from `first` on; NULL
 * bits: all points. Error: told. */
static struct value reduced_field(struct sema *s, struct arguments *a, int first,
				  unsigned *axes)
{
	struct value v;

	*axes = 0;
	if (names_alone(s, a))
		return value_error();
	v = loose_settle_alone(s, value_operand(s, a->value[0]));
	if (v.kind == VALUE_ERROR)
		return v;
	if (value_elem(&v) == ELEM_STR)
		return sema_failed(s, DIAG_WRONG_TYPE, v.span,
				   "`%s` does not work on texts", a->name);
	if (a->n > first && !fold_axes(s, a, first, &v, axes))
		return value_error();
	return v;
}

/* Results along axes have the type of the field, or are reals of it, but those of
 * integers. */
static struct value in_own_type(struct sema *s, struct value v, enum elem own)
{
	if (v.kind == VALUE_ERROR || elem_kind(own) < KIND_REAL)
		return v;
	return value_cast(s, v,
			  elem_kind(value_elem(&v)) == KIND_REAL ? elem_part(own) : own);
}

static struct value truths(struct sema *s, enum air_reduction r, struct value v)
{
	return r == REDUCE_ANY || r == REDUCE_ALL ? reduced_type(s, r, v) : v;
}

struct value reduce_call(struct sema *s, struct arguments *a, int which)
{
	unsigned axes;
	struct value v = reduced_field(s, a, 1, &axes);
	enum elem own = value_elem(&v);

	if (v.kind == VALUE_ERROR || !reduces(s, which, &v, a->name))
		return value_error();
	if (!axes) {
		v = reduce_whole(s, which, v, a->name);
	} else {
		v = truths(s, which, v);
		v = v.kind == VALUE_ERROR ? v : fold_along(s, which, v, axes, a->name);
		v = is_sum(which) ? in_own_type(s, v, own) : v;
	}
	v.span = a->at;
	return v;
}

/* ---- composed ones
 * ----------------------------------------------------------------------- */

struct value count_call(struct sema *s, struct arguments *a, int data)
{
	unsigned axes;
	struct value v = reduced_field(s, a, 1, &axes);

	(void)data;
	v = v.kind == VALUE_ERROR ? v : reduced_type(s, REDUCE_ANY, v);
	if (v.kind == VALUE_ERROR)
		return v;
	v = axes ? fold_along(s, REDUCE_SUM, v, axes, a->name)
		 : reduce_whole(s, REDUCE_SUM, v, a->name);
	v.span = a->at;
	return v;
}

/* A field whose sums are wanted in full precision: reals and integers as f64, complex
 * numbers as c128. */
static struct value as_f64(struct sema *s, struct value v)
{
	if (!value_grid(&v))
		return sema_failed(s, DIAG_WRONG_ARGUMENTS, v.span,
				   "a field of numbers is needed, and this is %s",
				   value_text(s, &v));
	return value_cast(
		s, v, elem_kind(value_elem(&v)) == KIND_COMPLEX ? ELEM_C128 : ELEM_F64);
}

/* A slice may have none, and then there is no mean. */
static void some_points(struct sema *s, const struct air_expr *n, struct span at)
{
	const struct air_expr *arg[2] = { air_int(s->air, ELEM_I64, 0), n };
	const struct air_expr *some = air_op(s->air, AIR_LT, ELEM_BOOL, arg, 2, at);
	struct air_stmt *check;
	int64_t known;

	if (air_constant(some, &known, NULL) && known)
		return;
	check = sema_emit(s, STMT_CHECK, sema_place(s, at));
	check->value = some;
	check->text = text_plain(s, "mean of no points");
}

static struct value points(struct sema *s, const struct value *v)
{
	struct value n = value_scalar(grid_size(s, value_grid(v)), v->span);

	if (value_grid(v)->family->parent)
		some_points(s, n.as.expr, v->span);
	return value_cast(s, n, ELEM_F64);
}

/* The sum along the axes, or of all points, in f64. */
static struct value sum_of(struct sema *s, struct value v, unsigned axes,
			   const char *name)
{
	return axes ? fold_along(s, REDUCE_SUM, v, axes, name)
		    : reduce_whole(s, REDUCE_SUM, v, name);
}

/* Grids of slices may have no points; a mean of none ends the program. */
static void check_points(struct sema *s, const struct value *v, unsigned axes)
{
	const struct grid *g = value_grid(v);
	struct value n = fold_points(s, v, axes ? axes : (1u << g->n_axes) - 1);
	struct value zero = value_scalar(air_int(s->air, ELEM_I64, 0), v->span);
	struct air_stmt *check;
	bool may = false;

	for (int i = 0; i < g->n_axes; i++)
		may |= (!axes || axes >> i & 1) && g->axis[i]->constant_size <= 0 &&
		       (g->axis[i]->slice || g->family->anonymous);
	if (!may)
		return;
	check = sema_emit(s, STMT_CHECK, sema_place(s, v->span));
	check->value = value_binary(s, AST_OP_GT, n, zero, v->span).as.expr;
	check->text = text_plain(s, "mean of no points");
}

static struct value mean_of(struct sema *s, struct value v, unsigned axes)
{
	struct value n = axes ? fold_points(s, &v, axes) : points(s, &v);
	struct value sum, part[2];
	enum elem e;

	check_points(s, &v, axes);
	sum = sum_of(s, v, axes, "sum");
	e = value_elem(&sum);
	if (sum.kind == VALUE_ERROR)
		return sum;
	if (elem_kind(e) != KIND_COMPLEX)
		return value_binary(s, AST_OP_DIV, sum, n, v.span);
	parts_of(s, &sum, part);
	for (int i = 0; i < 2; i++)
		part[i] = value_binary(s, AST_OP_DIV, part[i], n, v.span);
	return value_op(s, AIR_COMPLEX, e, part, 2, v.span);
}

struct value mean_call(struct sema *s, struct arguments *a, int data)
{
	unsigned axes;
	struct value v = reduced_field(s, a, 1, &axes);
	enum elem own = value_elem(&v);

	(void)data;
	if (v.kind == VALUE_ERROR)
		return v;
	if (!value_grid(&v))
		return as_f64(s, v);
	if (own == ELEM_I64)
		v = as_f64(s, v); /* where their sum has no bound */
	v = mean_of(s, v, axes);
	v = axes ? in_own_type(s, v, own) : v;
	v.span = a->at;
	return v;
}

/* The squares of the sizes: one field, or of complex numbers one for each part. */
static struct value squares(struct sema *s, struct value v, int part)
{
	struct value two = value_scalar(air_int(s->air, ELEM_I64, 2), v.span), parts[2];

	if (value_elem(&v) != ELEM_C128)
		return value_power(s, v, two, v.span);
	parts_of(s, &v, parts);
	return value_power(s, parts[part], two, v.span);
}

static struct value sum_squares(struct sema *s, struct value v, unsigned axes,
				const char *name)
{
	struct value sum = sum_of(s, squares(s, v, 0), axes, name);

	if (sum.kind == VALUE_ERROR || value_elem(&v) != ELEM_C128)
		return sum;
	return value_binary(s, AST_OP_ADD, sum, sum_of(s, squares(s, v, 1), axes, name),
			    v.span);
}

/* Two passes: the mean, then the squares of what differs from it. */
static struct value variance_of(struct sema *s, struct value v, unsigned axes,
				struct value ddof)
{
	struct value sum, n;

	v = as_f64(s, axes && v.kind != VALUE_ERROR ? fold_stored(s, v) : v);
	if (v.kind == VALUE_ERROR)
		return v;
	n = axes ? fold_points(s, &v, axes) : points(s, &v);
	n = value_binary(s, AST_OP_SUB, value_cast(s, n, ELEM_F64), ddof, v.span);
	sum = mean_of(s, v, axes);
	if (sum.kind == VALUE_ERROR || n.kind == VALUE_ERROR)
		return value_error();
	sum = value_grid(&sum) ? stage_new(s, sum, sema_name(s, "mean"))
			       : var_hold(s, sum, sema_name(s, "mean"));
	sum = sum_squares(s, value_binary(s, AST_OP_SUB, v, sum, v.span), axes, "sum");
	return sum.kind == VALUE_ERROR ? sum
				       : value_binary(s, AST_OP_DIV, sum, n, v.span);
}

/* var(u, ddof), var(u, x, y, ddof = 1) */
struct value variance_call(struct sema *s, struct arguments *a, int root)
{
	const struct ast *named = argument_named(a, "ddof");
	struct value ddof = value_scalar(air_int(s->air, ELEM_I64, 0), a->at), v;
	unsigned axes;
	enum elem own;

	if (a->n == 2 && !named && a->value[1].kind != VALUE_AXIS) {
		ddof = value_operand(s, a->value[1]);
		a->n = 1;
	} else if (named) {
		ddof = eval_scalar(s, named, "`ddof`");
	}
	v = reduced_field(s, a, 1, &axes);
	if (v.kind == VALUE_ERROR || ddof.kind == VALUE_ERROR)
		return value_error();
	if (!value_is_scalar(&ddof) || elem_kind(value_elem(&ddof)) > KIND_REAL)
		return sema_failed(s, DIAG_WRONG_TYPE, ddof.span,
				   "`ddof` is a number, and this is %s",
				   value_text(s, &ddof));
	own = value_elem(&v);
	v = variance_of(s, v, axes, ddof);
	if (v.kind == VALUE_ERROR)
		return v;
	v = root ? value_op(s, AIR_SQRT, ELEM_F64, &v, 1, a->at) : v;
	return axes ? in_own_type(s, v, own) : v;
}

/* 1, 2 or infinity, the second argument unless that is an axis; 0: told. */
static double norm_order(struct sema *s, const struct arguments *a)
{
	struct value p;
	double order = 0;
	int64_t i;

	if (a->n < 2 || a->value[1].kind == VALUE_AXIS)
		return 2;
	p = value_operand(s, a->value[1]);
	if (value_is_integer(&p, &i))
		order = (double)i;
	else if (!value_is_constant(&p) || !air_constant(p.as.expr, NULL, &order))
		order = 0;
	if (order == 1 || order == 2 || order == INFINITY)
		return order;
	sema_fail(s, DIAG_WRONG_ARGUMENTS, a->value[1].span,
		  "a norm is of order 1, 2 or `inf`");
	return 0;
}

struct value norm_call(struct sema *s, struct arguments *a, int data)
{
	double order = norm_order(s, a);
	bool given = a->n > 1 && a->value[1].kind != VALUE_AXIS;
	struct value v;
	enum elem own;
	unsigned axes;

	(void)data;
	v = order > 0 ? reduced_field(s, a, given ? 2 : 1, &axes) : value_error();
	own = value_elem(&v);
	v = v.kind == VALUE_ERROR ? v : as_f64(s, v);
	if (v.kind == VALUE_ERROR)
		return v;
	if (order != 2)
		v = value_op(s, AIR_ABS, ELEM_F64, &v, 1, a->at);
	if (order == 2)
		v = sum_squares(s, v, axes, "norm");
	else if (order == 1)
		v = sum_of(s, v, axes, "norm");
	else
		v = axes ? fold_along(s, REDUCE_MAX, v, axes, "norm")
			 : reduce_whole(s, REDUCE_MAX, v, "norm");
	if (order == 2 && v.kind != VALUE_ERROR)
		v = value_op(s, AIR_SQRT, ELEM_F64, &v, 1, a->at);
	return axes ? in_own_type(s, v, own) : v;
}

struct value dot_call(struct sema *s, struct arguments *a, int data)
{
	enum elem_kind kind = KIND_NONE;

	(void)data;
	if (!operands_meet(s, a->value, 2, a->at))
		return value_error();
	for (int i = 0; i < 2; i++)
		kind = elem_kind(value_elem(&a->value[i])) > kind
			       ? elem_kind(value_elem(&a->value[i]))
			       : kind;
	for (int i = 0; i < 2; i++)
		a->value[i] = value_cast(s, a->value[i],
					 kind <= KIND_INT       ? ELEM_I64
					 : kind == KIND_COMPLEX ? ELEM_C128
								: ELEM_F64);
	if (kind == KIND_COMPLEX)
		a->value[0] = value_conjugate(s, a->value[0]);
	return reduce_whole(s, REDUCE_SUM,
			    value_binary(s, AST_OP_MUL, a->value[0], a->value[1], a->at),
			    "dot");
}

struct value allclose_call(struct sema *s, struct arguments *a, int data)
{
	const struct builtin *isclose = map_get(s->builtins, "isclose");
	struct value v = isclose->call(s, a, data);

	return v.kind == VALUE_ERROR ? v : reduce_whole(s, REDUCE_ALL, v, "allclose");
}

struct value array_equal_call(struct sema *s, struct arguments *a, int data)
{
	struct value v = value_binary(s, AST_OP_EQ, a->value[0], a->value[1], a->at);

	(void)data;
	return v.kind == VALUE_ERROR ? v : reduce_whole(s, REDUCE_ALL, v, "array_equal");
}

/* ---- comprehensions
 * ------------------------------------------------------------------------- */

static bool each_operator(const struct builtin *b, enum ast_op *op)
{
	static const struct {
		const char *name;
		enum ast_op op;
	} all[] = { { "sum", AST_OP_ADD }, { "prod", AST_OP_MUL }, { "any", AST_OP_OR },
		    { "all", AST_OP_AND }, { "min", AST_OP_LT },   { "max", AST_OP_GT } };

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (strcmp(b->name, all[i].name) == 0) {
			*op = all[i].op;
			return true;
		}
	return false;
}

static struct value each_join(struct sema *s, enum ast_op op, struct value a,
			      struct value b, struct span at)
{
	struct value v[2] = { a, b };

	if (op != AST_OP_LT && op != AST_OP_GT)
		return value_binary(s, op, a, b, at);
	if (!operands_unify(s, v, 2, at) ||
	    !reduces(s, REDUCE_MIN, &v[0], op == AST_OP_LT ? "min" : "max"))
		return value_error();
	return value_op(s, op == AST_OP_LT ? AIR_MIN : AIR_MAX, value_elem(&v[0]), v, 2,
			at);
}

/* sum(a in axes(u): e): a term for each, added from the left. */
struct value each_call(struct sema *s, const struct builtin *b, const struct ast *a)
{
	const struct ast *each = a->child[1];
	struct value list, sum = value_error();
	enum ast_op op;

	if (!each_operator(b, &op) || a->n_children != 2)
		return sema_failed(s, DIAG_WRONG_ARGUMENTS, a->span,
				   "`%s` does not run over a range", b->name);
	if (!iterable_constant(s, each->child[1], &list))
		return value_error();
	if (!list.as.list.n && op != AST_OP_ADD)
		return sema_failed(s, DIAG_OUT_OF_RANGE, each->child[1]->span,
				   "there are no terms");
	if (!list.as.list.n)
		return value_scalar(air_int(s->air, ELEM_I64, 0), a->span);
	for (int i = 0; i < list.as.list.n; i++) {
		struct value term;

		scope_push(s, SCOPE_BLOCK);
		scope_add(s, each->child[0], SYMBOL_LOOP, list.as.list.item[i]);
		term = value_operand(s, eval_expr(s, each->child[2]));
		scope_pop(s);
		if (term.kind == VALUE_ERROR)
			return term;
		sum = i ? each_join(s, op, sum, term, a->span) : term;
		if (sum.kind == VALUE_ERROR)
			return sum;
	}
	sum.span = a->span;
	return sum;
}
