/* array/evaluate_world.c - the values of fields, and keeping them
 *
 * Stores and worlds are counted; a write to a store that a snapshot holds goes to a
 * copy, so a snapshot costs one pointer a field.
 */
#include "array/evaluator.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static void *zeros(size_t n, size_t size)
{
	void *p = xmalloc((n + 1) * size);

	return memset(p, 0, (n + 1) * size);
}

struct world *world_new(const struct air_program *p)
{
	struct world *w = zeros(1, sizeof *w);

	w->refs = 1;
	w->var = zeros(p->n_vars, sizeof *w->var);
	w->field = zeros(p->n_fields, sizeof *w->field);
	return w;
}

void world_release(const struct air_program *p, struct world *w)
{
	if (!w || --w->refs > 0)
		return;
	for (int i = 0; i < p->n_fields; i++)
		store_release(p, w->field[i]);
	free(w->field);
	free(w->var);
	free(w);
}

void store_release(const struct air_program *p, struct store *s)
{
	if (!s || --s->refs > 0)
		return;
	world_release(p, s->world);
	free(s->value);
	free(s);
}

static struct store *store_new(int64_t n)
{
	struct store *s = zeros(1, sizeof *s);

	s->refs = 1;
	s->n = n;
	s->value = zeros(n, sizeof *s->value);
	return s;
}

struct store *world_begin(struct evaluator *ev, const struct air_field *f)
{
	struct store *s = store_new(points_count(ev, f->grid));

	store_release(ev->p, ev->now->field[f->id]);
	ev->now->field[f->id] = s;
	return s;
}

union scalar *world_change(struct evaluator *ev, const struct air_field *f)
{
	struct store *old = ev->now->field[f->id], *s = old;

	assert(old && f->kind == FIELD_DECLARED);
	if (old->refs > 1) {
		s = store_new(old->n);
		memcpy(s->value, old->value, old->n * sizeof *s->value);
		store_release(ev->p, old);
		ev->now->field[f->id] = s;
	}
	return s->value;
}

static void add_conditions(const struct air_field *f, struct air_field_set *set)
{
	for (int i = 0; i < f->grid->n_axes; i++)
		for (int side = 0; side < 2; side++)
			if (f->ghost[i][side].kind == GHOST_EXPR)
				air_fields_read(f->ghost[i][side].value, set);
}

/* What a stage's value and ghosts read, and what the ghosts of that read. Stages among
 * it bring their own worlds. */
static const struct air_field_set *seen_from(struct evaluator *ev,
                                             const struct air_field *stage)
{
	struct air_field_set *set = ev->seen_from[stage->id];

	if (set)
		return set;
	set = arena_new_object(ev->arena, struct air_field_set);
	set->arena = ev->arena;
	air_fields_read(stage->value, set);
	add_conditions(stage, set);
	for (int i = 0; i < set->n; i++)
		if (set->field[i]->kind == FIELD_DECLARED)
			add_conditions(set->field[i], set);
	return ev->seen_from[stage->id] = set;
}

struct world *world_snapshot(struct evaluator *ev, const struct air_field *stage)
{
	const struct air_field_set *set = seen_from(ev, stage);
	struct world *w = world_new(ev->p);

	memcpy(w->var, ev->now->var, ev->p->n_vars * sizeof *w->var);
	for (int i = 0; i < set->n; i++) {
		struct store *s = ev->now->field[set->field[i]->id];

		if (s)
			s->refs++;
		w->field[set->field[i]->id] = s;
	}
	return w;
}
