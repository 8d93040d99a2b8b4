/* tests/unit/ptx_llvm.c - kernels in LLVM's IR, made PTX by its back end for NVIDIA's GPUs,
 * against the same in C
 */
#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <math.h>
#include <stdio.h>

#include "ptx_world.h"
#include "unit.h"

enum { THREADS = 96, BLOCKS = 3, N = THREADS * BLOCKS };

/* What kernels are made for, without and with optimisation. */
static const struct target {
	const char *cpu, *features;
	LLVMCodeGenOptLevel level;
} targets[] = {
	{ "sm_75", "+ptx63", LLVMCodeGenLevelDefault },
	{ "sm_80", "+ptx70", LLVMCodeGenLevelNone },
	{ "sm_90", "+ptx78", LLVMCodeGenLevelDefault },
};
enum { TARGETS = sizeof targets / sizeof *targets };

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

static LLVMTargetMachineRef machine_of(const struct target *t)
{
	LLVMTargetRef target;
	char *error;

	LLVMInitializeNVPTXTargetInfo();
	LLVMInitializeNVPTXTarget();
	LLVMInitializeNVPTXTargetMC();
	LLVMInitializeNVPTXAsmPrinter();
	ck_assert(!LLVMGetTargetFromTriple("nvptx64-nvidia-cuda", &target, &error));
	return LLVMCreateTargetMachine(target, "nvptx64-nvidia-cuda", t->cpu, t->features,
				       t->level, LLVMRelocDefault, LLVMCodeModelDefault);
}

static void load(const char *text, const struct target *t)
{
	LLVMContextRef context = LLVMContextCreate();
	LLVMMemoryBufferRef source =
		LLVMCreateMemoryBufferWithMemoryRange(text, strlen(text), "kernel", 1), ptx;
	LLVMTargetMachineRef machine = machine_of(t);
	LLVMModuleRef module;
	char *error = NULL;

	ck_assert_msg(!LLVMParseIRInContext(context, source, &module, &error), "%s", error);
	ck_assert_msg(!LLVMTargetMachineEmitToMemoryBuffer(machine, module, LLVMAssemblyFile,
							   &error, &ptx),
		      "%s", error);
	ptx_world_load(world, LLVMGetBufferStart(ptx));
	LLVMDisposeMemoryBuffer(ptx);
	LLVMDisposeTargetMachine(machine);
	LLVMDisposeModule(module);
	LLVMContextDispose(context);
}

/* %i: the thread, %t: of the block, %at and %from: where it writes and reads. */
#define HEAD                                                                                \
	"target triple = \"nvptx64-nvidia-cuda\"\n"                                         \
	"declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"                                    \
	"declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()\n"                                   \
	"declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"
#define KERNEL(body)                                                                        \
	"define void @k(ptr addrspace(1) %out, ptr addrspace(1) %in) {\n"        \
	"%t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"                                  \
	"%n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()\n"                                 \
	"%b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"                                \
	"%bn = mul i32 %b, %n\n%i = add i32 %bn, %t\n"                                      \
	"%at = getelementptr i64, ptr addrspace(1) %out, i32 %i\n"                          \
	"%from = getelementptr i64, ptr addrspace(1) %in, i32 %i\n"                         \
	"%v = load i64, ptr addrspace(1) %from\n" body "ret void\n}\n"
/* "!nvvm.annotations" makes a kernel of it for every LLVM */
#define TAIL "!nvvm.annotations = !{!0}\n!0 = !{ptr @k, !\"kernel\", i32 1}\n"

static void run(const char *text, int which)
{
	load(text, &targets[which]);
	ptx_world_run(world, "k", BLOCKS, THREADS, (uint64_t[]){ out, in }, 2);
}

START_TEST(blocks_and_warps_reduce)
{
	run(HEAD "declare void @llvm.nvvm.barrier0()\n"
		 "declare i32 @llvm.nvvm.barrier0.popc(i32)\n"
		 "declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32)\n"
		 "declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)\n"
		 "@part = internal addrspace(3) global [96 x i64] undef, align 8\n" KERNEL(
			 "%p = getelementptr [96 x i64], ptr addrspace(3) @part, i32 0, i32 %t\n"
			 "store i64 %v, ptr addrspace(3) %p\n"
			 "call void @llvm.nvvm.barrier0()\n"
			 "%m = sub i32 95, %t\n"
			 "%q = getelementptr [96 x i64], ptr addrspace(3) @part, i32 0, i32 %m\n"
			 "%w = load i64, ptr addrspace(3) %q\n"
			 "%v32 = trunc i64 %v to i32\n"
			 "%odd = and i32 %v32, 1\n%is = icmp ne i32 %odd, 0\n"
			 "%c = call i32 @llvm.nvvm.barrier0.popc(i32 %odd)\n"
			 "%s = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %v32, i32 4, i32 31)\n"
			 "%b1 = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %is)\n"
			 "%x = xor i32 %s, %b1\n%y = add i32 %x, %c\n%y64 = zext i32 %y to i64\n"
			 "%z = add i64 %w, %y64\n"
			 "store i64 %z, ptr addrspace(1) %at\n") TAIL,
	    _i);
	for (int i = 0; i < N; i++) {
		int block = i / THREADS * THREADS, warp = i / 32 * 32;
		uint32_t odd = 0, votes = 0, down;

		for (int k = 0; k < THREADS; k++)
			odd += from[block + k] & 1;
		for (int k = 0; k < 32; k++)
			votes |= (uint32_t)(from[warp + k] & 1) << k;
		down = (uint32_t)from[i % 32 + 4 < 32 ? i + 4 : i];
		ck_assert_int_eq(to[i], from[block + THREADS - 1 - i % THREADS] +
						(int64_t)(uint32_t)((down ^ votes) + odd));
	}
}
END_TEST

