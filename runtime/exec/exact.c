/* exec/exact.c - the superaccumulator, and fast ways into it
 *
 * Values are split: their leading bits, as multiples of one power of two so large that a
 * thousand of them add up exactly in a double, and the next ones, as multiples of another.
 * Where that is all of them, as of values of which none is 2^29 times smaller than the
 * largest, both go to running sums, one pass over the values. Other blocks are taken apart
 * until nothing is left. Blocks with infinities, NaN or values near the ends of the range
 * go in one by one. */
#include "exec/exact.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum {
	CARRY_AFTER = 1000, /* additions of up to 53 bits to digits of 63 */
	BLOCK = 1024,
	MOST_SLICES = 6,
	LANES = EXACT_LANES,
	SLICE_BITS = 43,
	LEAST_TOP = 64 + SLICE_BITS, /* for two units that are normal numbers */
	PASS_OVER = 64,
	ROOM = 4,      /* bits for values that go on growing */
	FAR_BELOW = 8, /* bits that other units would hold more of a block */
	EXPONENT_INF = 0x7ff,
};

static uint64_t bits_of(double x)
{
	uint64_t bits;

	memcpy(&bits, &x, sizeof bits);
	return bits;
}

/* Every digit but the last becomes one of 0..2^32-1. */
static void carry(struct exact *x)
{
	for (int i = 0; i < EXACT_DIGITS - 1; i++) {
		int64_t high = x->digit[i] >> 32;

		x->digit[i] &= 0xffffffff;
		x->digit[i + 1] += high;
	}
	x->pending = 0;
}

static void add_special(struct exact *x, double value)
{
	if (isnan(value))
		x->nan++;
	else if (value > 0)
		x->positive_inf++;
	else
		x->negative_inf++;
}

static void add_one(struct exact *x, double value)
{
	uint64_t bits = bits_of(value), mantissa = bits & 0xfffffffffffff;
	int exponent = bits >> 52 & EXPONENT_INF, at, shift;
	int64_t low, high;

	if (exponent == EXPONENT_INF) {
		add_special(x, value);
		return;
	}
	if (exponent == 0)
		exponent = 1;
	else
		mantissa |= (uint64_t)1 << 52;
	at = (exponent - 1) >> 5;
	shift = (exponent - 1) & 31;
	low = (int64_t)(mantissa << shift & 0xffffffff);
	high = (int64_t)(mantissa >> (32 - shift));
	if (shift == 0)
		high = (int64_t)(mantissa >> 32);
	x->digit[at] += bits >> 63 ? -low : low;
	x->digit[at + 1] += bits >> 63 ? -high : high;
	if (++x->pending >= CARRY_AFTER)
		carry(x);
}

typedef double lanes_f __attribute__((vector_size(8 * LANES)));
typedef uint64_t lanes_u __attribute__((vector_size(8 * LANES)));

/* ---- running sums ------------------------------------------------------------ */

static void settle(struct exact *x)
{
	struct exact_running *r = &x->running;

	for (int i = 0; i < LANES && r->added; i++) {
		add_one(x, r->high[i]);
		add_one(x, r->low[i]);
		r->high[i] = r->low[i] = 0;
	}
	r->added = 0;
}

/* 1.5 times a power of two by which values below 2^(top - 1022) are rounded to multiples of
 * 2^(top - 1023 - 42): fewer than 2^43 of them, so a thousand add up exactly. */
static double rounder(int64_t top)
{
	return ldexp(1.5, (int)top - 1023 + 10);
}

/* Adds n vectors of values; false, and nothing is added, where bits are left or one is too
 * large or no number. */
