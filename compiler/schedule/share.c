/* schedule/share.c - parts of a large run that are one another's shifts
 *
 * A box sum of n^3 points is a sum of n shifts of a sum of n shifts of a row of n: the
 * row and the plane become stages, and three runs of n reads do what one of n^3 would.
 * Only runs that are very large are looked at, where this saves most of the work. Values
 * stay the same bit for bit; a part is computed beyond walls as its reads would be there.
 */
#include <string.h>
#include "schedule/draft.h"

enum { LARGE = 1000, LARGE_IN_TESTS = 6, COST_LEAST = 3, SHIFTED_MOST = 4000000 };

/* A node without its place: what it is with its first read at the point itself. */
struct form {
	const struct air_expr *at_origin;    /* NULL: it cannot be moved */
	bool placed;                         /* does it read anything? */
	int64_t place[MAX_AXES];             /* along the axes of the run's grid */
	int64_t cost;
};

struct sharer {
	struct sched *s;
	struct draft_run *run;
	struct air_walk walk;
	struct form *form;                   /* by node of the walk */
	int64_t shifted;                     /* nodes moved so far */
};

/* Conditions that count points of a periodic axis tell a place from the same one a
 * period away. */
static bool counts_around(const struct air_field *f)
{
	for (int a = 0; a < f->grid->n_axes; a++)
		for (int side = 0; side < 2; side++) {
			struct air_walk w = { 0 };
			bool found = false;

			if (f->ghost[a][side].kind == GHOST_EXPR)
				w = air_walk_of(f->ghost[a][side].value);
			for (int i = 0; i < w.n; i++)
				found |= (w.node[i]->op == AIR_INDEX ||
				          w.node[i]->op == AIR_COORD) &&
				         w.node[i]->as.at.axis->periodic;
			air_walk_free(&w);
			if (found)
				return true;
		}
	return false;
}

/* A read at all axes of the run's grid, others fixed. */
static struct form form_of_read(const struct sharer *h, const struct air_expr *e)
{
	const struct air_field *f = e->as.read.field;
	struct air_select at[MAX_AXES] = { 0 };
	struct form x = { .placed = true };

	if (e->grid != h->run->grid || counts_around(f))
		return x;
	for (int a = 0; a < f->grid->n_axes; a++) {
		at[a] = e->as.read.at[a];
		if (at[a].pick == PICK_FIXED)
			continue;
		x.place[grid_axis_index(h->run->grid, f->grid->axis[a])] = at[a].offset;
		at[a].offset = 0;
	}
	x.at_origin = air_read(h->s->air, e->as.read.field, at, e->span);
	return x;
}

static const struct air_expr *moved(struct sharer *h, const struct air_expr *e,
                                    const int64_t *by, const int64_t *from, int64_t size)
{
	for (int a = 0; a < h->run->grid->n_axes; a++) {
		h->shifted += by[a] != from[a] ? size : 0;
		e = air_shift(h->s->air, e, h->run->grid->axis[a], by[a] - from[a]);
	}
	return e;
}

static struct form form_of_op(struct sharer *h, const struct air_expr *e)
{
	const struct air_expr *few[8], **arg = few;
	struct form x = { .cost = 1 };

	if (e->n_args > 8 || h->shifted > SHIFTED_MOST)
		return x;
	for (int i = 0; i < e->n_args; i++) {
		const struct form *y = &h->form[air_walk_place(&h->walk, e->arg[i])];

		if (!y->at_origin)
			return (struct form){ 0 };
		if (y->placed && !x.placed)
			memcpy(x.place, y->place, sizeof x.place);
		arg[i] = y->placed && x.placed
		                 ? moved(h, y->at_origin, y->place, x.place, 2 * y->cost + 1)
		                 : y->at_origin;
		x.placed |= y->placed;
		x.cost += y->cost;
	}
	x.at_origin = air_rebuild(h->s->air, e, arg);
	return x;
}