START_TEST(whole_numbers)
{
	run(HEAD
	    "declare i64 @llvm.bitreverse.i64(i64)\ndeclare i64 @llvm.bswap.i64(i64)\n"
	    "declare i64 @llvm.fshl.i64(i64, i64, i64)\ndeclare i64 @llvm.ctlz.i64(i64, i1)\n"
	    "declare i64 @llvm.ctpop.i64(i64)\ndeclare i64 @llvm.smax.i64(i64, i64)\n"
	    "declare i32 @llvm.sadd.sat.i32(i32, i32)\n" KERNEL(
		    "%a = mul i64 %v, -7046029254386353131\n"
		    "%wide = sext i64 %a to i128\n%vw = sext i64 %v to i128\n"
		    "%sum = add i128 %wide, 1208925819614629174706175\n"
		    "%square = mul i128 %sum, %wide\n%less = sub i128 %square, %vw\n"
		    "%up = lshr i128 %less, 64\n%high = trunc i128 %up to i64\n"
		    "%low = trunc i128 %less to i64\n"
		    "%r0 = call i64 @llvm.bitreverse.i64(i64 %high)\n"
		    "%r1 = call i64 @llvm.bswap.i64(i64 %low)\n"
		    "%r2 = call i64 @llvm.fshl.i64(i64 %r0, i64 %r1, i64 %v)\n"
		    "%r3 = call i64 @llvm.ctlz.i64(i64 %v, i1 0)\n"
		    "%r4 = call i64 @llvm.ctpop.i64(i64 %a)\n"
		    "%r5 = sdiv i64 %r2, 1000003\n%r6 = srem i64 %r2, 1009\n"
		    "%d = or i64 %v, 1\n%r7 = udiv i64 %r2, %d\n"
		    "%r8 = call i64 @llvm.smax.i64(i64 %r5, i64 %r6)\n"
		    "%t32 = trunc i64 %r2 to i32\n"
		    "%r9 = call i32 @llvm.sadd.sat.i32(i32 %t32, i32 2000000000)\n"
		    "%r10 = sext i32 %r9 to i64\n"
		    "%s0 = add i64 %r3, %r4\n%s1 = xor i64 %s0, %r7\n%s2 = add i64 %s1, %r8\n"
		    "%s3 = xor i64 %s2, %r10\nstore i64 %s3, ptr addrspace(1) %at\n") TAIL,
	    _i);
	for (int i = 0; i < N; i++) {
		uint64_t v = (uint64_t)from[i], a = v * (uint64_t)-7046029254386353131;
		__int128 add = ((__int128)1 << 80) - 1;
		unsigned __int128 less = (unsigned __int128)((__int128)(int64_t)a + add) *
						 (unsigned __int128)(__int128)(int64_t)a -
					 v;
		uint64_t r0 = 0, r1 = __builtin_bswap64((uint64_t)less), r2;
		int64_t r9;

		for (int k = 0; k < 64; k++)
			r0 |= (uint64_t)(less >> 64 >> k & 1) << (63 - k);
		r2 = v % 64 ? r0 << v % 64 | r1 >> (64 - v % 64) : r0;
		r9 = (int64_t)(int32_t)r2 + 2000000000;
		r9 = r9 > INT32_MAX ? INT32_MAX : r9;
		{
			int64_t q = (int64_t)r2 / 1000003, r = (int64_t)r2 % 1009;
			uint64_t s = (uint64_t)((v ? __builtin_clzll(v) : 64) +
						__builtin_popcountll(a));

			s = (s ^ r2 / (v | 1)) + (uint64_t)(q > r ? q : r);
			ck_assert_int_eq(to[i], (int64_t)(s ^ (uint64_t)r9));
		}
	}
}
END_TEST

