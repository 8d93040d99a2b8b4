/* schedule/lower.c - from AIR to the plan: the one place that knows the order
 *
 * Statements become drafts, passes rewrite them, stored fields become arrays, drafts
 * become runs; then halos are inferred for the whole program and walls get kernels.
 */
#include "schedule/draft.h"

static void array_add(struct sched *s, struct air_field *f)
{
	struct plan *p = s->plan;
	struct plan_array *a;

	if (p->of_field[f->id])
		return;
	a = arena_new_object(s->arena, struct plan_array);
	a->id = p->n_arrays;
	a->field = f;
	p->array[p->n_arrays++] = a;
	p->of_field[f->id] = a;
}

/* Stored are declared fields that come to live, and stages that a run still makes. */
static void store_fields(struct sched *s, const struct draft_block *b)
{
	for (const struct draft *d = b->first; d; d = d->next) {
		if (d->kind == DRAFT_HOST && d->air->kind == STMT_FIELD)
			array_add(s, d->air->field);
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
	                             : PLAN_HOST;
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
		lower_block(s, &d->body, &st->body);
		lower_block(s, &d->other, &st->other);
	}
}

static struct plan *plan_new(struct air_program *p, struct arena *a)
{
	struct plan *plan = arena_new_object(a, struct plan);

	plan->air = p;
	plan->arena = a;
	plan->array = arena_new_array(a, (size_t)p->n_fields + 1, struct plan_array *);
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

struct plan *plan_program_by(struct air_program *p, struct arena *a, unsigned which)
{
	struct sched s = { .arena = a, .air = p, .names = map_new(a, MAP_TEXTS),
		           .tiny = which & PASS_TINY };

	draft_program(&s);
	keep_boundaries(&s);
	for (size_t i = 0; i < sizeof passes / sizeof *passes; i++)
		if (which & passes[i].bit)
			passes[i].run(&s);
	s.plan = plan_new(p, a);
	store_fields(&s, &s.body);
	lower_block(&s, &s.body, &s.plan->body);
	plan_halos(&s);
	plan_walls(&s);
	return s.plan;
}

struct plan *plan_program(struct air_program *p, struct arena *a)
{
	return plan_program_by(p, a, PASS_ALL);
}
