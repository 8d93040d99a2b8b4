/* tests/unit/ptx_cuda.c - CUDA C, made PTX by NVRTC's two compilers, against the same in C:
 * shared memory, atomics, what the lanes of a warp do together
 */
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "device/cuda/nvrtc.h"
#include "ptx_world.h"
#include "unit.h"

enum { THREADS = 192, BLOCKS = 3, N = THREADS * BLOCKS };

/* One for each compiler; opened once, read by all tests. */
static struct nvrtc nvrtc[2];
static struct ptx_hardware hardware;
static int compilers; /* those of which the GPU takes the PTX */

static struct ptx_world *world;
static uint64_t out, in;
static int64_t *to, *from;

static void set_up(void)
{
	world = ptx_world_new();
	out = ptx_world_array(world, "out", N * 8);
	in = ptx_world_array(world, "in", N * 8);
	to = ptx_world_host(world, out);
	from = ptx_world_host(world, in);
	for (int i = 0; i < N; i++)
		from[i] = (int64_t)i * 7919 % 1013;
}

static void tear_down(void)
{
	ptx_world_free(world);
}

/* Kernel k(long long *out, const long long *in); i: the thread, t: of the block. */
#define KERNEL(body)                                                          \
	"typedef long long s64;\ntypedef unsigned long long u64;\n"           \
	"extern \"C\" __global__ void k(s64 *out, const s64 *in)\n{\n"        \
	"const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;\n" body "}\n"

static void load(const char *text, int which)
{
	struct nvrtc_code code = { 0 };
	struct fault fault = { 0 };
	enum mpa_status s = nvrtc_compile(&nvrtc[which], text, &code, &fault);

	ck_assert_msg(s == MPA_OK, "%s", fault.text);
	ptx_world_load(world, code.ptx);
	nvrtc_free(&code);
}

static void run(const char *text, int which)
{
	load(text, which);
	ptx_world_run(world, "k", BLOCKS, THREADS, (uint64_t[]){ out, in }, 2);
}

START_TEST(a_block_sums_in_shared_memory)
{
	run(KERNEL("__shared__ double part[192];\n"
		   "part[t] = in[i] * 0.1;\n"
		   "__syncthreads();\n"
		   "for (int half = 96; half >= 3; half /= 2) {\n"
		   "	if (t < half) part[t] += part[t + half];\n"
		   "	__syncthreads();\n"
		   "}\n"
		   "if (t == 0) out[blockIdx.x] = "
		   "__double_as_longlong(part[0] + part[1] + part[2]);\n"),
	    _i);
	for (int b = 0; b < BLOCKS; b++) {
		union ptx_word w;
		double part[THREADS];

		for (int t = 0; t < THREADS; t++)
			part[t] = (double)from[b * THREADS + t] * 0.1;
		for (int half = 96; half >= 3; half /= 2)
			for (int t = 0; t < half; t++)
				part[t] += part[t + half];
		w.d = part[0] + part[1] + part[2];
		ck_assert_int_eq(to[b], (int64_t)w.u);
	}
}
END_TEST

START_TEST(shared_memory_of_the_launch)
{
	ptx_world_shared(world, THREADS * 8);
	run(KERNEL("__shared__ int odd[5];\n"
		   "extern __shared__ s64 part[];\n"
		   "if (t < 5) odd[t] = t;\n"
		   "part[t] = in[i];\n"
		   "__syncthreads();\n"
		   "out[i] = part[blockDim.x - 1 - t] + odd[t % 5];\n"),
	    _i);
	for (int i = 0; i < N; i++)
		ck_assert_int_eq(to[i], from[i / THREADS * THREADS + THREADS - 1 -
					     i % THREADS] +
						i % THREADS % 5);
}
END_TEST

START_TEST(a_warp_sums_by_shuffles)
{
	run(KERNEL("double v = in[i] * 0.1;\n"
		   "for (int d = 16; d; d /= 2)\n"
		   "	v += __shfl_down_sync(0xffffffff, v, d);\n"
		   "out[i] = __double_as_longlong(__shfl_sync(0xffffffff, v, 0));\n"),
	    _i);
	for (int i = 0; i < N; i += 32) {
		union ptx_word w;
		double v[64] = { 0 };

		for (int k = 0; k < 32; k++)
			v[k] = (double)from[i + k] * 0.1;
		for (int d = 16; d; d /= 2)
			for (int k = 0; k < d; k++)
				v[k] += v[k + d];
		w.d = v[0];
		for (int k = 0; k < 32; k++)
			ck_assert_int_eq(to[i + k], (int64_t)w.u);
	}
}
END_TEST

