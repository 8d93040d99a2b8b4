/* array/complex.c - complex arithmetic as that of real and imaginary parts
 *
 * Takes an operation with complex arguments; gives an expression over the parts, so that
 * whatever comes later knows real arithmetic alone. The one place that says how complex
 * numbers are computed: products without contraction, quotients by Smith's method as
 * NumPy's, functions by those of reals, with the branch cuts of C.
 */
#include "array/complex.h"

#include <assert.h>

struct pair {
	const struct air_expr *re, *im;
};

struct maker {
	struct air_program *p;
	enum elem real, complex;
	struct span span;
};

typedef const struct air_expr *real;

/* ---- operations on parts ---- */

static real op1(const struct maker *m, enum air_op op, real a)
{
	return air_op(m->p, op, m->real, &a, 1, m->span);
}

static real op2(const struct maker *m, enum air_op op, real a, real b)
{
	return air_op(m->p, op, m->real, (real[]){ a, b }, 2, m->span);
}

static real add(const struct maker *m, real a, real b)
{
	return op2(m, AIR_ADD, a, b);
}

static real sub(const struct maker *m, real a, real b)
{
	return op2(m, AIR_SUB, a, b);
}

static real mul(const struct maker *m, real a, real b)
{
	return op2(m, AIR_MUL, a, b);
}

static real over(const struct maker *m, real a, real b)
{
	return op2(m, AIR_DIV, a, b);
}

static real neg(const struct maker *m, real a)
{
	return op1(m, AIR_NEG, a);
}

static real number(const struct maker *m, double f)
{
	return air_real(m->p, m->real, f);
}

static real ask(const struct maker *m, enum air_op op, real a, real b)
{
	return air_op(m->p, op, ELEM_BOOL, (real[]){ a, b }, 2, m->span);
}

static real choose(const struct maker *m, real c, real a, real b)
{
	return air_op(m->p, AIR_SELECT, m->real, (real[]){ c, a, b }, 3, m->span);
}

/* ---- arithmetic ---- */

static struct pair product(const struct maker *m, struct pair a, struct pair b)
{
	return (struct pair){ sub(m, mul(m, a.re, b.re), mul(m, a.im, b.im)),
		              add(m, mul(m, a.re, b.im), mul(m, a.im, b.re)) };
}

/* Smith's: both parts of b are scaled by its larger one. */
static struct pair quotient(const struct maker *m, struct pair a, struct pair b)
{
	real size_re = op1(m, AIR_ABS, b.re), size_im = op1(m, AIR_ABS, b.im);
	real wide = ask(m, AIR_LE, size_im, size_re);
	real large = choose(m, wide, b.re, b.im), small = choose(m, wide, b.im, b.re);
	real first = choose(m, wide, a.re, a.im), second = choose(m, wide, a.im, a.re);
	real ratio = over(m, small, large);
	real scale = over(m, number(m, 1), add(m, large, mul(m, small, ratio)));
	real up = sub(m, second, mul(m, first, ratio));
	real down = sub(m, mul(m, first, ratio), second);
	real none = ask(m, AIR_EQ, op2(m, AIR_MAX, size_re, size_im), number(m, 0));
	struct pair r = { mul(m, add(m, first, mul(m, second, ratio)), scale),
		          mul(m, choose(m, wide, up, down), scale) };

	return (struct pair){ choose(m, none, over(m, a.re, size_re), r.re),
		              choose(m, none, over(m, a.im, size_re), r.im) };
}

static struct pair scaled(const struct maker *m, struct pair a, double by)
{
	return (struct pair){ mul(m, a.re, number(m, by)), mul(m, a.im, number(m, by)) };
}

static struct pair power_of(const struct maker *m, struct pair a, int64_t k)
{
	struct pair r = a;

	if (k == 0)
		return (struct pair){ number(m, 1), number(m, 0) };
	for (int bit = 62 - __builtin_clzll((unsigned long long)k); bit >= 0; bit--) {
		r = product(m, r, r);
		if (k >> bit & 1)
			r = product(m, r, a);
	}
	return r;
}

/* ---- functions ---- */

static real size(const struct maker *m, struct pair a)
{
	return op2(m, AIR_HYPOT, a.re, a.im);
}

static struct pair exponential(const struct maker *m, struct pair a)
{
	real r = op1(m, AIR_EXP, a.re), flat = ask(m, AIR_EQ, a.im, number(m, 0));

	return (struct pair){
		choose(m, flat, r, mul(m, r, op1(m, AIR_COS, a.im))),
		choose(m, flat, a.im, mul(m, r, op1(m, AIR_SIN, a.im))),
	};
}

