/* tests/unit/check_layout.c - blocks, owners, replicas, process grids, storage
 *
 * Geometry is pure, so all ranks of thousands of grids are looked at in turn. */
#include <stdio.h>

#include "array/array.h"
#include "layout/layout.h"
#include "unit.h"

static int64_t any(unsigned *seed, int64_t n)
{
	return rand_r(seed) % n;
}

START_TEST(blocks_are_near_even_and_complete)
{
	for (int64_t n = 1; n < 40; n++) {
		for (int parts = 1; parts < 45; parts++) {
			int64_t at = 0, most = n / parts + (n % parts != 0);

			for (int p = 0; p < parts; p++) {
				struct range r = block_range(n, parts, p);

				ck_assert_int_eq(r.lo, at);
				ck_assert_int_le(r.hi - r.lo, most);
				ck_assert_int_ge(r.hi - r.lo, n / parts);
				for (int64_t i = r.lo; i < r.hi; i++)
					ck_assert_int_eq(block_owner(n, parts, i), p);
				at = r.hi;
			}
			ck_assert_int_eq(at, n);
		}
	}
}
END_TEST

START_TEST(blocks_of_huge_axes)
{
	int64_t n = INT64_C(1) << 50;

	for (int p = 0; p < 7; p++) {
		struct range r = block_range(n, 7, p);

		ck_assert_int_eq(block_owner(n, 7, r.lo), p);
		ck_assert_int_eq(block_owner(n, 7, r.hi - 1), p);
	}
	ck_assert_int_eq(block_range(n, 7, 6).hi, n);
}
END_TEST

static void random_family(struct family *f, unsigned *seed)
{
	struct fault fault = { 0 };

	*f = (struct family){ .naxes = 1 + (int)any(seed, 4),
			      .nranks = 1 + (int)any(seed, 13) };
	for (int a = 0; a < f->naxes; a++)
		f->axis[a] = (struct family_axis){ 1 + any(seed, 9), any(seed, 2),
						   any(seed, 4) != 0, NULL };
	ck_assert_int_eq(family_divide(f, NULL, &fault), MPA_OK);
}

/* Some of the family's axes, one of them possibly longer or shorter by one. */
static void random_member(struct layout *l, const struct family *f, unsigned *seed)
{
	*l = (struct layout){ .family = f };
	for (int a = 0; a < f->naxes; a++) {
		int64_t size = f->axis[a].size;

		if (any(seed, 4) == 0)
			continue;
		if (any(seed, 3) == 0)
			size += size > 1 && any(seed, 2) ? -1 : 1;
		l->axis[l->naxes++] = (struct layout_axis){ size, false, false, a };
	}
	if (l->naxes == 0)
		l->axis[l->naxes++] = (struct layout_axis){ 3, false, true, -1 };
}

static bool next(const struct box *box, int64_t *index)
{
	for (int a = box->naxes - 1; a >= 0; a--) {
		if (++index[a] < box->hi[a])
			return true;
		index[a] = box->lo[a];
	}
	return false;
}

/* Every point has one first holder, and that is layout_owner. */
static void check_points(const struct layout *l)
{
	struct box whole = layout_whole(l);
	int64_t index[MPA_MAX_AXES] = { 0 };

	do {
		int firsts = 0, owner = layout_owner(l, index);

		for (int r = 0; r < l->family->nranks; r++) {
			struct box block = layout_block(l, r);

			if (!layout_takes_part(l, r) || !box_holds(&block, index))
				continue;
			if (layout_is_first(l, r)) {
				firsts++;
				ck_assert_int_eq(r, owner);
			}
		}
		ck_assert_int_eq(firsts, 1);
	} while (next(&whole, index));
}

static void check_ranks(const struct layout *l)
{
	for (int r = 0; r < l->family->nranks; r++) {
		int parts[MPA_MAX_AXES];

		if (!layout_takes_part(l, r)) {
			ck_assert(!layout_is_first(l, r));
			continue;
		}
		for (int a = 0; a < l->naxes; a++) {
			parts[a] = layout_coordinate(l, a, r);
			ck_assert_int_lt(parts[a], layout_parts(l, a));
		}
		ck_assert_int_eq(layout_rank_beside(l, r, parts), r);
	}
}