START_TEST(a_histogram)
{
	run(KERNEL("__shared__ unsigned n[16];\n"
		   "if (t < 16) n[t] = 0;\n"
		   "__syncthreads();\n"
		   "atomicAdd(&n[in[i] & 15], 1);\n"
		   "atomicAdd((u64 *)&out[16 + (in[i] & 15)], (u64)in[i]);\n"
		   "atomicAdd((double *)&out[32], 0.5);\n"
		   "__syncthreads();\n"
		   "if (t < 16) atomicAdd((unsigned *)&out[t], n[t]);\n"),
	    _i);
	for (int k = 0; k < 16; k++) {
		int64_t n = 0, sum = 0;

		for (int i = 0; i < N; i++) {
			n += (from[i] & 15) == k;
			sum += (from[i] & 15) == k ? from[i] : 0;
		}
		ck_assert_int_eq(to[k], n);
		ck_assert_int_eq(to[16 + k], sum);
	}
	ck_assert_double_eq(((double *)to)[32], N * 0.5);
}
END_TEST

/* Each value is a mantissa at a place of its own in 256 bits: 8 digits of 32 bits in 64. */
START_TEST(a_block_sums_exactly)
{
	static const char *const text = KERNEL(
		"__shared__ s64 digit[8];\n"
		"if (t < 8) digit[t] = 0;\n"
		"__syncthreads();\n"
		"s64 v = i % 3 == 0 ? -in[i] : in[i] * 1000003;\n"
		"int at = (i * 37) % 190;\n"
		"s64 low = v << (at % 32), high = at % 32 ? v >> (64 - at % 32) : v >> 63;\n"
		"atomicAdd((u64 *)&digit[at / 32], (u64)(unsigned)low);\n"
		"atomicAdd((u64 *)&digit[at / 32 + 1], (u64)low >> 32);\n"
		"atomicAdd((u64 *)&digit[at / 32 + 2], (u64)high);\n"
		"__syncthreads();\n"
		"if (t == 0) {\n"
		"	s64 carry = 0;\n"
		"	for (int k = 0; k < 8; k++) {\n"
		"		s64 sum = digit[k] + carry;\n"
		"		out[8 * blockIdx.x + k] = sum & 0xffffffffll;\n"
		"		carry = sum >> 32;\n"
		"	}\n"
		"}\n");

	run(text, _i);
	for (int b = 0; b < BLOCKS; b++) {
		int64_t digit[8] = { 0 }, carry = 0;

		for (int i = b * THREADS; i < (b + 1) * THREADS; i++) {
			int64_t v = i % 3 == 0 ? -from[i] : from[i] * 1000003;
			int at = i * 37 % 190;
			__int128 x = (__int128)v * ((__int128)1 << at % 32);

			digit[at / 32] += (uint32_t)x;
			digit[at / 32 + 1] += (uint32_t)(x >> 32);
			digit[at / 32 + 2] += (int64_t)(x >> 64);
		}
		for (int k = 0; k < 8; k++) {
			int64_t sum = digit[k] + carry;

			ck_assert_int_eq(to[8 * b + k], sum & 0xffffffff);
			carry = sum >> 32;
		}
	}
}
END_TEST

START_TEST(lanes_wait_for_lanes)
{
	/* each lane comes after as many turns as its value says */
	run(KERNEL("s64 v = in[i];\n"
		   "int n = 0;\n"
		   "for (;;) {\n"
		   "	if (n >= (int)(v % 7)) {\n"
		   "		v = __shfl_sync(0xffffffff, v, t + 1);\n"
		   "		if (__all_sync(0xffffffff, v >= 0)) break;\n"
		   "	}\n"
		   "	n++;\n"
		   "}\n"
		   "unsigned who = t & 1 ? 0xaaaaaaaau : 0x55555555u;\n"
		   "if (t & 1) v += __popc(__ballot_sync(who, v & 1));\n"
		   "else v += __shfl_xor_sync(who, v, 2);\n"
		   "if (__activemask() == 0) v = -1;\n"
		   "__syncwarp();\n"
		   "out[i] = v * 100 + n;\n"),
	    _i);
	for (int i = 0; i < N; i++) {
		int warp = i / 32 * 32;
		int64_t v[32];

		for (int k = 0; k < 32; k++)
			v[k] = from[warp + (k + 1) % 32];
		if (i & 1) {
			int64_t odd = 0;

			for (int k = 1; k < 32; k += 2)
				odd += v[k] & 1;
			v[i % 32] += odd;
		} else {
			v[i % 32] += v[i % 32 ^ 2];
		}
		ck_assert_int_eq(to[i], v[i % 32] * 100 + from[i] % 7);
	}
}
END_TEST

