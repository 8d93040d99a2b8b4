/* schedule/merge.c - neighbours that become one run
 *
 * A run takes in the next one if both have the same points and the later reads nothing
 * that the earlier writes, except at the point itself: there it gets the value just
 * computed. All values of the merged run are then expressions of what was there before
 * it. Between the two may stand scalar assignments that the later does not depend on.
 * Not done where it would cost a second buffer that neither needs alone.
 */
#include <string.h>
#include "schedule/draft.h"

enum { NODES_MOST = 6000, ARRAYS_MOST = 32 };

struct merger {
	struct sched *s;
	struct draft_run *first, *later;     /* on the same grid and region */
	VEC(struct air_replace) forward;
};

/* ---- what the later one reads of the earlier ---- */

enum relation { APART, SAME, CLASH };

/* How a read stands to a value of the earlier run. */
static enum relation read_meets(const struct air_expr *read, const struct draft_output *out)
{
	enum relation r = SAME;

	if (read->as.read.field != out->field)
		return APART;
	for (int a = 0; a < out->field->grid->n_axes; a++) {
		const struct air_select *x = &read->as.read.at[a], *y = &out->at[a];

		if (x->pick == PICK_FIXED && !pick_is_inside(out->field->grid->axis[a], x->index))
			return CLASH;
		if (y->pick == PICK_FIXED && x->pick == PICK_FIXED) {
			if (x->index != y->index && x->index->op == AIR_CONST &&
			    y->index->op == AIR_CONST)
				return APART;
			if (x->index != y->index)
				r = CLASH;
		} else if (x->pick != PICK_OFFSET || x->offset) {
			r = CLASH;
		}
	}
	return r;
}

static bool forward_read(struct merger *m, const struct air_expr *read)
{
	for (int i = 0; i < m->first->output.n; i++) {
		const struct draft_output *out = &m->first->output.item[i];
		enum relation r = read_meets(read, out);

		if (r == CLASH)
			return false;
		if (r == SAME)
			vec_push(m->s->arena, &m->forward,
			         (struct air_replace){ read, out->value });
	}
	return true;
}

/* Conditions of what the later reads may hold what the earlier writes: too late then. */
static bool walls_clash(struct merger *m, const struct air_walk *w)
{
	for (int i = 0; i < w->n; i++) {
		struct depends d;

		if (w->node[i]->op != AIR_READ ||
		    reads_within(m->first->grid, w->node[i]))
			continue;
		d = depends_of(m->s, w->node[i]);
		d.field[w->node[i]->as.read.field->id] = false;
		for (int j = 0; j < m->first->output.n; j++)
			if (d.field[m->first->output.item[j].field->id])
				return true;
	}
	return false;
}

static bool reads_fit(struct merger *m)
{
	struct air_walk w = run_walk(m->later);
	bool fit = !walls_clash(m, &w);

	for (int i = 0; i < w.n && fit; i++)
		if (w.node[i]->op == AIR_READ)
			fit = forward_read(m, w.node[i]);
	air_walk_free(&w);
	return fit;
}

/* ---- the merged run ---- */

static void put_output(struct merger *m, struct draft_run *to, struct draft_output out)
{
	for (int i = 0; i < to->output.n; i++)
		if (output_same(&to->output.item[i], &out)) {
			to->output.item[i] = out;
			return;
		}
	vec_push(m->s->arena, &to->output, out);
}

static struct draft_run *joined(struct merger *m)
{
	struct draft_run *to = draft_run_new(m->s, m->first->span, m->first->grid);

	to->region = m->first->region;
	for (int i = 0; i < m->first->output.n; i++)
		put_output(m, to, m->first->output.item[i]);
	for (int i = 0; i < m->first->result.n; i++)
		vec_push(m->s->arena, &to->result, m->first->result.item[i]);
	for (int i = 0; i < m->later->output.n; i++) {
		struct draft_output out = m->later->output.item[i];

		out.value = air_replace(m->s->air, out.value, m->forward.item, m->forward.n);
		put_output(m, to, out);
	}
	for (int i = 0; i < m->later->result.n; i++) {
		struct draft_result x = m->later->result.item[i];

		x.value = air_replace(m->s->air, x.value, m->forward.item, m->forward.n);
		vec_push(m->s->arena, &to->result, x);
	}
	return to;
}

static bool commits(const struct placing *p, const struct air_field *f)
{
	for (int i = 0; i < p->commit.n; i++)
		if (p->commit.item[i] == f)
			return true;
	return false;
}

/* No second buffers that the two alone do without. */
static bool keeps_in_place(struct merger *m, const struct draft_run *to)
{
	struct placing a = placing_of(m->s, m->first), b = placing_of(m->s, m->later);
	struct placing c = placing_of(m->s, to);

	for (int i = 0; i < c.commit.n; i++)
		if (!commits(&a, c.commit.item[i]) && !commits(&b, c.commit.item[i]))
			return false;
	return true;
}

static bool is_small(struct merger *m, const struct draft_run *to)
{
	struct air_walk w = run_walk(to);
	struct air_field_set set = { .arena = m->s->arena };
	int n = w.n;

	air_walk_free(&w);
	if (n > NODES_MOST)
		return false;
	for (int i = 0; i < to->output.n; i++)
		air_fields_read(to->output.item[i].value, &set);
	for (int i = 0; i < to->result.n; i++)
		air_fields_read(to->result.item[i].value, &set);
	return set.n + to->output.n <= ARRAYS_MOST;
}

