/* elementary/exp.c - exponentials
 *
 * exp(x) = 2^n exp(r), n = rint(x / ln 2), |r| <= ln 2 / 2: the argument is reduced by
 * ln 2 in two parts (Cody and Waite, "Software manual for the elementary functions",
 * 1980), exp(r) is a polynomial.
 */
#include "elementary/elementary.h"

#include <math.h>

void exp_formula(struct formula *f);

/* 2^n for an integer n in a double, -1022 <= n <= 1023 */
static int power_of_two(struct formula *f, int n)
{
	int shifted = f_add(f, n, f_const(f, 0x1.8p52 + 1023));

	return f_double(f, f_shl(f, f_bits(f, shifted), 52));
}

void exp_formula(struct formula *f)
{
	static const double c[] = { 1, 1, 1 / 2.0, 1 / 6.0, 1 / 24.0, 1 / 120.0, 1 / 720.0,
		1 / 5040.0, 1 / 40320.0, 1 / 362880.0, 1 / 3628800.0, 1 / 39916800.0,
		1 / 479001600.0, 1 / 6227020800.0 };
	int x = 0, n = f_rint(f, f_mul(f, x, f_const(f, 0x1.71547652b82fep0)));
	int r = f_fma(f, n, f_const(f, -0x1.62e42fefa39efp-1), x), p, half, y;

	r = f_fma(f, n, f_const(f, -0x1.abc9e3b39803fp-56), r);
	p = f_estrin(f, r, c, 14);
	half = f_rint(f, f_mul(f, n, f_const(f, 0.5)));
	y = f_mul(f, f_mul(f, p, power_of_two(f, half)), power_of_two(f, f_sub(f, n, half)));
	y = f_select(f, f_lt(f, x, f_const(f, -746)), f_const(f, 0), y);
	f->result = f_select(f, f_lt(f, f_const(f, 710), x), f_const(f, INFINITY), y);
}
