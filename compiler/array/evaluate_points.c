/* array/evaluate_points.c - going through the points of a grid or of a part of it
 *
 * In C order of the written axes. Parts are NumPy's slices: negative positions count
 * from the end, bounds are clamped.
 */
#include "array/evaluator.h"

int64_t points_along(const struct evaluator *ev, const struct grid *g, int i)
{
	return ev->extent[g->family->id][g->axis[i]->rank].size + grid_longer(g, g->axis[i]);
}

int64_t points_count(const struct evaluator *ev, const struct grid *g)
{
	int64_t n = 1;

	for (int i = 0; i < g->n_axes; i++)
		n *= points_along(ev, g, i);
	return n;
}

struct points points_of(const struct evaluator *ev, const struct grid *g)
{
	struct points p = { .grid = g };

	for (int i = 0; i < g->n_axes; i++) {
		p.step[i] = 1;
		p.count[i] = p.size[i] = points_along(ev, g, i);
	}
	return p;
}

/* A bound as a point from `least` to `most`. */
static int64_t bound(struct evaluator *ev, const struct air_expr *e, int64_t n, int64_t least,
                     int64_t most)
{
	int64_t i = evaluate_scalar(ev, e).i;

	if (i < 0)
		i += n;
	return i < least ? least : i > most ? most : i;
}

static void points_range(struct evaluator *ev, const struct air_slice *slice, struct points *p,
                         int axis)
{
	int64_t n = p->count[axis], step = slice->step, down = step < 0;
	int64_t lo = down ? n - 1 : 0, hi = down ? -1 : n;

	if (slice->lo)
		lo = bound(ev, slice->lo, n, -down, n - down);
	if (slice->hi)
		hi = bound(ev, slice->hi, n, -down, n - down);
	p->start[axis] = lo;
	p->step[axis] = step;
	if (down)
		p->count[axis] = lo > hi ? (lo - hi - 1) / -step + 1 : 0;
	else
		p->count[axis] = hi > lo ? (hi - lo - 1) / step + 1 : 0;
}

static bool points_at(struct evaluator *ev, const struct air_stmt *s,
                      const struct air_slice *slice, struct points *p, int axis)
{
	int64_t n = p->count[axis], i = evaluate_scalar(ev, slice->lo).i;

	p->start[axis] = i < 0 ? i + n : i;
	p->count[axis] = 1;
	if (p->start[axis] >= 0 && p->start[axis] < n)
		return true;
	evaluate_fail(ev, s, "index %lld is outside axis %s of %lld points", (long long)i,
	              p->grid->axis[axis]->name, (long long)n);
	return false;
}

bool points_in(struct evaluator *ev, const struct air_stmt *s, const struct air_field *f,
               const struct air_region *region, struct points *p)
{
	*p = points_of(ev, f->grid);
	for (int i = 0; i < p->grid->n_axes; i++) {
		const struct air_slice *slice = &region->axis[i];

		if (slice->part == PART_AT && !points_at(ev, s, slice, p, i))
			return false;
		if (slice->part == PART_RANGE)
			points_range(ev, slice, p, i);
	}
	return true;
}

static void set_place(struct points *p)
{
	p->flat = 0;
	for (int i = 0; i < p->grid->n_axes; i++) {
		int rank = p->grid->axis[i]->rank;

		p->place.at[rank] = p->start[i] + p->k[i] * p->step[i];
		p->flat = p->flat * p->size[i] + p->place.at[rank];
	}
}

void points_start(struct points *p)
{
	p->more = true;
	for (int i = 0; i < p->grid->n_axes; i++) {
		p->k[i] = 0;
		if (p->count[i] == 0)
			p->more = false;
	}
	set_place(p);
}

void points_next(struct points *p)
{
	int i = p->grid->n_axes - 1;

	while (i >= 0 && ++p->k[i] == p->count[i])
		p->k[i--] = 0;
	p->more = i >= 0;
	if (p->more)
		set_place(p);
}
