/* tests/unit/ptx.c - kernels in PTX written by hand: ways that part, barriers, lanes that
 * tell each other, memory of all spaces, and what must be found wrong
 */
#include <stdio.h>

#include "ptx_world.h"
#include "unit.h"

static struct ptx_world *world;
static uint64_t out, in;
static uint64_t *to, *from;

static void set_up(void)
{
	world = ptx_world_new();
	out = ptx_world_array(world, "out", 1024 * 8);
	in = ptx_world_array(world, "in", 1024 * 8);
	to = ptx_world_host(world, out);
	from = ptx_world_host(world, in);
	for (int i = 0; i < 1024; i++)
		from[i] = (uint64_t)i * 7919 % 1013;
}

static void tear_down(void)
{
	ptx_world_free(world);
}

/* a kernel with out and in, %i the global index of the thread, %at where it writes, %v
 * what it has of `in` */
#define KERNEL(body)                                                                     \
	PTX_HEAD ".visible .entry k(.param .u64 out, .param .u64 in)\n{\n"               \
		 ".reg .b64 %at, %from, %v, %w<8>;\n.reg .b32 %i, %r<16>;\n.reg .pred "  \
		 "%p<8>;\n"                                                              \
		 "ld.param.u64 %at, [out];\nld.param.u64 %from, [in];\n"                 \
		 "mov.u32 %r0, %ctaid.x;\nmov.u32 %r1, %ntid.x;\nmov.u32 %r2, %tid.x;\n" \
		 "mad.lo.s32 %i, %r0, %r1, %r2;\nmul.wide.u32 %w0, %i, 8;\n"             \
		 "add.s64 %at, %at, %w0;\nadd.s64 %from, %from, %w0;\n"                  \
		 "ld.global.u64 %v, [%from];\n" body "ret;\n}\n"

static void run(const char *text, int blocks, int threads)
{
	ptx_world_load(world, text);
	ptx_world_run(world, "k", blocks, threads, (uint64_t[]){ out, in }, 2);
}

static struct ptx_fault wrong(const char *text, int blocks, int threads)
{
	ptx_world_load(world, text);
	return ptx_world_try(world, "k", blocks, threads, (uint64_t[]){ out, in }, 2);
}

START_TEST(ways_part_and_meet)
{
	/* Collatz: as many turns as each value needs */
	run(KERNEL("mov.u64 %w1, 0;\n"
		   "add.s64 %v, %v, 1;\n"
		   "TURN:\n"
		   "setp.le.s64 %p0, %v, 1;\n"
		   "@%p0 bra DONE;\n"
		   "and.b64 %w2, %v, 1;\n"
		   "setp.eq.s64 %p1, %w2, 0;\n"
		   "@%p1 bra EVEN;\n"
		   "mad.lo.s64 %v, %v, 3, 1;\n"
		   "bra.uni NEXT;\n"
		   "EVEN: shr.u64 %v, %v, 1;\n"
		   "NEXT: add.s64 %w1, %w1, 1;\n"
		   "bra.uni TURN;\n"
		   "DONE:\n"
		   "st.global.u64 [%at], %w1;\n"),
	    3, 100);
	for (int i = 0; i < 300; i++) {
		uint64_t v = from[i] + 1, n = 0;

		for (; v > 1; n++)
			v = v & 1 ? 3 * v + 1 : v / 2;
		ck_assert_uint_eq(to[i], n);
	}
}
END_TEST

START_TEST(some_threads_end_early)
{
	run(KERNEL("setp.gt.u32 %p0, %i, 40;\n"
		   "@%p0 exit;\n"
		   "@!%p0 st.global.u64 [%at], %v;\n"),
	    1, 64);
	for (int i = 0; i < 64; i++)
		ck_assert_uint_eq(to[i], i > 40 ? 0 : from[i]);
}
END_TEST

