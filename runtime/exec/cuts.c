/* exec/cuts.c - where the blocks of an axis start, if not near even
 *
 * Written starts are kept with the axis until its family is made. A cost is read on all
 * ranks and summed from the first point to the last on each, so all find the same cuts:
 * those where the sums are nearest to even. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "exec/exec.h"

void mpa_axis_cuts(struct mpa_session *s, const char *where, int64_t axis, int64_t n,
		   const int64_t *starts)
{
	struct axis_state *a = &s->axis[axis];

	(void)where; /* the program has checked them */
	a->cuts = session_new(s, (size_t)n * sizeof *a->cuts);
	memcpy(a->cuts, starts, (size_t)n * sizeof *a->cuts);
	a->n_cuts = n;
}

void mpa_axis_balance(struct mpa_session *s, const char *where, int64_t axis,
		      int64_t array)
{
	(void)where;
	s->axis[axis].balanced = true;
	s->axis[axis].cost = array;
}

void axis_forget_cuts(struct axis_state *a)
{
	mem_free(a->cuts);
	a->cuts = NULL;
	a->n_cuts = 0;
	a->balanced = false;
}

void cuts_want(struct mpa_session *s, const struct mpa_family_info *info, bool procs,
	       int *want)
{
	bool listed = false;

	for (int64_t a = 0; a < info->n_axes; a++)
		listed |= s->axis[info->axis[a]].n_cuts > 0;
	for (int64_t a = 0; listed && a < info->n_axes; a++) {
		const struct axis_state *axis = &s->axis[info->axis[a]];

		if (axis->n_cuts > 0)
			want[a] = (int)axis->n_cuts - 1;
		else if (!procs && !axis->balanced)
			want[a] = 1;
	}
}

/* ---- balanced ------------------------------------------------------------- */

static double element_as_double(enum mpa_elem elem, const void *at)
{
	switch (elem) {
	case MPA_I32:
		return *(const int32_t *)at;
	case MPA_I64:
		return (double)*(const int64_t *)at;
	case MPA_F32:
		return *(const float *)at;
	case MPA_F64:
		return *(const double *)at;
	default:
		return *(const uint8_t *)at;
	}
}

/* Each point of one rank, zeros of the others: as bits, whose sum is then exact. */
static void share(struct mpa_session *s, double *cost, int64_t n)
{
	const int64_t most = 1 << 24;

	for (int64_t i = 0; i < n; i += most) {
		int count = (int)(n - i < most ? n - i : most);

		session_sent(s, comm_all_reduce(s->comm, COMM_SUM_I64, cost + i, count));
	}
}

static double *costs_of(struct mpa_session *s, struct array_state *a)
{
	int64_t n = a->layout->axis[0].size;
	double *cost = session_new(s, (size_t)n * sizeof *cost);

	if (layout_is_first(a->layout, s->comm->rank))
		for (int64_t i = a->now.own.lo[0]; i < a->now.own.hi[0]; i++)
			cost[i] = element_as_double((enum mpa_elem)a->info->elem,
						    array_at(array_read(s, a), &i));
	share(s, cost, n);
	return cost;
}

/* The start of each part: where the sum before it is nearest to its share of all. */
static void balance(const double *cost, int64_t n, int parts, int64_t *start)
{
	double total = 0, before = 0;
	int64_t i = 0;

	for (int64_t k = 0; k < n; k++)
		total += cost[k];
	for (int k = 1; k < parts; k++) {
		double share = total / parts * k;

		while (i < n && before + cost[i] <= share)
			before += cost[i++];
		if (i < n && before + cost[i] - share < share - before)
			before += cost[i++];
		start[k] = i;
	}
	start[0] = 0;
	start[parts] = n;
}

/* NULL: the costs are all 0, and near even blocks will do. */
static int64_t *cuts_balanced(struct mpa_session *s, const char *where, int64_t axis,
			      int parts)
{
	struct array_state *a = array_of(s, s->axis[axis].cost);
	double *cost = costs_of(s, a);
	int64_t *start = NULL, n = s->axis[axis].size;
	bool any = false, wrong = false;

	for (int64_t i = 0; i < n; i++) {
		wrong |= !(cost[i] >= 0) || isinf(cost[i]);
		any |= cost[i] > 0;
	}
	if (any && !wrong) {
		start = session_new(s, (size_t)(parts + 1) * sizeof *start);
		balance(cost, n, parts, start);
	}
	mem_free(cost);
	if (wrong)
		session_fail(s, where,
			     "the cost of axis %s has a point that is negative or not "
			     "finite",
			     s->program->axis[axis].name);
	return start;
}

int64_t *cuts_make(struct mpa_session *s, const char *where, int64_t axis, int parts)
{
	const struct axis_state *a = &s->axis[axis];
	int64_t *start;

	if (a->balanced)
		return cuts_balanced(s, where, axis, parts);
	if (a->n_cuts != parts + 1)
		return NULL;
	start = session_new(s, (size_t)a->n_cuts * sizeof *start);
	memcpy(start, a->cuts, (size_t)a->n_cuts * sizeof *start);
	return start;
}