START_TEST(every_point_has_one_owner)
{
	for (unsigned i = 0; i < 2000; i++) {
		unsigned seed = i;
		struct family f;
		struct layout l;

		random_family(&f, &seed);
		random_member(&l, &f, &seed);
		check_points(&l);
		check_ranks(&l);
	}
}
END_TEST

/* The process grid of sizes[] on so many ranks, as text: "2x3". */
static const char *grid_of(int naxes, const int64_t *sizes, int ranks, bool periodic)
{
	static char text[64];
	struct family f = { .naxes = naxes, .nranks = ranks };
	struct fault fault = { 0 };
	char *at = text;

	for (int a = 0; a < naxes; a++)
		f.axis[a] = (struct family_axis){ sizes[a], periodic, true, NULL };
	ck_assert_int_eq(family_divide(&f, NULL, &fault), MPA_OK);
	for (int a = 0; a < naxes; a++)
		at += sprintf(at, "%s%d", a ? "x" : "", f.procs[a]);
	return text;
}

START_TEST(automatic_process_grids)
{
	ck_assert_str_eq(grid_of(1, (int64_t[]){ 5 }, 8, false), "8");
	ck_assert_str_eq(grid_of(2, (int64_t[]){ 64, 64 }, 4, false), "2x2");
	ck_assert_str_eq(grid_of(2, (int64_t[]){ 64, 64 }, 2, false), "2x1");
	ck_assert_str_eq(grid_of(2, (int64_t[]){ 64, 64 }, 6, false), "3x2");
	ck_assert_str_eq(grid_of(2, (int64_t[]){ 10, 1000 }, 4, false), "1x4");
	ck_assert_str_eq(grid_of(2, (int64_t[]){ 3, 3 }, 9, false), "3x3");
	ck_assert_str_eq(grid_of(2, (int64_t[]){ 3, 3 }, 4, false), "2x2");
	ck_assert_str_eq(grid_of(3, (int64_t[]){ 64, 64, 64 }, 8, true), "2x2x2");
	ck_assert_str_eq(grid_of(3, (int64_t[]){ 1, 100, 100 }, 7, false), "1x7x1");
}
END_TEST

START_TEST(process_grids_as_asked)
{
	struct family f = { .naxes = 2,
			    .nranks = 6,
			    .axis = { { 10, false, true, NULL },
				      { 10, false, false, NULL } } };
	struct fault fault = { 0 };

	ck_assert_int_eq(family_divide(&f, (int[]){ 4, 0 }, &fault), MPA_OK);
	ck_assert_int_eq(f.nparts, 4);
	ck_assert(!f.replicated);
	ck_assert_int_eq(family_divide(&f, (int[]){ 2, 2 }, &fault), MPA_ARGUMENT);
	fault_clear(&fault);
	ck_assert_int_eq(family_divide(&f, (int[]){ 7, 1 }, &fault), MPA_ARGUMENT);
	ck_assert(strstr(fault.text, "6") != NULL);
	f.axis[1].cuttable = true;
	ck_assert_int_eq(family_divide(&f, (int[]){ 0, 2 }, &fault), MPA_OK);
	ck_assert(f.procs[0] == 3 && f.procs[1] == 2 && f.nparts == 6);
	ck_assert_int_eq(family_divide(&f, (int[]){ 4, 0 }, &fault), MPA_OK);
	ck_assert(f.procs[0] == 4 && f.procs[1] == 1 && f.nparts == 4);
	f.axis[0].cuttable = f.axis[1].cuttable = false;
	ck_assert_int_eq(family_divide(&f, NULL, NULL), MPA_OK);
	ck_assert(f.replicated && f.nparts == 1);
}
END_TEST

START_TEST(explicit_cuts)
{
	static const int64_t cuts[] = { 0, 2, 2, 9, 10 };
	struct family f = { .naxes = 1,
			    .procs = { 4 },
			    .nparts = 4,
			    .nranks = 5,
			    .axis = { { 10, false, true, cuts } } };
	struct layout l = layout_of_family(&f, (bool[]){ false });

	check_points(&l);
	check_ranks(&l);
	ck_assert_int_eq(layout_block(&l, 2).hi[0], 9);
}
END_TEST

/* ---- storage */

static bool aligned(const void *at)
{
	return (uintptr_t)at % 64 == 0;
}

