/* compiler/sema/array.c - arrays without a declared grid, as in NumPy
 *
 * array, zeros, ones, full, arange, linspace and from_function give a field on a grid
 * with axes i, j, k, l. Arrays of one shape (equal constants or equal expressions) share
 * one family, so they combine. Each is a stage without ghosts: beyond its ends it has no
 * value.
 */
#include "sema/checker.h"

#include <string.h>

#include "support/intern.h"

enum { MOST_AXES = 4 };

struct shape {
	int n;
	const struct air_expr *size[MOST_AXES]; /* i64 scalars */
};

/* ---- grids --------------------------------------------------------------------- */

bool block_holds(const struct air_block *b, const struct air_block *inner)
{
	if (b == inner)
		return true;
	return b->last && (block_holds(&b->last->body, inner) ||
			   block_holds(&b->last->other, inner));
}

static bool shape_is_constant(const struct shape *shape)
{
	for (int i = 0; i < shape->n; i++)
		if (shape->size[i]->op != AIR_CONST)
			return false;
	return true;
}

/* "(64, n)" */
static const char *shape_text(struct sema *s, const struct shape *shape)
{
	const char *text = "(";

	for (int i = 0; i < shape->n; i++) {
		const struct air_expr *e = shape->size[i];
		const char *between = i ? ", " : "";

		if (e->op == AIR_CONST)
			text = arena_printf(s->arena, "%s%s%lld", text, between,
					    (long long)e->as.i);
		else
			text = arena_printf(s->arena, "%s%s%s", text, between,
					    e->op == AIR_VAR ? e->as.var->name : "...");
	}
	return arena_printf(s->arena, shape->n == 1 ? "%s,)" : "%s)", text);
}

/* A grid of this shape whose statement has been carried out here. */
static struct grid *grid_known(const struct sema *s, const struct shape *shape)
{
	for (int i = 0; i < s->arrays.n; i++) {
		const struct array_grid *a = &s->arrays.item[i];
		bool same = a->grid->n_axes == shape->n;

		for (int k = 0; same && k < shape->n; k++)
			same = a->grid->axis[k]->size == shape->size[k];
		if (same && (!a->block || block_holds(a->block, s->block)))
			return a->grid;
	}
	return NULL;
}

/* Constant shapes are known from the start, so that arrays of functions and branches
 * combine: their statements come first, but behind what chooses the back end. */
void grid_first(struct sema *s, struct air_stmt *st)
{
	struct air_block *body = &s->air->body;
	struct air_stmt **link = &body->first;

	for (struct air_stmt *at = body->first; at; at = at->next)
		if (at->kind == STMT_BACKEND)
			link = &at->next;
	st->next = *link;
	*link = st;
	if (!st->next)
		body->last = st;
}

static struct grid *grid_make(struct sema *s, const struct shape *shape, struct span at)
{
	static const char *const names[MOST_AXES] = { "i", "j", "k", "l" };
	struct array_grid known = { NULL, NULL };
	struct air_block early = { NULL, NULL };
	struct family *f;
	int64_t n;

	if (s->air->types.n_families + 1 >= MAX_FAMILIES) {
		sema_fail(s, DIAG_BAD_GRID, at, "too many grids");
		return NULL;
	}
	f = family_new(&s->air->types, shape_text(s, shape), at);
	f->anonymous = f->positional = true;
	for (int i = 0; i < shape->n; i++) {
		struct axis a = { .size = shape->size[i], .constant_size = -1, .span = at };

		a.name = intern_text(s->in->names, names[i]);
		if (air_constant(a.size, &n, NULL))
			a.constant_size = n;
		family_add_axis(&s->air->types, f, a);
	}
	known.grid = grid_of(&s->air->types, f, f->axis, shape->n);
	if (shape_is_constant(shape)) {
		air_stmt_new(s->air, &early, STMT_GRID, at)->family = f;
		grid_first(s, early.first);
	} else {
		sema_emit(s, STMT_GRID, at)->family = f;
		known.block = s->block;
	}
	if (!known.block || block_holds(&s->air->body, s->block))
		vec_push(s->arena, &s->arrays, known);
	return known.grid;
}

