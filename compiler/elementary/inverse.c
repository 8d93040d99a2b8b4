/* elementary/inverse.c - inverse trigonometric functions
 *
 * atan(u / v), 0 <= u <= v: where u / v exceeds tan(pi/8) it is pi/4 + atan((u - v) / (u + v)),
 * so that the polynomial is needed up to 0.4143 only. asin and acos near 1 go by the half
 * angle: asin(x) = pi/2 - 2 asin(sqrt((1 - x) / 2)). Polynomials are Sollya's
 * fpminimax((atan(sqrt(x))/sqrt(x)-1)/x, 11, [|D...|], [1b-20;0.17158], absolute), right to
 * 2^-55, and fpminimax((asin(sqrt(x))/sqrt(x)-1)/x, 13, [|D...|], [1b-20;0.25], absolute),
 * right to 2^-56.
 */
#include "elementary/parts.h"

#include <math.h>

void asin_formula(struct formula *f);
void acos_formula(struct formula *f);
void atan_formula(struct formula *f);
void atan2_formula(struct formula *f);

static const double tangent[] = {
	-0x1.5555555555555p-2, 0x1.9999999999815p-3, -0x1.2492492481cbep-3,
	0x1.c71c71bca8eadp-4, -0x1.745d1568074fdp-4, 0x1.3b137c2402ae2p-4,
	-0x1.110d2f18e7408p-4, 0x1.e17f3cbdaa143p-5, -0x1.abcc3d86dd552p-5,
	0x1.72169d7889f65p-5, -0x1.14bd8014a808dp-5, 0x1.fb81f43c71f44p-7
};
static const double sine[] = {
	0x1.5555555555555p-3, 0x1.33333333334b8p-4, 0x1.6db6db6d9654cp-5,
	0x1.f1c71c85ed4ap-6, 0x1.6e8b9f6713e53p-6, 0x1.1c4f265ba3ad2p-6,
	0x1.c98b91306772ap-7, 0x1.7b398f27a6448p-7, 0x1.39adf8518b05p-7,
	0x1.39bb9c480fc8bp-7, 0x1.1927e9fa6ea8ep-9, 0x1.622dce118acabp-6,
	-0x1.689b22201397bp-6, 0x1.0018ee9197d91p-5
};

/* n pi / 4 */
static struct f_pair quarters(struct formula *f, int n)
{
	return (struct f_pair){ f_const(f, n * 0x1.921fb54442d18p-1),
				f_const(f, n * 0x1.1a62633145c07p-55) };
}

static struct f_pair choice(struct formula *f, int c, struct f_pair a, struct f_pair b)
{
	return (struct f_pair){ f_select(f, c, a.hi, b.hi), f_select(f, c, a.lo, b.lo) };
}

static struct f_pair minus(struct formula *f, struct f_pair a)
{
	return (struct f_pair){ f_neg(f, a.hi), f_neg(f, a.lo) };
}

/* a + b.hi + b.lo, where a is larger or 0 */
static struct f_pair sum(struct formula *f, struct f_pair a, struct f_pair b)
{
	struct f_pair s = f_two_sum(f, a.hi, b.hi);

	return f_fast_two_sum(f, s.hi, f_add(f, s.lo, f_add(f, a.lo, b.lo)));
}

static struct f_pair atan_ratio(struct formula *f, int u, int v)
{
	struct f_pair zero = { f_const(f, 0), f_const(f, 0) };
	int far = f_lt(f, f_mul(f, v, f_const(f, 0x1.a827999fcef32p-2)), u), q, rest, z;
	struct f_pair over = choice(f, far, f_two_sum(f, u, f_neg(f, v)),
				    (struct f_pair){ u, zero.lo });
	struct f_pair under = choice(f, far, f_two_sum(f, v, u), (struct f_pair){ v, zero.lo });
	struct f_pair t;

	q = f_div(f, over.hi, under.hi);
	rest = f_fma(f, f_neg(f, q), under.hi, over.hi);
	rest = f_add(f, rest, f_fma(f, f_neg(f, q), under.lo, over.lo));
	rest = f_div(f, rest, under.hi);
	z = f_mul(f, q, q);
	/* of the rest, 1 / (1 + z): the first terms are enough */
	rest = f_fma(f, f_neg(f, rest), f_fma(f, f_neg(f, z), z, z), rest);
	t.hi = q;
	t.lo = f_fma(f, f_mul(f, q, z), f_estrin(f, z, tangent, 12), rest);
	return sum(f, choice(f, far, quarters(f, 1), zero), t);
}

static int rounded(struct formula *f, struct f_pair a)
{
	return f_add(f, a.hi, a.lo);
}

