/* elementary/special.c - the error function and the gamma function
 *
 * Up to 0.8671875, erf(x) = x + x E(x^2); from there it is 1 - exp(-G(x)), where G = -log
 * erfc is smooth: G(0.8671875 + t) = c + t P(t). E is Sollya's fpminimax(erf(sqrt(x))/sqrt(x)-1,
 * 12, [|D...|], [1b-30;0.7569], absolute), right to 2^-56; P is remez with the weight
 * erfc, degree 19, with which erf is right to 2^-60.
 *
 * gamma(x) = sqrt(2 pi / x) (x / e)^x exp(S(x)), Stirling's series, from 10 on; smaller
 * arguments by gamma(x + 10) over the ten factors between, negative ones by reflection.
 */
#include "elementary/parts.h"

#include <math.h>

void erf_formula(struct formula *f);
void gamma_formula(struct formula *f);

static const double near[] = {
	0x1.06eba8214db69p-3, -0x1.812746b037a05p-2, 0x1.ce2f21a043ef7p-4,
	-0x1.b82ce312e253dp-6, 0x1.565bcd1d29b3p-8, -0x1.c02db700aa5b2p-11,
	0x1.f9a38d247a1b5p-14, -0x1.f4db7c729f078p-17, 0x1.ba73f898919e2p-20,
	-0x1.652471054afcbp-23, 0x1.23c3249fff112p-26, -0x1.3554a8217e282p-29,
	0x1.43b313570dfa7p-32
};
static const double far[] = {
	0x1.356a8859cb2f8p1, 0x1.a69fdd006524ep-1, 0x1.8314fd43f8c9p-5,
	-0x1.75cb22fe87c72p-7, 0x1.1a3ddadd2bcf7p-9, -0x1.9e249f2d5fff2p-13,
	-0x1.030cf9e8474fp-14, 0x1.51479ba6314fp-15, -0x1.9bd8f86c78d2ap-17,
	0x1.07c6824331a3fp-19, 0x1.d2e99c5a2c29cp-23, -0x1.35685117ba087p-22,
	0x1.02dbcfef98afep-23, -0x1.24f3176912ea6p-25, 0x1.eabdeb470b9a3p-28,
	-0x1.2ff5a30419059p-30, 0x1.0a55ca4341f54p-33, -0x1.2bfa5504953f9p-37,
	0x1.5ed14c2a8e0dap-42, -0x1.851ec501b741bp-49
};
static const double border = 0.8671875;

/* 1 / ln 2 as a pair, by which exponents become those of 2 */
static struct f_pair per_ln2(struct formula *f)
{
	return (struct f_pair){ f_const(f, 0x1.71547652b82fep0),
				f_const(f, 0x1.777d0ffda0d24p-56) };
}

void erf_formula(struct formula *f)
{
	int x = clamped(f, f_abs(f, 0), 0, 6), z = f_mul(f, x, x), t, small, y;
	struct f_pair g;

	small = f_fma(f, x, f_estrin(f, z, near, 13), x);
	t = f_sub(f, x, f_const(f, border));
	t = f_select(f, f_lt(f, t, f_const(f, 0)), f_const(f, 0), t);
	g = f_two_sum(f, f_const(f, 0x1.838e36e7fb88ap0), f_mul(f, t, f_estrin(f, t, far, 20)));
	g.lo = f_add(f, g.lo, f_const(f, 0x1.ce2acf5ed2fefp-54));
	g = pair_product(f, g, per_ln2(f));
	y = exp2_pair(f, (struct f_pair){ f_neg(f, g.hi), f_neg(f, g.lo) });
	y = f_sub(f, f_const(f, 1), y);
	y = f_select(f, f_lt(f, x, f_const(f, border)), small, y);
	y = f_select(f, f_eq(f, x, x), y, x);
	f->result = with_sign_of(f, y, 0);
}

/* ---- the gamma function ------------------------------------------------------------ */

/* Stirling: B_2n / (2n (2n - 1)), n = 1, 2, ... */
static const double stirling[] = {
	1 / 12.0, -1 / 360.0, 1 / 1260.0, -1 / 1680.0, 1 / 1188.0, -691 / 360360.0, 1 / 156.0,
	-3617 / 122400.0, 43867 / 244188.0, -174611 / 125400.0
};

static struct f_pair alone(struct formula *f, int x)
{
	return (struct f_pair){ x, f_const(f, 0) };
}

/* log2 gamma(x), 10 <= x <= 200: (x - 1/2) log2 x + (S(x) - x + log(2 pi) / 2) / ln 2 */
static struct f_pair log2_gamma(struct formula *f, struct f_pair x)
{
	int inverse = f_div(f, f_const(f, 1), x.hi), z = f_mul(f, inverse, inverse), first;
	struct f_pair log = log2_pair(f, x.hi), s, e;

