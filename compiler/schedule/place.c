/* schedule/place.c - decides into which buffers the values of a run go
 *
 * A value goes into the field's own buffer where the run reads that field at the point
 * itself only; else into its second buffer, which then takes the first one's place.
 * Where values move between fields, buffers do: in (p, q) = (q, e) the new q is written
 * over p, and the two change places. Each buffer is taken by one field at most; what is
 * left over receives the values that are computed.
 */
#include <string.h>
#include "array/walk.h"
#include "schedule/draft.h"

struct placer {
	struct sched *s;
	const struct draft_run *r;
	int *takes;                          /* per output: whose buffer it takes, or -1 */
	int *given;                          /* per output: to whom its buffer goes, or -1 */
	struct air_walk reads;               /* of the values that are computed */
};

static int output_of(const struct draft_run *r, const struct air_field *f)
{
	for (int i = 0; i < r->output.n; i++)
		if (r->output.item[i].field == f)
			return i;
	return -1;
}

/* The output whose value, as it is, output i becomes; -1: none. */
static int copied_output(const struct draft_run *r, int i)
{
	const struct draft_output *x = &r->output.item[i];
	const struct air_field *from;
	int j;

	if (!reads_point(x->value) || !region_is_whole(&r->region, r->grid->n_axes))
		return -1;
	from = x->value->as.read.field;
	j = output_of(r, from);
	if (j < 0 || from->grid != r->grid || x->field->grid != r->grid)
		return -1;
	return j;
}

static void find_takes(struct placer *p)
{
	int n = p->r->output.n;

	p->takes = arena_new_array(p->s->arena, (size_t)n, int);
	p->given = arena_new_array(p->s->arena, (size_t)n, int);
	memset(p->takes, -1, (size_t)n * sizeof(int));
	memset(p->given, -1, (size_t)n * sizeof(int));
	for (int pass = 0; pass < 2; pass++)         /* those that stay as they are first */
		for (int i = 0; i < n; i++) {
			int j = copied_output(p->r, i);

			if (j < 0 || p->given[j] >= 0 || (j == i) != (pass == 0))
				continue;
			p->takes[i] = j;
			p->given[j] = i;
		}
}

static void find_reads(struct placer *p)
{
	for (int i = 0; i < p->r->output.n; i++)
		if (p->takes[i] < 0)
			air_walk_add(&p->reads, p->r->output.item[i].value);
	for (int i = 0; i < p->r->result.n; i++)
		air_walk_add(&p->reads, p->r->result.item[i].value);
}

static bool is_constant_place(const struct air_expr *e)
{
	return e && e->op == AIR_CONST && e->as.i >= 0;
}

/* A component of an axis that the region fixes, too: the same, or one never written. */
static bool picks_beside(const struct air_slice *slice, const struct air_expr *index)
{
	return slice->part == PART_AT &&
	       (slice->lo == index ||
	        (is_constant_place(slice->lo) && is_constant_place(index)));
}

static bool read_is_here(const struct draft_run *r, const struct air_expr *e)
{
	const struct grid *g = e->as.read.field->grid;

	for (int a = 0; a < g->n_axes; a++) {
		const struct air_select *at = &e->as.read.at[a];
		int place = grid_axis_index(r->grid, g->axis[a]);

		if (at->pick == PICK_FIXED && !pick_is_inside(g->axis[a], at->index))
			return false;
		if (place < 0)
			continue;
		if (at->pick == PICK_OFFSET ? at->offset != 0
		                            : !picks_beside(&r->region.axis[place], at->index))
			return false;
	}
	return true;
}

/* May the run write over the field? */
static bool is_read_here_only(const struct placer *p, const struct air_field *f)
{
	for (int i = 0; i < p->reads.n; i++) {
		const struct air_expr *e = p->reads.node[i];

		if (e->op == AIR_READ && e->as.read.field == f && !read_is_here(p->r, e))
			return false;
	}
	return true;
}

#define push_once(s, v, x)                                              \
	do {                                                            \
		int i_ = 0;                                             \
		while (i_ < (v)->n && (v)->item[i_] != (x))             \
			i_++;                                           \
		if (i_ == (v)->n)                                       \
			vec_push((s)->arena, (v), (x));                 \
	} while (0)

static void place_computed(struct placer *p, struct placing *to, int i)
{
	struct placement *x = &to->output[i];
	int end = i;

	while (p->given[end] >= 0)
		end = p->given[end];
	x->buffer = p->r->output.item[end].field;
	x->second = !is_read_here_only(p, x->buffer);
	if (x->second)
		push_once(p->s, &to->commit, x->buffer);
}

/* From the end of a chain of takers back to where it began. */
static void swap_chain(struct placer *p, struct placing *to, int begin, bool *done)
{
	int end = begin;

	while (p->given[end] >= 0 && p->given[end] != begin)
		end = p->given[end];
	for (; end != begin; end = p->takes[end]) {
		vec_push(p->s->arena, &to->swap, p->r->output.item[end].field);
		vec_push(p->s->arena, &to->swap, p->r->output.item[p->takes[end]].field);
		done[end] = true;
	}
	done[begin] = true;
}

static void place_swaps(struct placer *p, struct placing *to)
{
	int n = p->r->output.n;
	bool *done = arena_new_array(p->s->arena, (size_t)n, bool);

	for (int i = 0; i < n; i++)
		if (p->takes[i] < 0)
			swap_chain(p, to, i, done);
	for (int i = 0; i < n; i++)
		if (!done[i])
			swap_chain(p, to, i, done);
}

struct placing placing_of(struct sched *s, const struct draft_run *r)
{
	struct placer p = { .s = s, .r = r };
	struct placing to = { 0 };

	to.output = arena_new_array(s->arena, (size_t)r->output.n + 1, struct placement);
	find_takes(&p);
	find_reads(&p);
	for (int i = 0; i < r->output.n; i++) {
		if (p.takes[i] < 0)
			place_computed(&p, &to, i);
		if (p.takes[i] != i)
			push_once(s, &to.changed, r->output.item[i].field);
	}
	place_swaps(&p, &to);
	air_walk_free(&p.reads);
	return to;
}
