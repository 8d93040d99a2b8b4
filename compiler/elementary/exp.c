/* elementary/exp.c - exponentials
 *
 * exp(x) = 2^n exp(r), n = rint(x / ln 2), |r| <= ln 2 / 2, and exp(r) = 1 + r + r^2 Q(r).
 * Q is Sollya's fpminimax((exp(x)-1-x)/x^2, 11, [|D...|], [-0.3466;0.3466], absolute),
 * which is right to less than 2^-60.
 */
#include "elementary/parts.h"

void exp_formula(struct formula *f);
void exp2_formula(struct formula *f);
void expm1_formula(struct formula *f);

static const double q[] = {
	0x1p-1, 0x1.5555555555555p-3, 0x1.5555555555556p-5, 0x1.111111111137fp-7,
	0x1.6c16c16c15ff9p-10, 0x1.a01a019ea7c8ep-13, 0x1.a01a01a81960bp-16,
	0x1.71de405d63ca9p-19, 0x1.27e4d815531e7p-22, 0x1.ae4d6d6175793p-26,
	0x1.1f78e74064b75p-29, 0x1.81cbfb8d73e02p-33
};

/* exp(r) - 1 - r.hi */
static int tail_of(struct formula *f, struct f_pair r)
{
	int square = f_mul(f, r.hi, r.hi);

	return f_fma(f, square, f_estrin(f, r.hi, q, 12), r.lo);
}

void exp_formula(struct formula *f)
{
	int x = clamped(f, 0, -746, 710);
	struct reduced a = reduced_by_ln2(f, x);
	int y = f_add(f, f_const(f, 1), f_add(f, a.r.hi, tail_of(f, a.r)));

	f->result = scaled(f, y, a.n);
}

/* 2^r = 1 + r ln 2 + r^2 Q(r), Q made as above of (2^x-1-x*log(2))/x^2 on [-0.5;0.5]. */
static const double q2[] = {
	0x1.ebfbdff82c58fp-3, 0x1.c6b08d704a0cp-5, 0x1.3b2ab6fba4cc2p-7,
	0x1.5d87fe78a6404p-10, 0x1.430912f905038p-13, 0x1.ffcbfc5a59686p-17,
	0x1.62c01f84c988dp-20, 0x1.b5253608e86e9p-24, 0x1.e4da08e544bb9p-28,
	0x1.e8e4c1eb8c2e2p-32, 0x1.b4ade16f1c581p-36, 0x1.5eb0fe52843c3p-40
};

int exp2_pair(struct formula *f, struct f_pair t)
{
	int n = f_rint(f, t.hi), ln2 = f_const(f, 0x1.62e42fefa39efp-1), tail;
	struct f_pair r = f_two_sum(f, f_sub(f, t.hi, n), t.lo);
	struct f_pair first = f_two_prod(f, r.hi, ln2);

	tail = f_fma(f, f_mul(f, r.hi, r.hi), f_estrin(f, r.hi, q2, 12), first.lo);
	tail = f_fma(f, r.hi, f_const(f, 0x1.abc9e3b39803fp-56), tail);
	tail = f_fma(f, r.lo, ln2, tail);
	first = f_fast_two_sum(f, f_const(f, 1), first.hi);
	return scaled(f, f_add(f, first.hi, f_add(f, first.lo, tail)), n);
}

void exp2_formula(struct formula *f)
{
	int x = clamped(f, 0, -1080, 1030);

	f->result = exp2_pair(f, (struct f_pair){ x, f_const(f, 0) });
}

/* 2^n exp(r) - 1 = 2^n (1 - 2^-n + r + r^2/2 + ...), all but the last as pairs */
void expm1_formula(struct formula *f)
{
	int x = clamped(f, 0, -60, 710), one = f_const(f, 1), lo, y;
	struct reduced a = reduced_by_ln2(f, x);
	int back = power_of_two(f, clamped(f, f_neg(f, a.n), -1000, 1000));
	struct f_pair start = f_two_sum(f, one, f_neg(f, back));
	struct f_pair square = f_two_prod(f, a.r.hi, f_mul(f, a.r.hi, f_const(f, 0.5)));
	struct f_pair s = f_two_sum(f, start.hi, a.r.hi), t = f_two_sum(f, s.hi, square.hi);
	int cube = f_mul(f, f_mul(f, a.r.hi, a.r.hi), a.r.hi);

	lo = f_add(f, f_add(f, start.lo, s.lo), f_add(f, t.lo, square.lo));
	lo = f_add(f, lo, f_fma(f, cube, f_estrin(f, a.r.hi, q + 1, 11), a.r.lo));
	y = scaled(f, f_add(f, t.hi, lo), a.n);
	f->result = f_select(f, f_eq(f, 0, f_const(f, 0)), 0, y);
}
