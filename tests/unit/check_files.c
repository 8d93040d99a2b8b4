/* tests/unit/check_files.c - NumPy files written and read by several ranks
 *
 * Files go to a folder of their own under TMPDIR, which must be empty again of
 * everything but the files asked for. */
#include <dirent.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "array/npy.h"
#include "unit.h"
#include "world.h"

static char folder[200];

struct problem {
	struct family family;
	struct layout layout;
	enum mpa_elem type;
	char path[300];
	enum mpa_status status; /* of rank 0 */
	char why[FAULT_TEXT];
	int bad;
};

static const char *in_folder(struct problem *p, const char *name)
{
	snprintf(p->path, sizeof p->path, "%s/%s", folder, name);
	return p->path;
}

static void make_folder(void)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(folder, sizeof folder, "%s/mpa-files-XXXXXX", tmp ? tmp : "/tmp");
	ck_assert_ptr_nonnull(mkdtemp(folder));
}

static int files_in_folder(void)
{
	DIR *dir = opendir(folder);
	int count = -2; /* . and .. */

	while (readdir(dir))
		count++;
	closedir(dir);
	return count;
}

static void remove_folder(void)
{
	char path[600];
	DIR *dir = opendir(folder);

	for (struct dirent *e; (e = readdir(dir));) {
		snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
		unlink(path);
	}
	closedir(dir);
	ck_assert_int_eq(rmdir(folder), 0);
}

/* A grid of up to three axes, sizes[i] == 0 ends it; the last is local if said.
 * run() sets the family of the layout, which moves with the result. */
static struct problem grid(const int64_t *sizes, int ranks, bool last_local)
{
	struct problem p = { .type = MPA_F64 };
	struct fault fault = { 0 };
	bool local[MPA_MAX_AXES] = { false };

	p.family.nranks = ranks;
	while (p.family.naxes < 3 && sizes[p.family.naxes]) {
		p.family.axis[p.family.naxes] =
			(struct family_axis){ sizes[p.family.naxes], false, true, NULL };
		p.family.naxes++;
	}
	if (last_local) {
		local[p.family.naxes - 1] = true;
		p.family.axis[p.family.naxes - 1].cuttable = false;
	}
	ck_assert_int_eq(family_divide(&p.family, NULL, &fault), MPA_OK);
	p.layout = layout_of_family(&p.family, local);
	return p;
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

static int64_t flat(const struct layout *l, const int64_t *index)
{
	int64_t v = 0;

	for (int a = 0; a < l->naxes; a++)
		v = v * l->axis[a].size + index[a];
	return v;
}

static void element_set(enum mpa_elem type, void *at, int64_t v)
{
	switch (type) {
	case MPA_F64:
		*(double *)at = (double)v + 0.5;
		break;
	case MPA_F32:
		*(float *)at = (float)v + 0.5f;
		break;
	case MPA_I64:
		*(int64_t *)at = v;
		break;
	case MPA_I32:
		*(int32_t *)at = (int32_t)v;
		break;
	default:
		*(uint8_t *)at = type == MPA_BOOL ? v % 3 == 0 : (uint8_t)v;
	}
}

static void array_for(const struct problem *p, struct comm *comm, struct mpa_array *array)
{
	static const int bytes[] = { [MPA_BOOL] = 1, [MPA_U8] = 1,  [MPA_I32] = 4,
				     [MPA_I64] = 8,  [MPA_F32] = 4, [MPA_F64] = 8 };
	struct mem_account account = { 0 };
	struct array_home home = { NULL, &account, comm->fault, NULL };
	struct array_spec spec = { .layout = &p->layout,
				   .rank = comm->rank,
				   .elem = bytes[p->type],
				   .halo_lo = { 1 } };

	ck_assert_int_eq(array_new(array, &spec, &home), MPA_OK);
}

static void finish(struct problem *p, struct comm *comm, struct mpa_array *array,
		   enum mpa_status st)
{
	struct mem_account account = { 0 };
	struct array_home home = { NULL, &account, comm->fault, NULL };