START_TEST(blocks_share_memory_and_wait)
{
	/* each thread stores, and loads what its mirror in the block has stored */
	run(KERNEL(".shared .align 8 .b8 part[1024];\n"
		   "mov.u64 %w1, part;\n"
		   "mad.wide.u32 %w2, %r2, 8, %w1;\n"
		   "st.shared.u64 [%w2], %v;\n"
		   "bar.sync 0;\n"
		   "sub.s32 %r3, %r1, %r2;\n"
		   "mad.wide.s32 %w2, %r3, 8, %w1;\n"
		   "ld.shared.u64 %w3, [%w2+-8];\n"
		   "st.global.u64 [%at], %w3;\n"),
	    2, 128);
	for (int i = 0; i < 256; i++)
		ck_assert_uint_eq(to[i], from[i / 128 * 128 + 127 - i % 128]);
}
END_TEST

START_TEST(barriers_have_numbers)
{
	/* the two warps of a half of the block meet alone; one half waits for what the
	 * other has only said */
	run(KERNEL(".shared .align 8 .b8 part[1024];\n"
		   "mov.u64 %w1, part;\n"
		   "mad.wide.u32 %w2, %r2, 8, %w1;\n"
		   "st.shared.u64 [%w2], %v;\n"
		   "setp.ge.u32 %p0, %r2, 64;\n"
		   "@%p0 bra HIGH;\n"
		   "barrier.sync 1, 64;\n"
		   "xor.b32 %r3, %r2, 33;\n"
		   "bar.sync 3, 128;\n"
		   "bra.uni BOTH;\n"
		   "HIGH:\n"
		   "bar.arrive 3, 128;\n"
		   "barrier.sync.aligned 2, 64;\n"
		   "xor.b32 %r3, %r2, 34;\n"
		   "BOTH:\n"
		   "mad.wide.u32 %w2, %r3, 8, %w1;\n"
		   "ld.shared.u64 %w3, [%w2];\n"
		   "st.global.u64 [%at], %w3;\n"),
	    2, 128);
	for (int i = 0; i < 256; i++)
		ck_assert_uint_eq(to[i], from[i ^ (i % 128 < 64 ? 33 : 34)]);
}
END_TEST

START_TEST(barriers_reduce)
{
	run(KERNEL("setp.gt.u64 %p0, %v, 500;\n"
		   "bar.red.popc.u32 %r3, 0, !%p0;\n"
		   "bar.red.and.pred %p1, 1, 64, %p0;\n"
		   "bar.red.or.pred %p2, 0, %p0;\n"
		   "selp.u32 %r4, 1, 0, %p1;\n"
		   "selp.u32 %r5, 2, 0, %p2;\n"
		   "add.u32 %r4, %r4, %r5;\n"
		   "mov.b64 %w1, {%r3, %r4};\n"
		   "st.global.u64 [%at], %w1;\n"),
	    1, 50);
	for (int i = 0; i < 50; i++) {
		uint32_t below = 0;

		for (int k = 0; k < 50; k++)
			below += from[k] <= 500;
		ck_assert_uint_eq((uint32_t)to[i], below);
		ck_assert_uint_eq(to[i] >> 32, 2);
	}
}
END_TEST

START_TEST(lanes_tell_each_other)
{
	/* a sum of each warp by halves, and the votes of 40 threads */
	run(KERNEL("cvt.u32.u64 %r4, %v;\n"
		   "shfl.sync.down.b32 %r5|%p0, %r4, 16, 31, -1;\nadd.s32 %r4, %r4, "
		   "%r5;\n"
		   "shfl.sync.down.b32 %r5, %r4, 8, 31, -1;\nadd.s32 %r4, %r4, %r5;\n"
		   "shfl.sync.bfly.b32 %r5, %r4, 4, 31, -1;\nadd.s32 %r4, %r4, %r5;\n"
		   "shfl.sync.bfly.b32 %r5, %r4, 2, 31, -1;\nadd.s32 %r4, %r4, %r5;\n"
		   "shfl.sync.bfly.b32 %r5, %r4, 1, 31, -1;\nadd.s32 %r4, %r4, %r5;\n"
		   "shfl.sync.idx.b32 %r4, %r4, 0, 31, -1;\n"
		   "setp.gt.u64 %p1, %v, 500;\n"
		   "vote.sync.ballot.b32 %r6, %p1, -1;\n"
		   "mov.b64 %w1, {%r4, %r6};\n"
		   "st.global.u64 [%at], %w1;\n"),
	    1, 64);
	for (int i = 0; i < 64; i++) {
		uint32_t sum = 0, votes = 0;

		for (int k = 0; k < 32; k++) {
			sum += (uint32_t)from[i / 32 * 32 + k];
			votes |= (uint32_t)(from[i / 32 * 32 + k] > 500) << k;
		}
		ck_assert_uint_eq((uint32_t)to[i], sum);
		ck_assert_uint_eq(to[i] >> 32, votes);
	}
}
END_TEST

