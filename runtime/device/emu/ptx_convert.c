/* device/emu/ptx_convert.c - cvt: one type to another, with rounding and saturation
 *
 * A real becomes an integer by rounding and clamping; NaN gives 0, but where the source
 * is f64 or the result has 64 bits: then the lowest number of a signed type, the highest
 * bit of one without sign (PTX ISA 9.0, cvt). */
#include <fenv.h>
#include <math.h>
#include <string.h>

#include "device/emu/ptx_module.h"

/* A value before it is rounded to the result's type. */
struct number {
	bool real;
	double d;
	bool is_signed;
	uint64_t u;
};

static struct number whole(uint64_t u, bool is_signed)
{
	return (struct number){ .is_signed = is_signed, .u = u };
}

static struct number number_of(union ptx_slot slot, enum ptx_type type)
{
	switch (type) {
	case PTX_F32:
		return (struct number){ .real = true, .d = (double)slot.f };
	case PTX_F64:
		return (struct number){ .real = true, .d = slot.d };
	case PTX_S8:
		return whole((uint64_t)(int64_t)(int8_t)slot.u, true);
	case PTX_S16:
		return whole((uint64_t)(int64_t)(int16_t)slot.u, true);
	case PTX_S32:
		return whole((uint64_t)(int64_t)(int32_t)slot.u, true);
	case PTX_S64:
		return whole(slot.u, true);
	case PTX_U8:
	case PTX_B8:
		return whole((uint8_t)slot.u, false);
	case PTX_U16:
	case PTX_B16:
		return whole((uint16_t)slot.u, false);
	case PTX_U32:
	case PTX_B32:
		return whole((uint32_t)slot.u, false);
	default:
		return whole(slot.u, false);
	}
}

static double to_integral(double x, enum ptx_rounding r)
{
	switch (r) {
	case PTX_RZ:
		return trunc(x);
	case PTX_RM:
		return floor(x);
	case PTX_RP:
		return ceil(x);
	default:
		return rint(x);
	}
}

static bool is_signed(enum ptx_type type)
{
	return type == PTX_S8 || type == PTX_S16 || type == PTX_S32 || type == PTX_S64;
}

static uint64_t clamped(double x, const struct ptx_instr *in)
{
	int bits = 8 * ptx_type_bytes(in->type);
	double top = ldexp(1, is_signed(in->type) ? bits - 1 : bits);
	uint64_t high = (uint64_t)1 << (bits - 1);

	if (x != x)
		return in->from == PTX_F64 || bits == 64 ? high : 0;
	x = to_integral(x, in->rounding);
	if (is_signed(in->type))
		return x >= top ? high - 1 : x < -top ? high : (uint64_t)(int64_t)x;
	return x >= top ? high - 1 + high : x > 0 ? (uint64_t)x : 0;
}

static union ptx_slot narrowed(uint64_t u, enum ptx_type type)
{
	int bits = 8 * ptx_type_bytes(type);

	return (union ptx_slot){ .u = bits == 64 ? u : u & (((uint64_t)1 << bits) - 1) };
}

static union ptx_slot slot_f32(float x)
{
	union ptx_slot slot = { .u = 0 };

	slot.f = x;
	return slot;
}

/* The whole number as a real, rounded as the mode of the host says. */
static double wide_of(struct number v)
{
	volatile int64_t s = (int64_t)v.u;
	volatile uint64_t u = v.u;

	return v.is_signed ? (double)s : (double)u;
}

static float narrow_of(struct number v)
{
	volatile int64_t s = (int64_t)v.u;
	volatile uint64_t u = v.u;
	volatile double d = v.d;

	if (v.real)
		return (float)d;
	return v.is_signed ? (float)s : (float)u; /* once, not by way of f64 */
}

static double saturated(double x)
{
	return x > 0 ? (x < 1 ? x : 1) : 0;
}

static float flushed(float x, const struct ptx_instr *in)
{
	return in->flush && fpclassify(x) == FP_SUBNORMAL ? copysignf(0, x) : x;
}

static union ptx_slot real_result(struct number v, const struct ptx_instr *in)
{
	if (in->to_integer && v.real)
		v.d = to_integral(v.d, in->rounding);
	if (in->saturate && v.real)
		v.d = saturated(v.d);
	if (in->type == PTX_F64)
		return (union ptx_slot){ .d = v.real ? v.d : wide_of(v) };
	return slot_f32(flushed(narrow_of(v), in));
}

/* cvt.sat of whole numbers: the nearest that the type has. */
static uint64_t saturated_whole(struct number v, enum ptx_type type)
{
	int bits = 8 * ptx_type_bytes(type) - is_signed(type);
	uint64_t most = bits == 64 ? ~(uint64_t)0 : ((uint64_t)1 << bits) - 1;
	bool minus = v.is_signed && (int64_t)v.u < 0;

	if (!minus)
		return v.u > most ? most : v.u;
	if (!is_signed(type))
		return 0;
	return (int64_t)v.u < -(int64_t)most - 1 ? 0 - most - 1 : v.u;
}

static union ptx_slot whole_result(struct number v, const struct ptx_instr *in)
{
	uint64_t u = v.real         ? clamped(v.d, in)
		     : in->saturate ? saturated_whole(v, in->type)
				    : v.u;

	return narrowed(u, in->type);
}

void ptx_convert(struct ptx_warp *w, const struct ptx_instr *in, uint32_t mask)
{
	bool real = in->type == PTX_F32 || in->type == PTX_F64;
	bool directed = real && !in->to_integer && in->rounding != PTX_RN;
	int before = fegetround();

	if (directed)
		fesetround(ptx_host_rounding(in->rounding));
	PTX_EACH(i, mask)
	{
		union ptx_slot from = w->reg[in->src[0]][i];
		struct number v;

		if (in->from == PTX_F32)
			from.f = flushed(from.f, in);
		v = number_of(from, in->from);
		w->reg[in->dst[0]][i] = real ? real_result(v, in) : whole_result(v, in);
	}
	if (directed)
		fesetround(before);
}