START_TEST(rows_are_aligned_and_spread)
{
	struct family f = { .naxes = 3,
			    .nranks = 1,
			    .procs = { 1, 1, 1 },
			    .nparts = 1,
			    .axis = { { 64, false, true, NULL },
				      { 64, false, true, NULL },
				      { 512, false, true, NULL } } };
	struct layout l = layout_of_family(&f, (bool[]){ false, false, false });
	struct array_spec spec = {
		.layout = &l, .elem = 8, .halo_lo = { 1, 1, 1 }, .halo_hi = { 1, 1, 1 }
	};
	struct mem_account account = { 0 };
	struct array_home home = { NULL, &account, NULL, NULL };
	struct mpa_array a, b;

	ck_assert_int_eq(array_new(&a, &spec, &home), MPA_OK);
	ck_assert_int_eq(array_new(&b, &spec, &home), MPA_OK);
	for (int64_t i = 0; i < 64; i += 9)
		ck_assert(aligned(array_at(&a, (int64_t[]){ i, i, 0 })));
	for (int axis = 0; axis < 2; axis++) {
		int64_t bytes = a.stride[axis] * 8;

		ck_assert_int_eq(bytes % 64, 0);
		ck_assert_int_ge(bytes % 4096, 256);
		ck_assert_int_le(bytes % 4096, 4096 - 256);
	}
	ck_assert_int_ne((a.origin - b.origin) % 4096, 0);
	ck_assert(array_alike(&a, &b));
	ck_assert_int_le(account.bytes, 2 * 66 * 66 * 514 * 9);
	array_free(&a, &home);
	array_free(&b, &home);
	ck_assert_int_eq(account.bytes, 0);
}
END_TEST

START_TEST(local_axes_are_outermost)
{
	struct family f = { .naxes = 2,
			    .nranks = 1,
			    .procs = { 1, 1 },
			    .nparts = 1,
			    .axis = { { 4, false, true, NULL },
				      { 6, false, true, NULL } } };
	struct layout l = { .family = &f,
			    .naxes = 4,
			    .axis = { { 4, false, false, 0 },
				      { 3, false, true, -1 },
				      { 6, false, false, 1 },
				      { 2, false, true, -1 } } };
	struct array_spec spec = { .layout = &l,
				   .elem = 4,
				   .halo_lo = { 1, 0, 2, 0 },
				   .halo_hi = { 0, 0, 1, 0 } };
	struct mem_account account = { 0 };
	struct pool *pool = pool_new(3, 1, NULL);
	struct array_home home = { pool, &account, NULL, NULL };
	struct mpa_array a;

	ck_assert_int_eq(array_new(&a, &spec, &home), MPA_OK);
	ck_assert_int_eq(a.order[0], 1);
	ck_assert_int_eq(a.order[1], 3);
	ck_assert_int_eq(a.order[2], 0);
	ck_assert_int_eq(a.order[3], 2);
	ck_assert_int_eq(a.stride[2], 1);
	ck_assert(a.stride[1] > a.stride[3] && a.stride[3] > a.stride[0]);
	array_free(&a, &home);
	pool_free(pool);
}
END_TEST

static void number(struct mpa_array *a)
{
	int64_t index[MPA_MAX_AXES], n = 0;

	memcpy(index, a->own.lo, sizeof index);
	do {
		*(double *)array_at(a, index) = (double)n++;
	} while (next(&a->own, index));
}

