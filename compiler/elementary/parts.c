/* elementary/parts.c - what several formulas are made of
 *
 * Arithmetic of pairs: Dekker, "A floating-point technique for extending the available
 * precision", 1971; Joldes, Muller and Popescu, "Tight and rigorous error bounds for
 * basic building blocks of double-word arithmetic", 2017.
 */
#include "elementary/parts.h"

int power_of_two(struct formula *f, int n)
{
	int shifted = f_add(f, n, f_const(f, 0x1.8p52 + 1023));

	return f_double(f, f_shl(f, f_bits(f, shifted), 52));
}

/* By two powers, so that the range of exponents is not left before the end. */
int scaled(struct formula *f, int y, int n)
{
	int half = f_rint(f, f_mul(f, n, f_const(f, 0.5)));

	y = f_mul(f, y, power_of_two(f, half));
	return f_mul(f, y, power_of_two(f, f_sub(f, n, half)));
}

int clamped(struct formula *f, int x, double lo, double hi)
{
	int least = f_const(f, lo), most = f_const(f, hi);

	x = f_select(f, f_lt(f, x, least), least, x);
	return f_select(f, f_lt(f, most, x), most, x);
}

int with_sign_of(struct formula *f, int x, int sign)
{
	int bit = f_iand(f, f_bits(f, sign), f_word(f, 1ull << 63));

	return f_double(f, f_ior(f, f_bits(f, x), bit));
}

struct f_pair pair_sum(struct formula *f, struct f_pair a, struct f_pair b)
{
	struct f_pair s = f_two_sum(f, a.hi, b.hi), t = f_two_sum(f, a.lo, b.lo);

	s = f_fast_two_sum(f, s.hi, f_add(f, s.lo, t.hi));
	return f_fast_two_sum(f, s.hi, f_add(f, s.lo, t.lo));
}

struct f_pair pair_product(struct formula *f, struct f_pair a, struct f_pair b)
{
	struct f_pair p = f_two_prod(f, a.hi, b.hi);
	int rest = f_fma(f, a.hi, b.lo, f_fma(f, a.lo, b.hi, p.lo));

	return f_fast_two_sum(f, p.hi, rest);
}

int pair_quotient(struct formula *f, struct f_pair a, struct f_pair b)
{
	int q = f_div(f, a.hi, b.hi), rest = f_fma(f, f_neg(f, q), b.hi, a.hi);

	rest = f_add(f, rest, f_fma(f, f_neg(f, q), b.lo, a.lo));
	return f_add(f, q, f_div(f, rest, b.hi));
}

/* Cody and Waite, "Software manual for the elementary functions", 1980: ln 2 in two
 * parts, of which the products with n are exact by fma. */
struct reduced reduced_by_ln2(struct formula *f, int x)
{
	int n = f_rint(f, f_mul(f, x, f_const(f, 0x1.71547652b82fep0))), minus = f_neg(f, n);
	int hi = f_fma(f, minus, f_const(f, 0x1.62e42fefa39efp-1), x);
	struct f_pair lo = f_two_prod(f, minus, f_const(f, 0x1.abc9e3b39803fp-56));
	struct reduced r = { n, f_two_sum(f, hi, lo.hi) };

	return r;
}

struct parts parts_of(struct formula *f, int x)
{
	int tiny = f_lt(f, x, f_const(f, 0x1p-1022)), bits, k, m, bias;

	bits = f_bits(f, f_select(f, tiny, f_mul(f, x, f_const(f, 0x1p54)), x));
	k = f_shr(f, f_iadd(f, bits, f_word(f, 0x3ff0000000000000 - 0x3fe6a09e667f3bcd)), 52);
	m = f_double(f, f_isub(f, bits, f_shl(f, f_isub(f, k, f_word(f, 1023)), 52)));
	k = f_double(f, f_ior(f, k, f_word(f, 0x4330000000000000)));
	bias = f_select(f, tiny, f_const(f, 0x1p52 + 1023 + 54), f_const(f, 0x1p52 + 1023));
	return (struct parts){ m, f_sub(f, k, bias) };
}

/* With s = (m - 1) / (m + 1), log(m) = 2 s + s^3 R(s^2), in the form f - f^2/2 + ... of
 * fdlibm (Sun, 1993), whose first terms are exact as a pair. R is Sollya's
 * fpminimax((log((1+sqrt(x))/(1-sqrt(x)))/sqrt(x)-2)/x, 6, [|D...|], [1b-24;0.02944],
 * absolute), which is right to 2^-52. */
struct logarithm log_pair(struct formula *f, int x, int excess)
{
	static const double c[] = {
		0x1.5555555555558p-1, 0x1.99999999952d2p-2, 0x1.2492492df8483p-2,
		0x1.c71c62dad4dbdp-3, 0x1.7462b7ceea778p-3, 0x1.39fdf9433e7b8p-3,
		0x1.2b5d203cb2bb5p-3
	};
	struct parts p = parts_of(f, x);
	int g = f_sub(f, p.m, f_const(f, 1)), s, z, half, tail;
	struct f_pair square, log;

	s = f_div(f, g, f_add(f, g, f_const(f, 2)));
	z = f_mul(f, s, s);
	half = f_mul(f, g, f_const(f, 0.5));
	square = f_two_prod(f, g, half);
	log = f_fast_two_sum(f, g, f_neg(f, square.hi));
	tail = f_mul(f, z, f_estrin(f, z, c, 7));
	tail = f_mul(f, s, f_add(f, square.hi, tail));
	tail = f_add(f, tail, f_sub(f, log.lo, square.lo));
	if (excess >= 0)
		tail = f_add(f, tail, excess);
	return (struct logarithm){ f_fast_two_sum(f, log.hi, tail), p.k };
}