void atan_formula(struct formula *f)
{
	int x = clamped(f, f_abs(f, 0), 0, 0x1p100), one = f_const(f, 1), far = f_lt(f, one, x);
	struct f_pair a = atan_ratio(f, f_select(f, far, one, x), f_select(f, far, x, one));

	a = choice(f, far, sum(f, quarters(f, 2), minus(f, a)), a);
	f->result = with_sign_of(f, rounded(f, a), 0);
}

/* Both arguments times a power of two that brings the larger one to 2^200, from where
 * nothing underflows that counts. */
static struct f_pair atan_quadrant(struct formula *f, int y, int x)
{
	int swap = f_lt(f, x, y), u = f_select(f, swap, x, y), v = f_select(f, swap, y, x);
	int e = f_isub(f, f_word(f, 2 * 1023 + 200),
		       f_shr(f, f_bits(f, f_select(f, f_lt(f, v, f_const(f, 0x1p-800)),
						   f_const(f, 0x1p-800), v)),
			     52));
	int scale = f_double(f, f_shl(f, e, 52));
	struct f_pair a;

	v = f_select(f, f_eq(f, v, f_const(f, 0)), f_const(f, 1), f_mul(f, v, scale));
	a = atan_ratio(f, f_mul(f, u, scale), v);
	return choice(f, swap, sum(f, quarters(f, 2), minus(f, a)), a);
}

/* arguments: y, x */
void atan2_formula(struct formula *f)
{
	int y = f_abs(f, 0), x = f_abs(f, 1), infinity = f_const(f, INFINITY), both, left, r;
	struct f_pair a;

	both = f_and(f, f_eq(f, y, infinity), f_eq(f, x, infinity));
	y = f_select(f, f_eq(f, y, infinity), f_select(f, both, f_const(f, 1), infinity), y);
	x = f_select(f, f_eq(f, x, infinity), f_select(f, both, f_const(f, 1), infinity), x);
	/* one of them infinite: the other counts as 0 */
	r = f_eq(f, x, infinity);
	left = f_eq(f, y, infinity);
	y = f_select(f, r, f_const(f, 0), f_select(f, left, f_const(f, 1), y));
	x = f_select(f, left, f_const(f, 0), f_select(f, r, f_const(f, 1), x));
	a = atan_quadrant(f, y, x);
	left = f_ieq(f, f_shr(f, f_bits(f, 1), 63), f_word(f, 1));
	a = choice(f, left, sum(f, quarters(f, 4), minus(f, a)), a);
	r = with_sign_of(f, rounded(f, a), 0);
	r = f_select(f, f_eq(f, 0, 0), r, 0);
	f->result = f_select(f, f_eq(f, 1, 1), r, 1);
}

/* asin of the smaller angle: of |x| up to 1/2, else of sqrt((1 - |x|) / 2), as a pair */
static struct f_pair small_angle(struct formula *f, int x, int far)
{
	int zero = f_const(f, 0), half = f_const(f, 0.5), z, s, rest;
	struct f_pair r;

	z = f_select(f, far, f_mul(f, f_sub(f, f_const(f, 1), x), half), f_mul(f, x, x));
	s = f_select(f, far, f_sqrt(f, z), x);
	rest = f_div(f, f_fma(f, f_neg(f, s), s, z), f_add(f, s, s));
	rest = f_select(f, f_and(f, far, f_lt(f, zero, z)), rest, zero);
	r.hi = s;
	r.lo = f_fma(f, f_mul(f, s, z), f_estrin(f, z, sine, 14), rest);
	return r;
}

static struct f_pair twice(struct formula *f, struct f_pair a)
{
	return (struct f_pair){ f_add(f, a.hi, a.hi), f_add(f, a.lo, a.lo) };
}

void asin_formula(struct formula *f)
{
	int x = f_abs(f, 0), far = f_lt(f, f_const(f, 0.5), x);
	struct f_pair a = small_angle(f, x, far);

	a = choice(f, far, sum(f, quarters(f, 2), minus(f, twice(f, a))), a);
	f->result = with_sign_of(f, rounded(f, a), 0);
}

void acos_formula(struct formula *f)
{
	int x = f_abs(f, 0), far = f_lt(f, f_const(f, 0.5), x), left;
	struct f_pair a = small_angle(f, x, far), b = twice(f, a), c;

	left = f_lt(f, 0, f_const(f, 0));
	b = choice(f, left, sum(f, quarters(f, 4), minus(f, b)), b);
	c = sum(f, quarters(f, 2), choice(f, left, a, minus(f, a)));
	f->result = rounded(f, choice(f, far, b, c));
}