static struct draft_run *merge_alike(struct sched *s, struct draft_run *first,
                                     struct draft_run *later)
{
	struct merger m = { .s = s, .first = first, .later = later };
	struct draft_run *to;

	if (first->grid != later->grid ||
	    !region_equal(&first->region, &later->region, first->grid->n_axes) ||
	    !reads_fit(&m))
		return NULL;
	to = joined(&m);
	return keeps_in_place(&m, to) && is_small(&m, to) ? to : NULL;
}

/* As they are, or by components. */
static struct draft_run *merged(struct sched *s, struct draft_run *first,
                                struct draft_run *later)
{
	struct draft_run *to = merge_alike(s, first, later), *a, *b;

	if (to)
		return to;
	a = run_by_components(s, first);
	b = run_by_components(s, later);
	if (!a && !b)
		return NULL;
	return merge_alike(s, a ? a : first, b ? b : later);
}

/* ---- chains ---- */

static bool may_grow(struct sched *s, const struct draft_run *r)
{
	for (int i = 0; i < r->output.n; i++)
		if (s->grows[r->output.item[i].field->id])
			return true;
	return false;
}

static bool is_scalar_only(const struct draft *d)
{
	return d->kind == DRAFT_HOST &&
	       (d->air->kind == STMT_SET || d->air->kind == STMT_DRAW);
}

static void depend_more(struct depends *d, const struct depends *of, const struct sched *s)
{
	for (int i = 0; i < s->air->n_vars; i++)
		d->var[i] |= of->var[i];
	for (int i = 0; i < s->air->n_fields; i++)
		d->field[i] |= of->field[i];
}

static struct depends run_depends(struct sched *s, const struct draft_run *r)
{
	struct depends all = depends_of(s, air_int(s->air, ELEM_I64, 0)), one;

	for (int i = 0; i < r->output.n; i++) {
		one = depends_of(s, r->output.item[i].value);
		depend_more(&all, &one, s);
	}
	for (int i = 0; i < r->result.n; i++) {
		one = depends_of(s, r->result.item[i].value);
		depend_more(&all, &one, s);
	}
	for (int a = 0; a < r->grid->n_axes; a++)
		for (int end = 0; end < 2; end++) {
			const struct air_slice *x = &r->region.axis[a];
			const struct air_expr *e = end ? x->hi : x->lo;

			if (!e)
				continue;
			one = depends_of(s, e);
			depend_more(&all, &one, s);
		}
	return all;
}

/* Does a scalar assignment between have to see the world before the later run? */
static bool stands_between(const struct draft *x, const struct draft_run *later,
                           const struct depends *of)
{
	if (draft_writes(x, of))
		return true;
	for (int i = 0; i < later->result.n; i++) {
		const struct air_var *v = later->result.item[i].var;

		if (x->air->var == v || (x->air->value && air_reads_var(x->air->value, v)))
			return true;
	}
	return false;
}

/* The next run that could join `run`, which takes the place of first, or NULL. */
static struct draft *next_run(struct sched *s, struct draft *first, const struct draft_run *run)
{
	struct draft *d = first->next;
	struct depends of;

	while (d && (d->taken || is_scalar_only(d)))
		d = d->next;
	if (!d || d->kind != DRAFT_RUN || may_grow(s, d->run))
		return NULL;
	of = run_depends(s, d->run);
	for (struct draft *x = first->next; x != d; x = x->next)
		if (!x->taken && stands_between(x, d->run, &of))
			return NULL;
	for (int i = 0; i < run->result.n; i++)
		if (of.var[run->result.item[i].var->id])
			return NULL;
	return d;
}

static void unlink_taken(struct draft_block *b, struct draft *d)
{
	for (; d; d = d->next) {
		while (d->next && d->next->taken)
			d->next = d->next->next;
		if (!d->next)
			b->last = d;
	}
}

/* Takes in as many as will join; all or none where components would be copied in vain. */
static void merge_chain(struct sched *s, struct draft_block *b, struct draft *first)
{
	VEC(struct draft *) taken = { 0 };
	struct draft_run *run = first->run, *to;
	struct draft *d;
	bool in_vain;

	while ((d = next_run(s, first, run)) && (to = merged(s, run, d->run))) {
		vec_push(s->arena, &taken, d);
		d->taken = true;
		run = to;
	}
	in_vain = components_missing(s, run) > run->output.n;
	for (int i = 0; i < taken.n; i++)
		taken.item[i]->taken = !in_vain;
	if (in_vain)
		return;
	first->run = run;
	unlink_taken(b, first);
}

static void merge_block(struct sched *s, struct draft_block *b)
{
	for (struct draft *d = b->first; d; d = d->next) {
		merge_block(s, &d->body);
		merge_block(s, &d->other);
		if (d->kind == DRAFT_RUN && !may_grow(s, d->run))
			merge_chain(s, b, d);
	}
}

void pass_merge(struct sched *s)
{
	s->grows = stages_growing(s);
	merge_block(s, &s->body);
}
