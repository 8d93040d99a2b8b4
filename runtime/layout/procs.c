/* layout/procs.c - the process grid of a family
 *
 * All factorisations of the number of ranks over the axes that may be cut are
 * compared: first by how many blocks hold points, then by the points next to a
 * cut, then by how even the grid is, then by how early the cuts stand. Ranks are few
 * enough for that: there are under 10^5 ways to write a million as four factors. */
#include "layout/layout.h"

struct search {
	const struct family *family;
	int procs[MPA_MAX_AXES]; /* under trial */
	int best[MPA_MAX_AXES];
	double best_full, best_surface;
	int best_sum;
	bool found;
};

static double blocks_with_points(const struct search *s)
{
	double full = 1;

	for (int a = 0; a < s->family->naxes; a++) {
		int64_t n = s->family->axis[a].size;

		full *= n < s->procs[a] ? (double)n : (double)s->procs[a];
	}
	return full;
}

static double surface(const struct search *s)
{
	double sum = 0;

	for (int a = 0; a < s->family->naxes; a++) {
		double faces = s->procs[a] - 1;

		if (s->procs[a] > 1 && s->family->axis[a].periodic)
			faces++;
		for (int b = 0; b < s->family->naxes; b++)
			if (b != a)
				faces *= (double)s->family->axis[b].size;
		sum += faces;
	}
	return sum;
}

/* Of two grids with the same product the more even one has the smaller sum. */
static int sum_of_parts(const struct search *s)
{
	int sum = 0;

	for (int a = 0; a < s->family->naxes; a++)
		sum += s->procs[a];
	return sum;
}

/* Trials come with many parts along the first axes first: ties keep them. */
static void search_weigh(struct search *s)
{
	double full = blocks_with_points(s), area = surface(s);
	int sum = sum_of_parts(s);

	if (s->found) {
		if (full != s->best_full) {
			if (full < s->best_full)
				return;
		} else if (area > s->best_surface ||
			   (area == s->best_surface && sum >= s->best_sum)) {
			return;
		}
	}
	s->found = true;
	s->best_full = full;
	s->best_surface = area;
	s->best_sum = sum;
	for (int a = 0; a < s->family->naxes; a++)
		s->best[a] = s->procs[a];
}

static void search_axis(struct search *s, int axis, int left)
{
	if (axis == s->family->naxes) {
		if (left == 1)
			search_weigh(s);
		return;
	}
	for (int p = left; p >= 1; p--) {
		if (left % p || (p > 1 && !s->family->axis[axis].cuttable))
			continue;
		s->procs[axis] = p;
		search_axis(s, axis + 1, left / p);
	}
}

static bool asks(const int *want, int naxes)
{
	for (int a = 0; want && a < naxes; a++)
		if (want[a] != 0)
			return true;
	return false;
}

static enum mpa_status family_take(struct family *family, const int *want,
				   struct fault *fault)
{
	int64_t nparts = 1;

	for (int a = 0; a < family->naxes; a++) {
		int parts = want[a];

		if (parts == 0 && !family->axis[a].cuttable)
			parts = 1;
		if (parts < 1)
			return fault_set(fault, MPA_ARGUMENT,
					 "the process grid needs a positive number of "
					 "parts for every axis that may be cut");
		if (parts > 1 && !family->axis[a].cuttable)
			return fault_set(
				fault, MPA_ARGUMENT,
				"the process grid cuts axis %d, which may not be "
				"cut",
				a);
		family->procs[a] = parts;
		nparts *= parts;
		if (nparts > family->nranks)
			break;
	}
	if (nparts > family->nranks)
		return fault_set(
			fault, MPA_ARGUMENT,
			"the process grid needs more ranks than the %d there are",
			family->nranks);
	family->nparts = (int)nparts;
	return MPA_OK;
}

enum mpa_status family_divide(struct family *family, const int *want, struct fault *fault)
{
	struct search s = { .family = family };
	bool cuttable = false;

	family->replicated = false;
	if (asks(want, family->naxes))
		return family_take(family, want, fault);
	for (int a = 0; a < family->naxes; a++)
		cuttable |= family->axis[a].cuttable;
	family->replicated = !cuttable;
	search_axis(&s, 0, cuttable ? family->nranks : 1);
	for (int a = 0; a < family->naxes; a++)
		family->procs[a] = s.best[a];
	family->nparts = cuttable ? family->nranks : 1;
	return MPA_OK;
}
