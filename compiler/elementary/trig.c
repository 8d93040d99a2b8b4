/* elementary/trig.c - sine, cosine and tangent
 *
 * |x| = n pi/2 + r, |r| <= pi/4, r a pair. Below 2^22 n times the parts of pi/2 is exact
 * (Cody and Waite); above, bits of 2/pi that make multiples of 4 of x are left out of the
 * product (Payne and Hanek, "Radian reduction for trigonometric functions", 1983), behind
 * a branch. sin(r) = r + r^3 S(r^2), cos(r) = 1 - r^2/2 + r^4 C(r^2); S and C are Sollya's
 * fpminimax((sin(sqrt(x))/sqrt(x)-1)/x, 6, [|D...|], I, absolute) and
 * fpminimax((cos(sqrt(x))-1+x/2)/x^2, 5, [|D...|], I, absolute), I = [1b-20;0.6169], right
 * to 2^-56 and 2^-58.
 */
#include "elementary/parts.h"

#include <math.h>

void sin_formula(struct formula *f);
void cos_formula(struct formula *f);
void tan_formula(struct formula *f);

static const double odd[] = {
	-0x1.5555555555555p-3, 0x1.111111111101ep-7, -0x1.a01a019fe884cp-13,
	0x1.71de3a1032ce5p-19, -0x1.ae63f7f5d45cap-26, 0x1.60e5c369cdbf1p-33,
	-0x1.8d4c2cd43d45fp-41
};
static const double even[] = {
	0x1.5555555555555p-5, -0x1.6c16c16c168ccp-10, 0x1.a01a019f38b6dp-16,
	-0x1.27e4fa037cc15p-22, 0x1.1eeb586537307p-29, -0x1.9073e56372f37p-37
};

/* 2^(16 g - 30) 2/pi modulo 4, in four parts; g = 0, 1, ... */
enum { PARTS = 4, GROUPS = 64 };
static const double two_over_pi[PARTS * GROUPS] = {
#include "elementary/two_over_pi.def"
};
static const struct formula_table table = { "two_over_pi", two_over_pi, PARTS * GROUPS };

static const double least_large = 0x1p22;

/* ---- reduction ------------------------------------------------------------------ */

static struct reduced reduced_small(struct formula *f, int x)
{
	int n = f_rint(f, f_mul(f, x, f_const(f, 0x1.45f306dc9c883p-1)));
	int minus = f_neg(f, n), r = f_fma(f, minus, f_const(f, 0x1.921fb54442d18p0), x);
	struct f_pair p = f_two_prod(f, minus, f_const(f, 0x1.1a62633145c07p-54));
	struct f_pair s = f_two_sum(f, r, p.hi);
	int lo = f_fma(f, minus, f_const(f, -0x1.f1976b7ed8fbcp-110), p.lo);

	return (struct reduced){ n, f_fast_two_sum(f, s.hi, f_add(f, s.lo, lo)) };
}

static int modulo_four(struct formula *f, int x)
{
	int fours = f_rint(f, f_mul(f, x, f_const(f, 0.25)));

	return f_fma(f, fours, f_const(f, -4), x);
}

static struct f_pair alone(struct formula *f, int x)
{
	return (struct f_pair){ x, f_const(f, 0) };
}

/* x = X 2^(16 g - 30), X < 2^68: X times the parts of entry g */
static struct reduced reduced_large(struct formula *f, int x)
{
	int e = f_shr(f, f_bits(f, x), 52), g, first, scale, n, entry;
	struct f_pair p[PARTS], s, t;

	g = f_shr(f, f_isub(f, e, f_word(f, 1023 + 22)), 4);
	scale = f_isub(f, f_word(f, 1023 + 30), f_shl(f, g, 4));
	x = f_mul(f, x, f_double(f, f_shl(f, scale, 52)));
	first = f_shl(f, f_iand(f, g, f_word(f, GROUPS - 1)), 2);
	for (int i = 0; i < PARTS; i++) {
		entry = f_table(f, &table, f_iadd(f, first, f_word(f, (uint64_t)i)));
		p[i] = f_two_prod(f, x, entry);
	}
	s = f_two_sum(f, modulo_four(f, p[0].hi), modulo_four(f, p[0].lo));
	t = f_two_sum(f, s.hi, modulo_four(f, p[1].hi));
	n = f_rint(f, t.hi);
	s = pair_sum(f, (struct f_pair){ f_sub(f, t.hi, n), t.lo }, alone(f, s.lo));
	s = pair_sum(f, s, alone(f, p[1].lo));
	s = pair_sum(f, s, p[2]);
	s = pair_sum(f, s, p[3]);
	t = (struct f_pair){ f_const(f, 0x1.921fb54442d18p0),
			     f_const(f, 0x1.1a62633145c07p-54) };
	return (struct reduced){ n, pair_product(f, s, t) };
}

