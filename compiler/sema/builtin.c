/* compiler/sema/builtin.c - calls of the language's own functions
 *
 * Arguments are read once into a struct arguments; builtin.def says which handler
 * takes them. Here are the handlers of elementwise functions.
 */
#include "sema/checker.h"

#include <string.h>

#include "array/complex.h"
#include "support/habit.h"

/* ---- elementwise ---------------------------------------------------------------------
 */

static bool texts_among(struct sema *s, const struct arguments *a)
{
	for (int i = 0; i < a->n; i++) {
		if (value_elem(&a->value[i]) != ELEM_STR)
			continue;
		sema_fail(s, DIAG_WRONG_TYPE, a->value[i].span,
			  "`%s` does not work on texts", a->name);
		return true;
	}
	return false;
}

/* The arguments in one type, at least real when `real`; ELEM_NONE: told. */
static enum elem unified(struct sema *s, struct arguments *a, bool real)
{
	enum elem e;

	if (texts_among(s, a) || !operands_unify(s, a->value, a->n, a->at))
		return ELEM_NONE;
	e = value_elem(&a->value[0]);
	if (e == ELEM_STR) {
		texts_among(s, a);
		return ELEM_NONE;
	}
	if (real && elem_kind(e) < KIND_REAL)
		e = ELEM_F64;
	if (e == ELEM_BOOL)
		e = ELEM_I64;
	for (int i = 0; i < a->n; i++)
		a->value[i] = value_cast(s, a->value[i], e);
	return e;
}

/* Does the function work on values of type e? */
static bool works_on(struct sema *s, const struct arguments *a, enum elem e, int op)
{
	if (elem_kind(e) != KIND_COMPLEX || complex_takes(op))
		return true;
	sema_fail(s, DIAG_WRONG_TYPE, a->at, "`%s` does not work on complex numbers",
		  a->name);
	sema_hint(s, "Take a real of them: `abs(...)`, `real(...)` or `imag(...)`.");
	return false;
}

static struct value real_call(struct sema *s, struct arguments *a, int op)
{
	enum elem e = unified(s, a, true);

	return e && works_on(s, a, e, op) ? value_op(s, op, e, a->value, a->n, a->at)
					  : value_error();
}

static struct value number_call(struct sema *s, struct arguments *a, int op)
{
	enum elem e = unified(s, a, false);

	if (op == AIR_ROUND && elem_kind(e) == KIND_INT)
		return a->value[0];
	if (!e || !works_on(s, a, e, op))
		return value_error();
	return value_op(s, op, op == AIR_ABS ? elem_part(e) : e, a->value, a->n, a->at);
}

static struct value test_call(struct sema *s, struct arguments *a, int op)
{
	return unified(s, a, true) ? value_op(s, op, ELEM_BOOL, a->value, a->n, a->at)
				   : value_error();
}

/* min and max: of two operands elementwise; of one, or with axes, a reduction. */
static struct value extreme_call(struct sema *s, struct arguments *a, int which)
{
	enum elem e;

	if (a->n == 1 || a->value[1].kind == VALUE_AXIS)
		return reduce_call(s, a, which);
	if (a->n > 2) {
		struct value v = sema_failed(s, DIAG_WRONG_ARGUMENTS, a->at,
					     "`%s` compares two values", a->name);

		sema_hint(s, "Nest it: `%s(a, %s(b, c))`.", a->name, a->name);
		return v;
	}
	if (value_elem(&a->value[0]) == ELEM_BOOL &&
	    value_elem(&a->value[1]) == ELEM_BOOL)
		return value_binary(s, which == REDUCE_MIN ? AST_OP_AND : AST_OP_OR,
				    a->value[0], a->value[1], a->at);
	e = unified(s, a, false);
	if (!e || !works_on(s, a, e, AIR_MIN))
		return value_error();
	return value_op(s, which == REDUCE_MIN ? AIR_MIN : AIR_MAX, e, a->value, 2,
			a->at);
}

static struct value clip_call(struct sema *s, struct arguments *a, int data)
{
	enum elem e = unified(s, a, false);
	struct value v[2];

