/* array/evaluate_reduce.c - a value for all points of a grid, or for each of its lines
 *
 * Sums are exact and rounded once: a fixed-point number holds every f64 and 2^63 of
 * the greatest. Products multiply neighbours by flat index, level by level, an odd one
 * out passed up. The rest goes from the first point to the last.
 */
#include "array/evaluator.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Two's complement in units of 2^-1074, the least f64. */
enum { LIMBS = 36, UNIT = -1074 };

struct exact {
	uint64_t limb[LIMBS];
	bool nan, up, down;                  /* what is not finite */
};

static void exact_add_at(struct exact *x, int i, uint64_t part)
{
	for (; part && i < LIMBS; i++) {
		x->limb[i] += part;
		part = x->limb[i] < part;
	}
}

static void exact_subtract_at(struct exact *x, int i, uint64_t part)
{
	for (; part && i < LIMBS; i++) {
		uint64_t before = x->limb[i];

		x->limb[i] -= part;
		part = before < part;
	}
}

static void exact_add(struct exact *x, double f)
{
	uint64_t bits, mantissa;
	int exponent, shift;
	void (*add)(struct exact *, int, uint64_t) = exact_add_at;

	if (!isfinite(f)) {
		x->nan |= isnan(f);
		x->up |= f > 0;
		x->down |= f < 0;
		return;
	}
	if (signbit(f))
		add = exact_subtract_at;
	memcpy(&bits, &f, sizeof bits);
	exponent = bits >> 52 & 0x7ff;
	mantissa = bits & (((uint64_t)1 << 52) - 1);
	if (exponent)
		mantissa |= (uint64_t)1 << 52;
	shift = exponent ? exponent - 1 : 0;
	add(x, shift / 64, mantissa << shift % 64);
	if (shift % 64)
		add(x, shift / 64 + 1, mantissa >> (64 - shift % 64));
}

static bool exact_bit(const struct exact *x, int i)
{
	return i >= 0 && (x->limb[i / 64] >> i % 64 & 1);
}

static void exact_negate(struct exact *x)
{
	for (int i = 0; i < LIMBS; i++)
		x->limb[i] = ~x->limb[i];
	exact_add_at(x, 0, 1);
}

/* Rounds to the nearest, ties to even. */
static double exact_round(struct exact x)
{
	int high = LIMBS * 64 - 1, low;
	uint64_t mantissa = 0;
	bool minus = exact_bit(&x, high), rest = false;
	double f;

	if (x.nan || (x.up && x.down))
		return NAN;
	if (x.up || x.down)
		return x.up ? INFINITY : -INFINITY;
	if (minus)
		exact_negate(&x);
	while (high >= 0 && !exact_bit(&x, high))
		high--;
	low = high > 52 ? high - 52 : 0;
	for (int i = high; i >= low; i--)
		mantissa = 2 * mantissa + exact_bit(&x, i);
	for (int i = 0; i < low - 1 && !rest; i++)
		rest = exact_bit(&x, i);
	if (exact_bit(&x, low - 1) && (rest || mantissa & 1))
		mantissa++;
	f = ldexp(mantissa, low + UNIT);
	return minus ? -f : f;
}

static union scalar sum_of(enum elem e, const union scalar *v, int64_t n)
{
	struct exact x = { .nan = false };
	uint64_t whole = 0;

	for (int64_t i = 0; i < n; i++)
		if (elem_kind(e) == KIND_REAL)
			exact_add(&x, v[i].f);
		else
			whole += (uint64_t)v[i].i;
	if (elem_kind(e) == KIND_REAL)
		return (union scalar){ .f = exact_round(x) };
	return (union scalar){ .i = (int64_t)whole };
}

/* Of two parts of complex numbers. */
static double part_op(enum air_op op, enum elem e, double a, double b)
{
	union scalar x[2] = { { .f = a }, { .f = b } };

	return scalar_op(op, elem_part(e), elem_part(e), x, 0).f;
}

/* x[0] + x[1] or x[0] * x[1]; complex products are made of those of the parts. */
static union scalar join(enum air_op op, enum elem e, const union scalar *x)
{
	const double *a = x[0].part, *b = x[1].part;
	union scalar c;

	if (elem_kind(e) != KIND_COMPLEX)
		return scalar_op(op, e, e, x, 0);
	for (int i = 0; i < 2; i++) {
		double first = part_op(AIR_MUL, e, a[0], b[i]);
		double second = part_op(AIR_MUL, e, a[1], b[1 - i]);

		c.part[i] = op == AIR_ADD ? part_op(AIR_ADD, e, a[i], b[i])
		                          : part_op(i ? AIR_ADD : AIR_SUB, e, first, second);
	}
	return c;
}

/* Uses up the values. */
static union scalar product_of(enum elem e, union scalar *v, int64_t n)
{
	enum elem wide = air_reduced_elem(REDUCE_PROD, e);

	if (n == 0)
		return scalar_cast(ELEM_F64, wide, (union scalar){ .f = 1 });
	for (; n > 1; n = (n + 1) / 2)
		for (int64_t i = 0; i < n; i += 2)
			v[i / 2] = i + 1 < n ? join(AIR_MUL, wide, &v[i]) : v[i];
	return v[0];
}

static union scalar fold(enum air_op op, enum elem e, const union scalar *v, int64_t n)
{
	union scalar x[2] = { { .i = op == AIR_AND } }; /* any, all of none */

	if (n > 0)
		x[0] = v[0];
	for (int64_t i = 1; i < n; i++) {
		x[1] = v[i];
		x[0] = scalar_op(op, e, e, x, 0);
	}
	return x[0];
}

