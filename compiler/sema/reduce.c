/* compiler/sema/reduce.c - reductions: fields to scalars, and along local axes
 *
 * A whole reduction is a REDUCE statement into a variable; mean, var, norm and the
 * like are composed of them. Along local axes a reduction is an expression, its
 * terms from left to right in the field's own type.
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
		return value_cast(s, v, kind <= KIND_INT       ? ELEM_I64
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
	if (!reduces(s, r, &v, stem))
		return value_error();
	v = reduced_type(s, r, v);
	if (v.kind == VALUE_ERROR || !value_is_even(s, &v))
		return value_error();
	if (elem_kind(value_elem(&v)) == KIND_COMPLEX)
		return r == REDUCE_SUM ? sum_parts(s, v, stem)
				       : sema_not_yet(s, v.span, "`prod` of a complex field");
	g = grid_closed(&s->air->types, value_grid(&v));
	v = loose_end(s, v, g);
	claims_check(s, &v, g, NULL);
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

/* ---- along local axes
 * ------------------------------------------------------------------ */

static enum air_op fold_op(enum air_reduction r)
{
	switch (r) {
	case REDUCE_SUM:
		return AIR_ADD;
	case REDUCE_PROD:
		return AIR_MUL;
	case REDUCE_MIN:
		return AIR_MIN;
	case REDUCE_MAX:
		return AIR_MAX;
	case REDUCE_ANY:
		return AIR_OR;
	default:
		return AIR_AND;
	}
}

static struct value fold_type(struct sema *s, enum air_reduction r, struct value v)
{
	if (is_sum(r) && elem_kind(value_elem(&v)) <= KIND_INT)
		return value_cast(s, v, ELEM_I64);
	return r == REDUCE_ANY || r == REDUCE_ALL ? reduced_type(s, r, v) : v;
}

/* The terms of v at every point of a, folded from the left. */
static struct value fold_constant(struct sema *s, enum air_reduction r, struct value v,
				  const struct axis *a)
{
	struct value sum = value_fix(s, v, a, air_int(s->air, ELEM_I64, 0)), pair[2];

	for (int64_t i = 1; i < a->constant_size; i++) {
		pair[0] = sum;
		pair[1] = value_fix(s, v, a, air_int(s->air, ELEM_I64, i));
		sum = value_op(s, fold_op(r), value_elem(&v), pair, 2, v.span);
	}
	return sum;
}

/* The same for a field that has no other axis: a scalar made of its elements. */
static struct value fold_elements(struct sema *s, enum air_reduction r, struct value v,
				  const struct axis *a)
{
	struct value sum = v, pair[2];
	struct air_field *f = value_field(&v);

	for (int64_t i = 0; i < a->constant_size; i++) {
		struct air_stmt *st = sema_emit(s, STMT_ELEMENT, sema_place(s, v.span));

		st->var = var_new(s, sema_name(s, f->name), f->elem, v.span, false);
		st->field = f;
		st->index[0] = air_int(s->air, ELEM_I64, i);
		pair[0] = sum;
		pair[1] = value_scalar(air_read_var(s->air, st->var, v.span), v.span);
		sum = i ? value_op(s, fold_op(r), f->elem, pair, 2, v.span) : pair[1];
	}
	return sum;
}

static struct grid *grid_without(struct sema *s, const struct grid *g,
				 const struct axis *a)
{
	struct axis *rest[MAX_AXES];
	int ext[MAX_AXES], n = 0;

	for (int i = 0; i < g->n_axes; i++) {
		if (g->axis[i] == a)
			continue;
		ext[n] = g->ext[i];
		rest[n++] = g->axis[i];
	}
	if (!n)
		return NULL;
	return grid_closed(&s->air->types,
			   grid_of_extended(&s->air->types, rest, ext, n));
}

