/* elementary/power.c - powers and roots
 *
 * pow(x, y) = 2^(y log2 x), the logarithm as a pair of about 2^-65, so that y log2 x,
 * which may be 1075, is right to a fraction of the last bit of the result.
 */
#include "elementary/parts.h"

#include <math.h>

void pow_formula(struct formula *f);
void cbrt_formula(struct formula *f);
void hypot_formula(struct formula *f);

/* |x| = m 2^k, log m = 2 s + s^3 R(s^2), s = (m - 1) / (m + 1), all as pairs. R(z) = 2/3 +
 * z T(z), T Sollya's fpminimax(((log((1+sqrt(x))/(1-sqrt(x)))/sqrt(x)-2)/x-2/3)/x, 7,
 * [|D...|], [1b-16;0.02944], absolute), which is right to 2^-55. */
static struct f_pair log_ratio(struct formula *f, int m)
{
	static const double c[] = {
		0x1.999999999999ap-2, 0x1.24924924922f9p-2, 0x1.c71c71c74dca2p-3,
		0x1.745d173be283bp-3, 0x1.3b13aa29b8863p-3, 0x1.11153f4a4deffp-3,
		0x1.e01cd07971a17p-4, 0x1.da85079174569p-4
	};
	int one = f_const(f, 1), over = f_sub(f, m, one), rest, tail;
	struct f_pair under = f_two_sum(f, m, one), s, z, r;

	s.hi = f_div(f, over, under.hi);
	rest = f_fma(f, f_neg(f, s.hi), under.hi, over);
	rest = f_fma(f, f_neg(f, s.hi), under.lo, rest);
	s.lo = f_div(f, rest, under.hi);
	z = pair_product(f, s, s);
	tail = f_mul(f, z.hi, f_estrin(f, z.hi, c, 8));
	r = f_fast_two_sum(f, f_const(f, 0x1.5555555555555p-1), tail);
	r.lo = f_add(f, r.lo, f_const(f, 0x1.5555555555555p-55));
	r = pair_product(f, pair_product(f, z, s), r);
	s.hi = f_add(f, s.hi, s.hi);
	s.lo = f_add(f, s.lo, s.lo);
	return pair_sum(f, s, r);
}

struct f_pair log2_pair(struct formula *f, int x)
{
	struct parts p = parts_of(f, x);
	struct f_pair scale = { f_const(f, 0x1.71547652b82fep0),
				f_const(f, 0x1.777d0ffda0d24p-56) };
	struct f_pair log = pair_product(f, log_ratio(f, p.m), scale);
	struct f_pair s = f_two_sum(f, p.k, log.hi);

	return f_fast_two_sum(f, s.hi, f_add(f, s.lo, log.lo));
}

/* |x|^y; y beyond 2^64 does what 2^64 does */
static int power_of_size(struct formula *f, int x, int y)
{
	int zero = f_const(f, 0), infinity = f_const(f, INFINITY), none, all, r, limit;
	struct f_pair t = { clamped(f, y, -0x1p64, 0x1p64), zero };

	none = f_eq(f, x, zero);
	all = f_eq(f, x, infinity);
	x = f_select(f, f_or(f, none, all), f_const(f, 1), x);
	t = pair_product(f, log2_pair(f, x), t);
	limit = clamped(f, t.hi, -1100, 1100);
	t.lo = f_select(f, f_eq(f, limit, t.hi), t.lo, zero);
	t.hi = limit;
	r = exp2_pair(f, t);
	r = f_select(f, none, f_select(f, f_lt(f, y, zero), infinity, zero), r);
	return f_select(f, all, f_select(f, f_lt(f, y, zero), zero, infinity), r);
}

void pow_formula(struct formula *f)
{
	int x = 0, y = 1, zero = f_const(f, 0), one = f_const(f, 1), half = f_const(f, 0.5);
	int size = f_abs(f, x), r = power_of_size(f, size, y), whole, odd, sign, lost, h;

	whole = f_eq(f, f_rint(f, y), y);
	h = f_mul(f, y, half);
	odd = f_and(f, whole, f_not(f, f_eq(f, f_rint(f, h), h)));
	sign = f_iand(f, f_bits(f, x), f_word(f, 1ull << 63));
	sign = f_iselect(f, odd, sign, f_word(f, 0));
	r = f_double(f, f_ixor(f, f_bits(f, r), sign));
	/* of a negative number only whole powers; infinite ones count as even */
	lost = f_and(f, f_lt(f, x, zero), f_not(f, whole));
	lost = f_and(f, lost, f_lt(f, size, f_const(f, INFINITY)));
	r = f_select(f, lost, f_const(f, NAN), r);
	r = f_select(f, f_eq(f, x, x), r, x);
	r = f_select(f, f_eq(f, y, y), r, y);
	f->result = f_select(f, f_or(f, f_eq(f, x, one), f_eq(f, y, zero)), one, r);
}

