/* tests/unit/strbuf.c - support/strbuf.h */
#include "support/arena.h"
#include "support/strbuf.h"

#include "unit.h"

START_TEST(empty_text_is_a_text)
{
	struct strbuf b = { 0 };

	ck_assert_str_eq(strbuf_text(&b), "");
	strbuf_free(&b);
}
END_TEST

START_TEST(text_grows_and_keeps_what_it_held)
{
	struct strbuf b = { 0 };

	for (int i = 0; i < 1000; i++)
		strbuf_printf(&b, "%03d,", i);
	ck_assert_uint_eq(b.length, 4000);
	ck_assert_int_eq(memcmp(strbuf_text(&b), "000,001,", 8), 0);
	ck_assert_str_eq(strbuf_text(&b) + 3996, "999,");
	strbuf_free(&b);
}
END_TEST

START_TEST(copy_in_an_arena_outlives_the_buffer)
{
	struct arena *a = arena_new();
	struct strbuf b = { 0 };
	char *copy;

	strbuf_puts(&b, "one ");
	strbuf_add(&b, "two three", 3);
	strbuf_putc(&b, '.');
	copy = strbuf_to_arena(&b, a);
	strbuf_clear(&b);
	strbuf_puts(&b, "XXXXXXXX");
	strbuf_free(&b);
	ck_assert_str_eq(copy, "one two.");
	arena_free(a);
}
END_TEST

static Suite *strbuf_suite(void)
{
	Suite *s = suite_create("strbuf");
	TCase *t = tcase_create("text");

	tcase_add_test(t, empty_text_is_a_text);
	tcase_add_test(t, text_grows_and_keeps_what_it_held);
	tcase_add_test(t, copy_in_an_arena_outlives_the_buffer);
	suite_add_tcase(s, t);
	return s;
}

UNIT_MAIN(strbuf_suite)
