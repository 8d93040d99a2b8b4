/* tests/unit/support.c - arenas, vectors, names, maps, sources, messages */
#include "support/arena.h"
#include "support/diag.h"
#include "support/intern.h"
#include "support/map.h"
#include "support/source.h"
#include "support/vec.h"

#include <stdint.h>
#include <stdio.h>

#include "unit.h"

static struct arena *arena;

static void setup(void)
{
	arena = arena_new();
}

static void teardown(void)
{
	arena_free(arena);
}

/* ---- memory ------------------------------------------------------------- */

START_TEST(arena_objects_are_zeroed_aligned_and_apart)
{
	unsigned char *last = NULL;

	for (size_t size = 0; size < 9000; size += 37) {
		unsigned char *p = arena_alloc(arena, size);

		ck_assert_uint_eq((uintptr_t)p % 16, 0);
		ck_assert_ptr_ne(p, last);
		for (size_t i = 0; i < size; i++)
			ck_assert_int_eq(p[i], 0);
		memset(p, 0xff, size);
		last = p;
	}
}
END_TEST

START_TEST(arena_copies_texts)
{
	ck_assert_str_eq(arena_strdup(arena, "one"), "one");
	ck_assert_str_eq(arena_strndup(arena, "one two", 3), "one");
	ck_assert_str_eq(arena_printf(arena, "%s-%d", "a", 12), "a-12");
	ck_assert_uint_gt(arena_used(arena), 0);
	arena_reset(arena);
	ck_assert_uint_eq(arena_used(arena), 0);
}
END_TEST

START_TEST(vectors_grow_in_an_arena_or_out_of_it)
{
	VEC(int) in = { 0 }, out = { 0 };
	int sum = 0, *each;

	for (int i = 0; i < 1000; i++) {
		vec_push(arena, &in, i);
		vec_push(NULL, &out, 2 * i);
	}
	ck_assert_int_eq(in.n, 1000);
	ck_assert_int_eq(in.item[999], 999);
	ck_assert_int_eq(vec_last(&out), 1998);
	ck_assert_int_eq(vec_pop(&out), 1998);
	for (vec_each(each, &out))
		sum += *each;
	ck_assert_int_eq(sum, 998 * 999);
	vec_free(&out);
}
END_TEST

/* ---- names and maps ----------------------------------------------------- */

START_TEST(names_are_equal_if_their_pointers_are)
{
	struct intern *in = intern_new();
	const char *first[1000];

	for (int i = 0; i < 1000; i++)
		first[i] = intern_text(in, arena_printf(arena, "name%d", i));
	for (int i = 0; i < 1000; i++) {
		char *text = arena_printf(arena, "name%d and more", i);

		ck_assert_ptr_eq(intern_bytes(in, text, strlen(text) - 9), first[i]);
	}
	ck_assert_ptr_ne(intern_text(in, ""), intern_text(in, "name"));
	intern_free(in);
}
END_TEST

START_TEST(maps_keep_the_order_of_insertion)
{
	struct map *m = map_new(arena, MAP_POINTERS);
	int keys[500];

	ck_assert_ptr_null(map_get(m, &keys[0]));
	for (int i = 0; i < 500; i++)
		ck_assert(map_set(m, &keys[i], &keys[499 - i]));
	ck_assert(!map_set(m, &keys[7], &keys[7]));
	ck_assert_int_eq(m->n, 500);
	for (int i = 0; i < 500; i++) {
		ck_assert_ptr_eq(m->entry[i].key, &keys[i]);
		ck_assert_ptr_eq(map_get(m, &keys[i]), i == 7 ? &keys[7] : &keys[499 - i]);
	}
	ck_assert_ptr_null(map_get(m, &m));
}
END_TEST

START_TEST(maps_of_texts_compare_what_they_say)
{
	struct map *m = map_new(arena, MAP_TEXTS);

	map_set(m, "one", m);
	ck_assert_ptr_eq(map_get(m, arena_strdup(arena, "one")), m);
	ck_assert_ptr_null(map_get(m, "two"));
}
END_TEST

/* ---- sources ------------------------------------------------------------ */

static void check_place(const struct source *s, uint32_t offset, int line, int column)
{
	struct place at = source_place(s, offset);

	ck_assert_int_eq(at.line, line);
	ck_assert_int_eq(at.column, column);
}

START_TEST(columns_count_characters)
{
	const char *text = "ab\n\xce\xb1\xce\xb2 c\r\nlast";
	struct source *s = source_new(arena, "s", text, strlen(text));
	uint32_t begin;
	size_t length;
	const char *line;

	check_place(s, 0, 1, 1);
	check_place(s, 2, 1, 3);
	check_place(s, 3, 2, 1);
	check_place(s, 8, 2, 4);
	check_place(s, s->length, 3, 5);
	line = source_line(s, 8, &begin, &length);
	ck_assert_uint_eq(begin, 3);
	ck_assert_uint_eq(length, 6);
	ck_assert_int_eq(strncmp(line, "\xce\xb1\xce\xb2 c", 6), 0);
}
END_TEST

START_TEST(a_source_grows_at_its_end)
{
	struct source *s = source_new(arena, "prompt", "", 0);

	for (int i = 0; i < 300; i++)
		source_append(s, "let a = 1\n", 10);
	ck_assert_uint_eq(s->length, 3000);
	ck_assert_int_eq(s->text[3000], '\0');
	check_place(s, 2994, 300, 5);
	ck_assert_ptr_null(source_read(arena, "/no/such/file"));
}
END_TEST

/* ---- messages ----------------------------------------------------------- */

static struct span span_of(const struct source *s, uint32_t begin, uint32_t end)
{
	return (struct span){ s, begin, end };
}