static struct grid *grid_of_shape(struct sema *s, struct shape *shape, struct span at)
{
	struct grid *g;

	for (int i = 0; i < shape->n; i++) {
		int64_t n;

		if (air_constant(shape->size[i], &n, NULL) && n < 1) {
			sema_fail(s, DIAG_BAD_GRID, at,
				  "an array has at least one element along each axis, "
				  "not %lld",
				  (long long)n);
			return NULL;
		}
		shape->size[i] = var_hold(s, value_scalar(shape->size[i], at),
					  sema_name(s, "size"))
					 .as.expr;
	}
	g = grid_known(s, shape);
	return g ? g : grid_make(s, shape, sema_place(s, at));
}

/* ---- arguments ------------------------------------------------------------------- */

static bool shape_add(struct sema *s, struct shape *shape, struct value v)
{
	v = value_operand(s, v);
	if (v.kind != VALUE_EXPR || !value_is_scalar(&v) ||
	    elem_kind(value_elem(&v)) != KIND_INT) {
		sema_fail(s, DIAG_WRONG_ARGUMENTS, v.span,
			  "the size of an array is an integer, and this is %s",
			  value_text(s, &v));
		return false;
	}
	if (shape->n == MOST_AXES) {
		sema_fail(s, DIAG_WRONG_ARGUMENTS, v.span,
			  "an array has at most %d axes", MOST_AXES);
		return false;
	}
	shape->size[shape->n++] = value_cast(s, v, ELEM_I64).as.expr;
	return true;
}

/* Sizes, or one tuple of them. */
static bool shape_read(struct sema *s, const struct value *v, int n, struct shape *shape)
{
	bool good = true;

	shape->n = 0;
	for (int i = 0; i < n && good; i++) {
		if (v[i].kind != VALUE_TUPLE && v[i].kind != VALUE_LIST) {
			good = shape_add(s, shape, v[i]);
			continue;
		}
		if (n > 1) {
			sema_fail(s, DIAG_WRONG_ARGUMENTS, v[i].span,
				  "a shape is sizes, or one tuple of them");
			return false;
		}
		for (int k = 0; k < v[i].as.list.n && good; k++)
			good = shape_add(s, shape, v[i].as.list.item[k]);
	}
	return good && shape->n;
}

/* Takes `f32` at the end, or `dtype = f32`, away; ELEM_NONE: none. False: told. */
static bool type_taken(struct sema *s, struct arguments *a, enum elem *e)
{
	const struct ast *named = argument_named(a, "dtype");
	struct value v;

	*e = ELEM_NONE;
	if (named)
		v = eval_expr(s, named);
	else if (a->n && a->value[a->n - 1].kind == VALUE_TYPE)
		v = a->value[--a->n];
	else
		return true;
	if (v.kind == VALUE_TYPE && v.as.elem != ELEM_STR) {
		*e = v.as.elem;
		return true;
	}
	if (v.kind == VALUE_TYPE)
		sema_fail(s, DIAG_WRONG_TYPE, v.span, "an array cannot hold texts");
	else if (v.kind != VALUE_ERROR)
		sema_fail(s, DIAG_WRONG_ARGUMENTS, v.span,
			  "the elements of an array have a type, and this is %s",
			  value_text(s, &v));
	return false;
}

static bool count_fits(struct sema *s, const struct arguments *a, int least, int most)
{
	if (a->n >= least && a->n <= most)
		return true;
	sema_fail(s, DIAG_WRONG_ARGUMENTS, a->at, "`%s` takes %s arguments than %d", a->name,
		  a->n < least ? "more" : "fewer", a->n);
	return false;
}

/* A number that the elements are made of, with the value it has now. */
static bool number_taken(struct sema *s, struct arguments *a, int i, struct value *v)
{
	*v = value_operand(s, a->value[i]);
	if (v->kind == VALUE_EXPR && value_is_scalar(v) && value_elem(v) != ELEM_STR) {
		*v = var_hold(s, *v, sema_name(s, a->name));
		return true;
	}
	sema_fail(s, DIAG_WRONG_ARGUMENTS, v->span, "`%s` takes numbers, and this is %s",
		  a->name, value_text(s, v));
	return false;
}

