/* What code made by mpac relies on, in C and on a GPU: the arithmetic of the language for
 * each element type. Integers wrap, // and % floor and give 0 by 0, a real becomes an
 * integer by truncation and clamping, minimum and maximum hand NaN on and put -0 below 0. */
#define MPA_I64_MIN (-9223372036854775807 - 1)
#define MPA_I32_MIN (-2147483647 - 1)

struct MPA_ALIGNED(8) mpa_c64 { float re, im; };
struct MPA_ALIGNED(16) mpa_c128 { double re, im; };

MPA_FN struct mpa_c64 c64_of(float re, float im)
{
	struct mpa_c64 z = { re, im };

	return z;
}

MPA_FN struct mpa_c128 c128_of(double re, double im)
{
	struct mpa_c128 z = { re, im };

	return z;
}

MPA_FN uint64_t bits_of(double x)
{
	uint64_t bits;

	memcpy(&bits, &x, sizeof bits);
	return bits;
}

MPA_FN double double_of(uint64_t bits)
{
	double x;

	memcpy(&x, &bits, sizeof x);
	return x;
}

MPA_FN float float_of(uint32_t bits)
{
	float x;

	memcpy(&x, &bits, sizeof x);
	return x;
}

/* T: name of the type, U: its unsigned companion, at least 32 bits wide */
#define MPA_INTEGER(T, type, U)                                                          \
	MPA_FN type add_##T(type a, type b) { return (type)((U)a + (U)b); }              \
	MPA_FN type sub_##T(type a, type b) { return (type)((U)a - (U)b); }              \
	MPA_FN type mul_##T(type a, type b) { return (type)((U)a * (U)b); }              \
	MPA_FN type neg_##T(type a) { return (type)(0 - (U)a); }                         \
	MPA_FN type min_##T(type a, type b) { return a < b ? a : b; }                    \
	MPA_FN type max_##T(type a, type b) { return a > b ? a : b; }                    \
	MPA_FN type sign_##T(type a) { return (type)((a > 0) - (a < 0)); }

MPA_INTEGER(u8, uint8_t, uint32_t)
MPA_INTEGER(i32, int32_t, uint32_t)
MPA_INTEGER(i64, int64_t, uint64_t)

MPA_FN uint8_t abs_u8(uint8_t a) { return a; }
MPA_FN uint8_t floordiv_u8(uint8_t a, uint8_t b) { return b ? a / b : 0; }
MPA_FN uint8_t mod_u8(uint8_t a, uint8_t b) { return b ? a % b : 0; }
MPA_FN uint8_t pow_u8(uint8_t x, uint8_t n)
{
	uint32_t r = 1, y = x;

	for (int bit = 0; bit < 8; bit++, y *= y)
		r *= n >> bit & 1 ? y : 1;
	return (uint8_t)r;
}

/* A divisor with which the machine neither traps nor overflows: not 0, and not -1, by
 * which the quotient is the negative and the rest 0. */
#define MPA_SIGNED(T, type, U, BITS)                                                     \
	MPA_FN type abs_##T(type a) { return a < 0 ? neg_##T(a) : a; }                   \
	MPA_FN type floordiv_##T(type a, type b)                                         \
	{                                                                                \
		type d = b == 0 || b == -1 ? 1 : b, q = a / d, r = a % d;                \
                                                                                         \
		q -= r != 0 && (r ^ d) < 0;                                              \
		return b == 0 ? 0 : b == -1 ? neg_##T(a) : q;                            \
	}                                                                                \
	MPA_FN type mod_##T(type a, type b)                                              \
	{                                                                                \
		type d = b == 0 || b == -1 ? 1 : b, r = a % d;                           \
                                                                                         \
		return r != 0 && (r ^ d) < 0 ? r + d : r;                                \
	}                                                                                \
	MPA_FN type pow_##T(type x, type n)                                              \
	{                                                                                \
		U r = 1, y = (U)x;                                                       \
                                                                                         \
		for (int bit = 0; bit < BITS - 1; bit++, y *= y)                         \
			r *= n >> bit & 1 ? y : 1;                                       \
		return n < 0 ? 0 : (type)r;                                              \
	}

