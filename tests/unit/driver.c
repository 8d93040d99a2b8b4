/* tests/unit/driver.c - the command line, and files that appear when complete */
#include <sys/stat.h>
#include <unistd.h>

#include "backend/backend.h"
#include "driver/options.h"
#include "driver/output.h"
#include "support/arena.h"
#include "support/diag.h"
#include "unit.h"

enum { WORDS_MAX = 16 };

static struct arena *arena;
static struct options o;

static void set_up(void)
{
	arena = arena_new();
}

static void tear_down(void)
{
	arena_free(arena);
}

/* Parses the words of a line. Complaints are none of the test's output. */
static bool parse(const char *line)
{
	char *text = arena_strdup(arena, line), **word;
	int n = 1, kept = dup(STDERR_FILENO);
	bool fine;

	word = arena_new_array(arena, WORDS_MAX, char *);
	word[0] = "mpac";
	for (char *w = strtok(text, " "); w && n < WORDS_MAX; w = strtok(NULL, " "))
		word[n++] = w;
	ck_assert_ptr_nonnull(freopen("/dev/null", "w", stderr));
	fine = options_parse(&o, arena, n, word);
	fflush(stderr);
	dup2(kept, STDERR_FILENO);
	close(kept);
	return fine;
}

START_TEST(defaults)
{
	ck_assert(parse("heat.mpa"));
	ck_assert_str_eq(o.file, "heat.mpa");
	ck_assert_int_eq(o.emit, EMIT_EXE);
	ck_assert_int_eq(o.level, 3);
	ck_assert_ptr_eq(o.backend, &backend_llvm);
	ck_assert(!o.debug && !o.output && !o.cpu);
}
END_TEST

START_TEST(letters_take_values_at_once_or_next)
{
	ck_assert(parse("-g -O1 -oa -I d1 -Id2 -lm -L /x heat.mpa more.o"));
	ck_assert(o.debug);
	ck_assert_int_eq(o.level, 1);
	ck_assert_str_eq(o.output, "a");
	ck_assert_int_eq(o.include.n, 2);
	ck_assert_str_eq(o.include.item[1], "d2");
	ck_assert_int_eq(o.link.n, 3);
	ck_assert_str_eq(o.link.item[0], "-lm");
	ck_assert_str_eq(o.link.item[1], "-L/x");
	ck_assert_str_eq(o.link.item[2], "more.o");
	ck_assert(parse("heat.mpa -o b") && !strcmp(o.output, "b"));
}
END_TEST

START_TEST(unknown_names_with_values_are_parameters)
{
	ck_assert(parse("--order=8 heat.mpa --emit=air --name="));
	ck_assert_int_eq(o.override.n, 2);
	ck_assert_str_eq(o.override.item[0].name, "order");
	ck_assert_str_eq(o.override.item[0].value, "8");
	ck_assert_str_eq(o.override.item[1].value, "");
	ck_assert_int_eq(o.emit, EMIT_AIR);
}
END_TEST

START_TEST(what_follows_an_evaluated_file_is_its_own)
{
	ck_assert(parse("--order=4 --evaluate heat.mpa --n=8 -g x"));
	ck_assert_int_eq(o.n_rest, 3);
	ck_assert_str_eq(o.rest[0], "--n=8");
	ck_assert(!o.debug);
	ck_assert(parse("--evaluate heat.mpa -- --n=8"));
	ck_assert_int_eq(o.n_rest, 1);
	ck_assert(parse("--evaluate heat.mpa") && o.n_rest == 0);
}
END_TEST

START_TEST(mistakes_are_refused)
{
	static const char *const line[] = {
		"",
		"--emit heat.mpa",
		"--emit=exec heat.mpa",
		"--debug=1 heat.mpa",
		"-O4 heat.mpa",
		"-O heat.mpa",
		"-q heat.mpa",
		"--unknown heat.mpa",
		"a.mpa b.mpa",
		"--color=red a.mpa",
		"--backend=java a.mpa",
		"heat.mpa -o",
		"--=3 heat.mpa",
	};

	for (size_t i = 0; i < sizeof line / sizeof *line; i++)
		ck_assert_msg(!parse(line[i]), "%s", line[i]);
}
END_TEST

static const char *folder_new(void)
{
	char *folder = arena_strdup(arena, "/tmp/mpa-driver-XXXXXX");

	ck_assert_ptr_nonnull(mkdtemp(folder));
	return folder;
}

START_TEST(files_appear_when_complete)
{
	const char *folder = folder_new(), *path = arena_printf(arena, "%s/x", folder);
	struct diag *d = diag_new();
	struct output out;

	ck_assert(output_open(&out, path, arena, d));
	fputs("text", out.file);
	ck_assert_int_ne(access(path, F_OK), 0);
	ck_assert(output_close(&out, true));
	ck_assert_int_eq(access(path, F_OK), 0);
	ck_assert(output_open(&out, path, arena, d));
	fputs("worse", out.file);
	ck_assert(!output_close(&out, false));
	ck_assert_int_eq(access(out.temporary, F_OK), -1);
	ck_assert(!output_open(&out, arena_printf(arena, "%s/no/x", folder), arena, d));
	ck_assert(!output_open(&out, folder, arena, d));
	ck_assert_int_eq(diag_errors(d), 2);
	unlink(path);
	ck_assert_int_eq(rmdir(folder), 0);
	diag_free(d);
}
END_TEST

START_TEST(devices_stay_devices)
{
	struct diag *d = diag_new();
	struct output out;
	struct stat s;

	ck_assert(output_open(&out, "/dev/null", arena, d));
	fputs("text", out.file);
	ck_assert(output_close(&out, true));
	ck_assert(stat("/dev/null", &s) == 0 && S_ISCHR(s.st_mode));
	ck_assert(output_open(&out, "/dev/full", arena, d));
	fputs("text", out.file);
	ck_assert(!output_close(&out, true));
	diag_free(d);
}
END_TEST

static Suite *driver_suite(void)
{
	Suite *s = suite_create("driver");
	TCase *t = tcase_create("command line");

	tcase_add_checked_fixture(t, set_up, tear_down);
	tcase_add_test(t, defaults);
	tcase_add_test(t, letters_take_values_at_once_or_next);
	tcase_add_test(t, unknown_names_with_values_are_parameters);
	tcase_add_test(t, what_follows_an_evaluated_file_is_its_own);
	tcase_add_test(t, mistakes_are_refused);
	tcase_add_test(t, files_appear_when_complete);
	tcase_add_test(t, devices_stay_devices);
	suite_add_tcase(s, t);
	return s;
}

UNIT_MAIN(driver_suite)
