/* tests/unit/ptx_check.c - kernels that are checked as they run: races between threads,
 * reads of what was never written, constants that are not; and kernels without a fault
 */
#include <stdio.h>

#include "device/cuda/driver.h"
#include "ptx_world.h"
#include "unit.h"

static struct ptx_world *world;
static uint64_t out, in;

static void set_up(void)
{
	uint64_t *from;

	world = ptx_world_new();
	ptx_world_check(world);
	out = ptx_world_array(world, "out", 1024 * 8);
	in = ptx_world_array(world, "in", 1024 * 8);
	from = ptx_world_host(world, in);
	for (int i = 0; i < 1024; i++)
		from[i] = (uint64_t)i * 7919 % 1013;
	ptx_world_written(world, in, 1024 * 8);
}

static void tear_down(void)
{
	ptx_world_free(world);
}

/* %i: the thread, %t: of the block; %at: of out[i], %from: of in[i], %s: of a word of
 * shared memory of its own */
#define KERNEL(body)                                                                       \
	PTX_HEAD ".file 1 \"/heat.mpa\"\n"                                                 \
		 ".visible .entry k(.param .u64 out, .param .u64 in)\n{\n"                 \
		 ".reg .b64 %o, %at, %from, %v, %s, %w<8>;\n.reg .b32 %i, %t, %r<8>;\n"    \
		 ".reg .pred %p<8>;\n.shared .align 8 .b8 part[1024];\n"                   \
		 "ld.param.u64 %o, [out];\nld.param.u64 %from, [in];\n"                    \
		 "mov.u32 %r0, %ctaid.x;\nmov.u32 %r1, %ntid.x;\nmov.u32 %t, %tid.x;\n"    \
		 "mad.lo.s32 %i, %r0, %r1, %t;\nmul.wide.u32 %w0, %i, 8;\n"                \
		 "add.s64 %at, %o, %w0;\nadd.s64 %from, %from, %w0;\n"                     \
		 "mov.u64 %s, part;\nmad.wide.u32 %s, %t, 8, %s;\n"                        \
		 "setp.eq.u32 %p0, %t, 0;\nsetp.eq.u32 %p1, %r0, 0;\n.loc 1 11 1\n" body   \
		 "ret;\n}\n"

static struct ptx_fault run(const char *text, int blocks, int threads)
{
	ptx_world_load(world, text);
	return ptx_world_try(world, "k", blocks, threads, (uint64_t[]){ out, in }, 2);
}

static void clean(const char *text, int blocks, int threads)
{
	struct ptx_fault fault = run(text, blocks, threads);

	ck_assert_msg(fault.code == PTX_FINE, "%s", fault.text);
}

static void found(const char *text, int blocks, int threads, const char *wanted)
{
	struct ptx_fault fault = run(text, blocks, threads);

	ck_assert_msg(fault.code == PTX_ILLEGAL && strstr(fault.text, wanted),
		      "%d: %s, not %s", fault.code, fault.text, wanted);
}

START_TEST(what_is_unwritten_is_found)
{
	found(KERNEL("ld.global.u64 %v, [%from];\n.loc 1 12 1\nld.global.u64 %v, [%at];\n"), 1,
	      8,
	      "/heat.mpa:12: k, thread (0,0,0) of block (0,0,0): `ld.global.u64` reads element "
	      "0 (byte 0) of out, which nothing has written");
	found(KERNEL("@%p0 st.shared.u64 [%s], %s;\nbar.sync 0;\nld.shared.u64 %v, [%s];\n"), 1,
	      8, "thread (1,0,0) of block (0,0,0): `ld.shared.u64` reads byte 8 of shared");
	/* half of it */
	found(KERNEL("st.global.u32 [%at+4], %t;\nld.global.u64 %v, [%at];\n"), 1, 1,
	      "reads element 0 (byte 0) of out");
	found(KERNEL("atom.global.add.u64 %v, [%at], 1;\n"), 1, 1, "of out, which nothing");
}
END_TEST