	(void)data;
	if (!e || !works_on(s, a, e, AIR_MIN))
		return value_error();
	v[0] = value_op(s, AIR_MAX, e, a->value, 2, a->at);
	v[1] = a->value[2];
	return value_op(s, AIR_MIN, e, v, 2, a->at);
}

static struct value choose_call(struct sema *s, struct arguments *a, int data)
{
	enum elem e;

	(void)data;
	if (!operands_meet(s, a->value, 3, a->at))
		return value_error();
	if (value_elem(&a->value[0]) != ELEM_BOOL)
		return sema_failed(s, DIAG_WRONG_TYPE, a->value[0].span,
				   "`where` chooses by a bool, and this is %s",
				   value_text(s, &a->value[0]));
	if (!operands_unify(s, a->value + 1, 2, a->at))
		return value_error();
	e = value_elem(&a->value[1]);
	return value_op(s, AIR_SELECT, e, a->value, 3, a->at);
}

static struct value tolerance(struct sema *s, struct arguments *a, int i, const char *key,
			      double otherwise)
{
	const struct ast *named = argument_named(a, key);

	if (a->n > i)
		return a->value[i];
	return named ? eval_scalar(s, named, "a tolerance")
		     : value_scalar(air_real(s->air, ELEM_F64, otherwise), a->at);
}

/* NumPy's: equal, or finite and |u - v| <= atol + rtol * |v|. */
static struct value isclose_call(struct sema *s, struct arguments *a, int data)
{
	struct value rtol = tolerance(s, a, 2, "rtol", 1e-5), abs[2], near, finite;
	struct value atol = tolerance(s, a, 3, "atol", 1e-8), v[2];
	struct span at = a->at;

	(void)data;
	a->n = 2;
	if (rtol.kind == VALUE_ERROR || atol.kind == VALUE_ERROR || !unified(s, a, true))
		return value_error();
	v[0] = a->value[0];
	v[1] = a->value[1];
	abs[0] = value_binary(s, AST_OP_SUB, v[0], v[1], at);
	abs[0] = value_op(s, AIR_ABS, elem_part(value_elem(&v[0])), &abs[0], 1, at);
	abs[1] = value_op(s, AIR_ABS, elem_part(value_elem(&v[1])), &v[1], 1, at);
	near = value_binary(s, AST_OP_LE, abs[0],
			    value_binary(s, AST_OP_ADD, atol,
					 value_binary(s, AST_OP_MUL, rtol, abs[1], at),
					 at),
			    at);
	finite = value_op(s, AIR_ISFINITE, ELEM_BOOL, &v[1], 1, at);
	return value_binary(s, AST_OP_OR, value_binary(s, AST_OP_EQ, v[0], v[1], at),
			    value_binary(s, AST_OP_AND, finite, near, at), at);
}

/* ---- complex numbers ---- */

/* The argument, of a complex type; an error is told. */
static struct value as_complex(struct sema *s, struct arguments *a)
{
	enum elem e = unified(s, a, false);

	return e ? value_cast(s, a->value[0], elem_complex(e)) : value_error();
}

static struct value part_call(struct sema *s, struct arguments *a, int op)
{
	struct value v = value_operand(s, a->value[0]), given = v;
	enum elem e = value_elem(&v);

	v = as_complex(s, a);
	if (v.kind == VALUE_ERROR || (op == AIR_REAL && elem_kind(e) != KIND_COMPLEX))
		return v.kind == VALUE_ERROR ? v : given;
	v = value_op(s, op, elem_part(value_elem(&v)), &v, 1, a->at);
	return value_cast(s, v, elem_part(e));
}

struct value value_conjugate(struct sema *s, struct value v)
{
	enum elem e = value_elem(&v);
	struct value part[2];

	if (elem_kind(e) != KIND_COMPLEX)
		return v;
	part[0] = value_op(s, AIR_REAL, elem_part(e), &v, 1, v.span);
	part[1] = value_op(s, AIR_IMAG, elem_part(e), &v, 1, v.span);
	part[1] = value_unary(s, AST_OP_NEG, part[1], v.span);
	return value_op(s, AIR_COMPLEX, e, part, 2, v.span);
}

