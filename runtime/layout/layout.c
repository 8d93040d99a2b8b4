/* layout/layout.c - blocks, owners and replicas
 *
 * A rank's coordinates are its digits in the mixed radix procs[]. A member lacks
 * some family axes: ranks that differ along those alone hold the same block. */
#include "layout/layout.h"

struct range block_range(int64_t n, int parts, int which)
{
	int64_t each = n / parts, extra = n % parts;
	int64_t lo = which * each + (which < extra ? which : extra);

	return (struct range){ lo, lo + each + (which < extra) };
}

int block_owner(int64_t n, int parts, int64_t index)
{
	int64_t each = n / parts, extra = n % parts, long_ones = extra * (each + 1);

	if (index < long_ones)
		return (int)(index / (each + 1));
	return (int)(extra + (index - long_ones) / each);
}

static int family_coordinate(const struct family *family, int axis, int rank)
{
	for (int a = family->naxes - 1; a > axis; a--)
		rank /= family->procs[a];
	return rank % family->procs[axis];
}

/* The rank whose digits are given. */
static int family_rank(const struct family *family, const int *coordinate)
{
	int rank = 0;

	for (int a = 0; a < family->naxes; a++)
		rank = rank * family->procs[a] + coordinate[a];
	return rank;
}

static struct range family_range(const struct family *family, int axis, int which)
{
	const struct family_axis *x = &family->axis[axis];

	if (x->cuts)
		return (struct range){ x->cuts[which], x->cuts[which + 1] };
	return block_range(x->size, family->procs[axis], which);
}

void family_slice_cuts(const struct family *family, int axis, struct layout_slice points,
		       int64_t *cuts)
{
	int parts = family->procs[axis];

	cuts[0] = 0;
	cuts[parts] = points.size;
	for (int k = 1; k < parts; k++) {
		int64_t before = family_range(family, axis, k).lo - points.start;
		int64_t i = before <= 0 ? 0 : (before - 1) / points.step + 1;

		cuts[k] = i < points.size ? i : points.size;
	}
}

struct layout layout_of_family(const struct family *family, const bool *local)
{
	struct layout layout = { .family = family, .naxes = family->naxes };

	for (int a = 0; a < family->naxes; a++)
		layout.axis[a] =
			(struct layout_axis){ family->axis[a].size,
					      family->axis[a].periodic, local[a], a };
	return layout;
}

int layout_parts(const struct layout *layout, int a)
{
	int from = layout->axis[a].from;

	return from < 0 ? 1 : layout->family->procs[from];
}

int layout_coordinate(const struct layout *layout, int a, int rank)
{
	int from = layout->axis[a].from;

	return from < 0 || layout->family->replicated
		       ? 0
		       : family_coordinate(layout->family, from, rank);
}

/* A member may be longer or shorter than the family's axis: blocks start where
 * the family's do and the last part takes the rest. */
struct range layout_range(const struct layout *layout, int a, int which)
{
	const struct layout_axis *axis = &layout->axis[a];
	struct range r = { 0, axis->size };

	if (axis->from < 0)
		return r;
	if (axis->size <= layout->family->axis[axis->from].size) {
		r = range_cut(r, family_range(layout->family, axis->from, which));
		if (r.hi < r.lo)
			r.lo = r.hi;
		return r;
	}
	r = family_range(layout->family, axis->from, which);
	if (r.hi == layout->family->axis[axis->from].size && r.lo < r.hi)
		r.hi = axis->size;
	return r;
}

int layout_part_of(const struct layout *layout, int a, int64_t index)
{
	const struct layout_axis *axis = &layout->axis[a];
	const struct family_axis *x;
	int lo = 0, hi;

	if (axis->from < 0)
		return 0;
	x = &layout->family->axis[axis->from];
	hi = layout->family->procs[axis->from];
	if (index >= x->size)
		index = x->size - 1;
	if (!x->cuts)
		return block_owner(x->size, hi, index);
	while (hi - lo > 1) {
		int middle = lo + (hi - lo) / 2;

		if (x->cuts[middle] <= index)
			lo = middle;
		else
			hi = middle;
	}
	return lo;
}

bool layout_takes_part(const struct layout *layout, int rank)
{
	return layout->family->replicated || rank < layout->family->nparts;
}

bool layout_part_holds(const struct layout *layout, int a, int which)
{
	struct range r = { 0, layout->axis[a].size };

	if (layout->axis[a].from >= 0)
		r = family_range(layout->family, layout->axis[a].from, which);
	return r.lo < r.hi;
}

bool layout_holds(const struct layout *layout, int rank)
{
	if (!layout_takes_part(layout, rank))
		return false;
	for (int a = 0; a < layout->naxes; a++)
		if (!layout_part_holds(layout, a, layout_coordinate(layout, a, rank)))
			return false;
	return true;
}

struct box layout_block(const struct layout *layout, int rank)
{
	struct box box = { .naxes = layout->naxes };

	if (!layout_takes_part(layout, rank))
		return box;
	for (int a = 0; a < layout->naxes; a++) {
		struct range r =
			layout_range(layout, a, layout_coordinate(layout, a, rank));

		box.lo[a] = r.lo;
		box.hi[a] = r.hi;
	}
	return box;
}

struct box layout_whole(const struct layout *layout)
{
	struct box box = { .naxes = layout->naxes };

	for (int a = 0; a < layout->naxes; a++)
		box.hi[a] = layout->axis[a].size;
	return box;
}

static bool layout_lacks(const struct layout *layout, int family_axis)
{
	for (int a = 0; a < layout->naxes; a++)
		if (layout->axis[a].from == family_axis)
			return false;
	return true;
}

bool layout_is_first(const struct layout *layout, int rank)
{
	const struct family *family = layout->family;

	if (family->replicated)
		return rank == 0;
	if (rank >= family->nparts)
		return false;
	for (int f = 0; f < family->naxes; f++)
		if (layout_lacks(layout, f) && family_coordinate(family, f, rank) != 0)
			return false;
	return true;
}

int layout_owner(const struct layout *layout, const int64_t *index)
{
	int coordinate[MPA_MAX_AXES] = { 0 };

	if (layout->family->replicated)
		return 0;
	for (int a = 0; a < layout->naxes; a++)
		if (layout->axis[a].from >= 0)
			coordinate[layout->axis[a].from] =
				layout_part_of(layout, a, index[a]);
	return family_rank(layout->family, coordinate);
}

int layout_rank_beside(const struct layout *layout, int rank, const int *parts)
{
	const struct family *family = layout->family;
	int coordinate[MPA_MAX_AXES];

	if (family->replicated)
		return rank;
	for (int f = 0; f < family->naxes; f++)
		coordinate[f] = family_coordinate(family, f, rank);
	for (int a = 0; a < layout->naxes; a++)
		if (layout->axis[a].from >= 0)
			coordinate[layout->axis[a].from] = parts[a];
	return family_rank(family, coordinate);
}