START_TEST(copies_packs_and_swaps)
{
	struct family f = { .naxes = 2,
			    .nranks = 2,
			    .procs = { 1, 2 },
			    .nparts = 2,
			    .axis = { { 300, false, true, NULL },
				      { 400, false, true, NULL } } };
	struct layout l = layout_of_family(&f, (bool[]){ false, false });
	struct array_spec spec = {
		.layout = &l, .rank = 1, .elem = 8, .halo_lo = { 1, 1 }
	};
	struct mem_account account = { 0 };
	struct pool *pool = pool_new(3, 1, NULL);
	struct array_home home = { pool, &account, NULL, NULL };
	struct mpa_array a, b, c;
	struct box box = { 2, { 7, 0 }, { 290, 399 } };
	double *packed = calloc(300 * 200, sizeof *packed);

	ck_assert_int_eq(array_new(&a, &spec, &home), MPA_OK);
	ck_assert_int_eq(array_new(&c, &spec, &home), MPA_OK);
	spec.halo_hi[1] = 5;
	ck_assert_int_eq(array_new(&b, &spec, &home), MPA_OK);
	ck_assert(!array_alike(&a, &b));
	number(&a);
	ck_assert_int_eq(array_copy(&b, &a, &box, &home), MPA_OK);
	ck_assert_double_eq(*(double *)array_at(&b, (int64_t[]){ 7, 200 }), 7 * 200);
	ck_assert_double_eq(*(double *)array_at(&b, (int64_t[]){ 289, 398 }),
			    289 * 200 + 198);
	ck_assert_double_eq(*(double *)array_at(&b, (int64_t[]){ 6, 200 }), 0);
	ck_assert_double_eq(*(double *)array_at(&b, (int64_t[]){ 7, 399 }), 0);
	array_pack(&a, &a.own, packed);
	for (int i = 0; i < 300 * 200; i++)
		ck_assert_double_eq(packed[i], i);
	array_unpack(&b, &b.own, packed);
	ck_assert_double_eq(*(double *)array_at(&b, (int64_t[]){ 7, 399 }),
			    7 * 200 + 199);
	array_swap(&a, &c);
	ck_assert_double_eq(*(double *)array_at(&c, (int64_t[]){ 1, 201 }), 201);
	ck_assert_double_eq(*(double *)array_at(&a, (int64_t[]){ 1, 201 }), 0);
	array_free(&a, &home);
	array_free(&b, &home);
	array_free(&c, &home);
	pool_free(pool);
	free(packed);
}
END_TEST

START_TEST(a_rank_without_points_has_no_storage)
{
	struct family f = { .naxes = 1,
			    .nranks = 3,
			    .procs = { 2 },
			    .nparts = 2,
			    .axis = { { 1, false, true, NULL } } };
	struct layout l = layout_of_family(&f, (bool[]){ false });
	struct mem_account account = { 0 };
	struct array_home home = { NULL, &account, NULL, NULL };
	struct mpa_array a;

	for (int rank = 1; rank < 3; rank++) {
		struct array_spec spec = {
			.layout = &l, .rank = rank, .elem = 8, .halo_lo = { 2 }
		};

		ck_assert_int_eq(array_new(&a, &spec, &home), MPA_OK);
		ck_assert_ptr_null(a.origin);
		ck_assert_int_eq(array_bytes(&spec), 0);
		array_free(&a, &home);
	}
	ck_assert_int_eq(account.peak, 0);
}
END_TEST

/* ---- threads */

static void count(void *arg, int64_t lo, int64_t hi)
{
	for (int64_t i = lo; i < hi; i++)
		((int *)arg)[i]++;
}

static void count_chunk(void *arg, int64_t chunk)
{
	((int *)arg)[chunk]++;
}

START_TEST(threads_do_everything_once)
{
	for (int threads = 1; threads < 9; threads++) {
		struct pool *pool = pool_new(threads, 2, NULL);
		int seen[100] = { 0 };

		ck_assert_int_eq(pool_threads(pool), threads);
		for (int round = 0; round < 200; round++) {
			pool_for(pool, count, seen,
				 (struct pool_span){ 3, 97, round % 40 });
			pool_run(pool, count_chunk, seen, round % 90);
		}
		for (int i = 0; i < 100; i++) {
			int ran = 0;

			for (int round = 0; round < 200; round++)
				ran += (i >= 3 && i < 97) + (i < round % 90);
			ck_assert_int_eq(seen[i], ran);
		}
		pool_free(pool);
	}
}
END_TEST

static Suite *layout_suite(void)
{
	Suite *s = suite_create("layout");
	TCase *t = tcase_create("blocks"), *a = tcase_create("storage");

	tcase_set_timeout(t, 60);
	tcase_add_test(t, blocks_are_near_even_and_complete);
	tcase_add_test(t, blocks_of_huge_axes);
	tcase_add_test(t, every_point_has_one_owner);
	tcase_add_test(t, automatic_process_grids);
	tcase_add_test(t, process_grids_as_asked);
	tcase_add_test(t, explicit_cuts);
	suite_add_tcase(s, t);
	tcase_set_timeout(a, 60);
	tcase_add_test(a, rows_are_aligned_and_spread);
	tcase_add_test(a, local_axes_are_outermost);
	tcase_add_test(a, copies_packs_and_swaps);
	tcase_add_test(a, a_rank_without_points_has_no_storage);
	tcase_add_test(a, threads_do_everything_once);
	suite_add_tcase(s, a);
	return s;
}

UNIT_MAIN(layout_suite)