/* Two steps of Halley from a polynomial (Sollya's fpminimax(x^(1/3), 4, [|D...|], [0.5;4],
 * relative), right to 2^-9), and one of Newton with the cube as a pair. */
void cbrt_formula(struct formula *f)
{
	static const double start[] = { 0x1.fdd5571284e7p-2, 0x1.6d14fa2dae30bp-1,
					-0x1.105a46c287c56p-2, 0x1.f283044ab8d77p-5,
					-0x1.679e55095f45ep-8 };
	int x = f_abs(f, 0), third, rest, v, y, cube, r;
	struct parts p = parts_of(f, x);
	struct f_pair square, c;

	third = f_rint(f, f_mul(f, p.k, f_const(f, 1.0 / 3)));
	rest = f_fma(f, third, f_const(f, -3), p.k);
	v = f_mul(f, p.m, power_of_two(f, rest));
	y = f_horner(f, v, start, 5);
	for (int i = 0; i < 2; i++) {
		cube = f_mul(f, f_mul(f, y, y), y);
		y = f_mul(f, y, f_div(f, f_add(f, cube, f_add(f, v, v)),
				      f_add(f, f_add(f, cube, cube), v)));
	}
	square = f_two_prod(f, y, y);
	c = f_two_prod(f, square.hi, y);
	r = f_sub(f, f_sub(f, f_sub(f, v, c.hi), c.lo), f_mul(f, square.lo, y));
	y = f_add(f, y, f_div(f, r, f_mul(f, f_const(f, 3), square.hi)));
	y = with_sign_of(f, f_mul(f, y, power_of_two(f, third)), 0);
	/* 0, infinity and NaN are their own roots */
	r = f_and(f, f_lt(f, f_const(f, 0), x), f_lt(f, x, f_const(f, INFINITY)));
	f->result = f_select(f, r, y, 0);
}

/* The sum of squares as a pair, its root corrected by what is left; scaled where squares
 * leave the range (Borges, "An improved algorithm for hypot(a, b)", 2019). */
void hypot_formula(struct formula *f)
{
	int a = f_abs(f, 0), b = f_abs(f, 1), infinity = f_const(f, INFINITY), huge, tiny, to;
	int most = f_select(f, f_lt(f, a, b), b, a), least = f_select(f, f_lt(f, a, b), a, b);
	int one = f_const(f, 1), zero = f_const(f, 0), back, r, rest, either;
	struct f_pair p, q, s;

	huge = f_lt(f, f_const(f, 0x1p500), most);
	tiny = f_lt(f, most, f_const(f, 0x1p-400));
	to = f_select(f, huge, f_const(f, 0x1p-600), f_select(f, tiny, f_const(f, 0x1p700), one));
	back = f_select(f, huge, f_const(f, 0x1p600),
			f_select(f, tiny, f_const(f, 0x1p-700), one));
	most = f_mul(f, most, to);
	least = f_mul(f, least, to);
	p = f_two_prod(f, most, most);
	q = f_two_prod(f, least, least);
	s = f_fast_two_sum(f, p.hi, q.hi);
	r = f_sqrt(f, s.hi);
	rest = f_add(f, f_fma(f, f_neg(f, r), r, s.hi), f_add(f, s.lo, f_add(f, p.lo, q.lo)));
	rest = f_div(f, rest, f_add(f, r, r));
	r = f_mul(f, f_add(f, r, f_select(f, f_lt(f, zero, r), rest, zero)), back);
	either = f_or(f, f_eq(f, a, infinity), f_eq(f, b, infinity));
	r = f_select(f, f_eq(f, a, a), r, a);
	r = f_select(f, f_eq(f, b, b), r, b);
	f->result = f_select(f, either, infinity, r);
}