VECTOR_CLONES static bool run(struct exact_running *r, const double *value, int64_t n)
{
	uint64_t limit = (uint64_t)(r->top + 1) << 52, bad = 0;
	double big[2] = { r->big[0], r->big[1] };
	lanes_f high, low;
	lanes_u rest = { 0 }, within = ~rest;

	memcpy(&high, r->high, sizeof high);
	memcpy(&low, r->low, sizeof low);
	for (int64_t i = 0; i < n; i++) {
		lanes_f v, first, second;

		memcpy(&v, value + i * LANES, sizeof v);
		/* the sign of a difference of integers: compilers take vectors of
		 * comparisons apart */
		within &= ((lanes_u)v & 0x7fffffffffffffff) - limit;
		first = (v + big[0]) - big[0];
		v -= first;
		second = (v + big[1]) - big[1];
		rest |= (lanes_u)(v - second);
		high += first;
		low += second;
	}
	rest = rest << 1 | (~within >> 63);
	for (int i = 0; i < LANES; i++)
		bad |= rest[i];
	if (bad)
		return false;
	memcpy(r->high, &high, sizeof high);
	memcpy(r->low, &low, sizeof low);
	r->added += n;
	return true;
}

struct slices {
	lanes_f value[BLOCK / LANES];
	int n; /* of vectors */
};

/* The largest exponent. */
VECTOR_CLONES static int top_exponent(const struct slices *s)
{
	lanes_u top = { 0 };
	uint64_t most = 0;

	for (int i = 0; i < s->n; i++) {
		lanes_u bits = (lanes_u)s->value[i] & 0x7fffffffffffffff;
		lanes_u more = (lanes_u)(bits > top);

		top = (bits & more) | (top & ~more);
	}
	for (int i = 0; i < LANES; i++)
		most = top[i] > most ? top[i] : most;
	return (int)(most >> 52);
}

/* The sum of the values rounded to the unit of `big`, exact; keeps what is left of them
 * and says whether anything is. */
VECTOR_CLONES static double take_slice(struct slices *s, double big, bool *left)
{
	lanes_f sum = { 0 };
	lanes_u rest = { 0 };
	double all = 0;
	uint64_t any = 0;

	for (int i = 0; i < s->n; i++) {
		lanes_f part = (s->value[i] + big) - big;
		lanes_f less = s->value[i] - part;

		sum += part;
		rest |= (lanes_u)less << 1; /* without the sign of zero */
		s->value[i] = less;
	}
	for (int i = 0; i < LANES; i++) {
		all += sum[i];
		any |= rest[i];
	}
	*left = any != 0;
	return all;
}

static void add_each(struct exact *x, const double *value, int64_t n)
{
	for (int64_t i = 0; i < n; i++)
		if (value[i] != 0)
			add_one(x, value[i]);
}

/* n <= BLOCK. With exponent e all values are below 2^(e+1), so parts that are multiples
 * of 2^(e-42) add up to less than 2^53 of them; 1.5 * 2^(e+10) rounds to that unit. */
static void add_block(struct exact *x, const double *value, int64_t n)
{
	struct slices s = { .n = (int)((n + LANES - 1) / LANES) };
	int exponent;
	bool left = true;

	s.value[s.n - 1] = (lanes_f){ 0 };
	memcpy(s.value, value, (size_t)n * sizeof *value);
	exponent = top_exponent(&s);
	if (exponent > EXPONENT_INF - 16) {
		add_each(x, value, n);
		return;
	}
	for (int i = 0; left && i < MOST_SLICES && exponent >= 64; i++, exponent -= 43)
		add_one(x, take_slice(&s, ldexp(1.5, exponent - 1023 + 10), &left));
	if (left)
		add_each(x, (const double *)s.value, (int64_t)s.n * LANES);
}

static bool add_running(struct exact *x, const double *value, int64_t n)
{
	struct exact_running *r = &x->running;

	if (r->added + n > CARRY_AFTER)
		settle(x);
	return run(r, value, n);
}

/* The largest exponent of n vectors. */
static int top_of(const double *value, int64_t n)
{
	struct slices s = { .n = (int)n };

	memcpy(s.value, value, (size_t)n * sizeof *s.value);
	return top_exponent(&s);
}

/* Up to BLOCK values: whole vectors. */
static void add_vectors(struct exact *x, const double *value, int64_t n)
{
	struct exact_running *r = &x->running;
	int top;

	if (r->passed > 0) {
		r->passed--;
		add_block(x, value, n * LANES);
		return;
	}
	if (r->top && add_running(x, value, n))
		return;
	top = top_of(value, n);
	if ((top > r->top || top + FAR_BELOW < r->top) && top >= LEAST_TOP &&
	    top <= EXPONENT_INF - 16) {
		settle(x);
		r->top = r->top ? top + ROOM : top;
		r->big[0] = rounder(r->top);
		r->big[1] = rounder(r->top - SLICE_BITS);
		if (add_running(x, value, n))
			return;
	}
	r->passed = PASS_OVER;
	add_block(x, value, n * LANES);
}

