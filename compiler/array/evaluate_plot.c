/* array/evaluate_plot.c - pictures, drawn from all points at once
 *
 * What is drawn from the cells is the run time's; what they hold is found here. */
#include "array/evaluator.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/plot.h"

struct cells {
	int64_t *sum, *count;
	double *lowest, *highest;
};

static double value_at(const struct store *v, enum elem e, int64_t i)
{
	return elem_kind(e) == KIND_REAL ? v->value[i].f : (double)v->value[i].i;
}

static void find_range(struct plot *p, const struct store *v, enum elem e)
{
	p->lo = INFINITY;
	p->hi = -INFINITY;
	for (int64_t i = 0; i < v->n; i++) {
		double x = value_at(v, e, i);

		if (isfinite(x)) {
			p->lo = fmin(p->lo, x);
			p->hi = fmax(p->hi, x);
		}
	}
}

static void fill_cells(const struct plot *p, const struct store *v, enum elem e,
                       struct cells *c)
{
	for (int64_t i = 0; i < v->n; i++) {
		int64_t across = p->naxes == 2 ? i % p->axis[1].size : 0;
		int64_t down = p->naxes == 2 ? i / p->axis[1].size : i;
		int64_t k = plot_cell(p, 0, down);
		double x = value_at(v, e, i);

		if (p->naxes == 2)
			k = k * p->cells[1] + plot_cell(p, 1, across);
		if (plot_level(p, x) >= 0) {
			c->sum[k] += plot_level(p, x);
			c->count[k]++;
		}
		if (isfinite(x)) {
			c->lowest[k] = fmin(c->lowest[k], x);
			c->highest[k] = fmax(c->highest[k], x);
		}
	}
}

static unsigned char *draw(struct plot *p, const struct store *v, enum elem e, size_t *bytes)
{
	int64_t n;
	struct cells c;
	unsigned char *file;

	find_range(p, v, e);
	plot_plan(p);
	n = (int64_t)p->cells[0] * p->cells[1];
	c.sum = xmalloc(n * sizeof *c.sum);
	c.count = xmalloc(n * sizeof *c.count);
	c.lowest = xmalloc(n * sizeof *c.lowest);
	c.highest = xmalloc(n * sizeof *c.highest);
	for (int64_t i = 0; i < n; i++) {
		c.sum[i] = c.count[i] = 0;
		c.lowest[i] = INFINITY;
		c.highest[i] = -INFINITY;
	}
	fill_cells(p, v, e, &c);
	file = p->naxes == 2 ? plot_image(p, c.sum, c.count, bytes)
	                     : plot_curve(p, c.lowest, c.highest, bytes);
	free(c.sum);
	free(c.count);
	free(c.lowest);
	free(c.highest);
	return file;
}

void evaluate_plot(struct evaluator *ev, const struct air_stmt *s)
{
	const struct air_item *item = &s->item[0];
	const struct air_field *f = item->field;
	const char *path = evaluate_scalar(ev, s->value).text;
	char *beside = arena_printf(ev->arena, "%s.part", path);
	struct plot p = { .title = evaluate_scalar(ev, item->name).text,
		          .naxes = f->grid->n_axes };
	unsigned char *picture;
	size_t bytes = 0;
	FILE *out = fopen(beside, "wb");
	bool fine;

	if (!out) {
		evaluate_fail(ev, s, "%s: %s", path, strerror(errno));
		return;
	}
	for (int i = 0; i < p.naxes; i++)
		p.axis[i] = (struct plot_axis){ f->grid->axis[i]->name,
			                        points_along(ev, f->grid, i),
			                        evaluate_scalar(ev, item->first[i]).f,
			                        evaluate_scalar(ev, item->step[i]).f };
	picture = draw(&p, ev->now->field[f->id], f->elem, &bytes);
	fine = picture && fwrite(picture, 1, bytes, out) == bytes;
	fine &= !fclose(out);
	free(picture);
	if (!fine || rename(beside, path))
		evaluate_fail(ev, s, "%s: %s", path, strerror(errno));
}