static bool is_nan(enum elem e, union scalar x)
{
	return elem_kind(e) == KIND_REAL && isnan(x.f);
}

/* The first of the least (sign 1) or greatest (-1); a NaN is both. */
static union scalar place_of(enum elem e, const union scalar *v, int64_t n, int sign)
{
	int64_t best = 0;

	for (int64_t i = 1; i < n && !is_nan(e, v[best]); i++) {
		union scalar x[2] = { v[i], v[best] };

		if (sign < 0) {
			x[0] = v[best];
			x[1] = v[i];
		}
		if (is_nan(e, v[i]) || scalar_op(AIR_LT, e, ELEM_BOOL, x, 0).i)
			best = i;
	}
	return (union scalar){ .i = best };
}

static union scalar reduced(enum air_reduction r, enum elem e, union scalar *v, int64_t n)
{
	switch (r) {
	case REDUCE_SUM:
		return sum_of(e, v, n);
	case REDUCE_PROD:
		return product_of(e, v, n);
	case REDUCE_MIN:
		return fold(AIR_MIN, e, v, n);
	case REDUCE_MAX:
		return fold(AIR_MAX, e, v, n);
	case REDUCE_ANY:
		return fold(AIR_OR, e, v, n);
	case REDUCE_ALL:
		return fold(AIR_AND, e, v, n);
	default:
		return place_of(e, v, n, r == REDUCE_ARGMIN ? 1 : -1);
	}
}

/* Extremes of no points end the program; true then. */
static bool fails_of_none(struct evaluator *ev, const struct air_stmt *s,
                          enum air_reduction r, int64_t n)
{
	bool extreme = r == REDUCE_MIN || r == REDUCE_MAX || r == REDUCE_ARGMIN ||
	               r == REDUCE_ARGMAX;

	if (n == 0 && extreme)
		evaluate_fail(ev, s, "%s of no points", air_reduction_text(r));
	return n == 0 && extreme;
}

union scalar evaluate_reduction(struct evaluator *ev, const struct air_stmt *s)
{
	const struct grid *g = s->grid ? s->grid : s->value->grid;
	struct points p = points_of(ev, g);
	union scalar *v = xmalloc((points_count(ev, g) + 1) * sizeof *v), result;
	int64_t n = 0;

	for (points_start(&p); p.more; points_next(&p))
		v[n++] = evaluate_at(ev, ev->now, s->value, &p.place);
	if (fails_of_none(ev, s, s->reduction, n))
		result = (union scalar){ .i = 0 };
	else
		result = reduced(s->reduction, s->value->elem, v, n);
	free(v);
	return result;
}

/* ---- along axes ---- */

/* The next index along the axes in the set, the last one fastest; false: there is none. */
static bool index_next(const struct evaluator *ev, const struct grid *g, unsigned axes,
                       int64_t *index)
{
	for (int i = g->n_axes - 1; i >= 0; i--) {
		if (!(axes >> i & 1))
			continue;
		if (++index[i] < points_along(ev, g, i))
			return true;
		index[i] = 0;
	}
	return false;
}

static int64_t points_along_axes(const struct evaluator *ev, const struct grid *g,
                                 unsigned axes)
{
	int64_t n = 1;

	for (int i = 0; i < g->n_axes; i++)
		if (axes >> i & 1)
			n *= points_along(ev, g, i);
	return n;
}

static void scan(enum air_reduction r, enum elem e, union scalar *v, int64_t n)
{
	for (int64_t i = 1; i < n; i++) {
		union scalar x[2] = { v[i - 1], v[i] };

		v[i] = join(r == REDUCE_CUMSUM ? AIR_ADD : AIR_MUL, e, x);
	}
}

static int64_t flat_of(const struct evaluator *ev, const struct grid *g, const int64_t *index,
                       unsigned without)
{
	int64_t flat = 0;

	for (int i = 0; i < g->n_axes; i++)
		if (!(without >> i & 1))
			flat = flat * points_along(ev, g, i) + index[i];
	return flat;
}

/* One line: all points that differ along the axes only. */
static void fold_line(struct evaluator *ev, const struct air_fold *f, int64_t *index,
                      union scalar *line, union scalar *to)
{
	const struct grid *g = f->from->grid;
	int64_t n = 0;

	do {
		if (points_along_axes(ev, g, f->axes) > 0)
			line[n++] = evaluate_field(ev, ev->now, f->from, index);
	} while (n > 0 && index_next(ev, g, f->axes, index));
	if (!reduction_is_scan(f->reduction)) {
		to[flat_of(ev, g, index, f->axes)] =
			reduced(f->reduction, f->from->elem, line, n);
		return;
	}
	if (n == 0)
		return;
	scan(f->reduction, f->from->elem, line, n);
	n = 0;
	do {
		to[flat_of(ev, g, index, 0)] = line[n++];
	} while (index_next(ev, g, f->axes, index));
}

void evaluate_fold(struct evaluator *ev, const struct air_stmt *s)
{
	const struct air_fold *f = s->fold;
	const struct grid *g = f->from->grid;
	union scalar *to = world_begin(ev, f->to)->value, *line;
	int64_t index[MAX_AXES] = { 0 };

	if (points_along_axes(ev, g, ~f->axes) == 0 ||
	    fails_of_none(ev, s, f->reduction, points_along_axes(ev, g, f->axes)))
		return;
	line = xmalloc((points_count(ev, g) + 1) * sizeof *line);
	do {
		fold_line(ev, f, index, line, to);
	} while (index_next(ev, g, ~f->axes, index));
	free(line);
}