START_TEST(lanes_match_and_reduce)
{
	run(KERNEL("and.b64 %v, %v, 3;\n"
		   "match.any.sync.b64 %r4, %v, -1;\n"
		   "setp.lt.u32 %p0, %r2, 32;\n"
		   "selp.b64 %w2, 5, %v, %p0;\n"
		   "match.all.sync.b64 %r5|%p1, %w2, -1;\n"
		   "cvt.u32.u64 %r6, %v;\n"
		   "neg.s32 %r6, %r6;\n"
		   "redux.sync.min.s32 %r7, %r6, -1;\n"
		   "redux.sync.max.u32 %r8, %r2, -1;\n"
		   "redux.sync.add.s32 %r9, %r6, -1;\n"
		   "redux.sync.xor.b32 %r10, %r2, -1;\n"
		   "add.s32 %r7, %r7, %r8;\nadd.s32 %r7, %r7, %r9;\n"
		   "add.s32 %r7, %r7, %r10;\n@%p1 add.s32 %r7, %r7, %r5;\n"
		   "mov.b64 %w1, {%r4, %r7};\n"
		   "st.global.u64 [%at], %w1;\n"),
	    1, 64);
	for (int i = 0; i < 64; i++) {
		int w = i / 32 * 32;
		uint32_t same = 0, sum = 0, min = 0;

		for (int k = 0; k < 32; k++) {
			same |= (uint32_t)((from[w + k] & 3) == (from[i] & 3)) << k;
			sum -= (uint32_t)(from[w + k] & 3);
			min = (from[w + k] & 3) > 0 - min ? 0 - (uint32_t)(from[w + k] & 3)
							  : min;
		}
		ck_assert_uint_eq((uint32_t)to[i], same);
		ck_assert_uint_eq(to[i] >> 32, min + sum + (uint32_t)w + 31 -
						       (i < 32 ? 1 : 0));
	}
}
END_TEST

START_TEST(atomics_lose_nothing)
{
	/* a histogram of the remainders by 7; and a maximum */
	run(KERNEL("rem.u64 %w1, %v, 7;\n"
		   "ld.param.u64 %w2, [out];\n"
		   "shl.b64 %w3, %w1, 3;\n"
		   "add.s64 %w2, %w2, %w3;\n"
		   "atom.global.add.u64 %w4, [%w2], 1;\n"
		   "ld.param.u64 %w2, [out];\n"
		   "red.global.max.u64 [%w2+64], %v;\n"),
	    8, 96);
	for (uint64_t k = 0; k < 7; k++) {
		uint64_t n = 0;

		for (int i = 0; i < 768; i++)
			n += from[i] % 7 == k;
		ck_assert_uint_eq(to[k], n);
	}
	ck_assert_uint_eq(to[8], 1012);
}
END_TEST

START_TEST(threads_have_memory_of_their_own)
{
	run(KERNEL(".local .align 8 .b8 depot[64];\n"
		   "mov.u64 %w1, depot;\n"
		   "cvta.local.u64 %w2, %w1;\n"
		   "and.b64 %w3, %v, 7;\n"
		   "shl.b64 %w3, %w3, 3;\n"
		   "add.s64 %w4, %w1, %w3;\n"
		   "st.local.u64 [%w4], %v;\n"
		   "add.s64 %w5, %w2, %w3;\n"
		   "ld.u64 %w6, [%w5];\n"
		   "st.global.u64 [%at], %w6;\n"),
	    1, 70);
	for (int i = 0; i < 70; i++)
		ck_assert_uint_eq(to[i], from[i]);
}
END_TEST

