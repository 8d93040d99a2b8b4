/* compiler/sema/extend.c - grids that are a point longer or shorter along some axes
 *
 * `cells.extend(x: 1)` is a grid of the same family with the same axes: the faces of the
 * cells. Points pair by index, so an expression may hold fields of both; where lengths
 * differ a value remembers the axes, and its target must decide how long it is.
 */
#include "sema/checker.h"

/* ---- values whose parts differ in length ------------------------------------- */

static uint32_t pair_differs(const struct grid *a, const struct grid *b)
{
	uint32_t axes = 0;

	for (int i = 0; i < a->n_axes; i++)
		if (grid_axis_index(b, a->axis[i]) >= 0 && a->ext[i] != EXT_OPEN &&
		    grid_ext(b, a->axis[i]) != EXT_OPEN &&
		    grid_longer(a, a->axis[i]) != grid_longer(b, a->axis[i]))
			axes |= UINT32_C(1) << a->axis[i]->rank;
	return axes;
}

/* The axes along which operands differ in length, by rank. */
uint32_t lengths_differ(const struct value *v, int n)
{
	uint32_t axes = 0;

	for (int i = 0; i < n; i++) {
		axes |= v[i].kind == VALUE_EXPR ? v[i].uneven : 0;
		for (int k = 0; k < i; k++)
			if (value_grid(&v[i]) && value_grid(&v[k]) &&
			    value_grid(&v[i]) != value_grid(&v[k]))
				axes |= pair_differs(value_grid(&v[i]),
						     value_grid(&v[k]));
	}
	return axes;
}

/* Has v a grid of its own, nothing else to decide it? false: told that it has not. */
bool value_is_even(struct sema *s, const struct value *v)
{
	const struct grid *g = value_grid(v);

	if (!g || !v->uneven)
		return true;
	for (int i = 0; i < g->n_axes; i++) {
		if (!(v->uneven >> g->axis[i]->rank & 1))
			continue;
		sema_fail(s, DIAG_WHICH_GRID, v->span,
			  "fields of different lengths along `%s` meet, and nothing says "
			  "how long this is",
			  g->axis[i]->name);
		sema_hint(s, "Name the grid: `let name on %s = ...`, for example.",
			  g->name);
		return false;
	}
	return true;
}

/* ---- grid.extend(x: 1) --------------------------------------------------------- */

static int extended_axis(struct sema *s, struct grid *g, const struct ast *name)
{
	struct symbol *symbol = scope_find(s, name->text);
	struct axis *a = NULL;

	if (symbol && symbol->value.kind == VALUE_AXIS)
		a = axis_in(s, symbol->value.as.axis, g);
	else
		a = grid_axis_named(g, name->text);
	if (!a) {
		sema_fail(s, DIAG_NO_AXIS, name->span, "`%s` is not an axis of `%s`",
			  name->text, g->name);
		return -1;
	}
	if (a->local) {
		sema_fail(s, DIAG_BAD_GRID, name->span,
			  "the local axis `%s` has no faces", name->text);
		return -1;
	}
	return grid_axis_index(g, a);
}

/* At least one point must be left. */
static bool points_left(struct sema *s, const struct grid *g, int i, struct span at)
{
	const struct air_expr *arg[2] = { air_int(s->air, ELEM_I64, 0),
					  air_size(s->air, g, i) };
	const struct air_expr *left = air_op(s->air, AIR_LT, ELEM_BOOL, arg, 2, at);
	struct air_stmt *check;
	int64_t known;

	if (g->axis[i]->place == AXIS_NODES || grid_longer(g, g->axis[i]) >= 0)
		return true;
	if (air_constant(left, &known, NULL)) {
		if (!known)
			sema_fail(s, DIAG_BAD_GRID, at, "no points are left along `%s`",
				  g->axis[i]->name);
		return known;
	}
	check = sema_emit(s, STMT_CHECK, sema_place(s, at));
	check->value = left;
	check->text = text_plain(s, arena_printf(s->arena, "no points are left along %s",
						 g->axis[i]->name));
	return true;
}

static bool extend_by(struct sema *s, struct grid *g, const struct ast *entry, int *ext)
{
	int64_t by;
	int i;

	if (entry->kind != AST_KEYED) {
		sema_fail(s, DIAG_WRONG_ARGUMENTS, entry->span,
			  "`extend` takes a number for an axis: `extend(%s: 1)`",
			  g->axis[0]->name);
		return false;
	}
	i = extended_axis(s, g, entry->child[0]);
	if (i < 0 || !eval_integer(s, entry->child[1], "an extension", &by))
		return false;
	if (by < -1 || by > 1 || ext[i] + by < -1 || ext[i] + by > 1) {
		sema_fail(s, DIAG_BAD_GRID, entry->span,
			  "an axis is extended by 1 or by -1, once");
		return false;
	}
	ext[i] += (int)by;
	return true;
}

struct value grid_extend(struct sema *s, struct grid *g, const struct ast *a)
{
	struct grid *to;
	int ext[MAX_AXES];

	for (int i = 0; i < g->n_axes; i++)
		ext[i] = g->ext[i];
	if (a->n_children < 2)
		return sema_failed(s, DIAG_WRONG_ARGUMENTS, a->span,
				   "`extend` takes a number for an axis: `extend(%s: 1)`",
				   g->axis[0]->name);
	for (int i = 1; i < a->n_children; i++)
		if (!extend_by(s, g, a->child[i], ext))
			return value_error();
	to = grid_of_extended(&s->air->types, g->axis, ext, g->n_axes);
	for (int i = 0; i < g->n_axes; i++)
		if (!points_left(s, to, i, a->span))
			return value_error();
	return value_of_grid(to, a->span);
}
