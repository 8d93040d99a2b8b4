/* elementary/hyperbolic.c - hyperbolic functions
 *
 * With |x| = n ln 2 + r, A = (2^n - 2^-n) / 2 and B = (2^n + 2^-n) / 2,
 *
 *	sinh |x| = A cosh(r) + B sinh(r),  cosh x = B cosh(r) + A sinh(r)
 *
 * where r + S(r) = sinh(r) and 1 + C(r) = cosh(r); the first terms are kept as pairs. S
 * and C are Sollya's fpminimax((sinh(sqrt(x))/sqrt(x)-1)/x, 6, [|D...|], I, absolute) and
 * fpminimax((cosh(sqrt(x))-1)/x, 7, [|D...|], I, absolute), I = [1b-20;0.1202], which are
 * right to 2^-57 and 2^-67.
 */
#include "elementary/parts.h"

void sinh_formula(struct formula *f);
void cosh_formula(struct formula *f);
void tanh_formula(struct formula *f);

static const double odd[] = {
	0x1.5555555555555p-3, 0x1.11111111115ecp-7, 0x1.a01a019b0d30cp-13,
	0x1.71de5e596f636p-19, 0x1.ad6aa0e36f92fp-26, 0x1.280a3fc702c73p-31,
	-0x1.09b515bd0eb6p-30
};
static const double even[] = {
	0x1p-1, 0x1.5555555555555p-5, 0x1.6c16c16c1717p-10, 0x1.a01a019c3d205p-16,
	0x1.27e510e458bcap-22, 0x1.1e7227d0736f6p-29, 0x1.16da61b0478edp-35,
	-0x1.95fea5ac734cep-35
};

struct hyperbolic {
	int n;
	struct f_pair sinh, cosh;            /* both times 2^-n */
};

/* p + q r.hi + p C + q (r.lo + S) of pairs p and q, with the first two exact */
static struct f_pair combined(struct formula *f, struct f_pair p, struct f_pair q,
			      struct f_pair r, const int part[2])
{
	struct f_pair first = f_two_prod(f, q.hi, r.hi), s = f_two_sum(f, p.hi, first.hi);
	int rest = f_fma(f, p.hi, part[1], f_mul(f, q.hi, part[0]));

	rest = f_add(f, rest, f_fma(f, q.lo, r.hi, p.lo));
	return f_fast_two_sum(f, s.hi, f_add(f, f_add(f, s.lo, first.lo), rest));
}

static struct f_pair halved(struct formula *f, struct f_pair a)
{
	int half = f_const(f, 0.5);

	return (struct f_pair){ f_mul(f, a.hi, half), f_mul(f, a.lo, half) };
}

static struct hyperbolic hyperbolic_of(struct formula *f, int x)
{
	struct reduced a = reduced_by_ln2(f, x);
	int z = f_mul(f, a.r.hi, a.r.hi), one = f_const(f, 1), two_n = f_add(f, a.n, a.n);
	int less = power_of_two(f, clamped(f, f_neg(f, two_n), -1000, 0));
	struct f_pair p = halved(f, f_two_sum(f, one, f_neg(f, less)));
	struct f_pair q = halved(f, f_two_sum(f, one, less));
	int cube = f_mul(f, a.r.hi, z), part[2];

	/* r.lo goes into sinh(r) in full, into cosh(r) times r */
	part[0] = f_fma(f, cube, f_estrin(f, z, odd, 7), a.r.lo);
	part[1] = f_fma(f, z, f_estrin(f, z, even, 8), f_mul(f, a.r.hi, a.r.lo));
	return (struct hyperbolic){ a.n, combined(f, p, q, a.r, part),
				    combined(f, q, p, a.r, part) };
}

void sinh_formula(struct formula *f)
{
	int x = clamped(f, f_abs(f, 0), 0, 712), y;
	struct hyperbolic h = hyperbolic_of(f, x);

	y = scaled(f, f_add(f, h.sinh.hi, h.sinh.lo), h.n);
	f->result = with_sign_of(f, y, 0);
}

void cosh_formula(struct formula *f)
{
	int x = clamped(f, f_abs(f, 0), 0, 712);
	struct hyperbolic h = hyperbolic_of(f, x);

	f->result = scaled(f, f_add(f, h.cosh.hi, h.cosh.lo), h.n);
}

/* From 22 on it is 1 to the last bit. */
void tanh_formula(struct formula *f)
{
	int x = clamped(f, f_abs(f, 0), 0, 22);
	struct hyperbolic h = hyperbolic_of(f, x);

	f->result = with_sign_of(f, pair_quotient(f, h.sinh, h.cosh), 0);
}