START_TEST(variables_have_values)
{
	ptx_world_load(
		world, PTX_HEAD
		".global .align 8 .b8 table[16] = {1, 0, 0, 0, 0, 0, 0, 128, 2, 1};\n"
		".const .f64 half = 0d3FE0000000000000;\n"
		".visible .entry k(.param .u64 out, .param .align 8 .b8 box[24])\n{\n"
		".reg .b64 %at, %w<8>;\n"
		"ld.param.u64 %at, [out];\n"
		"mov.u64 %w0, table;\nld.global.v2.u64 {%w1, %w2}, [%w0];\n"
		"st.global.v2.u64 [%at], {%w1, %w2};\n"
		"ld.const.f64 %w3, [half];\nst.global.f64 [%at+16], %w3;\n"
		"ld.param.u64 %w4, [box+16];\nst.global.u64 [%at+24], %w4;\n"
		"mov.b64 %w5, box;\nld.param.u64 %w6, [%w5+8];\nst.global.u64 [%at+32], "
		"%w6;\n"
		"ret;\n}\n");
	{
		uint64_t box[3] = { 5, 6, 7 };
		const void *param[2] = { &out, box };
		struct ptx_launch launch = { .kernel = NULL,
					     .grid = { 1, 1, 1 },
					     .block = { 1, 1, 1 },
					     .param = param };
		struct ptx_fault fault;

		launch.kernel = ptx_world_kernel(world, "k");
		ck_assert_msg(ptx_run(&launch, NULL, &fault), "%s", fault.text);
	}
	ck_assert_uint_eq(to[0], 0x8000000000000001);
	ck_assert_uint_eq(to[1], 0x102);
	ck_assert_uint_eq(to[2], 0x3FE0000000000000);
	ck_assert_uint_eq(to[3], 7);
	ck_assert_uint_eq(to[4], 6);
}
END_TEST

START_TEST(functions_are_called)
{
	/* 3 v + 1 of odd ones, by way of two functions that have the same names in them */
	ptx_world_load(
		world, PTX_HEAD
		".func (.param .b64 r) odd (.param .b64 x);\n"
		".visible .entry k(.param .u64 out, .param .u64 in)\n{\n"
		".reg .b64 %at, %v, %w<4>;\n.reg .b32 %i;\n.reg .pred %p;\n"
		"ld.param.u64 %at, [out];\nld.param.u64 %w0, [in];\nmov.u32 %i, %tid.x;\n"
		"mad.wide.u32 %at, %i, 8, %at;\nmad.wide.u32 %w0, %i, 8, %w0;\n"
		"ld.global.u64 %v, [%w0];\n"
		"and.b64 %w1, %v, 1;\nsetp.ne.s64 %p, %w1, 0;\n"
		"{\n.param .b64 x;\n.param .b64 r;\nst.param.b64 [x+0], %v;\n"
		"@%p call.uni (r), odd, (x);\n@%p ld.param.b64 %v, [r+0];\n}\n"
		"{\n.param .b64 x;\nst.param.b64 [x+0], %v;\n"
		"bra L;\nst.param.b64 [x+0], 0;\nL: ld.param.b64 %v, [x];\n}\n"
		"L: st.global.u64 [%at], %v;\nret;\n}\n"
		".func (.param .b64 r) twice(.param .b64 x)\n{\n.reg .b64 %v;\n"
		"ld.param.b64 %v, [x];\nadd.s64 %v, %v, %v;\nst.param.b64 [r], %v;\nret;\n}\n"
		".func (.param .b64 r) odd(.param .b64 x)\n{\n.reg .b64 %v<3>;\n.reg .pred %p;\n"
		"ld.param.b64 %v0, [x];\n"
		"setp.gt.s64 %p, %v0, 500;\n@%p bra L;\n"
		"{\n.param .b64 x;\n.param .b64 r;\nst.param.b64 [x], %v0;\n"
		"call (r), twice, (x);\nld.param.b64 %v1, [r];\n}\n"
		"add.s64 %v0, %v0, %v1;\nadd.s64 %v0, %v0, 1;\n"
		"st.param.b64 [r], %v0;\nret;\n"
		"L: mov.b64 %v2, x;\nld.local.b64 %v1, [%v2];\nst.param.b64 [r], %v1;\nret;\n}\n");
	ptx_world_run(world, "k", 1, 100, (uint64_t[]){ out, in }, 2);
	for (int i = 0; i < 100; i++)
		ck_assert_uint_eq(to[i],
				  from[i] % 2 && from[i] <= 500 ? 3 * from[i] + 1 : from[i]);
}
END_TEST

