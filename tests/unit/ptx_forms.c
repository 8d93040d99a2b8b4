/* tests/unit/ptx_forms.c - each form of PTX's arithmetic against C, on values at the
 * edges
 *
 * A small kernel is written for each row: it loads the sources of a thread, runs the one
 * instruction, and stores the result. The text is valid for ptxas, too, so the same rows
 * can be run on a GPU.
 */
#include <fenv.h>
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "ptx_world.h"
#include "random.h"
#include "unit.h"

struct form {
	const char *text; /* with its operands where they are not just %x0, %x1, … */
	/* of the result and the sources: h 16 bits, r 32, l 64, f f32, d f64, p predicate
	 */
	const char *types;
	uint64_t (*value)(const union ptx_word *x);
};

#define A16  ((uint16_t)x[0].u)
#define B16  ((uint16_t)x[1].u)
#define A32  ((uint32_t)x[0].u)
#define B32  ((uint32_t)x[1].u)
#define C32  ((uint32_t)x[2].u)
#define A    (x[0].u)
#define B    (x[1].u)
#define C    (x[2].u)
#define SA16 ((int16_t)x[0].u)
#define SB16 ((int16_t)x[1].u)
#define SA32 ((int32_t)x[0].u)
#define SB32 ((int32_t)x[1].u)
#define SA   ((int64_t)x[0].u)
#define SB   ((int64_t)x[1].u)
#define FA   (x[0].f)
#define FB   (x[1].f)
#define FC   (x[2].f)
#define DA   (x[0].d)
#define DB   (x[1].d)
#define DC   (x[2].d)

static uint64_t f(float v)
{
	union ptx_word w = { .u = 0 };

	w.f = v;
	return w.u;
}

static uint64_t d(double v)
{
	union ptx_word w = { .d = v };

	return w.u;
}

/* The hardware's integers of reals; no C conversion out of range. */
static int64_t clamp_s64(double v)
{
	return v != v        ? INT64_MIN
	       : v >= 0x1p63 ? INT64_MAX
	       : v < -0x1p63 ? INT64_MIN
			     : (int64_t)v;
}

static uint32_t clamp_s32(double v)
{
	return (uint32_t)(v != v        ? INT32_MIN
			  : v >= 0x1p31 ? INT32_MAX
			  : v < -0x1p31 ? INT32_MIN
					: (int32_t)v);
}

/* Rounded in a direction of C's. */
enum operation { ADD, SUB, MUL, DIV, FMA, SQRT };

static double wide(int mode, enum operation op, const union ptx_word *x)
{
	volatile double a = DA, b = DB, c = DC, r;

	fesetround(mode);
	r = op == ADD   ? a + b
	    : op == SUB ? a - b
	    : op == MUL ? a * b
	    : op == DIV ? a / b
	    : op == FMA ? fma(a, b, c)
			: sqrt(a);
	fesetround(FE_TONEAREST);
	return r;
}

static float narrow(int mode, enum operation op, const union ptx_word *x)
{
	volatile float a = FA, b = FB, c = FC, r;

	fesetround(mode);
	r = op == ADD   ? a + b
	    : op == SUB ? a - b
	    : op == MUL ? a * b
	    : op == DIV ? a / b
	    : op == FMA ? fmaf(a, b, c)
			: sqrtf(a);
	fesetround(FE_TONEAREST);
	return r;
}

static float narrowed_to(int mode, const union ptx_word *x)
{
	volatile double a = DA;
	volatile float r;

	fesetround(mode);
	r = (float)a;
	fesetround(FE_TONEAREST);
	return r;
}

static double whole_to(int mode, const union ptx_word *x)
{
	volatile int64_t a = SA;
	volatile double r;

	fesetround(mode);
	r = (double)a;
	fesetround(FE_TONEAREST);
	return r;
}

/* Numbers below the normal ones are zeros. */
static float flush(float x)
{
	return fabsf(x) < FLT_MIN ? copysignf(0, x) : x;
}

static double unit(double x)
{
	return x > 0 ? fmin(x, 1) : 0;
}

/* The hardware's table of bits: 4 numbers of a byte each. */
static uint32_t permuted(const union ptx_word *x)
{
	uint32_t r = 0;

	for (int k = 0; k < 4; k++) {
		uint32_t n = C32 >> (4 * k) & 15;
		uint32_t byte = (n & 4 ? B32 : A32) >> (8 * (n & 3)) & 255;

		r |= (n & 8 ? (byte >> 7) * 255 : byte) << (8 * k);
	}
	return r;
}