/* Near the unit circle log(size) would lose what size rounds away. */
static struct pair logarithm(const struct maker *m, struct pair a)
{
	real x = op1(m, AIR_ABS, a.re), y = op1(m, AIR_ABS, a.im), h = size(m, a);
	real most = op2(m, AIR_MAX, x, y), least = op2(m, AIR_MIN, x, y);
	real one = number(m, 1), excess;
	real near = air_op(m->p, AIR_AND, ELEM_BOOL,
	                   (real[]){ ask(m, AIR_LT, number(m, 0.5), h),
	                             ask(m, AIR_LT, h, number(m, 2)) },
	                   2, m->span);

	excess = add(m, mul(m, sub(m, most, one), add(m, most, one)), mul(m, least, least));
	excess = mul(m, number(m, 0.5), op1(m, AIR_LOG1P, excess));
	return (struct pair){ choose(m, near, excess, op1(m, AIR_LOG, h)),
		              op2(m, AIR_ATAN2, a.im, a.re) };
}

/* The size of a, with the sign of b. */
static real signed_as(const struct maker *m, real a, real b)
{
	real minus = air_op(m->p, AIR_OR, ELEM_BOOL,
	                    (real[]){ ask(m, AIR_LT, b, number(m, 0)),
	                              ask(m, AIR_LT, over(m, number(m, 1), b),
	                                  number(m, 0)) },
	                    2, m->span);

	return choose(m, minus, neg(m, a), a);
}

/* The larger part of the root first, the other by division; huge and tiny numbers are
 * scaled by an even power of two before. */
static struct pair root(const struct maker *m, struct pair a)
{
	bool wide = m->real == ELEM_F64;
	real x = op1(m, AIR_ABS, a.re), y = op1(m, AIR_ABS, a.im), zero = number(m, 0);
	real most = op2(m, AIR_MAX, x, y), t, other;
	real huge = ask(m, AIR_LT, number(m, wide ? 0x1p1000 : 0x1p120), most);
	real tiny = ask(m, AIR_LT, most, number(m, wide ? 0x1p-900 : 0x1p-90));
	real to = choose(m, huge, number(m, 0x1p-4),
	                 choose(m, tiny, number(m, 0x1p54), number(m, 1)));
	real back = choose(m, huge, number(m, 0x1p2),
	                   choose(m, tiny, number(m, 0x1p-27), number(m, 1)));
	struct pair small = { mul(m, x, to), mul(m, y, to) }, r;

	t = mul(m, add(m, small.re, size(m, small)), number(m, 0.5));
	t = op1(m, AIR_SQRT, t);
	other = mul(m, over(m, small.im, add(m, t, t)), back);
	other = choose(m, ask(m, AIR_EQ, most, zero), zero, other);
	other = choose(m, ask(m, AIR_EQ, y, number(m, __builtin_inf())), y, other);
	t = mul(m, t, back);
	r.re = choose(m, ask(m, AIR_LT, a.re, zero), other, t);
	r.im = choose(m, ask(m, AIR_LT, a.re, zero), t, other);
	r.im = signed_as(m, r.im, a.im);
	return r;
}

/* The product of a sine or cosine and what may be infinite: of a sine 0 it is 0. */
static real wave(const struct maker *m, enum air_op round, real angle, enum air_op steep, real x)
{
	double most = m->real == ELEM_F64 ? 0x1.fffffffffffffp1023 : 0x1.fffffep127;
	real factor = op1(m, round, angle), high = op1(m, steep, x);
	real low = op2(m, AIR_MIN, op2(m, AIR_MAX, high, number(m, -most)), number(m, most));
	real none = ask(m, AIR_EQ, factor, number(m, 0));

	return mul(m, factor, round == AIR_SIN ? choose(m, none, low, high) : high);
}

static struct pair wave_of(const struct maker *m, enum air_op op, struct pair a)
{
	switch (op) {
	case AIR_SIN:
		return (struct pair){ wave(m, AIR_SIN, a.re, AIR_COSH, a.im),
			              wave(m, AIR_COS, a.re, AIR_SINH, a.im) };
	case AIR_COS:
		return (struct pair){ wave(m, AIR_COS, a.re, AIR_COSH, a.im),
			              neg(m, wave(m, AIR_SIN, a.re, AIR_SINH, a.im)) };
	case AIR_SINH:
		return (struct pair){ wave(m, AIR_COS, a.im, AIR_SINH, a.re),
			              wave(m, AIR_SIN, a.im, AIR_COSH, a.re) };
	default:
		return (struct pair){ wave(m, AIR_COS, a.im, AIR_COSH, a.re),
			              wave(m, AIR_SIN, a.im, AIR_SINH, a.re) };
	}
}

/* tan(a): with t = tan(re), h = tanh(im), of t + ih over 1 - ith. */
static struct pair tangent(const struct maker *m, struct pair a)
{
	real one = number(m, 1), t = op1(m, AIR_TAN, a.re), h = op1(m, AIR_TANH, a.im);
	real c = op1(m, AIR_COSH, a.im), tt = mul(m, t, t);
	real under = add(m, one, mul(m, tt, mul(m, h, h)));