	array_free(array, &home);
	if (comm->rank == 0) {
		p->status = st;
		memcpy(p->why, comm->fault->text, sizeof p->why);
	}
	if ((st == MPA_OK) != (comm->fault->status == MPA_OK))
		p->bad++;
}

static void write_main(struct comm *comm, void *arg)
{
	struct problem *p = arg;
	struct file_job job = { .comm = comm, .layout = &p->layout, .path = p->path };
	struct mpa_array array;
	int64_t index[MPA_MAX_AXES];

	array_for(p, comm, &array);
	memcpy(index, array.own.lo, sizeof index);
	if (array.origin)
		do {
			element_set(p->type, array_at(&array, index),
				    flat(&p->layout, index));
		} while (next(&array.own, index));
	finish(p, comm, &array, npy_write(&job, &array, p->type));
}

static void read_main(struct comm *comm, void *arg)
{
	struct problem *p = arg;
	struct file_job job = { .comm = comm, .layout = &p->layout, .path = p->path };
	struct mpa_array array;
	int64_t index[MPA_MAX_AXES];
	enum mpa_status st;

	array_for(p, comm, &array);
	st = npy_read(&job, &array, p->type);
	memcpy(index, array.own.lo, sizeof index);
	if (array.origin && st == MPA_OK)
		do {
			double want = 0;

			element_set(p->type, &want, flat(&p->layout, index));
			if (memcmp(&want, array_at(&array, index), (size_t)array.elem))
				p->bad++;
		} while (next(&array.own, index));
	finish(p, comm, &array, st);
}

static void run(struct problem *p, int ranks, world_main_fn *fn)
{
	p->layout.family = &p->family;
	ck_assert(world_run(ranks, fn, p));
}

static void write_bytes(struct problem *p, const char *name, const void *data,
			size_t bytes)
{
	FILE *file = fopen(in_folder(p, name), "wb");

	ck_assert_uint_eq(fwrite(data, 1, bytes, file), bytes);
	fclose(file);
}

/* A file with a header of our own and `bytes` bytes behind it. */
static void write_text(struct problem *p, const char *dict, const void *data,
		       size_t bytes)
{
	char text[1000] = "\x93NUMPY\x01";
	size_t n = strlen(dict);

	text[8] = (char)n;
	memcpy(text + 10, dict, n);
	memcpy(text + 10 + n, data, bytes);
	write_bytes(p, "made.npy", text, 10 + n + bytes);
}

static void expect_failure(struct problem *p, int ranks, const char *text)
{
	run(p, ranks, read_main);
	ck_assert_int_ne(p->status, MPA_OK);
	ck_assert_msg(strstr(p->why, text) != NULL, "%s", p->why);
	ck_assert_msg(strstr(p->why, p->path) != NULL, "%s", p->why);
	ck_assert_int_eq(p->bad, 0);
}

START_TEST(what_some_ranks_write_others_read)
{
	static const int64_t sizes[][3] = { { 1 },       { 6 },     { 7, 5 },   { 1, 9 },
					    { 4, 3, 5 }, { 40, 3 }, { 3, 4, 2 } };
	static const int ranks[] = { 1, 2, 3, 5, 8 };

	make_folder();
	for (size_t i = 0; i < 7; i++) {
		for (int w = 0; w < 5; w++) {
			struct problem p = grid(sizes[i], ranks[w], i == 6);

			p.type = (enum mpa_elem)(1 + (i + (size_t)w) % 6);
			in_folder(&p, "u.npy");
			run(&p, ranks[w], write_main);
			ck_assert_msg(p.status == MPA_OK, "%s", p.why);
			ck_assert_int_eq(files_in_folder(), 1);
			for (int r = 0; r < 5; r++) {
				struct problem q = grid(sizes[i], ranks[r], i == 6);

				q.type = p.type;
				in_folder(&q, "u.npy");
				run(&q, ranks[r], read_main);
				ck_assert_msg(q.status == MPA_OK, "%s", q.why);
				ck_assert_int_eq(q.bad, 0);
			}
		}
	}
	remove_folder();
}
END_TEST

START_TEST(larger_than_the_buffer)
{
	struct problem p = grid((int64_t[3]){ 3, 700, 1000 }, 2, false);

	make_folder();
	in_folder(&p, "u.npy");
	run(&p, 2, write_main);
	ck_assert_msg(p.status == MPA_OK, "%s", p.why);
	p.family.nranks = 1;
	ck_assert_int_eq(family_divide(&p.family, NULL, NULL), MPA_OK);
	run(&p, 1, read_main);
	ck_assert_int_eq(p.bad, 0);
	remove_folder();
}
END_TEST

START_TEST(the_bytes_are_those_of_numpy)
{
	static const char dict[] =
		"{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3), }";
	struct problem p = grid((int64_t[3]){ 2, 3 }, 3, false);
	unsigned char data[300], want[128 + 24] = "\x93NUMPY\x01";
	FILE *file;

	make_folder();
	p.type = MPA_I32;
	in_folder(&p, "u.npy");
	run(&p, 3, write_main);
	want[8] = 118;
	memset(want + 10, ' ', 117);
	memcpy(want + 10, dict, sizeof dict - 1);
	want[127] = '\n';
	for (int i = 0; i < 6; i++)
		want[128 + 4 * i] = (unsigned char)i;
	file = fopen(p.path, "rb");
	ck_assert_uint_eq(fread(data, 1, sizeof data, file), sizeof want);
	fclose(file);
	ck_assert_mem_eq(data, want, sizeof want);
	remove_folder();
}
END_TEST

START_TEST(fortran_order_and_conversions)
{
	struct problem p = grid((int64_t[3]){ 2, 3 }, 2, false);
	const uint8_t turned[] = { 0, 3, 1, 4, 2, 5 }, plain[] = { 0, 1, 2, 3, 4, 5 };
	float halves[6];

	make_folder();
	p.type = MPA_I64;
	write_text(&p, "{'shape': (2,3), 'descr': '|u1', 'fortran_order': True}", turned,
		   6);
	run(&p, 2, read_main);
	ck_assert_msg(p.status == MPA_OK && !p.bad, "%s", p.why);
	p.type = MPA_I32;
	write_text(&p, "{\"descr\":\"|u1\",\"fortran_order\":False,\"shape\":(2,3,)}\n",
		   plain, 6);
	run(&p, 2, read_main);
	ck_assert_msg(p.status == MPA_OK && !p.bad, "%s", p.why);
	p.type = MPA_F64;
	for (int i = 0; i < 6; i++)
		halves[i] = (float)i + 0.5f;
	write_text(&p, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }",
		   halves, 24);
	run(&p, 2, read_main);
	ck_assert_msg(p.status == MPA_OK && !p.bad, "%s", p.why);
	remove_folder();
}
END_TEST