static void accumulate(struct sema *s, struct air_field *f, struct value term)
{
	struct air_target target = { .field = f };
	struct air_stmt *st;

	for (int i = 0; i < MAX_AXES; i++)
		target.region.axis[i].step = 1;
	term = loose_end(s, term, f->grid);
	claims_check(s, &term, f->grid, NULL);
	target.value = term.as.expr;
	st = sema_emit(s, STMT_ASSIGN, sema_place(s, term.span));
	st->n_targets = 1;
	st->target = arena_copy(s->arena, &target, sizeof target);
}

/* As many terms as the run says: a field that a loop adds to. */
static struct value fold_loop(struct sema *s, enum air_reduction r, struct value v,
			      const struct axis *a)
{
	struct grid *g = grid_without(s, value_grid(&v), a);
	const struct air_expr *size = air_at(s->air, AIR_SIZE, a, 0, v.span);
	struct air_block *around = s->block;
	struct value pair[2], k;
	struct air_field *f;
	struct air_stmt *st;

	f = sema_field_new(s, FIELD_DECLARED, sema_name(s, "along"), value_elem(&v), g);
	f->span = v.span;
	sema_emit(s, STMT_FIELD, v.span)->field = f;
	accumulate(s, f, value_fix(s, v, a, air_int(s->air, ELEM_I64, 0)));
	st = sema_emit(s, STMT_FOR, v.span);
	st->var = var_new(s, sema_name(s, a->name), ELEM_I64, v.span, false);
	st->from = air_int(s->air, ELEM_I64, 1);
	st->to = size;
	st->by = air_int(s->air, ELEM_I64, 1);
	s->block = &st->body;
	k = value_scalar(air_read_var(s->air, st->var, v.span), v.span);
	pair[0] = value_field_of(s, f, v.span);
	pair[1] = value_fix(s, v, a, k.as.expr);
	accumulate(s, f, value_op(s, fold_op(r), value_elem(&v), pair, 2, v.span));
	s->block = around;
	field_note_of(s, f)->unnamed = false;
	return value_field_of(s, f, v.span);
}

static struct value reduce_axis(struct sema *s, enum air_reduction r, struct value v,
				const struct value *axis)
{
	struct axis *a;
	bool alone, fits;

	if (axis->kind != VALUE_AXIS)
		return sema_failed(
			s, DIAG_WRONG_ARGUMENTS, axis->span,
			"after the field stand axes to reduce along, and this is %s",
			value_text(s, axis));
	a = axis_in(s, axis->as.axis, value_grid(&v));
	if (!a)
		return sema_failed(s, DIAG_NO_AXIS, axis->span,
				   "`%s` is not an axis of `%s`", axis->as.axis->name,
				   value_grid(&v)->name);
	if (!a->local)
		return sema_not_yet(s, axis->span,
				    "a reduction along an axis that is not local");
	alone = value_grid(&v)->n_axes == 1;
	/* what is shifted may leave the axis: its points alone are summed */
	if (air_reads_shifted(v.as.expr, a) || (alone && !value_field(&v)))
		v = stage_new(s, v, sema_name(s, "terms"));
	if (v.kind == VALUE_ERROR)
		return v;
	fits = a->constant_size >= 0 && a->constant_size <= UNROLL_LIMIT;
	if (alone && !fits)
		return sema_not_yet(s, axis->span, "a reduction along the only axis, a long one,");
	if (!fits)
		return fold_loop(s, r, v, a);
	return alone ? fold_elements(s, r, v, a) : fold_constant(s, r, v, a);
}

/* sum(f, q): what is left is a field. */
static struct value reduce_axes(struct sema *s, enum air_reduction r, struct arguments *a)
{
	struct value v = loose_settle_alone(s, value_operand(s, a->value[0]));

