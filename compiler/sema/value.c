/* compiler/sema/value.c - making values and asking about them
 *
 * Values are small and passed by copy. A scalar is always weak: it takes the type
 * of the fields it meets.
 */
#include "sema/checker.h"

#include <string.h>

struct value value_error(void)
{
	return (struct value){ .kind = VALUE_ERROR };
}

struct value value_none(struct span at)
{
	return (struct value){ .kind = VALUE_NONE, .span = at };
}

struct value value_scalar(const struct air_expr *e, struct span at)
{
	return (struct value){
		.kind = VALUE_EXPR, .span = at, .weak = true, .as.expr = e
	};
}

struct value value_strong(const struct air_expr *e, struct span at)
{
	return (struct value){ .kind = VALUE_EXPR, .span = at, .as.expr = e };
}

struct value value_field_of(struct sema *s, struct air_field *f, struct span at)
{
	struct air_select here[MAX_AXES] = { 0 };

	return value_strong(air_read(s->air, f, here, at), at);
}

struct value value_of_axis(const struct axis *a, struct span at)
{
	return (struct value){ .kind = VALUE_AXIS, .span = at, .as.axis = a };
}

struct value value_of_grid_axis(const struct grid *g, int i, struct span at)
{
	struct value v = value_of_axis(g->axis[i], at);

	v.ext = g->ext[i] == EXT_OPEN ? 0 : g->ext[i];
	return v;
}

struct value value_of_grid(struct grid *g, struct span at)
{
	return (struct value){ .kind = VALUE_GRID, .span = at, .as.grid = g };
}

struct value value_list(struct sema *s, enum value_kind kind, const struct value *item,
			int n, struct span at)
{
	struct value v = { .kind = kind, .span = at };

	v.as.list.n = n;
	v.as.list.item = arena_copy(s->arena, item, (size_t)n * sizeof *item);
	return v;
}

bool value_is_error(const struct value *v)
{
	return v->kind == VALUE_ERROR;
}

bool value_is_scalar(const struct value *v)
{
	return v->kind == VALUE_EXPR && !v->as.expr->grid && !v->loose;
}

bool value_is_field(const struct value *v)
{
	return v->kind == VALUE_EXPR && !value_is_scalar(v);
}

bool value_is_constant(const struct value *v)
{
	return v->kind == VALUE_EXPR && air_is_constant(v->as.expr);
}

/* Is it a constant integer? */
bool value_is_integer(const struct value *v, int64_t *i)
{
	double f;

	return value_is_constant(v) && elem_kind(v->as.expr->elem) == KIND_INT &&
	       air_constant(v->as.expr, i, &f);
}

bool value_is_loose_axis(const struct sema *s, const struct value *v)
{
	return v->kind == VALUE_AXIS && v->as.axis->family == s->loose;
}

struct air_field *value_field(const struct value *v)
{
	const struct air_expr *e = v->as.expr;

	if (v->kind != VALUE_EXPR || e->op != AIR_READ)
		return NULL;
	for (int i = 0; i < e->as.read.field->grid->n_axes; i++)
		if (e->as.read.at[i].pick != PICK_OFFSET || e->as.read.at[i].offset)
			return NULL;
	return e->as.read.field;
}

const struct air_var *value_var(const struct value *v)
{
	return v->kind == VALUE_EXPR && v->as.expr->op == AIR_VAR ? v->as.expr->as.var
								  : NULL;
}

enum elem value_elem(const struct value *v)
{
	return v->kind == VALUE_EXPR ? v->as.expr->elem : ELEM_NONE;
}

struct grid *value_grid(const struct value *v)
{
	return v->kind == VALUE_EXPR && !v->loose ? v->as.expr->grid : NULL;
}

/* What a value is, for messages: "a field of f32". */
const char *value_text(struct sema *s, const struct value *v)
{
	switch (v->kind) {
	case VALUE_ERROR:
	case VALUE_NONE:
		return "nothing";
	case VALUE_EXPR:
		if (value_is_field(v))
			return arena_printf(s->arena, "a field of %s",
					    elem_text(v->as.expr->elem));
		if (v->as.expr->elem == ELEM_STR)
			return "a text";
		return arena_printf(s->arena, "a scalar of %s",
				    elem_text(v->as.expr->elem));
	case VALUE_AXIS:
		return "an axis";
	case VALUE_GRID:
		return "a grid";
	case VALUE_LIST:
		return "a list";
	case VALUE_TUPLE:
		return "a tuple";
	case VALUE_FUNCTION:
	case VALUE_BUILTIN:
		return "a function";
	case VALUE_MODULE:
		return "a module";
	case VALUE_TYPE:
		return "a type";
	}
	return "nothing";
}

/* The bit of a loose axis, or 0. */
static uint32_t loose_bit(const struct sema *s, const struct axis *a)
{
	return a->family == s->loose ? UINT32_C(1) << a->rank : 0;
}

struct value value_operand(struct sema *s, struct value v)
{
	struct air_place at = { v.as.axis, v.ext, 0 };
	struct value index;

	if (v.kind != VALUE_AXIS)
		return v;
	index = value_scalar(air_at_place(s->air, AIR_INDEX, at, v.span), v.span);
	index.loose = loose_bit(s, v.as.axis);
	return index;
}

bool var_is_mutable(const struct sema *s, const struct air_var *v)
{
	return v->id < s->mutable.n && s->mutable.item[v->id];
}

struct air_var *var_new(struct sema *s, const char *name, enum elem e, struct span at,
			bool mutable)
{
	struct air_var *v = air_var_new(s->air, name, e, at);

	while (s->mutable.n <= v->id)
		vec_push(s->arena, &s->mutable, false);
	s->mutable.item[v->id] = mutable;
	return v;
}

/* A scalar with the value it has now: a variable that is set once. */
struct value var_hold(struct sema *s, struct value v, const char *name)
{
	struct air_var *var;
	struct air_stmt *set;

	if (!value_is_scalar(&v) || value_is_constant(&v))
		return v;
	if (value_var(&v) && !var_is_mutable(s, value_var(&v)))
		return v;
	var = var_new(s, name, v.as.expr->elem, v.span, false);
	set = sema_emit(s, STMT_SET, v.span);
	set->var = var;
	set->value = v.as.expr;
	return value_scalar(air_read_var(s->air, var, v.span), v.span);
}