static void found(struct ptx_fault fault, int code, const char *text)
{
	ck_assert_msg(fault.code == code && strstr(fault.text, text), "%d: %s, not %s",
		      fault.code, fault.text, text);
}

START_TEST(wrong_addresses_are_found)
{
	found(wrong(KERNEL("st.global.u64 [%at+8192], %v;\n"), 1, 1), PTX_ILLEGAL_ADDRESS,
	      "k, thread (0,0,0) of block (0,0,0): `st.global.u64` writes to address");
	found(wrong(KERNEL("st.global.v2.u64 [%at+8184], {%v, %v};\n"), 1, 1),
	      PTX_MISALIGNED, "not aligned");
	found(wrong(KERNEL("add.s64 %at, %at, 8184;\nst.global.u32 [%at+4], %r0;\n"
			   "add.s64 %at, %at, 8;\n.loc 1 12 3\nst.global.u64 [%at], "
			   "%v;\n"),
		    1, 1),
	      PTX_ILLEGAL_ADDRESS, "line ");
	found(wrong(KERNEL("st.global.u64 [%at+4], %v;\n"), 2, 33), PTX_MISALIGNED,
	      "block (0,0,0)");
	found(wrong(KERNEL("mov.u64 %w1, 8;\nst.shared.u64 [%w1], %v;\n"), 1, 1),
	      PTX_ILLEGAL_ADDRESS, "shared memory, which has 0");
}
END_TEST

START_TEST(constants_are_kept)
{
	found(wrong(PTX_HEAD ".const .u64 half = 5;\n"
			     ".visible .entry k(.param .u64 out, .param .u64 in)\n{\n"
			     ".reg .b64 %at;\nmov.u64 %at, half;\n"
			     "st.global.u64 [%at], %at;\nret;\n}\n",
		    1, 1),
	      PTX_ILLEGAL_ADDRESS, "writes to half, a constant");
	found(wrong(PTX_HEAD ".visible .entry k(.param .u64 out, .param .u64 in)\n"
			     ".maxntid 64, 1, 1\n{\nret;\n}\n",
		    1, 65),
	      PTX_ILLEGAL, ".maxntid");
}
END_TEST

START_TEST(faults_name_the_program)
{
	struct ptx_fault fault =
		wrong(PTX_HEAD
		      ".visible .entry k(.param .u64 out, .param .u64 in)\n{\n"
		      ".reg .b64 %at;\n.loc 2 80 1, function_name $s, inlined_at 1 12 3\n"
		      "mov.u64 %at, 0;\nst.global.u64 [%at], %at;\nret;\n}\n"
		      ".file 1 \"/home/me/heat.mpa\"\n.file 2 \"kernels.cu\"\n",
		      1, 1);

	found(fault, PTX_ILLEGAL_ADDRESS, "/home/me/heat.mpa:12: k, thread");
}
END_TEST