	if (v.kind == VALUE_ERROR)
		return v;
	if (r == REDUCE_ARGMIN || r == REDUCE_ARGMAX)
		return sema_not_yet(s, a->at, "`argmin` and `argmax` along axes");
	if (!value_grid(&v))
		return sema_failed(s, DIAG_WRONG_ARGUMENTS, v.span,
				   "`%s` is of a field, and this is %s", a->name,
				   value_text(s, &v));
	if (!reduces(s, r, &v, a->name))
		return value_error();
	v = fold_type(s, r, v);
	for (int i = 1; i < a->n && v.kind != VALUE_ERROR; i++) {
		if (value_grid(&v))
			v = reduce_axis(s, r, v, &a->value[i]);
		else
			v = sema_not_yet(s, a->at,
					 "a reduction along every axis by name");
	}
	v.span = a->at;
	return v;
}

/* `min(x, y)` of names alone could mean two things. */
static bool names_alone(struct sema *s, struct arguments *a)
{
	if (a->value[0].kind != VALUE_AXIS || a->n < 2)
		return false;
	sema_fail(s, DIAG_WRONG_ARGUMENTS, a->at,
		  "a bare axis after the first argument means a reduction along it");
	sema_hint(s, "For the indices themselves write `%s(%s + 0, %s + 0)`.", a->name,
		  a->value[0].as.axis->name,
		  a->value[1].kind == VALUE_AXIS ? a->value[1].as.axis->name : "...");
	return true;
}

struct value reduce_call(struct sema *s, struct arguments *a, int which)
{
	struct value v;

	if (names_alone(s, a))
		return value_error();
	if (value_elem(&a->value[0]) == ELEM_STR)
		return sema_failed(s, DIAG_WRONG_TYPE, a->value[0].span,
				   "`%s` does not work on texts", a->name);
	if (a->n > 1)
		return reduce_axes(s, which, a);
	v = a->value[0];
	v = reduce_whole(s, which, v, a->name);
	v.span = a->at;
	return v;
}

/* ---- composed ones
 * ----------------------------------------------------------------------- */

struct value count_call(struct sema *s, struct arguments *a, int data)
{
	(void)data;
	a->value[0] = reduced_type(s, REDUCE_ANY, value_operand(s, a->value[0]));
	if (a->value[0].kind == VALUE_ERROR)
		return value_error();
	a->value[0] = value_cast(s, a->value[0], ELEM_I64);
	return reduce_call(s, a, REDUCE_SUM);
}

/* A field whose sums are wanted in full precision: reals and integers as f64, complex
 * numbers as c128. */
static struct value as_f64(struct sema *s, struct value v)
{
	v = loose_settle_alone(s, value_operand(s, v));
	if (v.kind == VALUE_ERROR)
		return v;
	if (!value_grid(&v) || value_elem(&v) == ELEM_STR)
		return sema_failed(s, DIAG_WRONG_ARGUMENTS, v.span,
				   "a field of numbers is needed, and this is %s",
				   value_text(s, &v));
	return value_cast(s, v, elem_kind(value_elem(&v)) == KIND_COMPLEX ? ELEM_C128
									  : ELEM_F64);
}

static struct value points(struct sema *s, const struct value *v)
{
	struct value n = value_scalar(grid_size(s, value_grid(v)), v->span);

	return value_cast(s, n, ELEM_F64);
}

static struct value mean_of(struct sema *s, struct value v)
{
	struct value sum = reduce_whole(s, REDUCE_SUM, v, "sum"), n = points(s, &v);
	struct value part[2];

	if (sum.kind == VALUE_ERROR)
		return sum;
	if (value_elem(&sum) != ELEM_C128)
		return value_binary(s, AST_OP_DIV, sum, n, v.span);
	parts_of(s, &sum, part);
	for (int i = 0; i < 2; i++)
		part[i] = value_binary(s, AST_OP_DIV, part[i], n, v.span);
	return value_op(s, AIR_COMPLEX, ELEM_C128, part, 2, v.span);
}

struct value mean_call(struct sema *s, struct arguments *a, int data)
{
	struct value v = a->value[0], one;