/* ---- elements -------------------------------------------------------------------- */

/* The array whose elements are v, over axes of g, of type e if that is one. */
static struct value array_of(struct sema *s, const struct arguments *a, struct grid *g,
			     struct value v, enum elem e)
{
	struct air_field *f;

	if (v.kind != VALUE_EXPR)
		return value_error();
	e = e == ELEM_NONE ? value_elem(&v) : e;
	if (elem_kind(value_elem(&v)) == KIND_COMPLEX && elem_kind(e) != KIND_COMPLEX)
		return sema_failed(s, DIAG_WRONG_TYPE, a->at, "a complex number is no %s",
				   elem_text(e));
	v = value_cast(s, v, e);
	f = sema_field_new(s, FIELD_STAGE, sema_name(s, a->name), e, g);
	f->span = sema_place(s, a->at);
	f->value = v.as.expr;
	field_note_of(s, f)->drawn = true;
	field_note_of(s, f)->unnamed = true;
	sema_emit(s, STMT_STAGE, f->span)->field = f;
	return value_field_of(s, f, a->at);
}

static struct value index_of(struct sema *s, const struct grid *g, int axis, struct span at)
{
	return value_scalar(air_at(s->air, AIR_INDEX, g->axis[axis], 0, at), at);
}

static struct value integer(struct sema *s, int64_t i, struct span at)
{
	return value_scalar(air_int(s->air, ELEM_I64, i), at);
}

struct value filled_call(struct sema *s, struct arguments *a, int with)
{
	struct shape shape;
	struct grid *g;
	enum elem e;

	if (!type_taken(s, a, &e) || !count_fits(s, a, 1, 4) ||
	    !shape_read(s, a->value, a->n, &shape))
		return value_error();
	g = grid_of_shape(s, &shape, a->at);
	return g ? array_of(s, a, g, integer(s, with, a->at), e ? e : ELEM_F64)
		 : value_error();
}

struct value full_call(struct sema *s, struct arguments *a, int data)
{
	struct shape shape;
	struct value v;
	struct grid *g;
	enum elem e;

	(void)data;
	if (!type_taken(s, a, &e) || !count_fits(s, a, 2, 2) ||
	    !shape_read(s, a->value, 1, &shape) || !number_taken(s, a, 1, &v))
		return value_error();
	g = grid_of_shape(s, &shape, a->at);
	return g ? array_of(s, a, g, v, e) : value_error();
}

/* ---- array([[1, 2], [3, 4]]) --------------------------------------------------------- */

struct items {
	struct shape shape;
	int n, room;
	struct value *value; /* in C order */
};

/* Sizes are those of the first entries; false: told. */
static bool items_shape(struct sema *s, struct items *all, const struct value *v)
{
	int64_t count = 1;

	for (; v->kind == VALUE_LIST; v = &v->as.list.item[0]) {
		if (!v->as.list.n) {
			sema_fail(s, DIAG_WRONG_ARGUMENTS, v->span,
				  "an array has at least one element along each axis");
			return false;
		}
		if (!shape_add(s, &all->shape, integer(s, v->as.list.n, v->span)))
			return false;
		count *= v->as.list.n;
	}
	all->room = (int)count;
	all->value = arena_new_array(s->arena, (size_t)count, struct value);
	return true;
}

static bool items_take(struct sema *s, struct items *all, const struct value *v, int depth)
{
	bool leaf = depth == all->shape.n;

	if (leaf ? v->kind == VALUE_LIST
		 : v->kind != VALUE_LIST || v->as.list.n != all->shape.size[depth]->as.i) {
		sema_fail(s, DIAG_WRONG_ARGUMENTS, v->span,
			  "the rows of an array are of one length");
		return false;
	}
	if (leaf) {
		all->value[all->n++] = *v;
		return true;
	}
	for (int i = 0; i < v->as.list.n; i++)
		if (!items_take(s, all, &v->as.list.item[i], depth + 1))
			return false;
	return true;
}