static struct value conj_call(struct sema *s, struct arguments *a, int data)
{
	(void)data;
	return unified(s, a, false) ? value_conjugate(s, a->value[0]) : value_error();
}

static struct value angle_call(struct sema *s, struct arguments *a, int data)
{
	struct value v = as_complex(s, a), part[2];
	enum elem e = elem_part(value_elem(&v));

	(void)data;
	if (v.kind == VALUE_ERROR)
		return v;
	part[0] = value_op(s, AIR_IMAG, e, &v, 1, a->at);
	part[1] = value_op(s, AIR_REAL, e, &v, 1, a->at);
	return value_op(s, AIR_ATAN2, e, part, 2, a->at);
}

/* ---- lists and axes
 * ----------------------------------------------------------------------- */

static struct value len_call(struct sema *s, struct arguments *a, int data)
{
	struct value r;

	(void)data;
	if (a->value[0].kind == VALUE_LIST || a->value[0].kind == VALUE_TUPLE)
		return value_scalar(air_int(s->air, ELEM_I64, a->value[0].as.list.n),
				    a->at);
	r = sema_failed(s, DIAG_WRONG_ARGUMENTS, a->at, "`len` is of lists, and this is %s",
			value_text(s, &a->value[0]));
	if (value_grid(&a->value[0]))
		sema_hint(s, "The length of an axis is u.x.size, the number of points "
			     "u.size.");
	return r;
}

/* Positions alone have the axes that they name, of the grid that they end up on. */
static struct value axes_call(struct sema *s, struct arguments *a, int data)
{
	struct value v = a->value[0], axis[MAX_AXES];
	struct grid *g;
	int n = 0;

	(void)data;
	if (v.kind == VALUE_EXPR && v.loose)
		v = s->target ? loose_settle(s, v, s->target) : loose_settle_alone(s, v);
	if (v.kind == VALUE_ERROR)
		return v;
	g = v.kind == VALUE_GRID ? v.as.grid : value_grid(&v);
	if (!g)
		return sema_failed(s, DIAG_WRONG_ARGUMENTS, v.span,
				   "`axes` is of a field or grid, and this is %s",
				   value_text(s, &v));
	for (int i = 0; i < g->n_axes; i++)
		if (!g->axis[i]->local)
			axis[n++] = value_of_grid_axis(g, i, a->at);
	return value_list(s, VALUE_LIST, axis, n, a->at);
}

static struct value later_call(struct sema *s, struct arguments *a, int data)
{
	(void)data;
	return sema_not_yet(s, a->callee, arena_printf(s->arena, "`%s`", a->name));
}

/* ---- calls
 * ---------------------------------------------------------------------------------- */

static const struct builtin builtins[] = {
#define ROW(name, call, least, most, data, effect)                                       \
	{ #name, call, least, most, data, EFFECT_##effect },
#include "sema/builtin.def"
#undef ROW
};

void builtins_add(struct sema *s)
{
	for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++)
		map_set(s->builtins, builtins[i].name, (void *)&builtins[i]);
}

const struct ast *argument_named(struct arguments *a, const char *key)
{
	for (int i = 0; i < a->n_named; i++)
		if (strcmp(a->key[i], key) == 0) {
			a->used[i] = true;
			return a->named[i];
		}
	return NULL;
}

static bool arguments_read(struct sema *s, const struct builtin *b, const struct ast *a,
			   struct arguments *r)
{
	memset(r, 0, sizeof *r);
	r->at = a->span;
	r->callee = a->child[0]->span;
	r->name = b->name;
	for (int i = 1; i < a->n_children; i++) {
		const struct ast *arg = a->child[i];

		if (arg->kind == AST_NAMED && r->n_named < NAMED_MOST) {
			r->key[r->n_named] = arg->child[0]->text;
			r->key_span[r->n_named] = arg->child[0]->span;
			r->named[r->n_named++] = arg->child[1];
			continue;
		}
		if (arg->kind == AST_KEYED || r->n == ARGUMENTS_MOST || arg->kind == AST_NAMED) {
			sema_fail(s, DIAG_WRONG_ARGUMENTS, arg->span,
				  "`%s` does not take this", b->name);
			return false;
		}
		r->ast[r->n++] = arg;
	}
	return true;
}

