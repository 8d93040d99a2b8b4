/* device/emu/ptx_ops.c - arithmetic of all lanes, as ptx_ops.def says
 *
 * One small function an instruction, with a loop over the lanes that a compiler turns
 * into vector code where all lanes take part. */
#if defined __GNUC__ && !defined __clang__
#pragma GCC optimize("O3") /* vectors, also at -O2 */
#endif
#include <math.h>
#include <string.h>

#include "device/emu/ptx_module.h"

/* ---- what the table uses --------------------------------------------------- */

/* a wide product first: narrow factors would overflow as ints */
#define product(a, b) ((uint64_t)(a) * (uint64_t)(b))
#define quotient_signed(a, b)                                                            \
	((b) == 0 ? -1 : (b) == -1 ? (int64_t)(0 - (uint64_t)(a)) : (a) / ((b) ? (b) : 1))
#define pair(high, low) ((uint64_t)(high) << 32 | (low))

static uint64_t reversed(uint64_t x)
{
	uint64_t r = 0;

	for (int i = 0; i < 64; i++)
		r |= (x >> i & 1) << (63 - i);
	return r;
}

/* n bits of a from bit `at`; zeros above the last one */
static uint64_t field(uint64_t a, uint32_t at, uint32_t n, uint32_t bits)
{
	at &= 255;
	n &= 255;
	if (at >= bits || n == 0)
		return 0;
	a >>= at;
	return n < 64 ? a & (((uint64_t)1 << n) - 1) : a;
}

/* The same, the sign above it: the last bit of the field, or of a beyond it. */
static int64_t field_signed(int64_t a, uint32_t at, uint32_t n, uint32_t bits)
{
	at &= 255;
	n &= 255;
	if (n == 0)
		return 0;
	if (at >= bits || n >= bits - at) /* up to the sign of a */
		return a >> (at < 64 ? at : 63);
	return (int64_t)((uint64_t)a << (64 - at - n)) >> (64 - n);
}

/* The number of the highest bit that is set; -1: there is none. */
static int top_bit(uint64_t a)
{
	return a ? 63 - __builtin_clzll(a) : -1;
}

static int32_t limited(int64_t x)
{
	return x > INT32_MAX ? INT32_MAX : x < INT32_MIN ? INT32_MIN : (int32_t)x;
}

/* ---- types ------------------------------------------------------------------ */

typedef uint16_t U16;
typedef int16_t S16;
typedef uint32_t U32;
typedef int32_t S32;
typedef uint64_t U64;
typedef int64_t S64;
typedef float F32;
typedef double F64;
typedef uint64_t PRED;
typedef char NONE;

#define GET_U16(slot)  (uint16_t)(slot).u
#define GET_S16(slot)  (int16_t)(slot).u
#define GET_U32(slot)  (uint32_t)(slot).u
#define GET_S32(slot)  (int32_t)(slot).u
#define GET_U64(slot)  (slot).u
#define GET_S64(slot)  (int64_t)(slot).u
#define GET_F32(slot)  (slot).f
#define GET_F64(slot)  (slot).d
#define GET_PRED(slot) (slot).u
#define GET_NONE(slot) ((void)&(slot), 0)

/* The slot of a value, zeros above it. */
#define PUT_U16(x)  (uint16_t)(x)
#define PUT_S16(x)  (uint16_t)(x)
#define PUT_U32(x)  (uint32_t)(x)
#define PUT_S32(x)  (uint32_t)(x)
#define PUT_U64(x)  (uint64_t)(x)
#define PUT_S64(x)  (uint64_t)(x)
#define PUT_PRED(x) (uint64_t)(x)
#define PUT_F32(x)  bits_f32(x)
#define PUT_F64(x)  bits_f64(x)

static inline uint64_t bits_f32(float x)
{
	uint32_t bits;

	memcpy(&bits, &x, sizeof bits);
	return bits;
}

static inline uint64_t bits_f64(double x)
{
	uint64_t bits;

	memcpy(&bits, &x, sizeof bits);
	return bits;
}

/* ---- one function each ---------------------------------------------------------- */

#define LANE(D, A, B, C, value)                                                          \
	do {                                                                             \
		const A a = GET_##A(x[i]);                                               \
		const B b = GET_##B(y[i]);                                               \
		const C c = GET_##C(z[i]);                                               \
                                                                                         \
		(void)b;                                                                 \
		(void)c;                                                                 \
		to[i].u = PUT_##D(value);                                                \
	} while (0)

#define ROW(id, text, D, A, B, C, value)                                                 \
	static void run_##id(struct ptx_warp *w, const struct ptx_instr *in,             \
			     uint32_t mask)                                              \
	{                                                                                \
		union ptx_slot *to = w->reg[in->dst[0]];                                 \
		const union ptx_slot *x = w->reg[in->src[0]], *y = w->reg[in->src[1]];   \
		const union ptx_slot *z = w->reg[in->src[2]];                            \
                                                                                         \
		if (mask == PTX_ALL)                                                     \
			for (int i = 0; i < PTX_LANES; i++)                              \
				LANE(D, A, B, C, value);                                 \
		else                                                                     \
			for (int i = 0; i < PTX_LANES; i++)                              \
				if (mask >> i & 1)                                       \
					LANE(D, A, B, C, value);                         \
	}
#include "device/emu/ptx_ops.def"
#undef ROW

static const struct {
	const char *text;
	ptx_run_fn *run;
} table[] = {
#define ROW(id, text, D, A, B, C, value) { text, run_##id },
#include "device/emu/ptx_ops.def"
#undef ROW
};

/* "add.rn.f64" is "add.f64". */
static bool same(const char *known, const char *text)
{
	while (*known && *known == *text) {
		known++;
		text++;
		if (!strncmp(text, "rn.", 3) && strncmp(known, "rn.", 3))
			text += 3;
	}
	return *known == *text;
}

ptx_run_fn *ptx_alu(const char *text)
{
	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		if (same(table[i].text, text))
			return table[i].run;
	return NULL;
}
