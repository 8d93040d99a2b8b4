/* schedule/wall.c - kernels that make the ghosts beyond walls
 *
 * One for each array, axis and side whose ghosts are read and that has a condition: it
 * runs over ghost points and stores what the condition is worth there.
 */
#include "array/walk.h"
#include "kernel/maker.h"
#include "schedule/draft.h"

static const char *wall_suffix(struct sched *s, const struct air_field *f, int a, int side)
{
	return arena_printf(s->arena, "_%s_%s_%s", f->name, f->grid->axis[a]->name,
	                    side ? "hi" : "lo");
}

static void wall_fields(struct sched *s, struct plan_wall *w, const struct kir_maker *m,
                        const struct air_field *of)
{
	w->field = arena_new_array(s->arena, (size_t)m->source.n + 1, struct plan_array *);
	for (int v = 0; v < m->source.n; v++) {
		if (m->source.item[v].field != of)
			w->field[w->n_fields++] = s->plan->of_field[m->source.item[v].field->id];
	}
}

static int mirrors_of(const struct air_expr *e)
{
	struct air_walk w = air_walk_of(e);
	int mirrors = 0;

	for (int i = 0; i < w.n; i++)
		if (w.node[i]->op == AIR_MIRROR)
			mirrors |= 1 << w.node[i]->as.mirror;
	air_walk_free(&w);
	return mirrors;
}

static struct plan_wall *wall_finish(struct sched *s, struct kir_maker *m, int value)
{
	const struct kir_wall *kw = m->wall;
	struct plan_wall *w = arena_new_object(s->arena, struct plan_wall);
	struct span span = kw->field->ghost[kw->axis][kw->side].span;

	if (!span.source)
		span = kw->field->span;
	kir_maker_store(m, kir_maker_view(m, kw->field), value, NULL);
	w->mirrors = mirrors_of(kw->field->ghost[kw->axis][kw->side].value);
	wall_fields(s, w, m, kw->field);
	call_finish(s, &w->call, m,
	            kernel_name(s, span, wall_suffix(s, kw->field, kw->axis, kw->side)), span);
	return w;
}

static struct plan_wall *wall_new(struct sched *s, struct kir_wall kw)
{
	const struct air_field *f = kw.field;
	struct kir_wall *kept = arena_copy(s->arena, &kw, sizeof kw);
	struct kir_maker *m = kir_maker_new(s->arena, s->air, f->grid, kept);

	return wall_finish(s, m, kir_maker_value(m, f->ghost[kw.axis][kw.side].value));
}

void plan_walls(struct sched *s)
{
	for (int i = 0; i < s->plan->n_arrays; i++) {
		struct plan_array *a = s->plan->array[i];

		if (a->id != i)
			continue;
		for (int x = 0; x < a->field->grid->n_axes; x++)
			for (int side = 0; side < 2; side++)
				if (a->halo[x][side] && !a->field->grid->axis[x]->periodic &&
				    a->field->ghost[x][side].kind == GHOST_EXPR)
					a->wall[x][side] =
						wall_new(s, (struct kir_wall){ a->field, x, side });
	}
}

/* ---- what a run makes use of ---- */

struct calls {
	const struct plan_call **call;
	int n;
	bool *seen;                          /* by array */
};

static void add_walls(struct calls *c, const struct plan_array *a)
{
	if (c->seen[a->id])
		return;
	c->seen[a->id] = true;
	for (int i = 0; i < MAX_AXES; i++)
		for (int side = 0; side < 2; side++) {
			const struct plan_wall *w = a->wall[i][side];

			if (!w)
				continue;
			c->call[c->n++] = &w->call;
			for (int f = 0; f < w->n_fields; f++)
				add_walls(c, w->field[f]);
		}
}

int plan_calls(const struct plan *p, const struct plan_run *r, struct arena *a,
               const struct plan_call *const **call)
{
	struct calls c = { .n = 0 };
	size_t most = 1 + (size_t)p->n_arrays * MAX_AXES * 2;

	c.call = arena_new_array(a, most, const struct plan_call *);
	c.seen = arena_new_array(a, (size_t)p->n_arrays + 1, bool);
	c.call[c.n++] = &r->call;
	for (int i = 0; i < r->n_needs; i++)
		add_walls(&c, r->need[i].array);
	*call = c.call;
	return c.n;
}
