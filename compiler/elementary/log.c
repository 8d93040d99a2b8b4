/* elementary/log.c - logarithms
 *
 * log x = k ln 2 + log m of log_pair, in each base the sum of two pairs; ln 2 and log10 2
 * are in two parts, of which k times the first is exact.
 */
#include "elementary/parts.h"

#include <math.h>

void log_formula(struct formula *f);
void log1p_formula(struct formula *f);
void log2_formula(struct formula *f);
void log10_formula(struct formula *f);

/* y, but for arguments x that have another logarithm: at `zero` it is -infinity */
static int special(struct formula *f, int y, int x, double zero)
{
	int none = f_const(f, zero), infinity = f_const(f, INFINITY);

	y = f_select(f, f_lt(f, x, none), f_const(f, NAN), y);
	y = f_select(f, f_eq(f, x, none), f_const(f, -INFINITY), y);
	y = f_select(f, f_eq(f, x, infinity), infinity, y);
	return f_select(f, f_eq(f, x, x), y, x);
}

static int natural(struct formula *f, struct logarithm l)
{
	int big = f_mul(f, l.k, f_const(f, 0x1.62e42fefa3800p-1));
	struct f_pair s = f_two_sum(f, big, l.log.hi);
	int lo = f_fma(f, l.k, f_const(f, 0x1.ef35793c76730p-45), l.log.lo);

	return f_add(f, s.hi, f_add(f, s.lo, lo));
}

void log_formula(struct formula *f)
{
	f->result = special(f, natural(f, log_pair(f, 0, -1)), 0, 0);
}

/* Of u = 1 + x rounded; what that lost, c, adds c / u. */
void log1p_formula(struct formula *f)
{
	int one = f_const(f, 1), x = 0, u = f_add(f, one, x), c, y;

	c = f_select(f, f_lt(f, x, one), f_sub(f, x, f_sub(f, u, one)),
		     f_sub(f, one, f_sub(f, u, x)));
	y = natural(f, log_pair(f, u, f_div(f, c, u)));
	y = special(f, y, x, -1);
	f->result = f_select(f, f_eq(f, x, f_const(f, 0)), x, y);
}

/* k log_b 2 + log m / ln b, 1 / ln b as a pair */
static int other_base(struct formula *f, struct logarithm l, struct f_pair scale,
		      struct f_pair two)
{
	struct f_pair p = pair_product(f, l.log, scale);
	struct f_pair s = f_two_sum(f, f_mul(f, l.k, two.hi), p.hi);

	return f_add(f, s.hi, f_add(f, s.lo, f_fma(f, l.k, two.lo, p.lo)));
}

void log2_formula(struct formula *f)
{
	struct f_pair scale = { f_const(f, 0x1.71547652b82fep0),
				f_const(f, 0x1.777d0ffda0d24p-56) };
	struct f_pair two = { f_const(f, 1), f_const(f, 0) };

	f->result = special(f, other_base(f, log_pair(f, 0, -1), scale, two), 0, 0);
}

void log10_formula(struct formula *f)
{
	struct f_pair scale = { f_const(f, 0x1.bcb7b1526e50ep-2),
				f_const(f, 0x1.95355baaafad3p-57) };
	struct f_pair two = { f_const(f, 0x1.34413509f7800p-2),
			      f_const(f, 0x1.fef311f12b358p-46) };

	f->result = special(f, other_base(f, log_pair(f, 0, -1), scale, two), 0, 0);
}