/* ---- of the rest -------------------------------------------------------------------- */

struct wave wave_of(struct formula *f, struct f_pair r)
{
	struct f_pair square = f_two_prod(f, r.hi, r.hi), c;
	int z = square.hi, half = f_mul(f, z, f_const(f, 0.5)), lo;
	struct wave w;

	lo = f_fma(f, f_neg(f, r.lo), half, r.lo);
	lo = f_fma(f, f_mul(f, r.hi, z), f_estrin(f, z, odd, 7), lo);
	w.sin = f_fast_two_sum(f, r.hi, lo);
	c = f_fast_two_sum(f, f_const(f, 1), f_neg(f, half));
	lo = f_fma(f, f_neg(f, r.hi), r.lo, f_mul(f, square.lo, f_const(f, -0.5)));
	lo = f_fma(f, f_mul(f, z, z), f_estrin(f, z, even, 6), lo);
	w.cos = f_fast_two_sum(f, c.hi, f_add(f, c.lo, lo));
	return w;
}

/* The last two bits of n + turn, as a word. */
static int quarter(struct formula *f, int n, int turn)
{
	return f_bits(f, f_add(f, n, f_const(f, 0x1.8p52 + turn)));
}

static int is_odd(struct formula *f, int word)
{
	return f_ieq(f, f_iand(f, word, f_word(f, 1)), f_word(f, 1));
}

/* sin(r + (n + turn) pi/2) */
static int turned(struct formula *f, struct reduced a, int turn)
{
	struct wave w = wave_of(f, a.r);
	int word = quarter(f, a.n, turn), odd_quarter = is_odd(f, word), y, sign;

	y = f_select(f, odd_quarter, f_add(f, w.cos.hi, w.cos.lo),
		     f_add(f, w.sin.hi, w.sin.lo));
	sign = f_shl(f, f_shr(f, word, 1), 63);
	return f_double(f, f_ixor(f, f_bits(f, y), sign));
}

static int turned_tan(struct formula *f, struct reduced a)
{
	struct wave w = wave_of(f, a.r);
	int odd_quarter = is_odd(f, quarter(f, a.n, 0));
	struct f_pair over, under;

	over.hi = f_select(f, odd_quarter, f_neg(f, w.cos.hi), w.sin.hi);
	over.lo = f_select(f, odd_quarter, f_neg(f, w.cos.lo), w.sin.lo);
	under.hi = f_select(f, odd_quarter, w.sin.hi, w.cos.hi);
	under.lo = f_select(f, odd_quarter, w.sin.lo, w.cos.lo);
	return pair_quotient(f, over, under);
}

/* ---- the functions ---------------------------------------------------------------------- */

enum which { SIN, COS, TAN };

static int value(struct formula *f, enum which which, struct reduced a)
{
	return which == TAN ? turned_tan(f, a) : turned(f, a, which == COS);
}

static struct formula *large(struct formula *f, enum which which, const char *name)
{
	struct formula *l = formula_new(f->arena, name, 1);
	int y = value(l, which, reduced_large(l, 0));

	l->result = f_select(l, f_lt(l, 0, f_const(l, INFINITY)), y, f_const(l, NAN));
	return l;
}

static int of_size(struct formula *f, int x, enum which which, const char *name)
{
	int far = f_le(f, f_const(f, least_large), x);
	int rare = f_rare(f, far, large(f, which, name), x, -1);

	return f_select(f, far, rare, value(f, which, reduced_small(f, x)));
}

/* f(|x|) with the sign of x */
static int odd_function(struct formula *f, enum which which, const char *name)
{
	int sign = f_iand(f, f_bits(f, 0), f_word(f, 1ull << 63));
	int y = of_size(f, f_abs(f, 0), which, name);

	return f_double(f, f_ixor(f, f_bits(f, y), sign));
}

void sin_formula(struct formula *f)
{
	f->result = odd_function(f, SIN, "sin_large");
}

void cos_formula(struct formula *f)
{
	f->result = of_size(f, f_abs(f, 0), COS, "cos_large");
}

void tan_formula(struct formula *f)
{
	f->result = odd_function(f, TAN, "tan_large");
}