	(void)data;
	if (names_alone(s, a))
		return value_error();
	v = loose_settle_alone(s, value_operand(s, v));
	if (v.kind == VALUE_ERROR)
		return v;
	if (a->n == 1) {
		if (!value_grid(&v))
			return as_f64(s, v);
		return mean_of(s, v);
	}
	one = reduce_axes(s, REDUCE_SUM, a);
	for (int i = 1; i < a->n && one.kind != VALUE_ERROR; i++) {
		struct axis *axis = axis_in(s, a->value[i].as.axis, value_grid(&v));
		struct grid *g = value_grid(&v);
		struct value n = value_scalar(
			air_size(s->air, g, grid_axis_index(g, axis)), a->at);

		one = value_binary(s, AST_OP_DIV, one, n, a->at);
	}
	return one;
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

static struct value sum_squares(struct sema *s, struct value v, const char *stem)
{
	struct value sum = reduce_whole(s, REDUCE_SUM, squares(s, v, 0), stem);

	if (sum.kind == VALUE_ERROR || value_elem(&v) != ELEM_C128)
		return sum;
	return value_binary(s, AST_OP_ADD, sum,
			    reduce_whole(s, REDUCE_SUM, squares(s, v, 1), stem), v.span);
}

/* Two passes: the mean, then the squares of what differs from it. */
struct value variance_call(struct sema *s, struct arguments *a, int root)
{
	const struct ast *named = argument_named(a, "ddof");
	struct value ddof = value_scalar(air_int(s->air, ELEM_I64, 0), a->at), v, sum, n;

	if (a->n > 1 && a->value[1].kind == VALUE_AXIS)
		return sema_not_yet(s, a->at, "`var` and `std` along axes");
	if (named)
		ddof = eval_scalar(s, named, "`ddof`");
	else if (a->n > 1)
		ddof = value_operand(s, a->value[1]);
	v = as_f64(s, a->value[0]);
	if (v.kind == VALUE_ERROR || ddof.kind == VALUE_ERROR)
		return value_error();
	sum = mean_of(s, v);
	if (sum.kind == VALUE_ERROR)
		return sum;
	sum = var_hold(s, sum, sema_name(s, "mean"));
	sum = sum_squares(s, value_binary(s, AST_OP_SUB, v, sum, a->at), "sum");
	n = value_binary(s, AST_OP_SUB, points(s, &v), ddof, a->at);
	if (sum.kind == VALUE_ERROR || n.kind == VALUE_ERROR)
		return value_error();
	sum = value_binary(s, AST_OP_DIV, sum, n, a->at);
	return root ? value_op(s, AIR_SQRT, ELEM_F64, &sum, 1, a->at) : sum;
}

struct value norm_call(struct sema *s, struct arguments *a, int data)
{
	struct value v = as_f64(s, a->value[0]), sum;
	double order = 2;
	int64_t i;

	(void)data;
	if (v.kind == VALUE_ERROR)
		return v;
	if (a->n > 1) {
		struct value p = value_operand(s, a->value[1]);

		if (value_is_integer(&p, &i))
			order = i;
		else if (!value_is_constant(&p) || !air_constant(p.as.expr, NULL, &order))
			order = 0;
	}
	if (order == 1 || isinf(order)) {
		sum = value_op(s, AIR_ABS, ELEM_F64, &v, 1, a->at);
		return reduce_whole(s, order == 1 ? REDUCE_SUM : REDUCE_MAX, sum, "norm");
	}
	if (order != 2)
		return sema_failed(s, DIAG_WRONG_ARGUMENTS, a->value[1].span,
				   "a norm is of order 1, 2 or `inf`");
	sum = sum_squares(s, v, "norm");
	return sum.kind == VALUE_ERROR ? sum
				       : value_op(s, AIR_SQRT, ELEM_F64, &sum, 1, a->at);
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