/* The place of an element in C order. */
static struct value flat_index(struct sema *s, const struct grid *g, struct span at)
{
	struct value flat = index_of(s, g, 0, at);

	for (int i = 1; i < g->n_axes; i++) {
		struct value size = integer(s, g->axis[i]->constant_size, at);

		flat = value_binary(s, AST_OP_MUL, flat, size, at);
		flat = value_binary(s, AST_OP_ADD, flat, index_of(s, g, i, at), at);
	}
	return flat;
}

struct value array_call(struct sema *s, struct arguments *a, int data)
{
	struct items all = { .shape = { 0 } };
	struct value v = a->n ? a->value[0] : value_none(a->at), list;
	struct grid *g;
	enum elem e;

	(void)data;
	if (!type_taken(s, a, &e) || !count_fits(s, a, 1, 1))
		return value_error();
	if (v.kind != VALUE_LIST) {
		v = sema_failed(s, DIAG_WRONG_ARGUMENTS, v.span,
				"`array` is made of a list, and this is %s",
				value_text(s, &v));
		sema_hint(s, "Write `array([1, 2, 3])`.");
		return v;
	}
	if (!items_shape(s, &all, &v) || !items_take(s, &all, &v, 0) ||
	    !operands_unify(s, all.value, all.n, v.span))
		return value_error();
	if (value_elem(&all.value[0]) == ELEM_STR)
		return sema_failed(s, DIAG_WRONG_TYPE, v.span, "an array cannot hold texts");
	g = grid_of_shape(s, &all.shape, a->at);
	if (!g)
		return value_error();
	list = value_list(s, VALUE_LIST, all.value, all.n, a->at);
	return array_of(s, a, g, list_entry(s, list, flat_index(s, g, a->at), a->at), e);
}

/* ---- arange, linspace ------------------------------------------------------------- */

/* How many elements start, start + step, ... there are below stop. */
static struct value steps_between(struct sema *s, struct value start, struct value stop,
				  struct value step, struct span at)
{
	struct value width;

	if (elem_kind(value_elem(&start)) <= KIND_INT) {
		width = value_binary(s, AST_OP_SUB, start, stop, at);
		width = value_binary(s, AST_OP_FLOORDIV, width, step, at);
		return value_unary(s, AST_OP_NEG, width, at);
	}
	width = value_binary(s, AST_OP_SUB, stop, start, at);
	width = value_binary(s, AST_OP_DIV, width, step, at);
	width = value_op(s, AIR_CEIL, value_elem(&width), &width, 1, at);
	return value_cast(s, width, ELEM_I64);
}

/* NumPy's: the step is what the second element is further on, as rounded. */
struct value arange_call(struct sema *s, struct arguments *a, int data)
{
	struct value v[3] = { integer(s, 0, a->at), integer(s, 0, a->at),
			      integer(s, 1, a->at) };
	struct value size, step;
	struct shape shape = { 0 };
	struct grid *g;
	enum elem e;

	(void)data;
	if (!type_taken(s, a, &e) || !count_fits(s, a, 1, 3))
		return value_error();
	for (int i = 0; i < a->n; i++)
		if (!number_taken(s, a, i, &v[a->n == 1 ? 1 : i]))
			return value_error();
	if (!operands_unify(s, v, 3, a->at))
		return value_error();
	if (elem_kind(value_elem(&v[0])) == KIND_COMPLEX)
		return sema_failed(s, DIAG_WRONG_TYPE, a->at,
				   "`arange` does not work on complex numbers");
	if (value_elem(&v[0]) == ELEM_BOOL)
		for (int i = 0; i < 3; i++)
			v[i] = value_cast(s, v[i], ELEM_I64);
	size = steps_between(s, v[0], v[1], v[2], a->at);
	if (size.kind == VALUE_ERROR || !shape_add(s, &shape, size))
		return value_error();
	g = grid_of_shape(s, &shape, a->at);
	if (!g)
		return value_error();
	step = value_binary(s, AST_OP_ADD, v[0], v[2], a->at);
	step = value_binary(s, AST_OP_SUB, step, v[0], a->at);
	step = value_binary(s, AST_OP_MUL, index_of(s, g, 0, a->at), step, a->at);
	return array_of(s, a, g, value_binary(s, AST_OP_ADD, v[0], step, a->at), e);
}

