/* exec/walls.c - ghosts beyond the walls, made by kernels of the program
 *
 * Axes are taken in the written order, as numpy.pad would: beyond a wall of one axis
 * stand the ghosts of earlier axes too, those of later axes only as far as they are
 * points of the grid. Every rank makes those that its own ghosts reach, next to the wall
 * or not. A side is one call; where the axis has no more points than the wall is deep,
 * mirrors see the ghosts of the other side, and the sides grow outwards in turn.
 * Periodic axes have none, local ones neither: the exchange wraps them. */
#include <string.h>

#include "exec/exec.h"

bool walls_mirror(const struct array_state *a, int axis, int side)
{
	const struct mpa_wall *wall = a->info->wall[axis][side];

	return wall && wall->mirrors && !a->layout->axis[axis].periodic;
}

/* How deep the ghosts of a need are that this region reads beyond one wall. */
static int64_t depth_read(struct mpa_session *s, const struct mpa_run_info *info,
			  const struct region *all, const struct mpa_need *need, int axis,
			  int side)
{
	const struct array_state *a = array_of(s, need->array);
	int64_t id = s->program->grid[a->info->grid].axis[axis], distance;
	int at = grid_place(s->program, info->grid, id);

	if (at < 0)
		return need->width[axis][side];
	distance = all->from[at];
	if (side == 1) {
		const struct mpa_grid_info *grid = s->program->grid;
		int64_t count = (all->box.hi[at] - 1 - distance) / all->step[at];
		int64_t n = a->layout->axis[axis].size + grid[info->grid].longer[at] -
			    grid[a->info->grid].longer[axis];

		distance = n - 1 - distance - count * all->step[at];
	}
	return need->width[axis][side] - distance;
}

/* Does a mirror look past the other wall, where there is no condition? The farthest point
 * that the region reads decides. */
static void check_side(struct mpa_session *s, const struct mpa_run_info *info,
		       const struct region *all, const struct mpa_need *need, int axis,
		       int side)
{
	const struct array_state *a = array_of(s, need->array);
	int64_t n = a->layout->axis[axis].size, seen, inside = n;
	const struct mpa_wall *wall = a->info->wall[axis][side];

	if (!walls_mirror(a, axis, side) || wall->mirrors == MPA_EDGE ||
	    a->info->wall[axis][!side] || a->info->grown[axis][!side] ||
	    need->width[axis][side] < n)
		return;
	seen = depth_read(s, info, all, need, axis, side);
	if (wall->mirrors & MPA_REFLECT && n > 1)
		inside = n - 1;
	else if (!(wall->mirrors & MPA_SYMMETRIC))
		return; /* the only point reflects to itself */
	if (seen > inside)
		session_fail(
			s, info->where,
			"`%s` is read beyond %s.%s, where it has no boundary",
			a->info->name,
			s->program->axis[s->program->grid[a->info->grid].axis[axis]].name,
			side ? "lo" : "hi");
}

void walls_check(struct mpa_session *s, const struct mpa_run_info *info,
		 const struct region *all)
{
	if (box_empty(&all->box))
		return;
	for (int64_t i = 0; i < info->n_needs; i++) {
		const struct mpa_need *need = &info->need[i];
		int naxes = array_of(s, need->array)->layout->naxes;

		for (int axis = 0; axis < naxes; axis++)
			for (int side = 0; side < 2; side++)
				check_side(s, info, all, need, axis, side);
	}
}

int walls_snapshot_size(const struct mpa_array_info *info, const struct mpa_program *p)
{
	int64_t n = 0;

	for (int64_t i = 0; i < p->grid[info->grid].n_axes; i++)
		for (int side = 0; side < 2; side++)
			if (info->wall[i][side])
				n += info->wall[i][side]->call.n_scalars +
				     info->wall[i][side]->n_fields;
	return (int)n;
}

int walls_snapshot(struct mpa_session *s, const struct array_state *a, int64_t *into)
{
	int n = 0;

	for (int i = 0; i < a->layout->naxes; i++)
		for (int side = 0; side < 2; side++) {
			const struct mpa_wall *wall = a->info->wall[i][side];

			for (int64_t k = 0; wall && k < wall->call.n_scalars; k++)
				into[n++] = s->args[wall->call.first_arg + k];
			for (int64_t k = 0; wall && k < wall->n_fields; k++)
				into[n++] = s->array[wall->field[k]].version;
		}
	return n;
}

/* One array's ghosts, filled to these widths. */
struct filling {
	struct mpa_session *s;
	struct array_state *array;
	const struct ghosts *ghosts;
	struct box extent; /* the block with ghosts of these widths */
};

static void fill_box(struct filling *f, const struct mpa_wall *wall,
		     const struct box *box)
{
	struct mpa_view view[wall->call.n_views];
	struct launch l = { .call = &wall->call,
			    .layout = f->array->layout,
			    .view = view };
	struct region r = region_whole(box);

	if (box_empty(box))
		return;
	launch_bind(f->s, &wall->call, view);
	launch_region(f->s, &l, &r);
}

