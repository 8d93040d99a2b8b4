/* tests/unit/exec_kernels.c - the kernels of random programs
 *
 * They find their problem by the pointer in scalar 0. */
#include "exec_problem.h"

#include <math.h>
#include <string.h>

static double *view_at(const struct mpa_view *v, const struct array_model *am,
		       const int64_t *index)
{
	int64_t at = 0;

	for (int i = 0; i < am->naxes; i++)
		at += index[am->axis[i]] * v->stride[i];
	return (double *)v->origin + at;
}

/* Walks the points of a box of loops; axis: of the problem, per loop. */
static bool box_next(const int64_t *lo, const int64_t *hi, const int *axis, int n,
		     int64_t *index)
{
	for (int k = n - 1; k >= 0; k--) {
		if (++index[axis[k]] < hi[k])
			return true;
		index[axis[k]] = lo[k];
	}
	return false;
}

static const struct problem *problem_of(const struct mpa_frame *f)
{
	return (const struct problem *)f->scalar[0];
}

static void loops_of(const struct array_model *am, const struct mpa_call *call, int *axis)
{
	for (int k = 0; k < call->n_loops; k++)
		axis[k] = am->axis[call->loop_axis[k]];
}

static void kernel_run(const struct mpa_frame *f, const int64_t *lo, const int64_t *hi,
		       int run)
{
	const struct problem *p = problem_of(f);
	const struct run_model *r = &p->model[run];
	const struct array_model *am = &p->array[U];
	int axis[3], n = p->naxes;
	int64_t index[3] = { 0 };

	loops_of(am, &p->run[run].call, axis);
	for (int k = 0; k < n; k++)
		index[axis[k]] = lo[k];
	do {
		double sum = 0;

		for (int k = 0; k < TERMS; k++) {
			int64_t at[3];

			for (int i = 0; i < n; i++)
				at[i] = index[i] + r->offset[k][i];
			sum += r->factor[k] * *view_at(&f->view[0], am, at);
		}
		*view_at(&f->view[1], am, index) = fmod(sum, MODULUS);
	} while (box_next(lo, hi, axis, n, index));
}

#define KERNEL(name, run)                                                                \
	void name(const struct mpa_frame *f, const int64_t *lo, const int64_t *hi)       \
	{                                                                                \
		kernel_run(f, lo, hi, run);                                              \
	}
KERNEL(kernel_read, RUN_READ)
KERNEL(kernel_update, RUN_UPDATE)
KERNEL(kernel_stage, RUN_STAGE)
KERNEL(kernel_read_stage, RUN_READ_STAGE)

/* u and u2 get their first values. */
void kernel_init(const struct mpa_frame *f, const int64_t *lo, const int64_t *hi)
{
	const struct problem *p = problem_of(f);
	int axis[3];
	int64_t index[3] = { 0 };

	loops_of(&p->array[U], &p->run[RUN_INIT].call, axis);
	for (int k = 0; k < p->naxes; k++)
		index[axis[k]] = lo[k];
	do {
		*view_at(&f->view[0], &p->array[U], index) = start_value(index, U);
		*view_at(&f->view[1], &p->array[U], index) = start_value(index, U2);
	} while (box_next(lo, hi, axis, p->naxes, index));
}

/* The wall field of axis 0 is counted up. */
void kernel_field(const struct mpa_frame *f, const int64_t *lo, const int64_t *hi)
{
	const struct problem *p = problem_of(f);
	const struct array_model *am = &p->array[WALL_FIELD];
	int axis[3];
	int64_t index[3] = { 0 };

	loops_of(am, &p->run[RUN_FIELD].call, axis);
	for (int k = 0; k < am->naxes; k++)
		index[axis[k]] = lo[k];
	do {
		*view_at(&f->view[0], am, index) += 1 + (double)index[am->axis[0]];
	} while (box_next(lo, hi, axis, am->naxes, index));
}

void kernel_sums(const struct mpa_frame *f, const int64_t *lo, const int64_t *hi)
{
	const struct problem *p = problem_of(f);
	int axis[3];
	int64_t index[3] = { 0 }, at[3];

	loops_of(&p->array[U], &p->run[RUN_SUMS].call, axis);
	for (int k = 0; k < p->naxes; k++)
		index[axis[k]] = lo[k];
	do {
		double value = *view_at(&f->view[0], &p->array[U], index),
		       half = 1 + value / 2048;

		for (int k = 0; k < p->naxes; k++)
			at[k] = index[axis[k]];
		mpa_sink_add(f->sink[0], &value, 1, at);
		mpa_sink_add(f->sink[1], &value, 1, at);
		mpa_sink_add(f->sink[2], &value, 1, at);
		mpa_sink_add(f->sink[3], &half, 1, at);
	} while (box_next(lo, hi, axis, p->naxes, index));
}

/* Scalars: the problem, array, axis, side, constant, wall field as a view or not. */
static double wall_value(const struct mpa_frame *f, const int64_t *index)
{
	const struct problem *p = problem_of(f);
	int a = (int)f->scalar[1], axis = (int)f->scalar[2], side = (int)f->scalar[3];
	const struct array_model *am = &p->array[a];
	const struct condition *c = &am->condition[axis][side];
	int64_t n = p->size[axis], at[3], distance, inside;
	double sum = 0;

	memcpy(at, index, sizeof at);
	distance = side ? index[axis] - n + 1 : -index[axis];
	if (c->kind == CONSTANT)
		return c->shift + (double)f->scalar[4];
	if (c->kind == FIELD)
		return c->scale * *view_at(&f->view[1], &p->array[WALL_FIELD + axis], at);
	for (int i = 0; i < am->naxes && c->kind == POSITION; i++) {
		int64_t k = index[am->axis[i]], m = p->size[am->axis[i]];

		if (p->periodic[am->axis[i]] && am->axis[i] > axis)
			k = ((k % m) + m) % m;
		if (!p->periodic[am->axis[i]] || !p->stages)
			sum += (double)((i + 2) * k);
	}
	if (c->kind == POSITION)
		return sum;
	inside = c->kind == EDGE        ? 0
		 : c->kind == SYMMETRIC ? distance - 1
		 : n > 1                ? distance
					: 0;
	at[axis] = side ? n - 1 - inside : inside;
	return c->scale * *view_at(&f->view[0], am, at) + c->shift;
}

void kernel_wall(const struct mpa_frame *f, const int64_t *lo, const int64_t *hi)
{
	const struct problem *p = problem_of(f);
	int a = (int)f->scalar[1];
	const struct array_model *am = &p->array[a];
	int axis[3];
	int64_t index[3] = { 0 };

	loops_of(am, &am->wall[f->scalar[2]][f->scalar[3]].call, axis);
	for (int k = 0; k < am->naxes; k++)
		index[axis[k]] = lo[k];
	do {
		*view_at(&f->view[0], am, index) = wall_value(f, index);
	} while (box_next(lo, hi, axis, am->naxes, index));
}
