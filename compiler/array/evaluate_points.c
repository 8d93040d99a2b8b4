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

static int64_t bound(struct evaluator *ev, const struct air_expr *e, int64_t open, int64_t n)
{
	int64_t i = e ? evaluate_scalar(ev, e).i : open;

	if (i < 0)
		i += n;
	return i < 0 ? 0 : i > n ? n : i;
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

bool points_in(struct evaluator *ev, const struct air_stmt *s, const struct air_target *t,
               struct points *p)
{
	*p = points_of(ev, t->field->grid);
	for (int i = 0; i < p->grid->n_axes; i++) {
		const struct air_slice *slice = &t->region.axis[i];
		int64_t n = p->count[i], lo, hi;

		if (slice->part == PART_AT && !points_at(ev, s, slice, p, i))
			return false;
		if (slice->part != PART_RANGE)
			continue;
		lo = bound(ev, slice->lo, 0, n);
		hi = bound(ev, slice->hi, n, n);
		p->start[i] = lo;
		p->step[i] = slice->step;
		p->count[i] = hi > lo ? (hi - lo - 1) / slice->step + 1 : 0;
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