/* bits at..at+n-1 of a, one by one; above them what is given, or the sign */
static uint64_t bits_of(uint64_t a, uint32_t at, uint32_t n, int bits, int sign)
{
	uint64_t r = 0, top = 0;

	at &= 255;
	n &= 255;
	if (sign && n)
		top = a >> (at + n - 1 < (uint32_t)bits ? at + n - 1 : (uint32_t)bits - 1) & 1;
	for (uint32_t i = 0; i < (uint32_t)bits; i++)
		r |= (i < n && at + i < (uint32_t)bits ? a >> (at + i) & 1 : top) << i;
	return r;
}

static uint64_t inserted(uint64_t a, uint64_t b, uint32_t at, uint32_t n, int bits)
{
	for (uint32_t i = 0; i < n && at + i < (uint32_t)bits; i++)
		b = (b & ~((uint64_t)1 << (at + i))) | (a >> i & 1) << (at + i);
	return b;
}

static int64_t limit(int64_t x, int64_t least, int64_t most)
{
	return x < least ? least : x > most ? most : x;
}

#define ROW(id, text, types, value)                                                      \
	static uint64_t form_##id(const union ptx_word *x)                               \
	{                                                                                \
		(void)x;                                                                 \
		return (uint64_t)(value);                                                \
	}
#include "ptx_forms.def"
#undef ROW

static const struct form forms[] = {
#define ROW(id, text, types, value) { text, types, form_##id },
#include "ptx_forms.def"
#undef ROW
};
enum { FORMS = sizeof forms / sizeof *forms, ROUNDS = 40 };

/* Values that are edges of some type, and any. */
static union ptx_word edge(char type, uint64_t *state)
{
	static const double reals[] = { 0,     -0.0,      1,         -1,      0.5,
					-2.5,  1.5,       2.5,       1e10,    -1e20,
					1e300, INFINITY,  -INFINITY, NAN,     3,
					7,     0x1p-1074, 0x1p-1022, DBL_MAX, 255.5,
					-0.75 };
	static const uint64_t wholes[] = { 0,          1,          ~(uint64_t)0,
					   2,          31,         32,
					   63,         64,         65535,
					   0x8000,     0x7fff,     0x80000000,
					   0x7fffffff, 0xffffffff, (uint64_t)1 << 63,
					   INT64_MAX,  7,          (uint64_t)-7 };
	union ptx_word w = { .u = random_next(state) };
	uint64_t which = random_next(state);

	if (type == 'p')
		w.u = w.u >> 40 & 1;
	else if (type == 'd' || type == 'f') {
		double v = which % 3 ? reals[which / 3 % (sizeof reals / sizeof *reals)]
				     : (double)(int64_t)w.u * 0x1p-40;

		w.u = type == 'd' ? d(v) : f((float)v);
	} else if (which % 4) {
		w.u = wholes[which / 4 % (sizeof wholes / sizeof *wholes)];
	}
	return w;
}

static const char *const letters = "hrlfdp";
static const char *const classes[] = { "b16", "b32", "b64", "f32", "f64", "pred" };
static const char *const loads[] = { "u16", "u32", "u64", "f32", "f64", "u64" };

static int class_of(char type)
{
	return (int)(strchr(letters, type) - letters);
}

static void write_kernel(const struct form *form, char *text, size_t size)
{
	FILE *out = fmemopen(text, size, "w");
	int n = (int)strlen(form->types) - 1;

	fprintf(out, PTX_HEAD ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
			      ".reg .b64 %%at<4>, %%l<4>;\n.reg .b32 %%t, %%r<4>;\n"
			      ".reg .pred %%p<4>;\n");
	for (int i = 0; i <= n; i++)
		fprintf(out, ".reg .%s %%x%d;\n", classes[class_of(form->types[i])], i);
	fprintf(out, ".reg .b64 %%w<4>;\nld.param.u64 %%at0, [in];\nld.param.u64 %%at1, "
		     "[out];\n"
		     "mov.u32 %%t, %%tid.x;\nmad.wide.u32 %%at0, %%t, 24, %%at0;\n"
		     "mad.wide.u32 %%at1, %%t, 8, %%at1;\n");
	for (int i = 1; i <= n; i++)
		if (form->types[i] == 'p')
			fprintf(out,
				"ld.global.u64 %%w%d, [%%at0+%d];\n"
				"setp.ne.s64 %%x%d, %%w%d, 0;\n",
				i, 8 * (i - 1), i, i);
		else
			fprintf(out, "ld.global.%s %%x%d, [%%at0+%d];\n",
				loads[class_of(form->types[i])], i, 8 * (i - 1));
	fputs(form->text, out);
	for (int i = 0; i <= n && !strchr(form->text, '%'); i++)
		fprintf(out, "%s%%x%d", i ? ", " : " ", i);
	if (*form->types == 'p')
		fprintf(out, ";\nselp.u64 %%w0, 1, 0, %%x0;\nst.global.u64 [%%at1], "
			     "%%w0;\nret;\n}\n");
	else
		fprintf(out, ";\nst.global.%s [%%at1], %%x0;\nret;\n}\n",
			loads[class_of(*form->types)]);
	fclose(out);
}