static const char *printed(const struct diag *d, bool colours)
{
	char *text, *copy;
	size_t length;
	FILE *f = open_memstream(&text, &length);

	diag_print(d, f, colours);
	fclose(f);
	copy = arena_strndup(arena, text, length);
	free(text);
	return copy;
}

START_TEST(messages_show_their_line)
{
	const char *text = "let a = 1\nlet \xce\xb1 =\t5 * b\n";
	struct source *s = source_new(arena, "x.mpa", text, strlen(text));
	struct diag *d = diag_new();

	diag_error(d, DIAG_UNKNOWN_NAME, span_of(s, 19, 24), "`%s` is not known", "5 * b");
	diag_hint(d, "Write %d.", 3);
	diag_note(d, span_of(s, 4, 5), "`a` is");
	diag_warning(d, DIAG_NARROWING, (struct span){ 0 }, "no place");
	ck_assert_str_eq(printed(d, false),
	                 "x.mpa:2:9: error: `5 * b` is not known [E0201]\n"
	                 "    2 | let \xce\xb1 =\t5 * b\n"
	                 "      |        \t^^^^^\n"
	                 "hint: Write 3.\n"
	                 "x.mpa:1:5: note: `a` is\n"
	                 "    1 | let a = 1\n"
	                 "      |     ^\n"
	                 "mpac: warning: no place [W0302]\n");
	ck_assert_ptr_nonnull(strstr(printed(d, true), "\033[1;31merror\033[0m"));
	ck_assert_int_eq(diag_errors(d), 1);
	ck_assert_int_eq(diag_warnings(d), 1);
	diag_free(d);
}
END_TEST

START_TEST(what_was_told_is_not_told_again)
{
	struct source *s = source_new(arena, "x", "abc", 3);
	struct diag *d = diag_new();

	diag_error(d, DIAG_UNKNOWN_NAME, span_of(s, 0, 1), "one");
	diag_error(d, DIAG_UNKNOWN_NAME, span_of(s, 0, 1), "two");
	diag_hint(d, "Gone with two.");
	diag_error(d, DIAG_WRONG_TYPE, span_of(s, 0, 1), "three");
	ck_assert_int_eq(diag_errors(d), 2);
	ck_assert_ptr_null(strstr(printed(d, false), "two"));
	diag_clear(d);
	ck_assert_int_eq(diag_errors(d), 0);
	ck_assert_str_eq(printed(d, false), "");
	diag_free(d);
}
END_TEST

START_TEST(errors_have_a_limit)
{
	struct diag *d = diag_new();

	for (int i = 0; i < 30; i++) {
		ck_assert(diag_full(d) == (i >= DIAG_LIMIT));
		diag_error(d, DIAG_UNKNOWN_NAME, (struct span){ 0 }, "error %d", i);
	}
	ck_assert_int_eq(diag_errors(d), 30);
	ck_assert_ptr_nonnull(strstr(printed(d, false), "error 19"));
	ck_assert_ptr_null(strstr(printed(d, false), "error 20"));
	ck_assert_ptr_nonnull(strstr(printed(d, false), "not shown: 10\n"));
	diag_free(d);
}
END_TEST

START_TEST(long_lines_are_cut_around_the_place)
{
	char text[1000];
	struct source *s;
	struct diag *d = diag_new();

	memset(text, '.', sizeof text);
	memcpy(text + 500, "here", 4);
	s = source_new(arena, "x", text, sizeof text);
	diag_error(d, DIAG_UNKNOWN_NAME, span_of(s, 500, 504), "e");
	ck_assert_ptr_nonnull(strstr(printed(d, false), "..here.."));
	ck_assert_uint_lt(strlen(printed(d, false)), 400);
	diag_free(d);
}
END_TEST

START_TEST(misspelt_words_have_a_nearest)
{
	static const char *const words[] = { "laplacian", "grad", "curl", "x", "max" };

	ck_assert_str_eq(diag_nearest("laplcaian", words, 5), "laplacian");
	ck_assert_str_eq(diag_nearest("lapalcan", words, 5), "laplacian");
	ck_assert_str_eq(diag_nearest("grda", words, 5), "grad");
	ck_assert_str_eq(diag_nearest("mac", words, 5), "max");
	ck_assert_ptr_null(diag_nearest("y", words, 5));
	ck_assert_ptr_null(diag_nearest("divergence", words, 5));
	ck_assert_ptr_null(diag_nearest("", words, 5));
	ck_assert_ptr_null(diag_nearest("grad", words, 0));
}
END_TEST

static Suite *support_suite(void)
{
	Suite *suite = suite_create("support");
	TCase *tests = tcase_create("support");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, arena_objects_are_zeroed_aligned_and_apart);
	tcase_add_test(tests, arena_copies_texts);
	tcase_add_test(tests, vectors_grow_in_an_arena_or_out_of_it);
	tcase_add_test(tests, names_are_equal_if_their_pointers_are);
	tcase_add_test(tests, maps_keep_the_order_of_insertion);
	tcase_add_test(tests, maps_of_texts_compare_what_they_say);
	tcase_add_test(tests, columns_count_characters);
	tcase_add_test(tests, a_source_grows_at_its_end);
	tcase_add_test(tests, messages_show_their_line);
	tcase_add_test(tests, what_was_told_is_not_told_again);
	tcase_add_test(tests, errors_have_a_limit);
	tcase_add_test(tests, long_lines_are_cut_around_the_place);
	tcase_add_test(tests, misspelt_words_have_a_nearest);
	suite_add_tcase(suite, tests);
	return suite;
}

UNIT_MAIN(support_suite)