START_TEST(what_is_written_stays_so)
{
	clean(KERNEL("st.global.u64 [%at], %w0;\nld.global.u64 %v, [%at];\n"), 3, 40);
	clean(KERNEL("ld.global.u64 %v, [%at];\n"), 3, 40);
	ptx_world_load(world, PTX_HEAD ".global .u64 table[2];\n"
				       ".visible .entry k(.param .u64 out, .param .u64 in)\n{\n"
				       ".reg .b64 %v;\nld.global.u64 %v, [table+8];\nret;\n}\n");
	ptx_world_run(world, "k", 1, 1, (uint64_t[]){ out, in }, 2);
	/* shared memory is another one in each block */
	found(KERNEL("@%p1 st.shared.u64 [%s], %w0;\nld.shared.u64 %v, [%s];\n"), 2, 1,
	      "block (1,0,0): `ld.shared.u64` reads byte 0 of shared");
}
END_TEST

START_TEST(races_of_blocks_are_found)
{
	found(KERNEL("st.global.u64 [%o+16], %w0;\n"), 2, 1,
	      "/heat.mpa:11: k, thread (0,0,0) of block (1,0,0): a race: `st.global.u64` writes "
	      "element 2 (byte 16) of out, which is written by thread (0,0,0) of block (0,0,0) "
	      "by `st.global.u64` at /heat.mpa:11");
	found(KERNEL("st.global.u64 [%o+16], 5;\n"), 2, 1, "; the value is the same");
	found(KERNEL("st.global.u64 [%at], %w0;\n.loc 1 13 1\n"
		     "@!%p1 ld.global.u64 %v, [%at+-8];\n"),
	      2, 1,
	      "/heat.mpa:13: k, thread (0,0,0) of block (1,0,0): a race: `ld.global.u64` reads "
	      "element 0 (byte 0) of out, which is written by thread (0,0,0) of block (0,0,0) by "
	      "`st.global.u64` at /heat.mpa:11");
	/* whoever of several has read before */
	found(KERNEL("ld.global.u64 %v, [%from];\nsub.s64 %w1, %from, %w0;\n"
		     "ld.global.u64 %v, [%w1];\nsetp.eq.u32 %p2, %i, 9;\nbar.sync 0;\n"
		     "@%p2 st.global.u64 [%w1], %v;\n"),
	      2, 5, "element 0 (byte 0) of in, which is read by thread (");
	/* the launch before is over */
	clean(KERNEL("@%p1 st.global.u64 [%o+512], %w0;\n"), 2, 1);
	clean(KERNEL("@!%p1 st.global.u64 [%o+512], %w0;\n"), 2, 1);
}
END_TEST

START_TEST(races_of_threads_are_found)
{
	/* the neighbour's, of another warp, of the own one */
	found(KERNEL("st.shared.u64 [%s], %w0;\n.loc 1 12 1\nsetp.gt.u32 %p2, %t, 31;\n"
		     "@%p2 ld.shared.u64 %v, [%s+-8];\n"),
	      1, 64,
	      "/heat.mpa:12: k, thread (32,0,0) of block (0,0,0): a race: `ld.shared.u64` reads "
	      "byte 248 of shared memory, which is written by thread (31,0,0) of block (0,0,0)");
	found(KERNEL("st.shared.u64 [%s], %w0;\n@!%p0 ld.shared.u64 %v, [%s+-8];\n"), 1, 32,
	      "thread (1,0,0) of block (0,0,0): a race");
	clean(KERNEL("st.shared.u64 [%s], %w0;\nbar.warp.sync -1;\n"
		     "@!%p0 ld.shared.u64 %v, [%s+-8];\n"),
	      1, 32);
	found(KERNEL("st.shared.u64 [%s], %w0;\nbar.warp.sync -1;\n"
		     "@!%p0 ld.shared.u64 %v, [%s+-8];\n"),
	      1, 64, "thread (32,0,0) of block (0,0,0): a race");
	clean(KERNEL("st.shared.u64 [%s], %w0;\nbar.sync 0;\n"
		     "@!%p0 ld.shared.u64 %v, [%s+-8];\n"),
	      2, 64);
	/* the next turn writes what others still read */
	found(KERNEL("st.shared.u64 [%s], %w0;\nbar.sync 0;\n"
		     "@!%p0 ld.shared.u64 %v, [%s+-8];\nst.shared.u64 [%s], %v;\n"),
	      1, 64, "which is read by thread (1,0,0)");
	/* one instruction of a warp, one place */
	found(KERNEL("st.shared.u32 [part], %t;\n"), 1, 2, "a race: `st.shared.u32` writes");
}
END_TEST