static struct form form_of(struct sharer *h, const struct air_expr *e)
{
	if (e->op == AIR_READ && e->grid)
		return form_of_read(h, e);
	if (e->op == AIR_READ || e->op == AIR_INDEX || e->op == AIR_COORD ||
	    e->op == AIR_RANDOM)
		return (struct form){ 0 };
	if (!e->n_args)
		return (struct form){ .at_origin = e };
	return form_of_op(h, e);
}

/* ---- the part that saves most ---- */

static int64_t saving(const struct form *x, int64_t count)
{
	return x->at_origin && x->placed && x->cost >= COST_LEAST ? (count - 1) * x->cost : 0;
}

/* The node whose shifts save most; -1: none saves half of all. */
static int best_part(struct sharer *h)
{
	struct map *count = map_new(h->s->arena, MAP_POINTERS);
	int64_t best = h->walk.n / 4;
	int found = -1;

	for (int i = 0; i < h->walk.n; i++) {
		const void *key = h->form[i].at_origin;

		if (key)
			map_set(count, key, (void *)((intptr_t)map_get(count, key) + 1));
	}
	for (int i = 0; i < h->walk.n; i++) {
		const void *key = h->form[i].at_origin;
		int64_t n = key ? (intptr_t)map_get(count, key) : 0;

		if (n > 1 && saving(&h->form[i], n) > best) {
			best = saving(&h->form[i], n);
			found = i;
		}
	}
	return found;
}

/* ---- taking it out ---- */

struct part {
	struct sharer *h;
	struct air_field *field;
	const struct air_expr *at_origin;
};

static const struct air_expr *part_read(const struct part *p, const struct form *x,
                                        struct span span)
{
	struct air_select at[MAX_AXES] = { 0 };

	for (int a = 0; a < p->field->grid->n_axes; a++)
		at[a].offset = x->place[a];
	return air_read(p->h->s->air, p->field, at, span);
}

static const struct air_expr *with_part(void *with, const struct air_expr *e)
{
	const struct part *p = with;
	int i = air_walk_place(&p->h->walk, e);

	return i >= 0 && p->h->form[i].at_origin == p->at_origin
	               ? part_read(p, &p->h->form[i], e->span)
	               : NULL;
}

static struct draft_run *take_out(struct sharer *h, int which)
{
	const struct air_expr *value = h->form[which].at_origin;
	struct part p = { .h = h, .at_origin = value };
	struct draft_run *r = draft_run_new(h->s, h->run->span, h->run->grid);
	struct draft_output out = { .value = value };
	struct expr_change change = { h->s, with_part, &p };

	p.field = out.field = draft_part(h->s, "part", h->run, value);
	run_change(h->run, expr_changed, &change);
	vec_push(h->s->arena, &r->output, out);
	return r;
}

/* The run of a part of r, which r now reads; NULL: there is none worth it. */
static struct draft_run *share_part(struct sched *s, struct draft_run *r)
{
	struct sharer h = { .s = s, .run = r, .walk = run_walk(r) };
	struct draft_run *part = NULL;
	int best = -1;

	if (h.walk.n > (s->tiny ? LARGE_IN_TESTS : LARGE)) {
		h.form = xmalloc((size_t)h.walk.n * sizeof *h.form);
		for (int i = 0; i < h.walk.n; i++)
			h.form[i] = form_of(&h, h.walk.node[i]);
		best = best_part(&h);
	}
	if (best >= 0)
		part = take_out(&h, best);
	free(h.form);
	air_walk_free(&h.walk);
	return part;
}

static void share_block(struct sched *s, struct draft_block *b)
{
	struct draft **link = &b->first;

	while (*link) {
		struct draft *d = *link, *before;
		struct draft_run *part = d->run ? share_part(s, d->run) : NULL;

		share_block(s, &d->body);
		share_block(s, &d->other);
		if (!part) {
			link = &d->next;
			continue;
		}
		before = arena_new_object(s->arena, struct draft);
		before->kind = DRAFT_RUN;
		before->run = part;
		before->next = d;
		*link = before;              /* which may have parts itself, as may d */
	}
}

void pass_share(struct sched *s)
{
	share_block(s, &s->body);
}
