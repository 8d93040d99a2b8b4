/* exec/scan.c - running sums and products of lines, from left to right, in place
 *
 * Where another axis is the contiguous one, whole rows are added to the row before, so
 * many lines go forward together; else a line is done after the other. */
#include <string.h>

#include "exec/fold.h"

enum { POINTS_WORTH_THREADS = 16384 };

struct scan {
	const struct fold_work *work;
	int axis, share; /* scanned; divided among the threads, or -1 */
	int row;         /* the contiguous axis, if it is not scanned; else -1 */
};

/* Integers wrap. */
#define STEP(type, unsigned_type, op)                                                    \
	do {                                                                             \
		type *to = at;                                                           \
		const type *from = before;                                               \
                                                                                         \
		for (int64_t i = 0; i < n; i++)                                          \
			to[i] = (type)((unsigned_type)from[i] op(unsigned_type) to[i]);  \
	} while (0)

/* The same of complex numbers, parts side by side; products without contraction. */
#define COMPLEX(real)                                                                    \
	do {                                                                             \
		real *to = at;                                                           \
		const real *from = before;                                               \
                                                                                         \
		for (int64_t i = 0; i < 2 * n; i += 2) {                                 \
			real re = from[i] * to[i], im = from[i] * to[i + 1];             \
                                                                                         \
			re -= from[i + 1] * to[i + 1];                                   \
			im += from[i + 1] * to[i];                                       \
			to[i] = sum ? from[i] + to[i] : re;                              \
			to[i + 1] = sum ? from[i + 1] + to[i + 1] : im;                  \
		}                                                                        \
	} while (0)

/* n elements at `at` are combined with those before them. */
static void step(const struct fold_work *w, void *at, const void *before, int64_t n)
{
	bool sum = w->reduction == MPA_CUMSUM;

	if (w->elem == MPA_F64 && sum)
		STEP(double, double, +);
	else if (w->elem == MPA_F64)
		STEP(double, double, *);
	else if (w->elem == MPA_F32 && sum)
		STEP(float, float, +);
	else if (w->elem == MPA_F32)
		STEP(float, float, *);
	else if (w->elem == MPA_C128)
		COMPLEX(double);
	else if (w->elem == MPA_C64)
		COMPLEX(float);
	else if (sum)
		STEP(int64_t, uint64_t, +);
	else
		STEP(int64_t, uint64_t, *);
}

#define RUN(type, unsigned_type, op)                                                     \
	do {                                                                             \
		type value = *(type *)at;                                                \
                                                                                         \
		for (int64_t i = 1; i < n; i++) {                                        \
			char *p = (char *)at + i * stride;                               \
                                                                                         \
			value = (type)((unsigned_type)value op(unsigned_type) *          \
				       (type *)p);                                       \
			*(type *)p = value;                                              \
		}                                                                        \
	} while (0)

/* A line of n elements, `stride` bytes apart. */
static void run(const struct fold_work *w, void *at, int64_t n, int64_t stride)
{
	bool sum = w->reduction == MPA_CUMSUM;
	char *p = at;

	if (w->elem == MPA_C64 || w->elem == MPA_C128)
		for (int64_t i = 1; i < n; i++)
			step(w, p + i * stride, p + (i - 1) * stride, 1);
	else if (w->elem == MPA_F64 && sum)
		RUN(double, double, +);
	else if (w->elem == MPA_F64)
		RUN(double, double, *);
	else if (w->elem == MPA_F32 && sum)
		RUN(float, float, +);
	else if (w->elem == MPA_F32)
		RUN(float, float, *);
	else if (sum)
		RUN(int64_t, uint64_t, +);
	else
		RUN(int64_t, uint64_t, *);
}

/* The lines through one index of the other axes, or through a row of them. */
static void scan_at(const struct scan *c, const struct box *box, int64_t *index)
{
	const struct mpa_array *a = c->work->lines;
	int64_t stride = a->stride[c->axis] * a->elem,
		n = box->hi[c->axis] - box->lo[c->axis];
	char *at;

	index[c->axis] = box->lo[c->axis];
	at = array_at(a, index);
	if (c->work->carry)
		step(c->work, at, c->work->carry, 1);
	if (c->row < 0) {
		run(c->work, at, n, stride);
		return;
	}
	for (int64_t i = 1; i < n; i++)
		step(c->work, at + i * stride, at + (i - 1) * stride,
		     box->hi[c->row] - box->lo[c->row]);
}

static void scan_box(const struct scan *c, const struct box *box)
{
	int64_t index[MPA_MAX_AXES];
	int k;

	if (box_empty(box))
		return;
	memcpy(index, box->lo, sizeof index);
	do {
		scan_at(c, box, index);
		for (k = box->naxes - 1; k >= 0; k--) {
			int a = c->work->lines->order[k];

			if (a == c->axis || a == c->row)
				continue;
			if (++index[a] < box->hi[a])
				break;
			index[a] = box->lo[a];
		}
	} while (k >= 0);
}

static void scan_share(void *arg, int64_t lo, int64_t hi)
{
	const struct scan *c = arg;
	struct box box = c->work->lines->own;

	box.lo[c->share] = lo;
	box.hi[c->share] = hi;
	scan_box(c, &box);
}

void scan_lines(const struct fold_work *work)
{
	const struct mpa_array *a = work->lines;
	struct scan c = { .work = work, .axis = __builtin_ctz(work->axes), .share = -1 };
	int last = a->order[a->naxes - 1];

	c.row = last == c.axis ? -1 : last;
	for (int i = 0; i < a->naxes; i++)
		if (i != c.axis &&
		    (c.share < 0 || a->own.hi[i] - a->own.lo[i] >
					    a->own.hi[c.share] - a->own.lo[c.share]))
			c.share = i;
	if (c.share < 0 || box_points(&a->own) < POINTS_WORTH_THREADS)
		scan_box(&c, &a->own);
	else
		pool_for(work->pool, scan_share, &c,
			 (struct pool_span){ a->own.lo[c.share], a->own.hi[c.share], 1 });
}
