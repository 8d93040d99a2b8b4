/* array/footprint.c - which fields, points and variables an expression reads
 *
 * Questions about one expression; none looks into stages or ghosts.
 */
#include "array/air.h"

#include <assert.h>
#include <string.h>
#include "array/walk.h"

static void widen(struct air_reach *r, const struct air_expr *e)
{
	const struct air_select *at = e->as.read.at;
	int displaced = 0;

	r->any = true;
	for (int i = 0; i < e->as.read.field->grid->n_axes; i++) {
		if (at[i].pick == PICK_FIXED)
			continue;
		if (at[i].offset < r->lo[i])
			r->lo[i] = at[i].offset;
		if (at[i].offset > r->hi[i])
			r->hi[i] = at[i].offset;
		displaced += at[i].offset != 0;
	}
	if (displaced > r->diagonal)
		r->diagonal = displaced;
}

struct air_reach air_reach_of(const struct air_expr *e, const struct air_field *f)
{
	struct air_walk w = air_walk_of(e);
	struct air_reach r = { 0 };

	for (int i = 0; i < w.n; i++)
		if (w.node[i]->op == AIR_READ && w.node[i]->as.read.field == f)
			widen(&r, w.node[i]);
	air_walk_free(&w);
	return r;
}

static void set_add(struct air_field_set *set, struct air_field *f)
{
	struct air_field **old = set->field;

	for (int i = 0; i < set->n; i++)
		if (set->field[i] == f)
			return;
	if (set->n == set->room) {
		set->room = set->room ? 2 * set->room : 8;
		set->field = arena_new_array(set->arena, set->room, struct air_field *);
		if (set->n)
			memcpy(set->field, old, set->n * sizeof *old);
	}
	set->field[set->n++] = f;
}

void air_fields_read(const struct air_expr *e, struct air_field_set *set)
{
	struct air_walk w = air_walk_of(e);

	assert(set->arena);
	for (int i = 0; i < w.n; i++)
		if (w.node[i]->op == AIR_READ)
			set_add(set, w.node[i]->as.read.field);
	air_walk_free(&w);
}

static bool read_shifted(const struct air_expr *e, const struct axis *a)
{
	int i = grid_axis_index(e->as.read.field->grid, a);

	return i >= 0 && e->as.read.at[i].pick == PICK_OFFSET &&
	       e->as.read.at[i].offset != 0;
}

bool air_reads_shifted(const struct air_expr *e, const struct axis *a)
{
	struct air_walk w = air_walk_of(e);
	bool found = false;

	for (int i = 0; i < w.n && !found; i++)
		found = w.node[i]->op == AIR_READ && read_shifted(w.node[i], a);
	air_walk_free(&w);
	return found;
}

bool air_reads_var(const struct air_expr *e, const struct air_var *v)
{
	struct air_walk w = air_walk_of(e);
	bool found = false;

	for (int i = 0; i < w.n && !found; i++)
		found = w.node[i]->op == AIR_VAR && w.node[i]->as.var == v;
	air_walk_free(&w);
	return found;
}
