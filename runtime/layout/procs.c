/* layout/procs.c - the process grid of a family
 *
 * All factorisations of the number of ranks over the axes that may be cut are
 * compared: first by how many blocks hold points, then by the points next to a
 * cut, then by how even the grid is, then by how early the cuts stand. Ranks are few
 * enough for that: there are under 10^5 ways to write a million as four factors. */
#include "layout/layout.h"

struct search {
	const struct family *family;
	const int *want;         /* parts along axes that are given; 0: any */
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
	if (s->want[axis] > 0) {
		s->procs[axis] = s->want[axis];
		search_axis(s, axis + 1, left);
		return;
	}
	for (int p = left; p >= 1; p--) {
		if (left % p || (p > 1 && !s->family->axis[axis].cuttable))
			continue;
		s->procs[axis] = p;
		search_axis(s, axis + 1, left / p);
	}
}

/* The ranks that the given parts take, all of them together. */
static enum mpa_status parts_given(const struct family *family, const int *want, int *parts,
				   struct fault *fault)
{
	int64_t given = 1;

	for (int a = 0; a < family->naxes; a++) {
		if (want[a] < 0)
			return fault_set(fault, MPA_ARGUMENT,
					 "the process grid needs a positive number of "
					 "parts for every axis that may be cut");
		if (want[a] > 1 && !family->axis[a].cuttable)
			return fault_set(
				fault, MPA_ARGUMENT,
				"the process grid cuts axis %d, which may not be "
				"cut",
				a);
		given *= want[a] > 0 ? want[a] : 1;
		if (given > family->nranks)
			return fault_set(
				fault, MPA_ARGUMENT,
				"the process grid needs more ranks than the %d there are",
				family->nranks);
	}
	*parts = (int)given;
	return MPA_OK;
}

enum mpa_status family_divide(struct family *family, const int *want, struct fault *fault)
{
	static const int none[MPA_MAX_AXES] = { 0 };
	struct search s = { .family = family, .want = want ? want : none };
	bool cuttable = false, automatic = false;
	int given = 1;
	enum mpa_status st = parts_given(family, s.want, &given, fault);

	if (st != MPA_OK)
		return st;
	for (int a = 0; a < family->naxes; a++) {
		cuttable |= family->axis[a].cuttable;
		automatic |= family->axis[a].cuttable && s.want[a] == 0;
	}
	family->replicated = !cuttable;
	search_axis(&s, 0, automatic ? family->nranks / given : 1);
	family->nparts = 1;
	for (int a = 0; a < family->naxes; a++) {
		family->procs[a] = s.best[a];
		family->nparts *= s.best[a];
	}
	return MPA_OK;
}