/* The ghosts beyond a wall of an axis; along it: all that there are. */
static struct box beyond(const struct filling *f, int axis, int side)
{
	const struct layout *layout = f->array->layout;
	struct box box = f->extent;
	int64_t n = layout->axis[axis].size;

	for (int b = 0; b < box.naxes; b++) {
		if (f->ghosts->diagonal == 1) {
			box.lo[b] = f->array->now.own.lo[b];
			box.hi[b] = f->array->now.own.hi[b];
		} else if (b > axis && !layout->axis[b].periodic) {
			box.lo[b] = box.lo[b] < 0 ? 0 : box.lo[b];
			box.hi[b] = box.hi[b] > layout->axis[b].size
					    ? layout->axis[b].size
					    : box.hi[b];
		}
	}
	box.lo[axis] = f->extent.lo[axis];
	box.hi[axis] = f->extent.hi[axis];
	if (side == 0 && box.hi[axis] > 0)
		box.hi[axis] = 0;
	if (side == 1 && box.lo[axis] < n)
		box.lo[axis] = n;
	return box;
}

/* The points of `box` at this distance from the wall. */
static struct box at_distance(struct box box, int axis, int side, int64_t n,
			      int64_t distance)
{
	int64_t i = side == 0 ? -distance : n - 1 + distance;

	if (i < box.lo[axis])
		box.hi[axis] = box.lo[axis];
	else if (i >= box.hi[axis])
		box.lo[axis] = box.hi[axis];
	else {
		box.lo[axis] = i;
		box.hi[axis] = i + 1;
	}
	return box;
}

static void fill_axis(struct filling *f, int axis)
{
	const struct mpa_array_info *info = f->array->info;
	int64_t n = f->array->layout->axis[axis].size, deep = 0;
	struct box box[2];

	for (int side = 0; side < 2; side++) {
		box[side] = beyond(f, axis, side);
		if (walls_mirror(f->array, axis, side) &&
		    f->ghosts->width[axis][side] > deep)
			deep = f->ghosts->width[axis][side];
	}
	if (n > deep) {
		for (int side = 0; side < 2; side++)
			if (info->wall[axis][side])
				fill_box(f, info->wall[axis][side], &box[side]);
		return;
	}
	for (int side = 0; side < 2; side++)
		if (f->ghosts->width[axis][side] > deep)
			deep = f->ghosts->width[axis][side];
	for (int64_t k = 1; k <= deep; k++)
		for (int side = 0; side < 2; side++) {
			struct box one = at_distance(box[side], axis, side, n, k);

			if (info->wall[axis][side])
				fill_box(f, info->wall[axis][side], &one);
		}
}

static void fill_array(struct mpa_session *s, struct array_state *a,
		       const struct ghosts *g)
{
	struct filling f = { s, a, g, a->now.own };

	if (!a->now.origin)
		return;
	for (int i = 0; i < f.extent.naxes; i++) {
		f.extent.lo[i] -= g->width[i][0];
		f.extent.hi[i] += g->width[i][1];
	}
	for (int i = 0; i < f.extent.naxes; i++)
		if (!a->layout->axis[i].periodic)
			fill_axis(&f, i);
}

void walls_fill(struct mpa_session *s, const struct needs *needs)
{
	for (int i = 0; i < needs->n; i++) {
		const struct need *need = &needs->need[i];
		struct array_state *a = need->array;

		if (!need->fill)
			continue;
		fill_array(s, a, &need->ghosts);
		a->version++;
		a->walled = need->ghosts;
		a->walled_valid = true;
		walls_snapshot(s, a, a->snapshot);
	}
}

/* Whether mirrors see points of this block alone. */
static bool mirrors_are_near(const struct need *need)
{
	const struct array_state *a = need->array;
	const struct box *own = &a->now.own;

	for (int i = 0; i < own->naxes; i++)
		for (int side = 0; side < 2; side++)
			if (walls_mirror(a, i, side) &&
			    need->ghosts.width[i][side] >= own->hi[i] - own->lo[i])
				return false;
	return true;
}

bool walls_fill_early(struct mpa_session *s, const struct needs *needs,
		      const bool (*remote)[2])
{
	for (int i = 0; i < needs->n; i++)
		if (needs->need[i].fill && !mirrors_are_near(&needs->need[i]))
			return false;
	for (int i = 0; i < needs->n; i++) {
		const struct need *need = &needs->need[i];
		const int64_t *axis = s->program->grid[need->array->info->grid].axis;
		struct ghosts g = need->ghosts;

		if (!need->fill)
			continue;
		for (int k = 0; k < need->array->layout->naxes; k++)
			for (int side = 0; side < 2; side++)
				if (remote[axis[k]][side])
					g.width[k][side] = 0;
		fill_array(s, need->array, &g);
	}
	return true;
}
