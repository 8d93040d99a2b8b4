/* exec/line.c - one line, fast where that is provably exact, else by a sink
 *
 * A real sum keeps, for each lane, a double and the sum of all its rounding errors. As
 * long as that second sum is free of errors itself, the two together are exact, and so
 * is their sum rounded once. Extremes are compared in lanes; NaN and zeros, whose signs
 * matter, are left to the sink. */
#include "exec/line.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "exec/reduce.h"

enum { LANES = 8 };

typedef double lanes_d __attribute__((vector_size(8 * LANES)));
typedef int64_t lanes_i __attribute__((vector_size(8 * LANES)));

/* A sum and the sum of its errors; bad: that has errors itself. */
struct pair {
	lanes_d sum, error;
	lanes_i bad;
};

struct line {
	bool careful, bad;
	int64_t n; /* values so far */
	struct pair pair;
	double best; /* of extremes */
	int64_t place;
	struct mpa_sink sink;
};

/* ---- sums ------------------------------------------------------------------ */

VECTOR_CLONES static void pair_add(struct pair *p, const double *value, int64_t n)
{
	struct pair x = *p;

	for (int64_t i = 0; i < n; i += LANES) {
		lanes_d v, sum, part, low, error;

		memcpy(&v, value + i, sizeof v);
		sum = x.sum + v;
		part = sum - x.sum;
		low = (x.sum - (sum - part)) + (v - part);
		error = x.error + low;
		part = error - x.error;
		x.bad |= (x.error - (error - part)) + (low - part) != 0;
		x.sum = sum;
		x.error = error;
	}
	*p = x;
}

static void one_add(double *sum, double *error, double v, bool *bad)
{
	double all = *sum + v, part = all - *sum;
	double low = (*sum - (all - part)) + (v - part), more = *error + low;

	part = more - *error;
	*bad |= (*error - (more - part)) + (low - part) != 0;
	*sum = all;
	*error = more;
}

/* All lanes; infinities and NaN leave NaN somewhere, which is not 0. */
static bool pair_value(const struct pair *p, double pair[2])
{
	double sum = 0, error = 0;
	bool bad = false;

	for (int k = 0; k < LANES; k++)
		bad |= p->bad[k] != 0;
	for (int k = 0; k < LANES && !bad; k++)
		one_add(&sum, &error, p->sum[k], &bad);
	for (int k = 0; k < LANES && !bad; k++)
		one_add(&sum, &error, p->error[k], &bad);
	pair[0] = sum;
	pair[1] = error;
	return !bad && isfinite(sum + error);
}

static void add_reals(struct line *l, const void *values, int64_t n)
{
	double wide[LINE_PIECE + LANES];

	if (l->sink.elem == MPA_F64)
		memcpy(wide, values, (size_t)n * sizeof *wide);
	else
		for (int64_t i = 0; i < n; i++)
			wide[i] = (double)((const float *)values)[i];
	memset(wide + n, 0, LANES * sizeof *wide);
	pair_add(&l->pair, wide, n);
}

/* ---- extremes -------------------------------------------------------------- */

typedef float lanes_s __attribute__((vector_size(8 * LANES)));
typedef int32_t lanes_n __attribute__((vector_size(8 * LANES)));

/* The greatest (least) of n values, n > 0; *odd: one is NaN. */
#define EXTREME(name, real, lanes, truths)                                               \
	VECTOR_CLONES static double name(const real *value, int64_t n, bool max,         \
					 bool *odd)                                      \
	{                                                                                \
		enum { MANY = sizeof(lanes) / sizeof(real) };                            \
		lanes best = (lanes){ 0 } + value[0];                                    \
		truths nan = { 0 };                                                      \
		real one = value[0];                                                     \
		int64_t i = 0;                                                           \
                                                                                         \
		for (; i + MANY <= n; i += MANY) {                                       \
			lanes v;                                                         \
			truths more;                                                     \
                                                                                         \
			memcpy(&v, value + i, sizeof v);                                 \
			more = max ? v > best : v < best;                                \
			best = (lanes)((more & (truths)v) | (~more & (truths)best));     \
			nan |= v != v;                                                   \
		}                                                                        \
		*odd = one != one;                                                       \
		for (int k = 0; k < MANY; k++) {                                         \
			one = (max ? best[k] > one : best[k] < one) ? best[k] : one;     \
			*odd |= nan[k] != 0;                                             \
		}                                                                        \
		for (; i < n; i++) {                                                     \
			one = (max ? value[i] > one : value[i] < one) ? value[i] : one;  \
			*odd |= value[i] != value[i];                                    \
		}                                                                        \
		return (double)one;                                                      \
	}
EXTREME(extreme_f64, double, lanes_d, lanes_i)
EXTREME(extreme_f32, float, lanes_s, lanes_n)