	/* log2 of the pair: x.lo / x.hi more, over ln 2 */
	first = f_mul(f, f_mul(f, x.lo, inverse), f_const(f, 0x1.71547652b82fep0));
	log = f_fast_two_sum(f, log.hi, f_add(f, log.lo, first));
	s = pair_sum(f, (struct f_pair){ f_neg(f, x.hi), f_neg(f, x.lo) },
		     (struct f_pair){ f_const(f, 0x1.d67f1c864beb5p-1),
				      f_const(f, -0x1.65b5a1b7ff5dfp-55) });
	s = pair_sum(f, s, alone(f, f_mul(f, inverse, f_horner(f, z, stirling, 10))));
	e = pair_product(f, pair_sum(f, x, alone(f, f_const(f, -0.5))), log);
	return pair_sum(f, e, pair_product(f, s, per_ln2(f)));
}

/* sin(pi x) as a pair, of a number that is not whole */
static struct f_pair sin_pi(struct formula *f, int x)
{
	int d = f_abs(f, f_sub(f, x, f_rint(f, x))), quarter = f_const(f, 0.25);
	int turn = f_lt(f, quarter, d);
	struct f_pair pi = { f_const(f, 0x1.921fb54442d18p1), f_const(f, 0x1.1a62633145c07p-53) };
	struct wave w;

	d = f_select(f, turn, f_sub(f, f_const(f, 0.5), d), d);
	w = wave_of(f, pair_product(f, alone(f, d), pi));
	return (struct f_pair){ f_select(f, turn, w.cos.hi, w.sin.hi),
				f_select(f, turn, w.cos.lo, w.sin.lo) };
}

/* x (x + 1) ... (x + 9) */
static struct f_pair ten_factors(struct formula *f, struct f_pair x)
{
	struct f_pair p = x;

	for (int i = 1; i < 10; i++)
		p = pair_product(f, p, pair_sum(f, x, alone(f, f_const(f, i))));
	return p;
}

/* gamma(v) = 2^e / under, v >= 1/2 */
struct gamma { struct f_pair e, under; };

static struct gamma gamma_of(struct formula *f, struct f_pair v)
{
	int low = f_lt(f, v.hi, f_const(f, 10));
	struct f_pair more = pair_sum(f, v, alone(f, f_const(f, 10))), factors, at;

	at.hi = f_select(f, low, more.hi, v.hi);
	at.lo = f_select(f, low, more.lo, v.lo);
	factors = ten_factors(f, (struct f_pair){ f_select(f, low, v.hi, f_const(f, 1)),
						  f_select(f, low, v.lo, f_const(f, 0)) });
	factors.hi = f_select(f, low, factors.hi, f_const(f, 1));
	factors.lo = f_select(f, low, factors.lo, f_const(f, 0));
	return (struct gamma){ log2_gamma(f, at), factors };
}

/* Below 1/2: gamma(x) = pi / (sin(pi x) gamma(1 - x)) */
void gamma_formula(struct formula *f)
{
	int x = clamped(f, 0, -185.5, 172), left = f_lt(f, x, f_const(f, 0.5)), n, y, zero, one;
	struct f_pair pi = { f_const(f, 0x1.921fb54442d18p1), f_const(f, 0x1.1a62633145c07p-53) };
	struct f_pair v = f_two_sum(f, f_const(f, 1), f_neg(f, x)), over, under, sine;
	struct gamma g;

	zero = f_const(f, 0);
	one = f_const(f, 1);
	v.hi = f_select(f, left, v.hi, x);
	v.lo = f_select(f, left, v.lo, zero);
	g = gamma_of(f, v);
	/* 2^e = 2^n 2^t */
	n = f_rint(f, g.e.hi);
	over = f_fast_two_sum(f, f_sub(f, g.e.hi, n), g.e.lo);
	over = alone(f, exp2_pair(f, over));
	sine = sin_pi(f, x);
	under = pair_product(f, sine, over);
	y = f_select(f, left, pair_quotient(f, pair_product(f, pi, g.under), under),
		     pair_quotient(f, over, g.under));
	y = scaled(f, y, f_select(f, left, f_neg(f, n), n));
	/* its sign below 0: negative where floor(x) is odd */
	n = f_rint(f, 0);
	n = f_select(f, f_lt(f, 0, n), f_sub(f, n, one), n);
	n = f_shl(f, f_bits(f, f_add(f, n, f_const(f, 0x1.8p52))), 63);
	n = f_iselect(f, f_lt(f, x, zero), n, f_word(f, 0));
	y = f_double(f, f_ixor(f, f_bits(f, f_abs(f, y)), n));
	/* near 0 it is 1 / x; at the poles there is none; and beyond the range */
	y = f_select(f, f_lt(f, f_abs(f, 0), f_const(f, 0x1p-56)), f_div(f, one, 0), y);
	n = f_and(f, f_lt(f, 0, zero), f_eq(f, f_rint(f, 0), 0));
	y = f_select(f, n, f_const(f, NAN), y);
	y = f_select(f, f_lt(f, f_const(f, 171.7), 0), f_const(f, INFINITY), y);
	f->result = f_select(f, f_eq(f, 0, 0), y, 0);
}