START_TEST(mistakes_name_the_file)
{
	struct problem p = grid((int64_t[3]){ 2, 3 }, 2, false);
	static const double data[6];

	make_folder();
	in_folder(&p, "none.npy");
	expect_failure(&p, 2, "No such file");
	write_bytes(&p, "text.npy", "hello, this is text", 19);
	expect_failure(&p, 2, "not a NumPy file");
	write_bytes(&p, "empty.npy", "", 0);
	expect_failure(&p, 2, "not a NumPy file");
	write_bytes(&p, "version.npy", "\x93NUMPY\x09\0xxxxxxxx", 16);
	expect_failure(&p, 2, "version 9");
	write_bytes(&p, "cut.npy", "\x93NUMPY\x01\0\x76\0{'descr'", 19);
	expect_failure(&p, 2, "header is not complete");
	write_text(&p, "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }",
		   data, 47);
	expect_failure(&p, 2, "cut short");
	write_text(&p, "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 2), }",
		   data, 48);
	expect_failure(&p, 2, "(3, 2) where the grid has (2, 3)");
	write_text(&p, "{'descr': '>f8', 'fortran_order': False, 'shape': (2, 3), }",
		   data, 48);
	expect_failure(&p, 2, "big endian");
	write_text(&p, "{'descr': '<c8', 'fortran_order': False, 'shape': (2, 3), }",
		   data, 48);
	expect_failure(&p, 2, "<c8, do not fit a field of <f8");
	write_text(&p, "{'descr': '<c32', 'fortran_order': False, 'shape': (1,), }", data,
		   48);
	expect_failure(&p, 2, "<c32");
	write_text(&p,
		   "{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,), }",
		   data, 48);
	expect_failure(&p, 2, "structures");
	write_text(&p, "{'descr': '<f8', 'shape': (2, 3), }", data, 48);
	expect_failure(&p, 2, "an entry is missing");
	write_text(&p, "{'descr': '<f8', 'fortran_order': False, 'shape': (2, -3), }",
		   data, 48);
	expect_failure(&p, 2, "a size was expected");
	write_text(&p,
		   "{'descr': '<f8', 'fortran_order': False, "
		   "'shape': (4294967296, 4294967296), }",
		   data, 48);
	expect_failure(&p, 2, "too large");
	p.type = MPA_I32;
	write_text(&p, "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }",
		   data, 48);
	expect_failure(&p, 2, "do not fit");
	remove_folder();
}
END_TEST