START_TEST(bytes_are_told_apart)
{
	clean(KERNEL("cvt.u64.u32 %w1, %i;\nadd.s64 %w1, %w1, %o;\nst.global.u8 [%w1], %t;\n"),
	      4, 64);
	clean(KERNEL("mad.wide.u32 %w1, %i, 4, %o;\nst.global.u32 [%w1], %t;\n"
		     "ld.global.u32 %r2, [%w1];\n"),
	      4, 64);
	found(KERNEL("st.global.u64 [%at], %w0;\nadd.s64 %w1, %o, 8;\n"
		     "@%p0 st.global.u8 [%w1+3], %t;\n"),
	      1, 2, "`st.global.u8` writes element 11 (byte 11) of out");
	found(KERNEL("@%p0 st.global.u8 [%o+11], %t;\nbar.warp.sync 3;\n@%p0 bra L;\n"
		     "st.global.u64 [%at], %w0;\nL:\n@%p0 st.global.v2.u64 [%o], {%v, %v};\n"),
	      1, 2, "element 0 (byte 0) of out, which is written by thread (1,0,0)");
}
END_TEST

START_TEST(atomics_are_no_race)
{
	clean(KERNEL("red.global.add.u64 [%from], 1;\nsub.s64 %w1, %from, %w0;\n"
		     "atom.global.max.u64 %v, [%w1+8], %w0;\n"),
	      4, 64);
	found(KERNEL("sub.s64 %w1, %from, %w0;\n@%p1 atom.global.max.u64 %v, [%w1], %w0;\n"
		     "@!%p1 ld.global.u64 %v, [%w1];\n"),
	      2, 1, "reads element 0 (byte 0) of in, which is changed by thread (0,0,0)");
	found(KERNEL("sub.s64 %w1, %from, %w0;\n@%p1 ld.global.u64 %v, [%w1];\n"
		     "@!%p1 red.global.max.u64 [%w1], %w0;\n"),
	      2, 1, "writes element 0 (byte 0) of in, which is read by thread (0,0,0)");
	clean(KERNEL("sub.s64 %w1, %from, %w0;\n@%p1 atom.global.max.u64 %v, [%w1], %w0;\n"
		     "@!%p1 ld.relaxed.gpu.global.u64 %v, [%w1];\n"),
	      2, 1);
	clean(KERNEL("@%p0 st.shared.u64 [part], 0;\nbar.sync 0;\n"
		     "atom.shared.add.u64 %v, [part], %w0;\nbar.sync 0;\n"
		     "ld.shared.u64 %v, [part];\nst.global.u64 [%at], %v;\n"),
	      4, 96);
}
END_TEST

START_TEST(constants_are_not_written)
{
	clean(KERNEL("ld.global.nc.u64 %v, [%from];\nst.global.u64 [%at], %v;\n"), 4, 64);
	found(KERNEL("ld.global.nc.u64 %v, [%from];\n.loc 1 12 1\nst.global.u64 [%from], %v;\n"),
	      1, 1,
	      "writes element 0 (byte 0) of in, which is taken for constant in this launch by "
	      "thread (0,0,0) of block (0,0,0) by `ld.global.nc.u64` at /heat.mpa:11");
	found(KERNEL("st.global.u64 [%from], %v;\nld.global.nc.u64 %v, [%from];\n"), 1, 1,
	      "reads element 0 (byte 0) of in, which is not constant in this launch: written");
}
END_TEST

