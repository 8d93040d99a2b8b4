/* schedule/run.c - a draft becomes a run of one kernel
 *
 * All values are made before the first store, so whatever a run reads is what was there
 * before it. A run that only moves values between fields becomes swaps. Needs of ghosts
 * are left to halo.c, which sees the whole program.
 */
#include <string.h>
#include "kernel/maker.h"
#include "schedule/draft.h"

struct plan_stmt *plan_add(struct sched *s, struct plan_block *b, enum plan_kind kind)
{
	struct plan_stmt *st = arena_new_object(s->arena, struct plan_stmt);

	st->kind = kind;
	if (b->last)
		b->last->next = st;
	else
		b->first = st;
	b->last = st;
	return st;
}

static struct plan_array *array_of(const struct sched *s, const struct air_field *f)
{
	return s->plan->of_field[f->id];
}

static bool has_work(const struct draft_run *r, const struct placing *to)
{
	for (int i = 0; i < r->output.n; i++)
		if (to->output[i].buffer)
			return true;
	return r->result.n > 0;
}

static void emit_swaps(struct sched *s, const struct placing *to, struct plan_block *b)
{
	for (int i = 0; i < to->swap.n; i += 2) {
		struct plan_stmt *st = plan_add(s, b, PLAN_SWAP);

		st->swap[0] = array_of(s, to->swap.item[i]);
		st->swap[1] = array_of(s, to->swap.item[i + 1]);
	}
}

static int view_for(struct kir_maker *m, const struct placement *x)
{
	return x->second ? kir_maker_second(m, x->buffer) : kir_maker_view(m, x->buffer);
}

static void store_outputs(struct kir_maker *m, const struct draft_run *r,
                          const struct placing *to, const int *value)
{
	for (int i = 0; i < r->output.n; i++)
		if (to->output[i].buffer)
			kir_maker_store(m, view_for(m, &to->output[i]), value[i],
			                r->output.item[i].at);
}

static void make_kernel(struct sched *s, const struct draft_run *r, const struct placing *to,
                        struct plan_run *run)
{
	struct kir_maker *m = kir_maker_new(s->arena, s->air, r->grid, NULL);
	int *value = arena_new_array(s->arena, (size_t)r->output.n + 1, int);

	for (int i = 0; i < r->output.n; i++)
		if (to->output[i].buffer)
			value[i] = kir_maker_value(m, r->output.item[i].value);
	for (int i = 0; i < r->result.n; i++)
		kir_maker_reduce(m, kir_maker_value(m, r->result.item[i].value));
	store_outputs(m, r, to, value);
	call_finish(s, &run->call, m, kernel_name(s, r->span, ""), r->span);
}

static struct plan_array **arrays_of(struct sched *s, struct air_field *const *f, int n)
{
	struct plan_array **to = arena_new_array(s->arena, (size_t)n + 1, struct plan_array *);

	for (int i = 0; i < n; i++)
		to[i] = array_of(s, f[i]);
	return to;
}

static void fill_effects(struct sched *s, const struct placing *to, struct plan_run *run)
{
	struct plan_array **pair = arrays_of(s, to->swap.item, to->swap.n);

	run->n_commits = to->commit.n;
	run->commit = arrays_of(s, to->commit.item, to->commit.n);
	run->n_swaps = to->swap.n / 2;
	run->swap = (struct plan_array *(*)[2])pair;
	run->n_changed = to->changed.n;
	run->changed = arrays_of(s, to->changed.item, to->changed.n);
}

static void fill_results(struct sched *s, const struct draft_run *r, struct plan_run *run)
{
	run->n_results = r->result.n;
	run->result = arena_new_array(s->arena, (size_t)r->result.n + 1, struct plan_result);
	for (int i = 0; i < r->result.n; i++) {
		run->result[i].var = r->result.item[i].var;
		run->result[i].reduction = r->result.item[i].reduction;
	}
}

static void run_keep(struct sched *s, struct plan_run *run)
{
	struct plan *p = s->plan;
	struct plan_run **old = p->run;

	if (!(p->n_runs & (p->n_runs - 1))) {
		p->run = arena_new_array(s->arena, 2 * (size_t)p->n_runs + 1, struct plan_run *);
		if (p->n_runs)
			memcpy(p->run, old, (size_t)p->n_runs * sizeof *old);
	}
	run->id = p->n_runs;
	p->run[p->n_runs++] = run;
}

void run_lower(struct sched *s, const struct draft_run *r, struct plan_block *b)
{
	struct placing to = placing_of(s, r);
	struct plan_run *run;

	if (!has_work(r, &to)) {
		emit_swaps(s, &to, b);
		return;
	}
	run = arena_new_object(s->arena, struct plan_run);
	run->span = r->span;
	run->grid = r->grid;
	run->region = r->region;
	run->first_region_arg = s->plan->n_args;
	s->plan->n_args += 2 * r->grid->n_axes;
	make_kernel(s, r, &to, run);
	fill_effects(s, &to, run);
	fill_results(s, r, run);
	run_keep(s, run);
	plan_add(s, b, PLAN_RUN)->run = run;
}