START_TEST(reals)
{
	run(HEAD "declare double @llvm.fma.f64(double, double, double)\n"
		 "declare double @llvm.sqrt.f64(double)\ndeclare double @llvm.floor.f64(double)\n"
		 "declare double @llvm.round.f64(double)\n"
		 "declare double @llvm.copysign.f64(double, double)\n"
		 "declare double @llvm.minnum.f64(double, double)\n"
		 "declare i64 @llvm.fptosi.sat.i64.f64(double)\n" KERNEL(
			 "%x = sitofp i64 %v to double\n%y = fdiv double %x, 7.0\n"
			 "%z = call double @llvm.fma.f64(double %x, double %y, double 0.1)\n"
			 "%s = call double @llvm.sqrt.f64(double %z)\n"
			 "%f = call double @llvm.floor.f64(double %y)\n"
			 "%r = call double @llvm.round.f64(double %z)\n"
			 "%d = fsub double %f, %s\n"
			 "%c = call double @llvm.copysign.f64(double %r, double %d)\n"
			 "%m = call double @llvm.minnum.f64(double %c, double %y)\n"
			 "%n32 = fptrunc double %m to float\n%q = fmul float %n32, 0x3FB99999A0000000\n"
			 "%w = fpext float %q to double\n%o = fadd double %w, %s\n"
			 "%big = fmul double %o, 1.0e16\n"
			 "%k = call i64 @llvm.fptosi.sat.i64.f64(double %big)\n"
			 "%u = uitofp i64 %k to double\n"
			 "%is = fcmp ult double %o, 20.0\n"
			 "%e = select i1 %is, double %u, double %o\n"
			 "store double %e, ptr addrspace(1) %at\n") TAIL,
	    _i);
	for (int i = 0; i < N; i++) {
		double x = (double)from[i], y = x / 7, z = fma(x, y, 0.1), s = sqrt(z);
		double c = copysign(round(z), floor(y) - s), m = fmin(c, y);
		float q = (float)m * 0.1f;
		double o = (double)q + s;
		union ptx_word w;
		double scaled = o * 1e16;
		int64_t k = scaled >= 0x1p63   ? INT64_MAX
			    : scaled < -0x1p63 ? INT64_MIN
					       : (int64_t)scaled;

		w.d = !(o >= 20) ? (double)(uint64_t)k : o;
		ck_assert_int_eq(to[i], (int64_t)w.u);
	}
}
END_TEST

START_TEST(functions_memory_atomics)
{
	run(HEAD
	    "@all = internal addrspace(1) global i64 0\n"
	    "@here = internal addrspace(3) global i64 undef\n"
	    "@table = internal addrspace(4) constant [4 x i64] [i64 5, i64 7, i64 9, i64 11]\n"
	    "declare void @llvm.nvvm.barrier0()\n"
	    "define i64 @pick(i64 %x, ptr %p) noinline {\n"
	    "%c = icmp slt i64 %x, 500\nbr i1 %c, label %low, label %high\n"
	    "low: %a = add i64 %x, 3\nret i64 %a\n"
	    "high: %k = and i64 %x, 7\n%q = getelementptr i64, ptr %p, i64 %k\n"
	    "%l = load i64, ptr %q\nret i64 %l\n}\n" KERNEL(
		    "%own = alloca [8 x i64]\n%first = icmp eq i32 %t, 0\n"
		    "br i1 %first, label %zero, label %go\n"
		    "zero: store i64 0, ptr addrspace(3) @here\nbr label %go\n"
		    "go: call void @llvm.nvvm.barrier0()\nbr label %loop\n"
		    "loop: %j = phi i64 [0, %go], [%j1, %loop]\n"
		    "%e = getelementptr [8 x i64], ptr %own, i64 0, i64 %j\n"
		    "%jv = mul i64 %j, %v\nstore i64 %jv, ptr %e\n%j1 = add i64 %j, 1\n"
		    "%done = icmp eq i64 %j1, 8\nbr i1 %done, label %end, label %loop\n"
		    "end: %x = call i64 @pick(i64 %v, ptr %own)\n"
		    "%k4 = and i64 %v, 3\n"
		    "%te = getelementptr [4 x i64], ptr addrspace(4) @table, i64 0, i64 %k4\n"
		    "%tv = load i64, ptr addrspace(4) %te\n"
		    "%o1 = atomicrmw add ptr addrspace(3) @here, i64 %tv monotonic\n"
		    "%o2 = atomicrmw max ptr addrspace(1) @all, i64 %x monotonic\n"
		    "call void @llvm.nvvm.barrier0()\n"
		    "%sum = load i64, ptr addrspace(3) @here\n"
		    "%r = add i64 %sum, %x\n"
		    "store i64 %r, ptr addrspace(1) %at\n") TAIL,
	    _i);
	for (int i = 0; i < N; i++) {
		int block = i / THREADS * THREADS;
		int64_t sum = 0, v = from[i];

		for (int k = 0; k < THREADS; k++)
			sum += 5 + 2 * (from[block + k] & 3);
		ck_assert_int_eq(to[i], sum + (v < 500 ? v + 3 : (v & 7) * v));
	}
}
END_TEST

static Suite *llvm_suite(void)
{
	Suite *s = suite_create("ptx llvm");
	TCase *c = tcase_create("kernels");

	tcase_add_checked_fixture(c, set_up, tear_down);
	tcase_add_loop_test(c, blocks_and_warps_reduce, 0, TARGETS);
	tcase_add_loop_test(c, whole_numbers, 0, TARGETS);
	tcase_add_loop_test(c, reals, 0, TARGETS);
	tcase_add_loop_test(c, functions_memory_atomics, 0, TARGETS);
	suite_add_tcase(s, c);
	return s;
}

UNIT_MAIN(llvm_suite)