START_TEST(a_file_that_cannot_be_written)
{
	struct problem p = grid((int64_t[3]){ 2, 3 }, 2, false);

	make_folder();
	in_folder(&p, "missing/u.npy");
	run(&p, 2, write_main);
	ck_assert_int_ne(p.status, MPA_OK);
	ck_assert_msg(strstr(p.why, "missing/u.npy\": No such file") != NULL, "%s",
		      p.why);
	ck_assert_int_eq(p.bad, 0);
	in_folder(&p, "taken");
	ck_assert_int_eq(mkdir(p.path, 0777), 0);
	run(&p, 2, write_main);
	ck_assert_int_ne(p.status, MPA_OK);
	ck_assert_msg(strstr(p.why, "Is a directory") != NULL, "%s", p.why);
	ck_assert_int_eq(files_in_folder(), 1);
	rmdir(p.path);
	in_folder(&p, "pipe");
	ck_assert_int_eq(mkfifo(p.path, 0666), 0);
	run(&p, 2, write_main);
	ck_assert_msg(strstr(p.why, "not a regular file") != NULL, "%s", p.why);
	ck_assert_int_eq(files_in_folder(), 1);
	remove_folder();
}
END_TEST

/* Stands for a full disk: the first rank's file may not become longer. */
START_TEST(a_file_that_does_not_fit)
{
	struct problem p = grid((int64_t[3]){ 20, 30 }, 2, false);
	struct rlimit before, small;

	make_folder();
	in_folder(&p, "u.npy");
	ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &before), 0);
	small = before;
	small.rlim_cur = 1000;
	signal(SIGXFSZ, SIG_IGN);
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
	run(&p, 2, write_main);
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &before), 0);
	ck_assert_int_ne(p.status, MPA_OK);
	ck_assert_msg(strstr(p.why, "u.npy\": File too large") != NULL, "%s", p.why);
	ck_assert_int_eq(files_in_folder(), 0);
	remove_folder();
}
END_TEST

START_TEST(a_link_stays_a_link)
{
	struct problem p = grid((int64_t[3]){ 2, 3 }, 2, false);
	struct stat info;

	make_folder();
	write_bytes(&p, "real.npy", "old", 3);
	in_folder(&p, "link.npy");
	ck_assert_int_eq(symlink("real.npy", p.path), 0);
	run(&p, 2, write_main);
	ck_assert_msg(p.status == MPA_OK, "%s", p.why);
	ck_assert_int_eq(lstat(p.path, &info), 0);
	ck_assert(S_ISLNK(info.st_mode));
	in_folder(&p, "real.npy");
	run(&p, 2, read_main);
	ck_assert_msg(p.status == MPA_OK && !p.bad, "%s", p.why);
	remove_folder();
}
END_TEST

static void nan_main(struct comm *comm, void *arg)
{
	struct problem *p = arg;
	struct file_job job = { .comm = comm, .layout = &p->layout, .path = p->path };
	const uint64_t odd = 0xfff0000000001234;
	struct mpa_array array;

	array_for(p, comm, &array);
	for (int64_t i = array.own.lo[0]; i < array.own.hi[0]; i++)
		memcpy(array_at(&array, &i), &odd, sizeof odd);
	finish(p, comm, &array, npy_write(&job, &array, p->type));
}

START_TEST(a_nan_is_the_quiet_one)
{
	struct problem p = grid((int64_t[3]){ 2 }, 2, false);
	uint64_t data[2];
	FILE *file;

	make_folder();
	in_folder(&p, "u.npy");
	run(&p, 2, nan_main);
	file = fopen(p.path, "rb");
	ck_assert_int_eq(fseek(file, -16, SEEK_END), 0);
	ck_assert_uint_eq(fread(data, 8, 2, file), 2);
	fclose(file);
	ck_assert(data[0] == 0x7ff8000000000000 && data[1] == data[0]);
	remove_folder();
}
END_TEST

static Suite *files_suite(void)
{
	Suite *s = suite_create("files");
	TCase *t = tcase_create("npy");

	tcase_set_timeout(t, 120);
	tcase_add_test(t, what_some_ranks_write_others_read);
	tcase_add_test(t, larger_than_the_buffer);
	tcase_add_test(t, the_bytes_are_those_of_numpy);
	tcase_add_test(t, fortran_order_and_conversions);
	tcase_add_test(t, mistakes_name_the_file);
	tcase_add_test(t, a_file_that_cannot_be_written);
	tcase_add_test(t, a_file_that_does_not_fit);
	tcase_add_test(t, a_link_stays_a_link);
	tcase_add_test(t, a_nan_is_the_quiet_one);
	suite_add_tcase(s, t);
	return s;
}

UNIT_MAIN(files_suite)