/* The last element is the end itself. */
static struct value spaced(struct sema *s, struct grid *g, const struct value *end,
			   struct value parts, struct span at)
{
	struct value i = index_of(s, g, 0, at), v[3];
	struct value step = value_binary(s, AST_OP_SUB, end[1], end[0], at);

	step = var_hold(s, value_binary(s, AST_OP_DIV, step, parts, at),
			sema_name(s, "step"));
	v[2] = value_binary(s, AST_OP_MUL, i, step, at);
	v[2] = value_binary(s, AST_OP_ADD, v[2], end[0], at);
	v[0] = value_binary(s, AST_OP_EQ, i, parts, at);
	v[1] = end[1];
	return value_op(s, AIR_SELECT, value_elem(&v[1]), v, 3, at);
}

struct value linspace_call(struct sema *s, struct arguments *a, int data)
{
	struct shape shape = { 0 };
	struct value end[2], parts[2];
	struct grid *g;
	enum elem e;

	(void)data;
	if (!type_taken(s, a, &e) || !count_fits(s, a, 2, 3) ||
	    !number_taken(s, a, 0, &end[0]) || !number_taken(s, a, 1, &end[1]) ||
	    !operands_unify(s, end, 2, a->at) ||
	    !shape_add(s, &shape, a->n > 2 ? a->value[2] : integer(s, 50, a->at)))
		return value_error();
	g = grid_of_shape(s, &shape, a->at);
	if (!g)
		return value_error();
	for (int i = 0; i < 2; i++)
		if (elem_kind(value_elem(&end[i])) < KIND_REAL)
			end[i] = value_cast(s, end[i], ELEM_F64);
	parts[0] = value_scalar(shape.size[0], a->at);
	parts[0] = value_binary(s, AST_OP_SUB, parts[0], integer(s, 1, a->at), a->at);
	parts[1] = integer(s, 1, a->at);
	parts[0] = value_op(s, AIR_MAX, ELEM_I64, parts, 2, a->at);
	return array_of(s, a, g, spaced(s, g, end, parts[0], a->at), e);
}

/* ---- from_function ------------------------------------------------------------------ */

struct value from_function_call(struct sema *s, struct arguments *a, int data)
{
	struct shape shape;
	struct value index[MOST_AXES], v;
	struct grid *g, *outer = s->target;
	enum elem e;

	(void)data;
	if (!type_taken(s, a, &e) || !count_fits(s, a, 2, 1 + MOST_AXES) ||
	    !shape_read(s, a->value + 1, a->n - 1, &shape))
		return value_error();
	if (a->value[0].kind != VALUE_FUNCTION)
		return sema_failed(s, DIAG_WRONG_ARGUMENTS, a->value[0].span,
				   "`from_function` begins with a function, and this is %s",
				   value_text(s, &a->value[0]));
	g = grid_of_shape(s, &shape, a->at);
	if (!g)
		return value_error();
	for (int i = 0; i < shape.n; i++)
		index[i] = index_of(s, g, i, a->at);
	s->target = g;
	v = value_operand(s, function_apply(s, &a->value[0], index, shape.n, a->ast[0]));
	s->target = outer;
	if (v.kind == VALUE_NONE || (v.kind != VALUE_ERROR && v.kind != VALUE_EXPR))
		return sema_failed(s, DIAG_WRONG_ARGUMENTS, a->value[0].span,
				   "the function gives no number");
	if (v.kind == VALUE_ERROR)
		return v;
	v = loose_end(s, v, g);
	if (v.kind == VALUE_ERROR || !value_on_grid(s, &v, g, "the array"))
		return value_error();
	claims_check(s, &v, g, NULL);
	return array_of(s, a, g, v, e);
}