/* Of reals that are no number the bits do not count. */
static bool same(char type, uint64_t a, uint64_t b)
{
	union ptx_word x = { .u = a }, y = { .u = b };

	if (type == 'd' && x.d != x.d && y.d != y.d)
		return true;
	return a == b || (type == 'f' && x.f != x.f && y.f != y.f);
}

static struct ptx_hardware hardware;

/* GPUs have approximations of their own, of which PTX says no more than how far off they
 * may be, the more the larger an angle is. */
static bool is_near(const struct form *form, uint64_t a, uint64_t b)
{
	union ptx_word x = { .u = a }, y = { .u = b };
	bool narrow = *form->types == 'f';
	double got = narrow ? (double)x.f : x.d, want = narrow ? (double)y.f : y.d;

	if (!hardware.real || !strchr("fd", *form->types) ||
	    !(strstr(form->text, ".approx") || strstr(form->text, ".full")))
		return false;
	if (strstr(form->text, "sin") || strstr(form->text, "cos"))
		return fabs(got) <= 1 + 1e-6;
	if (!isfinite(want) || fabs(want) < 1e-37 || fabs(want) > 1e37)
		return true; /* results of one side of a limit, or operands beyond the range */
	return fabs(got - want) <= fmax(0x1p-10 * fabs(want), 0x1p-20);
}

static uint64_t narrowed(char type, uint64_t u)
{
	return type == 'h' ? (uint16_t)u : type == 'r' || type == 'f' ? (uint32_t)u : u;
}

START_TEST(is_as_in_c)
{
	const struct form *form = &forms[_i];
	struct ptx_world *world = ptx_world_new();
	uint64_t in = ptx_world_array(world, "in", 32 * 24), state = 88172645463325252u;
	uint64_t out = ptx_world_array(world, "out", 32 * 8);
	union ptx_word *x = ptx_world_host(world, in), *got = ptx_world_host(world, out);
	char text[4096];
	int differ = 0;

	write_kernel(form, text, sizeof text);
	ptx_world_load(world, text);
	for (int round = 0; round < ROUNDS; round++) {
		int threads = round % 2 ? 32 : 19;

		for (int i = 0; i < 96; i++) {
			int n = (int)strlen(form->types);

			x[i] = edge(i % 3 + 1 < n ? form->types[i % 3 + 1] : 'l', &state);
		}
		memset(got, 0, 32 * 8);
		ptx_world_run(world, "k", 1, threads, (uint64_t[]){ in, out }, 2);
		for (int i = 0; i < threads; i++) {
			uint64_t want = narrowed(*form->types, form->value(&x[3 * i]));

			differ += !same(*form->types, got[i].u, want);
			ck_assert_msg(same(*form->types, got[i].u, want) ||
					      is_near(form, got[i].u, want),
				      "%s of 0x%llx 0x%llx 0x%llx: 0x%llx, not 0x%llx",
				      form->text, (unsigned long long)x[3 * i].u,
				      (unsigned long long)x[3 * i + 1].u,
				      (unsigned long long)x[3 * i + 2].u,
				      (unsigned long long)got[i].u,
				      (unsigned long long)want);
		}
	}
	ptx_world_free(world);
	if (differ) {
		printf("# %s: %d of %d differ\n", form->text, differ,
		       ROUNDS / 2 * (19 + 32));
		fflush(stdout);
	}
}
END_TEST

static Suite *forms_suite(void)
{
	Suite *s = suite_create("ptx forms");
	TCase *c = tcase_create("arithmetic");

	tcase_add_loop_test(c, is_as_in_c, 0, FORMS);
	suite_add_tcase(s, c);
	return s;
}

int main(void)
{
	Suite *(*const make[])(void) = { forms_suite };

	hardware = ptx_world_hardware();
	if (hardware.capability < 80) {
		printf("1..0 # SKIP no GPU of capability 8.0 here\n");
		return 0;
	}
	return unit_run(make, 1);
}