static int64_t find(const struct line *l, const void *values, double what)
{
	int64_t i = 0;

	if (l->sink.elem == MPA_F64)
		while (((const double *)values)[i] != what)
			i++;
	else
		while ((double)((const float *)values)[i] != what)
			i++;
	return i;
}

static void add_extreme(struct line *l, const void *values, int64_t n)
{
	enum mpa_reduction r = l->sink.reduction;
	bool max = r == MPA_MAX || r == MPA_ARGMAX, odd;
	double best = l->sink.elem == MPA_F64 ? extreme_f64(values, n, max, &odd)
					      : extreme_f32(values, n, max, &odd);

	l->bad |= odd;
	if (odd || (l->n > 0 && !(max ? best > l->best : best < l->best)))
		return;
	l->best = best;
	if (r == MPA_ARGMIN || r == MPA_ARGMAX)
		l->place = l->n + find(l, values, best);
}

/* ---- lines ----------------------------------------------------------------- */

static bool is_real(const struct line *l)
{
	return l->sink.elem == MPA_F32 || l->sink.elem == MPA_F64;
}

static bool is_complex(enum mpa_elem elem)
{
	return elem == MPA_C64 || elem == MPA_C128;
}

static bool is_fast(const struct line *l)
{
	switch (l->sink.reduction) {
	case MPA_SUM:
	case MPA_MIN:
	case MPA_MAX:
	case MPA_ARGMIN:
	case MPA_ARGMAX:
		return is_real(l) && !l->careful;
	default:
		return false;
	}
}

struct line *line_new(enum mpa_reduction reduction, enum mpa_elem elem, int64_t points)
{
	struct line *l = mem_new(sizeof *l);

	if (!l)
		return NULL;
	l->sink.reduction = reduction;
	l->sink.elem = elem;
	l->sink.n_loops = 1;
	l->sink.stride[0] = 1;
	l->sink.product.total = points;
	l->sink.product.complex = is_complex(elem);
	return l;
}

void line_free(struct line *l)
{
	if (l)
		product_free(&l->sink.product);
	mem_free(l);
}

void line_begin(struct line *l, bool carefully)
{
	l->careful = carefully;
	l->bad = false;
	l->n = 0;
	if (is_fast(l))
		memset(&l->pair, 0, sizeof l->pair);
	else
		sink_reset(&l->sink);
}

void line_add(struct line *l, const void *values, int64_t n)
{
	if (n == 0)
		return;
	if (!is_fast(l))
		mpa_sink_add(&l->sink, values, n, &l->n);
	else if (l->sink.reduction == MPA_SUM)
		add_reals(l, values, n);
	else
		add_extreme(l, values, n);
	l->n += n;
}

static void put_real(const struct line *l, double value, void *result)
{
	float narrow = (float)value;

	if (l->sink.elem == MPA_F32)
		memcpy(result, &narrow, sizeof narrow);
	else
		memcpy(result, &value, sizeof value);
}

static bool end_fast(struct line *l, void *result)
{
	double sum, pair[2];

	switch (l->sink.reduction) {
	case MPA_SUM:
		if (!pair_value(&l->pair, pair))
			return false;
		sum = pair[0] + pair[1];
		memcpy(result, &sum, sizeof sum);
		return true;
	case MPA_ARGMIN:
	case MPA_ARGMAX:
		memcpy(result, &l->place, sizeof l->place);
		return !l->bad;
	default:
		put_real(l, l->best, result);
		return !l->bad && l->best != 0;
	}
}

bool line_end(struct line *l, void *result)
{
	enum mpa_reduction r = l->sink.reduction;
	int64_t bits;
	double part[2];

	if (is_fast(l))
		return end_fast(l, result);
	if (is_complex(l->sink.elem) && r == MPA_PROD) {
		sink_parts(&l->sink, part);
		memcpy(result, part, sizeof part);
		return true;
	}
	bits = sink_value(&l->sink);
	if ((r == MPA_MIN || r == MPA_MAX) && is_real(l))
		put_real(l, l->sink.extreme.d, result);
	else /* little-endian: the low bytes of an integer are the value */
		memcpy(result, &bits, (size_t)line_result_bytes(r, l->sink.elem));
	return true;
}

bool line_pair(struct line *l, double pair[2])
{
	return pair_value(&l->pair, pair);
}

bool line_failed(const struct line *l)
{
	return l->sink.product.failed;
}

int64_t line_result_bytes(enum mpa_reduction reduction, enum mpa_elem elem)
{
	switch (reduction) {
	case MPA_MIN:
	case MPA_MAX:
		return elem == MPA_I32 || elem == MPA_F32   ? 4
		       : elem == MPA_BOOL || elem == MPA_U8 ? 1
							    : 8;
	case MPA_ANY:
	case MPA_ALL_TRUE:
		return 1;
	case MPA_PROD:
		return is_complex(elem) ? 16 : 8;
	default:
		return 8;
	}
}
