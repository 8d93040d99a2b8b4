/* compiler/sema/scatter.c - `rho[x+1] += e`: each point adds into the shifted one
 *
 * AIR only gathers, so it becomes rho = where(here, rho + e[x-1], rho), where `here` says
 * that the point which gives is a point of the grid, and that the masks around hold
 * there. A point gets at most one term, so the order is no question. What gives is a
 * stage: it has the value from before the assignment.
 */
#include "sema/checker.h"

/* A stage whose ghosts are zeros: they are never chosen. */
static struct value giver(struct sema *s, struct value v, const char *stem)
{
	struct air_field *f;

	if (v.kind != VALUE_EXPR || value_is_scalar(&v))
		return v;
	v = stage_new(s, v, sema_name(s, stem));
	f = v.kind == VALUE_EXPR ? value_field(&v) : NULL;
	for (int a = 0; f && a < f->grid->n_axes; a++)
		for (int side = 0; side < 2 && !f->grid->axis[a]->periodic; side++)
			f->ghost[a][side] = (struct air_ghost){
				GHOST_EXPR,
				air_cast(s->air, air_int(s->air, ELEM_I64, 0), f->elem),
				f->span
			};
	return v;
}

/* v at the points that give. */
static struct value moved(struct sema *s, struct value v, const struct shifts *by)
{
	for (int i = 0; i < by->n && v.kind == VALUE_EXPR; i++)
		if (value_grid(&v) && grid_axis_index(value_grid(&v), by->axis[i]) >= 0)
			v = value_shift(s, v, by->axis[i], -by->offset[i], v.span);
	return v;
}

static struct value both(struct sema *s, struct value a, struct value b)
{
	return a.kind == VALUE_NONE ? b : value_binary(s, AST_OP_AND, a, b, b.span);
}

/* Does the point that gives lie on the grid? No value: always. */
static struct value inside(struct sema *s, const struct grid *g, const struct shifts *by,
			   struct span at)
{
	struct value all = value_none(at);

	for (int i = 0; i < by->n; i++) {
		const struct axis *a = by->axis[i];
		struct air_place giver = { a, grid_ext(g, a), -by->offset[i] };
		struct value from, size, zero;

		if (a->periodic || !by->offset[i])
			continue;
		from = value_strong(
			air_at_place(s->air, AIR_INDEX, giver, sema_place(s, at)), at);
		size = value_strong(air_size(s->air, g, grid_axis_index(g, a)), at);
		zero = value_scalar(air_int(s->air, ELEM_I64, 0), at);
		all = both(s, all,
			   by->offset[i] > 0
				   ? value_binary(s, AST_OP_GE, from, zero, at)
				   : value_binary(s, AST_OP_LT, from, size, at));
	}
	return all;
}

struct value scatter_value(struct sema *s, const struct scatter *to, struct value v)
{
	struct value now = value_field_of(s, to->field, to->span), mask = to->mask;
	struct value here = inside(s, to->field->grid, &to->by, to->span), pick[3];

	v = value_at(s, value_operand(s, v), to->field->grid, NULL);
	v = moved(s, giver(s, v, "given"), &to->by);
	mask = moved(s, giver(s, mask, "gives"), &to->by);
	if (v.kind != VALUE_EXPR || mask.kind == VALUE_ERROR)
		return v.kind == VALUE_EXPR ? value_error() : v;
	if (mask.kind == VALUE_EXPR)
		here = both(s, here, mask);
	v = value_binary(s, to->op, now, v, v.span);
	if (here.kind == VALUE_NONE || v.kind == VALUE_ERROR)
		return v;
	if (!value_convert(s, &v, to->field->elem,
			   arena_printf(s->arena, "what is assigned to `%s`",
					to->field->name)))
		return value_error();
	pick[0] = here;
	pick[1] = v;
	pick[2] = now;
	return value_op(s, AIR_SELECT, to->field->elem, pick, 3, v.span);
}
