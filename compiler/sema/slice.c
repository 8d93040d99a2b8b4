/* compiler/sema/slice.c - slices as values
 *
 * A slice is a field on a grid of its own, filled by a COPY; what it was copied from is
 * remembered. Where it meets a field of another grid, or a target, it is copied again,
 * straight from there, to the points where it is read: so all reads of a statement are
 * of one family. Copies whose result nobody reads in the end cost nothing.
 */
#include "sema/checker.h"

#include <string.h>

/* ---- copies ------------------------------------------------------------------------- */

/* A field that no declaration made: what is copied into it may go unread. */
struct air_field *made_field(struct sema *s, const char *stem, enum elem e,
				    struct grid *g, struct span at)
{
	struct air_field *f =
		sema_field_new(s, FIELD_DECLARED, sema_name(s, stem), e, g);

	f->made = true;
	f->span = sema_place(s, at);
	field_note_of(s, f)->unnamed = true;
	sema_emit(s, STMT_FIELD, f->span)->field = f;
	return f;
}

/* Counts that are known must be equal; the others are compared when it runs. */
bool counts_fit(struct sema *s, const struct count *from, const struct count *to,
		struct span at)
{
	int64_t n, m;

	if (!air_constant(from->n, &n, NULL) || !air_constant(to->n, &m, NULL) || n == m)
		return true;
	sema_fail(s, DIAG_SHAPES, at, "%s of %lld point%s along `%s` meets %lld along `%s`",
		  from->axis->family->anonymous ? "an array" : "a slice", (long long)n, n == 1 ? "" : "s", from->axis->name, (long long)m,
		  to->axis->name);
	return false;
}

static struct count count_of(struct sema *s, const struct air_field *f,
			     const struct air_region *region, int i)
{
	struct part p = part_of(s, &region->axis[i], air_size(s->air, f->grid, i));

	return (struct count){ p.count, f->grid->axis[i] };
}

bool copy_emit(struct sema *s, const struct air_copy *c, struct span at)
{
	struct air_stmt *st;

	for (int i = 0; i < c->to->grid->n_axes; i++) {
		struct count from, to;

		if (c->pair[i] < 0)
			continue;
		from = count_of(s, c->from, &c->from_region, c->pair[i]);
		to = count_of(s, c->to, &c->to_region, i);
		if (!counts_fit(s, &from, &to, at))
			return false;
	}
	st = sema_emit(s, STMT_COPY, sema_place(s, at));
	st->copy = arena_copy(s->air->arena, c, sizeof *c);
	return true;
}

/* ---- slices ------------------------------------------------------------------------- */

/* Whence f's values can still be had, or NULL: from f itself only. */
const struct origin *origin_of(const struct sema *s, const struct air_field *f)
{
	const struct origin *o = field_note_of(s, f)->origin;

	return o && o->block == s->block && o->changes == s->changes ? o : NULL;
}

void origin_set(struct sema *s, const struct air_copy *c)
{
	struct origin *o = arena_new_object(s->arena, struct origin);

	o->from = c->from;
	o->region = c->from_region;
	memcpy(o->axis, c->pair, sizeof o->axis);
	o->block = s->block;
	o->changes = s->changes;
	field_note_of(s, c->to)->origin = o;
}

/* What v reads, if that is a field or a component of one: then its region is that of v,
 * with the component. */
static struct air_field *value_source(const struct value *v, const struct air_region *of,
				      struct air_region *region)
{
	const struct air_expr *e = v->as.expr;
	struct air_field *f = e->op == AIR_READ ? e->as.read.field : NULL;

	region_clear(region);
	for (int i = 0; f && i < f->grid->n_axes; i++) {
		const struct air_select *at = &e->as.read.at[i];

		if (at->pick == PICK_FIXED) {
			region->axis[i].part = PART_AT;
			region->axis[i].lo = at->index;
		} else if (at->offset) {
			return NULL;
		} else {
			int k = grid_axis_index(value_grid(v), f->grid->axis[i]);

			region->axis[i] = of->axis[k];
		}
	}
	return f;
}

/* e, evaluated in that region only. */
struct air_field *slice_evaluate(struct sema *s, struct value v,
				 const struct air_region *region, struct span at)
{
	struct air_field *f;
	struct air_target target = { .region = *region };
	struct air_stmt *st;

	v = loose_end(s, v, grid_closed(&s->air->types, value_grid(&v)));
	if (v.kind == VALUE_ERROR || !value_is_even(s, &v))
		return NULL;
	claims_check(s, &v, value_grid(&v), region);
	guard_look_ups(s, v.as.expr, value_grid(&v), &(struct guarded){ region, NULL });
	f = made_field(s, "selected", value_elem(&v), value_grid(&v), at);
	target.field = f;
	target.value = v.as.expr;
	st = sema_emit(s, STMT_ASSIGN, f->span);
	st->n_targets = 1;
	st->target = arena_copy(s->air->arena, &target, sizeof target);
	s->changes--; /* nothing that has a name */
	return f;
}

struct value slice_value(struct sema *s, struct value v, struct air_region *region,
			 const struct ast *a)
{
	struct air_copy c = { 0 };
	struct grid *g;
	int n = 0;

	v = loose_end(s, v, grid_closed(&s->air->types, value_grid(&v)));
	region_hold(s, region);
	c.from = value_source(&v, region, &c.from_region);
	if (!c.from) {
		c.from = slice_evaluate(s, v, region, a->span);
		c.from_region = *region;
	}
	if (!c.from)
		return value_error();
	g = grid_sliced(s, value_grid(&v), region, true, a);
	if (!g)
		return value_error();
	c.to = made_field(s, "slice", c.from->elem, g, a->span);
	region_clear(&c.to_region);
	for (int i = 0; i < value_grid(&v)->n_axes; i++)
		if (region->axis[i].part != PART_AT)
			c.pair[n++] = grid_axis_index(c.from->grid,
						      value_grid(&v)->axis[i]);
	if (!copy_emit(s, &c, a->span))
		return value_error();
	origin_set(s, &c);
	return value_field_of(s, c.to, a->span);
}
