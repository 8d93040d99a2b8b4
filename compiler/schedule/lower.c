/* schedule/lower.c - from AIR to the plan: the one place that knows the order
 *
 * Statements become drafts, passes rewrite them, stored fields become arrays, drafts
 * become runs; then halos are inferred for the whole program and walls get kernels.
 */
#include <string.h>
#include "schedule/draft.h"

static int free_number(const struct plan *p)
{
	int i = 0;

	while (i < p->n_arrays && p->array[i]->id == i)
		i++;
	return i;
}

static void array_add(struct sched *s, struct air_field *f)
{
	struct plan *p = s->plan;
	struct plan_array *a;

	if (p->of_field[f->id])
		return;
	a = arena_new_object(s->arena, struct plan_array);
	a->id = free_number(p);
	a->field = f;
	p->array[a->id] = a;
	if (a->id == p->n_arrays)
		p->n_arrays++;
	p->of_field[f->id] = a;
}

/* The arrays of earlier text, as they were left. */
static void arrays_again(struct sched *s)
{
	const struct plan_array *last = NULL;
	struct plan *p = s->plan;

	for (int i = s->before->n_arrays - 1; i >= 0; i--) {
		const struct plan_array *old = s->before->array[i];
		struct plan_array *a;

		if (old->id != i || old->gone) {
			p->array[i] = p->array[last->id];
			continue;
		}
		a = arena_new_object(s->arena, struct plan_array);
		a->id = i;
		a->field = old->field;
		memcpy(a->grown, old->grown, sizeof a->grown);
		p->array[i] = a;
		p->of_field[a->field->id] = a;
		last = a;
	}
	p->n_arrays = s->before->n_arrays;
}

/* Stored are declared fields that come to live, folds, and stages that a run still makes. */
static void store_fields(struct sched *s, const struct draft_block *b)
{
	for (const struct draft *d = b->first; d; d = d->next) {
		if (d->kind == DRAFT_HOST && d->air->kind == STMT_FIELD)
			array_add(s, d->air->field);
		if (d->kind == DRAFT_HOST && d->air->kind == STMT_FOLD)
			array_add(s, d->air->fold->to);
		for (int i = 0; d->run && i < d->run->output.n; i++)
			array_add(s, d->run->output.item[i].field);
		store_fields(s, &d->body);
		store_fields(s, &d->other);
	}
}

static enum plan_kind kind_of(enum draft_kind kind)
{
	return kind == DRAFT_IF      ? PLAN_IF
	       : kind == DRAFT_LOOP  ? PLAN_LOOP
	       : kind == DRAFT_FOR   ? PLAN_FOR
	       : kind == DRAFT_LOCAL ? PLAN_LOCAL
	       : kind == DRAFT_EXPORT ? PLAN_EXPORT
	                             : PLAN_HOST;
}

static struct plan_copy *copy_keep(struct sched *s, const struct air_stmt *st)
{
	struct plan *p = s->plan;
	struct plan_copy *c = arena_new_object(s->arena, struct plan_copy), **old = p->copy;

	if (!(p->n_copies & (p->n_copies - 1))) {
		p->copy = arena_new_array(s->arena, 2 * (size_t)p->n_copies + 1,
		                          struct plan_copy *);
		if (p->n_copies)
			memcpy(p->copy, old, (size_t)p->n_copies * sizeof *old);
	}
	c->id = p->n_copies;
	c->span = st->span;
	c->air = st->copy;
	c->first_arg = p->n_args;
	p->n_args += 2 * (st->copy->to->grid->n_axes + st->copy->from->grid->n_axes);
	return p->copy[p->n_copies++] = c;
}

static void lower_block(struct sched *s, const struct draft_block *from, struct plan_block *to)
{
	for (const struct draft *d = from->first; d; d = d->next) {
		struct plan_stmt *st;

		if (d->kind == DRAFT_RUN) {
			components_complete(s, d->run);
			run_lower(s, d->run, to);
			continue;
		}
		st = plan_add(s, to, kind_of(d->kind));
		st->air = d->air;
		if (d->kind == DRAFT_HOST && d->air->kind == STMT_COPY)
			st->copy = copy_keep(s, d->air);
		lower_block(s, &d->body, &st->body);
		lower_block(s, &d->other, &st->other);
	}
}

static struct plan *plan_new(struct air_program *p, struct arena *a, int n_arrays)
{
	struct plan *plan = arena_new_object(a, struct plan);

	plan->air = p;
	plan->arena = a;
	plan->array = arena_new_array(a, (size_t)p->n_fields + n_arrays + 1, struct plan_array *);
	plan->of_field = arena_new_array(a, (size_t)p->n_fields + 1, struct plan_array *);
	return plan;
}

static const struct {
	enum plan_pass bit;
	void (*run)(struct sched *s);
} passes[] = {
	{ PASS_DEAD, pass_dead },
	{ PASS_INLINE, pass_inline },
	{ PASS_MERGE, pass_merge },
	{ PASS_DEAD, pass_dead },            /* what only the merged ones read */
	{ PASS_SHARE, pass_share },
	{ PASS_SPLIT, pass_split },
};

static struct plan *plan_with(struct sched *s, unsigned which)
{
	draft_program(s);
	keep_boundaries(s);
	for (size_t i = 0; i < sizeof passes / sizeof *passes; i++)
		if (which & passes[i].bit)
			passes[i].run(s);
	s->plan = plan_new(s->air, s->arena, s->before ? s->before->n_arrays : 0);
	if (s->before)
		arrays_again(s);
	store_fields(s, &s->body);
	lower_block(s, &s->body, &s->plan->body);
	plan_halos(s);
	plan_walls(s);
	return s->plan;
}

struct plan *plan_program_by(struct air_program *p, struct arena *a, unsigned which)
{
	struct sched s = { .arena = a, .air = p, .names = map_new(a, MAP_TEXTS),
		           .tiny = which & PASS_TINY };

	return plan_with(&s, which);
}

struct plan *plan_program(struct air_program *p, struct arena *a)
{
	return plan_program_by(p, a, PASS_ALL);
}

/* ---- text that is given bit by bit ---- */

struct plan *plan_program_after(struct air_program *p, struct arena *a,
                                const struct plan *before)
{
	struct sched s = { .arena = a, .air = p, .names = map_new(a, MAP_TEXTS),
		           .before = before };

	return plan_with(&s, PASS_ALL);
}

void plan_keep(struct plan *p)
{
	int n = 0;

	for (int i = 0; i < p->n_arrays; i++) {
		struct plan_array *a = p->array[i];

		if (a->id != i)
			continue;
		a->gone = !air_keeps_field(p->air, a->field);
		if (!a->gone)
			n = i + 1;
	}
	p->n_arrays = n;
}

static bool is_beyond(const struct plan_array *a)
{
	const struct air_field *f = a->field;

	for (int x = 0; x < f->grid->n_axes; x++)
		for (int side = 0; side < 2; side++)
			if (f->ghost[x][side].kind == GHOST_COMPUTED &&
			    a->halo[x][side] > a->grown[x][side] &&
			    !f->grid->axis[x]->periodic)
				return true;
	return false;
}

const struct plan_array *plan_too_far(const struct plan *p, const struct plan *before)
{
	for (int i = 0; i < before->n_arrays; i++) {
		const struct plan_array *old = before->array[i];

		if (old->id == i && !old->gone && is_beyond(p->array[i]))
			return p->array[i];
	}
	return NULL;
}