	return (struct pair){ over(m, over(m, t, mul(m, c, c)), under),
		              over(m, mul(m, h, add(m, one, tt)), under) };
}

/* tanh(a) is -i tan(ia). */
static struct pair hyperbolic_tangent(const struct maker *m, struct pair a)
{
	struct pair r = tangent(m, (struct pair){ neg(m, a.im), a.re });

	return (struct pair){ r.im, neg(m, r.re) };
}

static struct pair converted(const struct maker *m, struct pair a)
{
	return (struct pair){ air_cast(m->p, a.re, m->real), air_cast(m->p, a.im, m->real) };
}

static real is_zero(const struct maker *m, struct pair a)
{
	real size = op2(m, AIR_MAX, op1(m, AIR_ABS, a.re), op1(m, AIR_ABS, a.im));

	return ask(m, AIR_EQ, size, number(m, 0));
}

/* exp(b log a), in double precision, as the product would lose digits; a power of 0 is 0
 * if the exponent is real and positive, 1 if it is 0, else NaN. */
static struct pair power(const struct maker *m, struct pair a, struct pair b)
{
	struct maker wide = { m->p, ELEM_F64, ELEM_C128, m->span };
	real zero = number(m, 0), none = is_zero(m, a), plain = is_zero(m, b), real_exponent[2];
	real lost;
	struct pair r;

	if (b.re->op == AIR_CONST && b.im->op == AIR_CONST && b.im->as.f == 0 &&
	    b.re->as.f >= 0 && b.re->as.f <= 64 && b.re->as.f == (int64_t)b.re->as.f)
		return power_of(m, a, (int64_t)b.re->as.f);
	real_exponent[0] = ask(m, AIR_LT, zero, b.re);
	real_exponent[1] = ask(m, AIR_EQ, b.im, zero);
	lost = choose(m, air_op(m->p, AIR_AND, ELEM_BOOL, real_exponent, 2, m->span), zero,
	              number(m, __builtin_nan("")));
	r = logarithm(&wide, converted(&wide, a));
	r = exponential(&wide, product(&wide, converted(&wide, b), r));
	r = converted(m, r);
	r.re = choose(m, none, lost, r.re);
	r.im = choose(m, none, lost, r.im);
	return (struct pair){ choose(m, plain, number(m, 1), r.re),
		              choose(m, plain, zero, r.im) };
}

/* ---- the operations ---- */

static struct pair parts_of(const struct maker *m, const struct air_expr *e)
{
	return (struct pair){ air_part_of(m->p, e, 0), air_part_of(m->p, e, 1) };
}

/* Of each part alone. */
static struct pair apart(const struct maker *m, enum air_op op, const struct air_expr *const *arg,
                         int n)
{
	const struct air_expr *few[8], **x = few;
	const struct air_expr *part[2];

	if (n > 8)
		x = arena_new_array(m->p->arena, (size_t)n, const struct air_expr *);
	for (int k = 0; k < 2; k++) {
		for (int i = 0; i < n; i++)
			x[i] = elem_kind(arg[i]->elem) == KIND_COMPLEX
			               ? air_part_of(m->p, arg[i], k)
			               : arg[i];
		part[k] = air_op(m->p, op, m->real, x, n, m->span);
	}
	return (struct pair){ part[0], part[1] };
}

/* The same question about both parts, and how the answers join. */
static real both(const struct maker *m, enum air_op op, enum air_op join,
                 const struct air_expr *const *arg, int n)
{
	real part[2], x[2];

	for (int k = 0; k < 2; k++) {
		for (int i = 0; i < n; i++)
			x[i] = air_part_of(m->p, arg[i], k);
		part[k] = air_op(m->p, op, ELEM_BOOL, x, n, m->span);
	}
	return air_op(m->p, join, ELEM_BOOL, part, 2, m->span);
}

static struct pair cast(const struct maker *m, const struct air_expr *e)
{
	struct pair a = { e, number(m, 0) };

	if (elem_kind(e->elem) == KIND_COMPLEX)
		a = parts_of(m, e);
	return (struct pair){ air_cast(m->p, a.re, m->real), air_cast(m->p, a.im, m->real) };
}

/* Operations that ask, or give a real. */
static const struct air_expr *to_other(const struct maker *m, enum air_op op,
                                       const struct air_expr *const *arg)
{
	real zero;

	switch (op) {
	case AIR_EQ:
		return both(m, op, AIR_AND, arg, 2);
	case AIR_NE:
		return both(m, op, AIR_OR, arg, 2);
	case AIR_ISNAN:
	case AIR_ISINF:
		return both(m, op, AIR_OR, arg, 1);
	case AIR_ISFINITE:
		return both(m, op, AIR_AND, arg, 1);
	case AIR_ABS:
		return size(m, parts_of(m, arg[0]));
	case AIR_CAST:                       /* to bool */
		zero = air_complex(m->p, number(m, 0), number(m, 0));
		return both(m, AIR_NE, AIR_OR, (real[]){ arg[0], zero }, 2);
	default:
		return NULL;
	}
}