START_TEST(a_block_votes)
{
	run(KERNEL("s64 v = in[i];\n"
		   "int n = __syncthreads_count(v % 3 == 0);\n"
		   "int all = __syncthreads_and(v < 1012), any = __syncthreads_or(v == 7);\n"
		   "out[i] = n * 100 + all * 10 + any;\n"),
	    _i);
	for (int b = 0; b < BLOCKS; b++) {
		int64_t n = 0, all = 1, any = 0;

		for (int i = b * THREADS; i < (b + 1) * THREADS; i++) {
			n += from[i] % 3 == 0;
			all &= from[i] < 1012;
			any |= from[i] == 7;
		}
		for (int i = b * THREADS; i < (b + 1) * THREADS; i++)
			ck_assert_int_eq(to[i], n * 100 + all * 10 + any);
	}
}
END_TEST

/* One of each, on shared memory in block 0 and on global memory in the others; by one
 * thread, so that what each gives is known. */
START_TEST(atomics_of_all_kinds)
{
	run(KERNEL("__shared__ s64 here[2];\n"
		   "s64 *at = blockIdx.x ? &out[200 + blockIdx.x] : here, *o = &out[60 * blockIdx.x];\n"
		   "if (t) return;\n"
		   "#define ONE(T, start, call) *(T *)at = (T)(start); { T *p = (T *)at; "
		   "T old = call; *o++ = (s64)old; *o++ = (s64)*p; }\n"
		   "ONE(int, -5, atomicAdd(p, 3)) ONE(int, -5, atomicMin(p, 3))\n"
		   "ONE(int, -5, atomicMax(p, 3)) ONE(unsigned, 5, atomicSub(p, 3))\n"
		   "ONE(unsigned, 5, atomicMin(p, 3)) ONE(unsigned, 5, atomicMax(p, 9))\n"
		   "ONE(unsigned, 12, atomicAnd(p, 10)) ONE(unsigned, 12, atomicOr(p, 3))\n"
		   "ONE(unsigned, 12, atomicXor(p, 10)) ONE(unsigned, 4, atomicInc(p, 4))\n"
		   "ONE(unsigned, 0, atomicDec(p, 4)) ONE(unsigned, 7, atomicExch(p, 8))\n"
		   "ONE(unsigned, 7, atomicCAS(p, 7, 9)) ONE(unsigned, 7, atomicCAS(p, 8, 9))\n"
		   "ONE(s64, -5, atomicMin(p, 3)) ONE(s64, -5, atomicMax(p, 3))\n"
		   "ONE(u64, 1ull << 40, atomicAdd(p, 3)) ONE(u64, 12, atomicAnd(p, 10))\n"
		   "ONE(u64, 12, atomicOr(p, 3)) ONE(u64, 12, atomicXor(p, 10))\n"
		   "ONE(u64, 7, atomicExch(p, 1ull << 50)) ONE(u64, 7, atomicCAS(p, 7, 9))\n"
		   "ONE(double, 8, atomicAdd(p, 3)) ONE(float, 8, atomicAdd(p, 3))\n"
		   "ONE(u64, 5, atomicMax_block(p, 9)) ONE(int, 5, atomicAdd_system(p, 9))\n"),
	    _i);
	{
		static const int64_t wanted[] = {
			-5, -2, -5, -5, -5, 3, 5, 2, 5, 3, 5, 9, 12, 8, 12, 15, 12, 6,
			4, 0, 0, 4, 7, 8, 7, 9, 7, 7, -5, -5, -5, 3,
			(int64_t)1 << 40, ((int64_t)1 << 40) + 3, 12, 8, 12, 15, 12, 6,
			7, (int64_t)1 << 50, 7, 9, 8, 11, 8, 11, 5, 9, 5, 14
		};

		for (int b = 0; b < 2; b++)
			for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
				ck_assert_int_eq(to[60 * b + (int)i], wanted[i]);
	}
}
END_TEST

