/* array/picture.c - a field drawn into a PNG file */
#include "array/picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "array/newfile.h"
#include "base/memory.h"

static double value_of(const void *p, enum mpa_elem elem)
{
	switch (elem) {
	case MPA_I32:
		return *(const int32_t *)p;
	case MPA_I64:
		return (double)*(const int64_t *)p;
	case MPA_F32:
		return (double)*(const float *)p;
	case MPA_F64:
		return *(const double *)p;
	default:
		return *(const uint8_t *)p;
	}
}

struct drawing {
	const struct file_job *job;
	struct plot *plot;
	const struct mpa_array *array;
	enum mpa_elem elem;
	int64_t n;      /* cells */
	int64_t *sum;   /* of an image: of levels; then counts */
	double *lowest; /* of a curve; then the highest ones, negated */
};

typedef void point_fn(struct drawing *d, const int64_t *at, double value);

/* The points that this rank is the first to hold. */
static void points_each(struct drawing *d, point_fn *fn)
{
	const struct box *own = &d->array->own;
	int64_t at[MPA_MAX_AXES] = { 0 };

	if (!layout_is_first(d->job->layout, d->job->comm->rank) || !array_owns(d->array))
		return;
	for (at[0] = own->lo[0]; at[0] < own->hi[0]; at[0]++) {
		if (own->naxes == 1) {
			fn(d, at, value_of(array_at(d->array, at), d->elem));
			continue;
		}
		for (at[1] = own->lo[1]; at[1] < own->hi[1]; at[1]++)
			fn(d, at, value_of(array_at(d->array, at), d->elem));
	}
}

static void take_range(struct drawing *d, const int64_t *at, double value)
{
	(void)at;
	if (!isfinite(value))
		return;
	if (value < d->plot->lo)
		d->plot->lo = value;
	if (value > d->plot->hi)
		d->plot->hi = value;
}

static void take_level(struct drawing *d, const int64_t *at, double value)
{
	int64_t level = plot_level(d->plot, value);
	int64_t k = (int64_t)plot_cell(d->plot, 0, at[0]) * d->plot->cells[1] +
		    plot_cell(d->plot, 1, at[1]);

	if (level < 0)
		return;
	d->sum[k] += level;
	d->sum[d->n + k]++;
}

static void take_extremes(struct drawing *d, const int64_t *at, double value)
{
	int k = plot_cell(d->plot, 0, at[0]);

	if (!isfinite(value))
		return;
	if (value < d->lowest[k])
		d->lowest[k] = value;
	if (-value < d->lowest[d->n + k])
		d->lowest[d->n + k] = -value;
}

static enum mpa_status range_find(struct drawing *d)
{
	double pair[2];
	enum mpa_status st;

	d->plot->lo = INFINITY;
	d->plot->hi = -INFINITY;
	points_each(d, take_range);
	pair[0] = d->plot->lo;
	pair[1] = -d->plot->hi;
	st = comm_all_reduce(d->job->comm, COMM_MIN_F64, pair, 2);
	d->plot->lo = pair[0];
	d->plot->hi = -pair[1];
	return st;
}

static enum mpa_status cells_gather(struct drawing *d)
{
	struct comm *comm = d->job->comm;
	int64_t n = 2 * d->n;

	if (d->plot->naxes == 2) {
		points_each(d, take_level);
		return comm_all_reduce(comm, COMM_SUM_I64, d->sum, (int)n);
	}
	for (int64_t i = 0; i < n; i++)
		d->lowest[i] = INFINITY;
	points_each(d, take_extremes);
	return comm_all_reduce(comm, COMM_MIN_F64, d->lowest, (int)n);
}

static unsigned char *drawn(struct drawing *d, size_t *bytes)
{
	if (d->plot->naxes == 2)
		return plot_image(d->plot, d->sum, d->sum + d->n, bytes);
	for (int64_t i = d->n; i < 2 * d->n; i++)
		d->lowest[i] = -d->lowest[i];
	return plot_curve(d->plot, d->lowest, d->lowest + d->n, bytes);
}

static enum mpa_status root_write(struct drawing *d, const struct newfile *f)
{
	size_t bytes = 0;
	unsigned char *file = drawn(d, &bytes);
	enum mpa_status st;

	if (!file)
		return fault_set(d->job->comm->fault, MPA_MEMORY,
				 "out of memory for the picture \"%s\"", d->job->path);
	st = newfile_create(f, file, (int64_t)bytes, (int64_t)bytes);
	free(file);
	return st;
}

static enum mpa_status picture_file(struct drawing *d)
{
	struct newfile f;
	enum mpa_status st = newfile_begin(&f, d->job);

	if (st != MPA_OK)
		return st;
	if (d->job->comm->rank == 0)
		st = root_write(d, &f);
	return newfile_end(&f, st);
}

enum mpa_status picture_write(const struct file_job *job, struct plot *plot,
			      const struct mpa_array *array, enum mpa_elem elem)
{
	struct drawing d = { .job = job, .plot = plot, .array = array, .elem = elem };
	enum mpa_status st = range_find(&d);
	void *room;

	if (st != MPA_OK)
		return st;
	plot_plan(plot);
	d.n = (int64_t)plot->cells[0] * plot->cells[1];
	room = mem_new((size_t)d.n * 2 * sizeof(int64_t));
	d.sum = room;
	d.lowest = room;
	st = comm_agree(job->comm, room ? MPA_OK : MPA_MEMORY);
	if (st == MPA_OK)
		st = cells_gather(&d);
	if (st == MPA_OK)
		st = picture_file(&d);
	mem_free(room);
	return st;
}