static struct pair function_of(const struct maker *m, enum air_op op, struct pair a)
{
	switch (op) {
	case AIR_SQRT:  return root(m, a);
	case AIR_EXP:   return exponential(m, a);
	case AIR_LOG:   return logarithm(m, a);
	case AIR_LOG2:  return scaled(m, logarithm(m, a), 0x1.71547652b82fep+0);
	case AIR_LOG10: return scaled(m, logarithm(m, a), 0x1.bcb7b1526e50ep-2);
	case AIR_SIN:
	case AIR_COS:
	case AIR_SINH:
	case AIR_COSH:  return wave_of(m, op, a);
	case AIR_TAN:   return tangent(m, a);
	case AIR_TANH:  return hyperbolic_tangent(m, a);
	default:
		assert(!"an operation on complex numbers");
		return a;
	}
}

static struct pair to_complex(const struct maker *m, enum air_op op,
                              const struct air_expr *const *arg, int n)
{
	switch (op) {
	case AIR_NEG:
	case AIR_ADD:
	case AIR_SUB:
	case AIR_SELECT:
	case AIR_LOOKUP:
	case AIR_ROUND:
		return apart(m, op, arg, n);
	case AIR_MUL:
		return product(m, parts_of(m, arg[0]), parts_of(m, arg[1]));
	case AIR_DIV:
		return quotient(m, parts_of(m, arg[0]), parts_of(m, arg[1]));
	case AIR_POW:
		return power(m, parts_of(m, arg[0]), parts_of(m, arg[1]));
	case AIR_CAST:
		return cast(m, arg[0]);
	default:
		return function_of(m, op, parts_of(m, arg[0]));
	}
}

/* ---- exported ---- */

bool complex_takes(enum air_op op)
{
	switch (op) {
	case AIR_NEG: case AIR_ADD: case AIR_SUB: case AIR_MUL: case AIR_DIV: case AIR_POW:
	case AIR_EQ: case AIR_NE: case AIR_SELECT: case AIR_LOOKUP: case AIR_CAST:
	case AIR_ABS: case AIR_ROUND: case AIR_ISNAN: case AIR_ISINF: case AIR_ISFINITE:
	case AIR_SQRT: case AIR_EXP: case AIR_LOG: case AIR_LOG2: case AIR_LOG10:
	case AIR_SIN: case AIR_COS: case AIR_TAN: case AIR_SINH: case AIR_COSH: case AIR_TANH:
		return true;
	default:
		return false;
	}
}

const struct air_expr *air_complex(struct air_program *p, const struct air_expr *re,
                                   const struct air_expr *im)
{
	const struct air_expr *arg[2] = { re, im };

	return air_op(p, AIR_COMPLEX, elem_complex(re->elem), arg, 2, re->span);
}

const struct air_expr *air_part_of(struct air_program *p, const struct air_expr *e, int part)
{
	if (elem_kind(e->elem) != KIND_COMPLEX)
		return part ? air_real(p, e->elem, 0) : e;
	if (e->op == AIR_COMPLEX)
		return e->arg[part];
	return air_op(p, part ? AIR_IMAG : AIR_REAL, elem_part(e->elem), &e, 1, e->span);
}

bool air_is_constant(const struct air_expr *e)
{
	if (e->op != AIR_COMPLEX)
		return e->op == AIR_CONST;
	return e->arg[0]->op == AIR_CONST && e->arg[1]->op == AIR_CONST;
}

const struct air_expr *complex_op(struct air_program *p, enum air_op op, enum elem e,
                                  const struct air_expr *const *arg, int n, struct span span)
{
	enum elem from = arg[n - 1]->elem;
	struct maker m = { .p = p, .span = span };
	const struct air_expr *other = NULL;
	struct pair r;

	m.complex = elem_kind(e) == KIND_COMPLEX ? e : from;
	m.real = elem_part(m.complex);
	if (elem_kind(e) != KIND_COMPLEX)
		other = to_other(&m, op, arg);
	if (other)
		return other;
	r = to_complex(&m, op, arg, n);
	return air_complex(p, r.re, r.im);
}

const struct air_expr *complex_powi(struct air_program *p, const struct air_expr *e,
                                    int exponent, struct span span)
{
	struct maker m = { p, elem_part(e->elem), e->elem, span };
	struct pair r = power_of(&m, parts_of(&m, e), exponent);

	return air_complex(p, r.re, r.im);
}