MPA_SIGNED(i32, int32_t, uint32_t, 32)
MPA_SIGNED(i64, int64_t, uint64_t, 64)

/* Equal numbers differ in the sign of zero alone. */
#define MPA_REAL(T, type, S)                                                             \
	MPA_FN bool isnan_##T(type a) { return a != a; }                                 \
	MPA_FN bool isinf_##T(type a) { return fabs##S(a) == (type)INFINITY; }           \
	MPA_FN bool isfinite_##T(type a) { return fabs##S(a) < (type)INFINITY; }         \
	MPA_FN type min_##T(type a, type b)                                              \
	{                                                                                \
		type least = a < b || (a == b && copysign##S((type)1, a) < 0) ? a : b;   \
                                                                                         \
		return a != a ? a : b != b ? b : least;                                  \
	}                                                                                \
	MPA_FN type max_##T(type a, type b)                                              \
	{                                                                                \
		type most = a > b || (a == b && copysign##S((type)1, b) < 0) ? a : b;    \
                                                                                         \
		return a != a ? a : b != b ? b : most;                                   \
	}                                                                                \
	MPA_FN type sign_##T(type a) { return a > 0 ? 1 : a < 0 ? -1 : a != a ? a : 0; } \
	MPA_FN type floordiv_##T(type a, type b)                                         \
	{                                                                                \
		type m = fmod##S(a, b), d = (a - m) / b, w;                              \
                                                                                         \
		d = m != 0 && (b < 0) != (m < 0) ? d - 1 : d;                            \
		w = floor##S(d);                                                         \
		w = d - w > (type)0.5 ? w + 1 : w;                                       \
		w = d == 0 ? copysign##S((type)0, a / b) : w;                            \
		return b == 0 ? a / b : w;                                               \
	}                                                                                \
	MPA_FN type mod_##T(type a, type b)                                              \
	{                                                                                \
		type m = fmod##S(a, b);                                                  \
		type r = m != 0 && (b < 0) != (m < 0) ? m + b : m;                       \
                                                                                         \
		r = m == 0 ? copysign##S((type)0, b) : r;                                \
		return b == 0 ? m : r;                                                   \
	}

MPA_REAL(f64, double, )
MPA_REAL(f32, float, f)

MPA_FN uint8_t u8_of(double x)
{
	return x >= 255 ? 255 : x > 0 ? (uint8_t)x : 0;
}

MPA_FN int32_t i32_of(double x)
{
	return x >= 0x1p31 ? 2147483647 : x < -0x1p31 ? MPA_I32_MIN : x != x ? 0 : (int32_t)x;
}

MPA_FN int64_t i64_of(double x)
{
	return x >= 0x1p63    ? 9223372036854775807
	       : x < -0x1p63  ? MPA_I64_MIN
	       : x != x       ? 0
			      : (int64_t)x;
}

/* an entry of a list; the index is clamped to it */
MPA_FN int64_t mpa_entry(int64_t i, int64_t n)
{
	return i < 0 ? 0 : i < n ? i : n - 1;
}

/* how often from, from + by, ... stays below to (by < 0: above); differences are taken
 * without sign, so that no bounds make it wrong */
MPA_FN int64_t mpa_turns(int64_t from, int64_t to, int64_t by)
{
	uint64_t low = (uint64_t)(by > 0 ? from : to), high = (uint64_t)(by > 0 ? to : from);
	uint64_t stride = by > 0 ? (uint64_t)by : 0 - (uint64_t)by;

	return (int64_t)high > (int64_t)low ? (int64_t)((high - low - 1) / stride + 1) : 0;
}