/* Functions that are not inlined, with memory of their own; and of CUDA's library those
 * that it calls itself. */
START_TEST(functions_are_called)
{
	run("struct pair { double x[3]; long long n; };\n"
	    "__device__ __noinline__ pair turned(pair p, int k)\n"
	    "{ pair q; for (int i = 0; i < 3; i++) q.x[i] = p.x[(i + k) % 3]; q.n = p.n + k; "
	    "return q; }\n"
	    "__device__ __noinline__ double last(const pair *p, int k)\n"
	    "{ if (k & 1) return p->x[k % 3]; pair q = turned(*p, k); return q.x[0] + q.n; }\n"
	    KERNEL("pair p = { { in[i] * 1.0, in[i] + 0.5, in[i] * 0.25 }, i };\n"
		   "double v = last(&p, (int)(in[i] % 5));\n"
		   "if (i % 7 == 0) v += floor(pow(2.0, t % 9) + 0.5);\n"
		   "out[i] = __double_as_longlong(v);\n"),
	    _i);
	for (int i = 0; i < N; i++) {
		double x[3] = { (double)from[i], (double)from[i] + 0.5,
				(double)from[i] * 0.25 };
		int k = (int)(from[i] % 5);
		union ptx_word w;

		w.d = k & 1 ? x[k % 3] : x[k % 3] + (double)(i + k);
		if (i % 7 == 0)
			w.d += 1 << i % THREADS % 9;
		ck_assert_int_eq(to[i], (int64_t)w.u);
	}
}
END_TEST

START_TEST(kernels_print)
{
	static const char wanted[] = "3% of 0x1e in x: -7  1.50 one y 12345678901\n";
	FILE *file = tmpfile();
	char text[200];
	int before = dup(STDOUT_FILENO);
	size_t n;

	fflush(stdout);
	ck_assert(dup2(fileno(file), STDOUT_FILENO) >= 0);
	run(KERNEL("if (i == 3) printf(\"%d%% of 0x%x in %c: %i %5.2f %s %c %lld\\n\", i, "
		   "30, 'x', -7, 1.5, \"one\", 'y', 12345678901ll);\n"),
	    _i);
	fflush(stdout);
	dup2(before, STDOUT_FILENO);
	rewind(file);
	n = fread(text, 1, sizeof text - 1, file);
	text[n] = '\0';
	ck_assert_str_eq(text, wanted);
}
END_TEST

START_TEST(assertions_fail)
{
	struct ptx_fault fault;

	load(KERNEL("assert(in[i] >= 0 && i != 200);\n"), _i);
	fault = ptx_world_try(world, "k", BLOCKS, THREADS, (uint64_t[]){ out, in }, 2);
	ck_assert_int_eq(fault.code, PTX_ASSERT);
	ck_assert_msg(hardware.real ||
			      (strstr(fault.text, "thread (8,0,0) of block (1,0,0)") &&
			       strstr(fault.text, "`in[i] >= 0 && i != 200` failed")),
		      "%s", fault.text);
}
END_TEST

/* CUDA's functions, by what the emulator makes of approximations, are as near to C's as
 * CUDA says of theirs, and a bit. */
static const struct function {
	const char *name;
	double (*of)(double x);
	double least, most, ulp;
} functions[] = {
	{ "sqrt", sqrt, 0, 1e6, 0 },
	{ "cbrt", cbrt, -1e6, 1e6, 3 },
	{ "exp", exp, -700, 700, 2 },
	{ "exp2", exp2, -1000, 1000, 2 },
	{ "expm1", expm1, -40, 40, 3 },
	{ "log", log, 1e-9, 1e9, 2 },
	{ "log2", log2, 1e-9, 1e9, 3 },
	{ "log10", log10, 1e-9, 1e9, 3 },
	{ "log1p", log1p, -0.9, 1e3, 3 },
	{ "sin", sin, -1e5, 1e5, 3 },
	{ "cos", cos, -1e5, 1e5, 3 },
	{ "tan", tan, -1e3, 1e3, 4 },
	{ "asin", asin, -1, 1, 4 },
	{ "acos", acos, -1, 1, 4 },
	{ "atan", atan, -1e3, 1e3, 4 },
	{ "sinh", sinh, -30, 30, 4 },
	{ "cosh", cosh, -30, 30, 4 },
	{ "tanh", tanh, -8, 8, 4 },
	{ "asinh", asinh, -1e3, 1e3, 5 },
	{ "acosh", acosh, 1, 1e3, 5 },
	{ "atanh", atanh, -0.99, 0.99, 5 },
	{ "erf", erf, -5, 5, 4 },
	{ "erfc", erfc, -3, 10, 6 },
	{ "tgamma", tgamma, 0.1, 30, 12 },
	{ "floor", floor, -1e6, 1e6, 0 },
	{ "round", round, -1e6, 1e6, 0 },
	{ "rint", rint, -1e6, 1e6, 0 },
};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