START_TEST(threads_that_do_not_meet_are_found)
{
	found(wrong(KERNEL("setp.gt.u32 %p0, %i, 3;\n"
			   "@%p0 bra OVER;\n"
			   "vote.sync.all.pred %p1, %p0, -1;\n"
			   "OVER: bar.sync 0;\n"),
		    1, 32),
	      PTX_ILLEGAL, "not all threads of the mask 0xffffffff");
	/* those that have ended are not waited for */
	run(KERNEL("setp.gt.u32 %p0, %i, 3;\n"
		   "@%p0 bra OVER;\n"
		   "vote.sync.all.pred %p1, %p0, -1;\n"
		   "OVER: \n"),
	    1, 32);
	found(wrong(KERNEL("setp.gt.u32 %p0, %i, 31;\n"
			   "@%p0 bar.sync 1;\n"
			   "@!%p0 bar.sync 0;\n"),
		    1, 40),
	      PTX_ILLEGAL,
	      "thread (0,0,0) of block (0,0,0): 32 of 40 threads have come to barrier 0; "
	      "thread 32 waits at `bar.sync`, line 20 of the PTX");
	found(wrong(KERNEL("bar.sync 16;\n"), 1, 1), PTX_ILLEGAL, "barriers are 0 to 15");
	found(wrong(KERNEL("TURN: bra.uni TURN;\n"), 1, 1), PTX_TIMEOUT, "no end after");
	found(wrong(KERNEL("setp.eq.u32 %p0, %i, 5;\n@%p0 trap;\n"), 1, 8), PTX_ILLEGAL,
	      "thread (5,0,0) of block (0,0,0): trap");
}
END_TEST

START_TEST(wrong_texts_are_refused)
{
	found(ptx_world_load_wrong(world, KERNEL("tex.2d.v4.f32 %r0, %r1;\n")),
	      PTX_INVALID,
	      "line 19 of the PTX: the instruction `tex.2d.v4.f32` is not known");
	found(ptx_world_load_wrong(world, KERNEL("add.s64 %q, %v, 1;\n")), PTX_INVALID,
	      "`%q` is no register");
	found(ptx_world_load_wrong(world, KERNEL("add.u64 %w0|%w1, %v, 1;\n")),
	      PTX_INVALID, "`add.u64` with two results is not known");
	found(ptx_world_load_wrong(world, KERNEL("ex2.f32 %r4, %r2;\n")),
	      PTX_INVALID, "`ex2.f32` is not known");
	found(ptx_world_load_wrong(world, KERNEL("L: { L: ret; }\nL: ret;\n")), PTX_INVALID,
	      "the label `L` stands twice");
	found(ptx_world_load_wrong(world, KERNEL("bra NOWHERE;\n")), PTX_INVALID,
	      "no label `NOWHERE`");
	found(ptx_world_load_wrong(world, KERNEL("call.uni nobody;\n")), PTX_INVALID,
	      "line 19 of the PTX: there is no function `nobody`");
	found(ptx_world_load_wrong(world, PTX_HEAD ".func f() { call f; ret; }\n"
						   ".entry k() { call f; }\n"),
	      PTX_INVALID, "line 4 of the PTX: `f` calls itself");
	found(ptx_world_load_wrong(world, PTX_HEAD ".func f(.param .b32 x) { ret; }\n"
						   ".entry k() { call f; }\n"),
	      PTX_INVALID, "too few arguments");
	found(ptx_world_load_wrong(world, PTX_HEAD ".visible .entry k() {"), PTX_INVALID,
	      "the end of the text");
}
END_TEST

static Suite *ptx_suite(void)
{
	Suite *s = suite_create("ptx");
	TCase *c = tcase_create("kernels");

	tcase_add_checked_fixture(c, set_up, tear_down);
	tcase_add_test(c, ways_part_and_meet);
	tcase_add_test(c, some_threads_end_early);
	tcase_add_test(c, blocks_share_memory_and_wait);
	tcase_add_test(c, barriers_have_numbers);
	tcase_add_test(c, barriers_reduce);
	tcase_add_test(c, lanes_tell_each_other);
	tcase_add_test(c, lanes_match_and_reduce);
	tcase_add_test(c, atomics_lose_nothing);
	tcase_add_test(c, threads_have_memory_of_their_own);
	tcase_add_test(c, variables_have_values);
	tcase_add_test(c, functions_are_called);
	tcase_add_test(c, wrong_addresses_are_found);
	tcase_add_test(c, constants_are_kept);
	tcase_add_test(c, faults_name_the_program);
	tcase_add_test(c, threads_that_do_not_meet_are_found);
	tcase_add_test(c, wrong_texts_are_refused);
	suite_add_tcase(s, c);
	return s;
}

UNIT_MAIN(ptx_suite)