static bool arguments_count(struct sema *s, const struct builtin *b,
			    const struct arguments *r)
{
	if (r->n >= b->least && (b->most < 0 || r->n <= b->most))
		return true;
	if (b->least == b->most)
		sema_fail(s, DIAG_WRONG_ARGUMENTS, r->at,
			  "`%s` takes %d argument%s, not %d", b->name, b->least,
			  b->least == 1 ? "" : "s", r->n);
	else
		sema_fail(s, DIAG_WRONG_ARGUMENTS, r->at,
			  "`%s` takes %s arguments than %d", b->name,
			  r->n < b->least ? "more" : "fewer", r->n);
	return false;
}

static bool arguments_eval(struct sema *s, struct arguments *r)
{
	bool good = true;

	for (int i = 0; i < r->n; i++) {
		r->value[i] = eval_expr(s, r->ast[i]);
		r->value[i].span = r->ast[i]->span;
		if (r->value[i].kind == VALUE_NONE)
			r->value[i] = sema_failed(s, DIAG_WRONG_TYPE, r->ast[i]->span,
						  "this call gives no value");
		good = good && r->value[i].kind != VALUE_ERROR;
	}
	return good;
}

/* What is reduced has points of its own, not those of the target. */
static bool reduces(const struct builtin *b, const struct arguments *r)
{
	static builtin_fn *const always[] = { reduce_call,   count_call, mean_call,
					      variance_call, norm_call,  dot_call,
					      allclose_call, array_equal_call };

	for (size_t i = 0; i < sizeof always / sizeof *always; i++)
		if (b->call == always[i])
			return true;
	return b->call == extreme_call && r->n == 1;
}

static bool arguments_read_for(struct sema *s, const struct builtin *b,
			       struct arguments *r)
{
	const struct air_region *region = s->region;
	bool good;

	if (reduces(b, r))
		s->region = NULL;
	good = arguments_eval(s, r);
	s->region = region;
	return good;
}

static bool arguments_used(struct sema *s, const struct arguments *r)
{
	for (int i = 0; i < r->n_named; i++) {
		if (r->used[i])
			continue;
		sema_fail(s, DIAG_WRONG_ARGUMENTS, r->key_span[i],
			  "`%s` has no argument `%s`", r->name, r->key[i]);
		if (habit_hint(HABIT_ARGUMENT, r->key[i]))
			sema_hint(s, "%s", habit_hint(HABIT_ARGUMENT, r->key[i]));
		return false;
	}
	return true;
}

struct value builtin_call(struct sema *s, const struct builtin *b, const struct ast *a)
{
	struct arguments r;
	bool alone = s->alone;
	struct value v;

	s->alone = false;
	if (b->call == later_call)
		return sema_not_yet(s, a->child[0]->span,
				    arena_printf(s->arena, "`%s`", b->name));
	for (int i = 1; i < a->n_children; i++)
		if (a->child[i]->kind == AST_EACH)
			return each_call(s, b, a);
	if (!arguments_read(s, b, a, &r) || !arguments_count(s, b, &r))
		return value_error();
	if ((b->effect == EFFECT_YES || b->effect == EFFECT_WORD) && !alone)
		return sema_failed(s, DIAG_CALL_ALONE, a->span,
				   "`%s` is a statement and gives no value", b->name);
	if (b->effect != EFFECT_AST && b->effect != EFFECT_WORD &&
	    !arguments_read_for(s, b, &r))
		return value_error();
	s->alone = alone;
	v = b->call(s, &r, b->data);
	s->alone = false;
	if (v.kind != VALUE_ERROR && !arguments_used(s, &r))
		return value_error();
	return v;
}