void exact_add(struct exact *x, const double *value, int64_t n)
{
	int64_t whole = n / LANES, most = BLOCK / LANES;

	if (n < 4 * LANES) {
		add_each(x, value, n);
		return;
	}
	for (int64_t i = 0; i < whole; i += most)
		add_vectors(x, value + i * LANES, whole - i < most ? whole - i : most);
	add_each(x, value + whole * LANES, n - whole * LANES);
}

void exact_add_digits(struct exact *x, const int64_t digit[EXACT_DIGITS],
		      int64_t positive_inf, int64_t negative_inf, int64_t nan)
{
	struct exact other = { .positive_inf = positive_inf,
			       .negative_inf = negative_inf,
			       .nan = nan };

	memcpy(other.digit, digit, sizeof other.digit);
	exact_join(x, &other);
}

void exact_join(struct exact *into, struct exact *other)
{
	settle(into);
	settle(other);
	carry(into);
	carry(other);
	for (int i = 0; i < EXACT_DIGITS; i++)
		into->digit[i] += other->digit[i];
	carry(into);
	into->positive_inf += other->positive_inf;
	into->negative_inf += other->negative_inf;
	into->nan += other->nan;
}

/* 64 bits of a number with all digits in 0..2^32-1, from bit `low` (which may be < 0). */
static uint64_t bits_from(const struct exact *x, int low)
{
	uint64_t bits = 0;

	for (int i = 0; i < 64; i += 32) {
		int at = low + i, digit = at >> 5, shift = at & 31;
		uint64_t word = 0;

		if (digit >= 0 && digit < EXACT_DIGITS)
			word = (uint64_t)x->digit[digit] >> shift;
		if (shift && digit + 1 >= 0 && digit + 1 < EXACT_DIGITS)
			word |= (uint64_t)x->digit[digit + 1] << (32 - shift);
		bits |= (word & 0xffffffff) << i;
	}
	return bits;
}

static bool any_below(const struct exact *x, int bit)
{
	for (int i = 0; i < EXACT_DIGITS && 32 * i < bit; i++) {
		uint64_t digit = (uint64_t)x->digit[i];

		if (bit - 32 * i < 32)
			digit &= ((uint64_t)1 << (bit - 32 * i)) - 1;
		if (digit)
			return true;
	}
	return false;
}

/* The nearest double of a number that is not negative. */
static double round_off(const struct exact *x)
{
	int top = EXACT_DIGITS - 1, high, low;
	uint64_t mantissa, rest;

	while (top >= 0 && !x->digit[top])
		top--;
	if (top < 0)
		return 0;
	high = 32 * top + 63 - __builtin_clzll((uint64_t)x->digit[top]);
	low = high - 63;
	mantissa = bits_from(x, low) >> 11;
	rest = bits_from(x, low) & 0x7ff;
	if (low + 11 <= 0) /* no more than 53 bits above 2^-1074 */
		return ldexp((double)(mantissa >> -(low + 11)), -1074);
	if (rest > 0x400 || (rest == 0x400 && (any_below(x, low) || (mantissa & 1))))
		mantissa++;
	return ldexp((double)mantissa, low + 11 - 1074);
}

double exact_value(struct exact *x)
{
	bool negative;
	double value;

	settle(x);
	if (x->nan || (x->positive_inf && x->negative_inf))
		return NAN;
	if (x->positive_inf || x->negative_inf)
		return x->positive_inf ? INFINITY : -INFINITY;
	carry(x);
	negative = x->digit[EXACT_DIGITS - 1] < 0;
	if (negative)
		for (int i = 0; i < EXACT_DIGITS; i++)
			x->digit[i] = -x->digit[i];
	carry(x);
	value = round_off(x);
	if (negative)
		for (int i = 0; i < EXACT_DIGITS; i++)
			x->digit[i] = -x->digit[i];
	return negative ? -value : value;
}
