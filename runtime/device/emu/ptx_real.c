/* device/emu/ptx_real.c - arithmetic of reals beyond ptx_ops.def, as ptx_real.def says
 *
 * Directed rounding is the host's while an instruction runs, so what goes in and comes
 * out is volatile. .ftz takes numbers below the normal ones for zeros, at either end. Of
 * the f64 forms of rcp and rsqrt that are approximate only the upper 32 bits of source
 * and result count. */
#include <fenv.h>
#include <math.h>
#include <string.h>

#include "device/emu/ptx_module.h"

/* ---- the operations ------------------------------------------------------------- */

/* A NaN gives way, -0 is below 0. */
static double least(double a, double b)
{
	if (a != a || b != b)
		return a != a ? b : a;
	return b < a || (a == b && signbit(b)) ? b : a;
}

static double most(double a, double b)
{
	if (a != a || b != b)
		return a != a ? b : a;
	return b > a || (a == b && signbit(a)) ? b : a;
}

#define NONE 0

#define ROW(name, exact, sources, narrow, wide)                             \
	static float name##_f32(const volatile float *x)                    \
	{                                                                   \
		const float a = x[0], b = x[1], c = x[2];                   \
                                                                            \
		(void)a, (void)b, (void)c;                                  \
		return (float)(narrow);                                     \
	}                                                                   \
	static double name##_f64(const volatile double *x)                  \
	{                                                                   \
		const double a = x[0], b = x[1], c = x[2];                  \
                                                                            \
		(void)a, (void)b, (void)c;                                  \
		return wide;                                                \
	}
#include "device/emu/ptx_real.def"
#undef ROW

static const struct {
	const char *name;
	bool exact;
	int sources;
	float (*f32)(const volatile float *x);
	double (*f64)(const volatile double *x);
} table[] = {
#define ROW(name, exact, sources, narrow, wide) \
	{ #name, exact, sources, name##_f32, name##_f64 },
#include "device/emu/ptx_real.def"
#undef ROW
};

bool ptx_real_known(const char *name, int *number, bool *exact)
{
	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		if (!strcmp(table[i].name, name)) {
			*number = (int)i;
			*exact = table[i].exact;
			return true;
		}
	return false;
}

/* ---- lanes ------------------------------------------------------------------------ */

static float flushed(float x, const struct ptx_instr *in)
{
	return in->flush && fpclassify(x) == FP_SUBNORMAL ? copysignf(0, x) : x;
}

static uint64_t run_f32(const struct ptx_instr *in, const union ptx_slot *slot)
{
	volatile float x[3], y;
	union ptx_slot made = { .u = 0 };
	float r;

	for (int k = 0; k < 3; k++)
		x[k] = flushed(slot[k].f, in);
	y = table[in->operation].f32(x);
	r = flushed(y, in);
	if (in->saturate)
		r = r > 0 ? (r < 1 ? r : 1) : 0;
	made.f = r;
	return made.u;
}

/* Of a double the upper half alone, to the nearest. */
static double upper(double x)
{
	union ptx_slot slot = { .d = x };

	if (x == x)
		slot.u += 0x80000000u;
	slot.u &= ~(uint64_t)0xffffffffu;
	if (fpclassify(slot.d) == FP_SUBNORMAL)
		slot.u &= (uint64_t)1 << 63;
	return slot.d;
}

static uint64_t run_f64(const struct ptx_instr *in, const union ptx_slot *slot)
{
	volatile double x[3], y;
	union ptx_slot made;

	for (int k = 0; k < 3; k++)
		x[k] = slot[k].d;
	if (in->approximate && in->flush) {
		union ptx_slot high = { .u = slot[0].u & ~(uint64_t)0xffffffffu };

		x[0] = fpclassify(high.d) == FP_SUBNORMAL ? copysign(0, high.d) : high.d;
	}
	y = table[in->operation].f64(x);
	made.d = in->approximate && in->flush ? upper(y) : y;
	return made.u;
}

int ptx_host_rounding(enum ptx_rounding r)
{
	return r == PTX_RZ   ? FE_TOWARDZERO
	       : r == PTX_RM ? FE_DOWNWARD
	       : r == PTX_RP ? FE_UPWARD
			     : FE_TONEAREST;
}

void ptx_real(struct ptx_warp *w, const struct ptx_instr *in, uint32_t mask)
{
	int before = fegetround();

	fesetround(ptx_host_rounding(in->rounding));
	PTX_EACH(i, mask)
	{
		union ptx_slot x[3];

		for (int k = 0; k < 3; k++)
			x[k] = w->reg[in->src[k]][i];
		w->reg[in->dst[0]][i].u =
			in->type == PTX_F32 ? run_f32(in, x) : run_f64(in, x);
	}
	fesetround(before);
}

/* ---- comparisons with two results ------------------------------------------------- */

/* setp.lt.and.f32 p|q, a, b, c: (a < b) & c, and !(a < b) & c */
void ptx_compare(struct ptx_warp *w, const struct ptx_instr *in, uint32_t mask)
{
	bool third = in->operation != PTX_NONE;
	union ptx_slot c[PTX_LANES];

	memcpy(c, w->reg[in->src[third ? 2 : 0]], sizeof c);
	in->test(w, in, mask);
	PTX_EACH(i, mask)
	{
		uint64_t yes = w->reg[in->dst[0]][i].u, no = !yes;

		if (third) {
			yes = ptx_joined(in->operation, yes, c[i].u);
			no = ptx_joined(in->operation, no, c[i].u);
		}
		w->reg[in->dst[0]][i].u = yes;
		if (in->n_dst > 1)
			w->reg[in->dst[1]][i].u = no;
	}
}

uint64_t ptx_joined(int operation, uint64_t a, uint64_t b)
{
	return operation == 0 ? a & b : operation == 1 ? a | b : a ^ b;
}