/* By the driver's functions, which say what the host has written. */
START_TEST(the_driver_checks)
{
	static const char *const text =
		KERNEL("ld.global.u64 %v, [%from];\n@%p1 st.global.u64 [%from+8], %v;\n");
	struct cuda_driver cuda;
	struct fault fault = { .status = MPA_OK };
	void *context, *module, *kernel;
	uint64_t at, words[4] = { 1, 2, 3, 4 };
	void *params[] = { &at, &at };

	setenv("MPA_FAKE_CUDA", "check", 1);
	ck_assert_int_eq(cuda_driver_open(&cuda, &fault), MPA_OK);
	ck_assert_int_eq(cuda.init(0), CUDA_FINE);
	ck_assert_int_eq(cuda.context_retain(&context, 0), CUDA_FINE);
	ck_assert_int_eq(cuda.context_set(context), CUDA_FINE);
	ck_assert_int_eq(cuda.module_load(&module, text), CUDA_FINE);
	ck_assert_int_eq(cuda.function_get(&kernel, module, "k"), CUDA_FINE);
	ck_assert_int_eq(cuda.mem_alloc(&at, sizeof words), CUDA_FINE);
	cuda.name_memory(at, "u");
	ck_assert_int_eq(cuda.to_device(at, words, 16), CUDA_FINE);
	ck_assert_int_eq(cuda.launch(kernel, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL),
			 CUDA_FINE);
	ck_assert_int_eq(cuda.launch(kernel, 2, 1, 1, 1, 1, 1, 0, NULL, params, NULL),
			 CUDA_FINE);
	ck_assert_int_eq(cuda.synchronize(), PTX_ILLEGAL);
	ck_assert_msg(strstr(cuda.explain(), "`ld.global.u64` reads element 1 (byte 8) of u, "
					     "which is written by thread (0,0,0)"),
		      "%s", cuda.explain());
}
END_TEST

START_TEST(the_driver_knows_what_is_written)
{
	static const char *const text = KERNEL("ld.global.u64 %v, [%from];\n");
	struct cuda_driver cuda;
	struct fault fault = { .status = MPA_OK };
	void *context, *module, *kernel, *stream;
	uint64_t at, words[4] = { 1, 2, 3, 4 };
	void *params[] = { &at, &at };

	setenv("MPA_FAKE_CUDA", "check", 1);
	ck_assert_int_eq(cuda_driver_open(&cuda, &fault), MPA_OK);
	cuda.init(0);
	cuda.context_retain(&context, 0);
	cuda.context_set(context);
	ck_assert_int_eq(cuda.module_load(&module, text), CUDA_FINE);
	ck_assert_int_eq(cuda.function_get(&kernel, module, "k"), CUDA_FINE);
	ck_assert_int_eq(cuda.stream_create(&stream, 0, 0), CUDA_FINE);
	ck_assert_int_eq(cuda.mem_alloc(&at, sizeof words), CUDA_FINE);
	ck_assert_int_eq(cuda.to_device_async(at, words, 16, stream), CUDA_FINE);
	ck_assert_int_eq(cuda.set_bytes_async(at + 16, 0, 8, stream), CUDA_FINE);
	ck_assert_int_eq(cuda.launch(kernel, 3, 1, 1, 1, 1, 1, 0, stream, params, NULL),
			 CUDA_FINE);
	ck_assert_int_eq(cuda.synchronize(), CUDA_FINE);
	ck_assert_int_eq(cuda.launch(kernel, 4, 1, 1, 1, 1, 1, 0, stream, params, NULL),
			 CUDA_FINE);
	ck_assert_int_eq(cuda.synchronize(), PTX_ILLEGAL);
	ck_assert_msg(strstr(cuda.explain(), "block (3,0,0): `ld.global.u64` reads element 3 "
					     "(byte 24) of an allocation, which nothing has"),
		      "%s", cuda.explain());
}
END_TEST

static Suite *check_suite(void)
{
	Suite *s = suite_create("ptx check");
	TCase *c = tcase_create("kernels");

	tcase_add_checked_fixture(c, set_up, tear_down);
	tcase_add_test(c, what_is_unwritten_is_found);
	tcase_add_test(c, what_is_written_stays_so);
	tcase_add_test(c, races_of_blocks_are_found);
	tcase_add_test(c, races_of_threads_are_found);
	tcase_add_test(c, bytes_are_told_apart);
	tcase_add_test(c, atomics_are_no_race);
	tcase_add_test(c, constants_are_not_written);
	suite_add_tcase(s, c);
	c = tcase_create("driver");
	tcase_add_test(c, the_driver_checks);
	tcase_add_test(c, the_driver_knows_what_is_written);
	suite_add_tcase(s, c);
	return s;
}

UNIT_MAIN(check_suite)
