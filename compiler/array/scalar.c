/* array/scalar.c - the arithmetic of the language
 *
 * Integers wrap, // and % floor and give 0 by 0, a real becomes an integer by
 * truncation and clamping; reals are IEEE with NumPy's NaN and signed zeros; f32 is
 * computed in f32 but for elementary functions. Must be compiled without contraction of
 * a*b+c.
 */
#include "array/scalar.h"

#include <assert.h>
#include <math.h>
#include <string.h>
#include "base/elementary.h"

static int64_t wrap(enum elem e, uint64_t u)
{
	switch (e) {
	case ELEM_BOOL:
		return u != 0;
	case ELEM_U8:
		return (uint8_t)u;
	case ELEM_I32:
		return (int32_t)(uint32_t)u;
	default:
		return (int64_t)u;
	}
}

static int64_t floor_div(int64_t a, int64_t b)
{
	if (b == 0)
		return 0;
	if (b == -1)
		return (int64_t)(0 - (uint64_t)a);
	return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

static int64_t floor_mod(int64_t a, int64_t b)
{
	if (b == 0 || b == -1)
		return 0;
	int64_t r = a % b;
	return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

static uint64_t int_power(int64_t base, int64_t exponent)
{
	uint64_t r = 1, x = base;

	if (exponent < 0)
		return 0;
	for (; exponent; exponent >>= 1, x *= x)
		if (exponent & 1)
			r *= x;
	return r;
}

static union scalar int_op(enum air_op op, enum elem e, const union scalar *x, int64_t k)
{
	int64_t a = x[0].i, b;
	uint64_t u;

	switch (op) {
	case AIR_NEG:   u = 0 - (uint64_t)a; break;
	case AIR_ABS:   u = a < 0 ? 0 - (uint64_t)a : (uint64_t)a; break;
	case AIR_SIGN:  u = (a > 0) - (a < 0); break;
	case AIR_NOT:   u = !a; break;
	case AIR_POWI:  u = int_power(a, k); break;
	default:
		b = x[1].i;
		switch (op) {
		case AIR_ADD:      u = (uint64_t)a + (uint64_t)b; break;
		case AIR_SUB:      u = (uint64_t)a - (uint64_t)b; break;
		case AIR_MUL:      u = (uint64_t)a * (uint64_t)b; break;
		case AIR_FLOORDIV: u = floor_div(a, b); break;
		case AIR_MOD:      u = floor_mod(a, b); break;
		case AIR_POW:      u = int_power(a, b); break;
		case AIR_MIN:      u = a < b ? a : b; break;
		case AIR_MAX:      u = a > b ? a : b; break;
		case AIR_AND:      u = a && b; break;
		case AIR_OR:       u = a || b; break;
		default:           assert(!"operation on integers"); u = 0;
		}
	}
	return (union scalar){ .i = wrap(e, u) };
}

/* NumPy's: a NaN wins, -0 is below 0. */
static double least(double a, double b)
{
	if (isnan(a) || isnan(b))
		return isnan(a) ? a : b;
	if (a == b)
		return signbit(a) ? a : b;
	return a < b ? a : b;
}

static double most(double a, double b)
{
	if (isnan(a) || isnan(b))
		return isnan(a) ? a : b;
	if (a == b)
		return signbit(a) ? b : a;
	return a > b ? a : b;
}

static double sign_of(double a)
{
	return isnan(a) ? a : (a > 0) - (a < 0);
}

/* The operations on reals, once for each precision. */
#define REAL_OPS(T, name, F)                                                             \
	static T floor_div_##name(T a, T b)                                              \
	{                                                                                \
		T mod = F(fmod)(a, b), div, whole;                                       \
									                 \
		if (b == 0)                                                              \
			return a / b;                                                    \
		div = (a - mod) / b;                                                     \
		if (mod != 0 && (b < 0) != (mod < 0))                                    \
			div -= 1;                                                        \
		if (div == 0)                                                            \
			return F(copysign)(0, a / b);                                    \
		whole = F(floor)(div);                                                   \
		return div - whole > (T)0.5 ? whole + 1 : whole;                         \
	}                                                                                \
	static T floor_mod_##name(T a, T b)                                              \
	{                                                                                \
		T mod = F(fmod)(a, b);                                                   \
									                 \
		if (b == 0 || isnan(mod))                                                \
			return mod;                                                      \
		if (mod == 0)                                                            \
			return F(copysign)(0, b);                                        \
		return (b < 0) != (mod < 0) ? mod + b : mod;                             \
	}                                                                                \
	static T power_##name(T x, int64_t k)                                            \
	{                                                                                \
		T r = x;                                                                 \
									                 \
		if (k == 0)                                                              \
			return 1;                                                        \
		for (int bit = 62 - __builtin_clzll(k); bit >= 0; bit--) {               \
			r = r * r;                                                       \
			if (k >> bit & 1)                                                \
				r = r * x;                                               \
		}                                                                        \
		return r;                                                                \
	}                                                                                \
	static T real_op_##name(enum air_op op, const T *x, int64_t k)                   \
	{                                                                                \
		switch (op) {                                                            \
		case AIR_NEG:      return -x[0];                                         \
		case AIR_ADD:      return x[0] + x[1];                                   \
		case AIR_SUB:      return x[0] - x[1];                                   \
		case AIR_MUL:      return x[0] * x[1];                                   \
		case AIR_DIV:      return x[0] / x[1];                                   \
		case AIR_FLOORDIV: return floor_div_##name(x[0], x[1]);                  \
		case AIR_MOD:      return floor_mod_##name(x[0], x[1]);                  \
		case AIR_POWI:     return power_##name(x[0], k);                         \
		case AIR_FMA:      return F(fma)(x[0], x[1], x[2]);                      \
		case AIR_MIN:      return least(x[0], x[1]);                             \
		case AIR_MAX:      return most(x[0], x[1]);                              \
		case AIR_ABS:      return F(fabs)(x[0]);                                 \
		case AIR_SIGN:     return sign_of(x[0]);                                 \
		case AIR_SQRT:     return F(sqrt)(x[0]);                                 \
		case AIR_FLOOR:    return F(floor)(x[0]);                                \
		case AIR_CEIL:     return F(ceil)(x[0]);                                 \
		case AIR_ROUND:    return F(rint)(x[0]);                                 \
		case AIR_TRUNC:    return F(trunc)(x[0]);                                \
		default:           assert(!"operation on reals"); return 0;              \
		}                                                                        \
	}
#define DOUBLE(function) function
#define FLOAT(function)  function##f
REAL_OPS(double, f64, DOUBLE)
REAL_OPS(float, f32, FLOAT)

#define CALL1(function) function(x[0])
#define CALL2(function) function(x[0], x[1])
/* An elementary function, of either type: f32 is rounded from the wider value. */
static bool elementary_op(enum air_op op, const double *x, double *r)
{
	switch (op) {
#define ROW(id, name, n_args)                        \
	case AIR_##id:                               \
		*r = CALL##n_args(mpa_##name);       \
		return true;
#include "elementary/elementary.def"
#undef ROW
	default:
		return false;
	}
}

static union scalar real_op(enum air_op op, enum elem e, const union scalar *x, int64_t k)
{
	int n = air_op_arity(op);
	double wide[3] = { 0 }, r;
	float narrow[3] = { 0 };

	for (int j = 0; j < n; j++)
		narrow[j] = wide[j] = x[j].f;
	if (elementary_op(op, wide, &r))
		return (union scalar){ .f = e == ELEM_F32 ? (float)r : r };
	if (e == ELEM_F32)
		return (union scalar){ .f = real_op_f32(op, narrow, k) };
	return (union scalar){ .f = real_op_f64(op, wide, k) };
}

/* -1, 0, 1, or 2 where a NaN makes them unordered. */
static int compare(enum elem e, union scalar a, union scalar b)
{
	switch (elem_kind(e)) {
	case KIND_REAL:
		return a.f < b.f ? -1 : a.f > b.f ? 1 : a.f == b.f ? 0 : 2;
	case KIND_TEXT:
		return strcmp(a.text, b.text) ? 2 : 0;
	default:
		return (a.i > b.i) - (a.i < b.i);
	}
}

static union scalar question(enum air_op op, enum elem e, const union scalar *x)
{
	switch (op) {
	case AIR_EQ:
		return (union scalar){ .i = compare(e, x[0], x[1]) == 0 };
	case AIR_NE:
		return (union scalar){ .i = compare(e, x[0], x[1]) != 0 };
	case AIR_LT:
		return (union scalar){ .i = compare(e, x[0], x[1]) == -1 };
	case AIR_LE:
		return (union scalar){ .i = compare(e, x[0], x[1]) <= 0 };
	case AIR_ISNAN:
		return (union scalar){ .i = isnan(x[0].f) };
	case AIR_ISINF:
		return (union scalar){ .i = isinf(x[0].f) != 0 };
	default:
		assert(op == AIR_ISFINITE);
		return (union scalar){ .i = isfinite(x[0].f) != 0 };
	}
}

static int64_t clamp_to_int(enum elem e, double f)
{
	double lo = e == ELEM_U8 ? 0 : e == ELEM_I32 ? INT32_MIN : (double)INT64_MIN;
	double hi = e == ELEM_U8 ? UINT8_MAX : e == ELEM_I32 ? INT32_MAX : 0x1p63;

	if (isnan(f))
		return 0;
	if (f <= lo)
		return lo;
	if (f >= hi)
		return e == ELEM_I64 ? INT64_MAX : (int64_t)hi;
	return f;
}

static union scalar complex_cast(enum elem from, enum elem to, union scalar x)
{
	double re = elem_kind(from) >= KIND_REAL ? x.f : (double)x.i;
	double im = elem_kind(from) == KIND_COMPLEX ? x.part[1] : 0;

	if (to == ELEM_C64)
		return (union scalar){ .part = { (float)re, (float)im } };
	return (union scalar){ .part = { re, im } };
}

union scalar scalar_cast(enum elem from, enum elem to, union scalar x)
{
	bool real = elem_kind(from) == KIND_REAL;

	assert(elem_kind(from) <= KIND_REAL || elem_kind(to) == KIND_COMPLEX || from == to);
	switch (to) {
	case ELEM_BOOL:
		return (union scalar){ .i = real ? x.f != 0 : x.i != 0 };
	case ELEM_U8:
	case ELEM_I32:
	case ELEM_I64:
		return (union scalar){ .i = real ? clamp_to_int(to, x.f) : wrap(to, x.i) };
	case ELEM_F32:
		return (union scalar){ .f = real ? (float)x.f : (float)x.i };
	case ELEM_F64:
		return (union scalar){ .f = real ? x.f : (double)x.i };
	case ELEM_C64:
	case ELEM_C128:
		return complex_cast(from, to, x);
	default:
		assert(from == to);
		return x;
	}
}

union scalar scalar_op(enum air_op op, enum elem from, enum elem to,
                       const union scalar *x, int64_t k)
{
	switch (op) {
	case AIR_CAST:
		return scalar_cast(from, to, x[0]);
	case AIR_COMPLEX:
		return (union scalar){ .part = { x[0].f, x[1].f } };
	case AIR_REAL:
	case AIR_IMAG:
		return (union scalar){ .f = x[0].part[op == AIR_IMAG] };
	case AIR_SELECT:
		return x[0].i ? x[1] : x[2];
	case AIR_EQ:
	case AIR_NE:
	case AIR_LT:
	case AIR_LE:
	case AIR_ISNAN:
	case AIR_ISINF:
	case AIR_ISFINITE:
		return question(op, from, x);
	default:
		return elem_kind(to) == KIND_REAL ? real_op(op, to, x, k)
		                                  : int_op(op, to, x, k);
	}
}

bool scalar_equal(enum elem e, union scalar a, union scalar b)
{
	if (elem_kind(e) == KIND_TEXT)
		return a.text == b.text || !strcmp(a.text, b.text);
	if (elem_kind(e) == KIND_REAL)
		return !memcmp(&a.f, &b.f, sizeof a.f);
	return a.i == b.i;
}

bool reduction_is_scan(enum air_reduction r)
{
	return r == REDUCE_CUMSUM || r == REDUCE_CUMPROD;
}

enum elem air_reduced_elem(enum air_reduction r, enum elem e)
{
	switch (r) {
	case REDUCE_SUM:
	case REDUCE_PROD:
		return elem_kind(e) == KIND_COMPLEX ? ELEM_C128
		       : elem_kind(e) == KIND_REAL  ? ELEM_F64
		                                    : ELEM_I64;
	case REDUCE_ANY:
	case REDUCE_ALL:
		return ELEM_BOOL;
	case REDUCE_ARGMIN:
	case REDUCE_ARGMAX:
		return ELEM_I64;
	default:
		return e;
	}
}

enum format_kind scalar_format(enum elem e)
{
	switch (elem_kind(e)) {
	case KIND_BOOL:
		return FORMAT_BOOL;
	case KIND_INT:
		return FORMAT_INT;
	case KIND_REAL:
		return e == ELEM_F32 ? FORMAT_F32 : FORMAT_F64;
	case KIND_COMPLEX:
		return e == ELEM_C64 ? FORMAT_C64 : FORMAT_C128;
	default:
		return FORMAT_TEXT;
	}
}