static void write_functions(char *text, size_t size)
{
	FILE *file = fmemopen(text, size, "w");

	for (int k = 0; k < FUNCTIONS; k++)
		fprintf(file,
			"extern \"C\" __global__ void %s_(double *out, const double *in)\n"
			"{ const int i = blockIdx.x * blockDim.x + threadIdx.x; "
			"out[i] = %s(in[i]); }\n",
			functions[k].name, functions[k].name);
	fclose(file);
}

static double distance(double a, double b)
{
	return fabs(a - b) / (nextafter(fabs(b), INFINITY) - fabs(b));
}

START_TEST(functions_are_near)
{
	static char text[16384];
	const double *got = (const double *)to;
	double *x = (double *)from;

	write_functions(text, sizeof text);
	load(text, _i);
	for (int k = 0; k < FUNCTIONS; k++) {
		const struct function *f = &functions[k];
		char name[32];

		for (int i = 0; i < N; i++)
			x[i] = f->least + (f->most - f->least) * i / (N - 1);
		snprintf(name, sizeof name, "%s_", f->name);
		ptx_world_run(world, name, BLOCKS, THREADS, (uint64_t[]){ out, in }, 2);
		for (int i = 0; i < N; i++)
			ck_assert_msg(distance(got[i], f->of(x[i])) <= f->ulp,
				      "%s(%.17g): %.17g, not %.17g", f->name, x[i], got[i],
				      f->of(x[i]));
	}
}
END_TEST

static Suite *cuda_suite(void)
{
	Suite *s = suite_create("ptx cuda");
	TCase *c = tcase_create("kernels");

	tcase_add_checked_fixture(c, set_up, tear_down);
	tcase_add_loop_test(c, a_block_sums_in_shared_memory, 0, compilers);
	tcase_add_loop_test(c, shared_memory_of_the_launch, 0, compilers);
	tcase_add_loop_test(c, a_warp_sums_by_shuffles, 0, compilers);
	tcase_add_loop_test(c, a_histogram, 0, compilers);
	tcase_add_loop_test(c, a_block_sums_exactly, 0, compilers);
	tcase_add_loop_test(c, lanes_wait_for_lanes, 0, compilers);
	tcase_add_loop_test(c, a_block_votes, 0, compilers);
	tcase_add_loop_test(c, atomics_of_all_kinds, 0, compilers);
	tcase_add_loop_test(c, functions_are_called, 0, compilers);
	tcase_add_loop_test(c, kernels_print, 0, compilers);
	tcase_add_loop_test(c, assertions_fail, 0, compilers);
	tcase_add_loop_test(c, functions_are_near, 0, compilers);
	suite_add_tcase(s, c);
	return s;
}

int main(void)
{
	Suite *(*const make[])(void) = { cuda_suite };
	const struct nvrtc_device device[2] = { { 13000, 80, false }, { 13000, 100, false } };
	struct fault fault = { 0 };

	hardware = ptx_world_hardware();
	for (int i = 0; i < 2; i++)
		compilers += device[i].capability <= hardware.capability;
	if (compilers == 0) {
		printf("1..0 # SKIP no GPU of capability 8.0 here\n");
		return 0;
	}
	for (int i = 0; i < compilers; i++)
		if (nvrtc_open(&nvrtc[i], &device[i], &fault) != MPA_OK) {
			printf("1..0 # SKIP no NVRTC here\n");
			return 0;
		}
	return unit_run(make, 1);
}
