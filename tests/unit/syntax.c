/* tests/unit/syntax.c - what trees hold beside their shape: values, spans, docs
 *
 * Their shape is compared by tests/syntax/run.sh.
 */
#include "support/arena.h"
#include "support/diag.h"
#include "support/intern.h"
#include "syntax/parse.h"

#include "unit.h"

static struct syntax syntax;

static void setup(void)
{
	syntax = (struct syntax){ arena_new(), intern_new(), diag_new() };
}

static void teardown(void)
{
	arena_free(syntax.arena);
	intern_free(syntax.names);
	diag_free(syntax.diag);
}

static const struct ast *parse(const char *text)
{
	struct source *s = source_new(syntax.arena, "test", text, strlen(text));

	return parse_file(&syntax, s);
}

/* The value of `let a = ...`. */
static const struct ast *parse_value(const char *expression)
{
	const struct ast *program =
		parse(arena_printf(syntax.arena, "let a = %s", expression));

	ck_assert_ptr_nonnull(program);
	ck_assert_int_eq(program->n_children, 1);
	return program->child[0]->child[3];
}

static void check_span(const struct ast *a, const char *text)
{
	ck_assert_uint_eq(a->span.end - a->span.begin, strlen(text));
	ck_assert_int_eq(strncmp(a->span.source->text + a->span.begin, text,
	                         strlen(text)), 0);
}

START_TEST(literals_have_values)
{
	ck_assert_int_eq(parse_value("1_000_000")->value.integer, 1000000);
	ck_assert_int_eq(parse_value("0xfF_00")->value.integer, 0xff00);
	ck_assert(parse_value("9223372036854775807")->value.integer == INT64_MAX);
	ck_assert(parse_value("1_0.2_5e-1_0")->value.real == 10.25e-10);
	ck_assert(parse_value("1.")->value.real == 1.0);
	ck_assert(parse_value("0.1")->value.real == 0.1);
	ck_assert(parse_value("2.5i")->value.real == 2.5);
	ck_assert_int_eq(parse_value("2.5i")->kind, AST_IMAGINARY);
	ck_assert_int_eq(parse_value("true")->value.integer, 1);
	ck_assert_int_eq(parse_value("false")->value.integer, 0);
}
END_TEST

START_TEST(texts_are_pieces_and_holes)
{
	const struct ast *plain = parse_value("\"a\\n\\{b\\}\"");
	const struct ast *text = parse_value("\"a{b:>5}{c} d\"");

	ck_assert_str_eq(plain->text, "a\n{b}");
	ck_assert_int_eq(plain->n_children, 0);
	ck_assert_ptr_null(text->text);
	ck_assert_int_eq(text->n_children, 4);
	ck_assert_str_eq(text->child[0]->text, "a");
	ck_assert_str_eq(text->child[1]->text, ">5");
	ck_assert_ptr_null(text->child[2]->text);
	ck_assert_str_eq(text->child[3]->text, " d");
	ck_assert_str_eq(parse_value("\"\"")->text, "");
}
END_TEST

START_TEST(spans_cover_what_was_written)
{
	const struct ast *sum = parse_value("f(a, b)[x+1] +\n  -(c)");

	check_span(sum, "f(a, b)[x+1] +\n  -(c)");
	check_span(sum->child[0], "f(a, b)[x+1]");
	check_span(sum->child[0]->child[0], "f(a, b)");
	check_span(sum->child[0]->child[1], "x+1");
	check_span(sum->child[1], "-(c)");
	check_span(sum->child[1]->child[0], "(c)");
	ck_assert_ptr_eq(ast_bare(sum->child[1]->child[0]),
	                 sum->child[1]->child[0]->child[0]);
	check_span(parse_value("\"a{b:>5}{c} d\""), "\"a{b:>5}{c} d\"");
}
END_TEST

START_TEST(names_are_interned_in_nfc)
{
	const struct ast *sum = parse_value("e\xcc\x81 + \xc3\xa9");

	ck_assert_ptr_eq(ast_name(sum->child[0]), ast_name(sum->child[1]));
	ck_assert_ptr_eq(ast_name(sum->child[0]), intern_text(syntax.names, "\xc3\xa9"));
}
END_TEST

START_TEST(docs_belong_to_the_declaration_below)
{
	const struct ast *program = parse("## one\n## two\nfield u\nfield v\n"
	                                  "## three\nexport fn f() = 1\n");

	ck_assert_str_eq(program->child[0]->doc, " one\n two\n");
	ck_assert_ptr_null(program->child[1]->doc);
	ck_assert_str_eq(program->child[2]->doc, " three\n");
	ck_assert_int_eq(program->child[2]->kind, AST_EXPORT);
}
END_TEST

START_TEST(errors_make_no_tree)
{
	ck_assert_ptr_null(parse("let a 3\nlet b 4\nlet c = 5\n"));
	ck_assert_int_eq(diag_errors(syntax.diag), 2);
	diag_clear(syntax.diag);
	ck_assert_ptr_nonnull(parse(""));
	ck_assert_int_eq(diag_errors(syntax.diag), 0);
}
END_TEST

static const struct ast *nested(const char *open, const char *close, int n)
{
	char *text = arena_alloc(syntax.arena, 16 + (size_t)n * 8), *end = text;

	end += sprintf(end, "let a = ");
	for (int i = 0; i < n; i++)
		end += sprintf(end, "%s", open);
	end += sprintf(end, "1");
	for (int i = 0; i < n; i++)
		end += sprintf(end, "%s", close);
	return parse(text);
}

START_TEST(nesting_has_a_limit)
{
	ck_assert_ptr_nonnull(nested("(", ")", 150));
	ck_assert_ptr_null(nested("(", ")", 250));
	ck_assert_ptr_nonnull(nested("1 + ", "", 30000));
	ck_assert_ptr_null(nested("1 + ", "", 50000));
	ck_assert_ptr_null(nested("-", "", 50000));
	ck_assert_ptr_null(nested("2^", "", 50000));
	ck_assert_ptr_null(nested("f(a)", "(b)", 1100));
}
END_TEST

START_TEST(words_are_told_apart)
{
	ck_assert(parse_is_keyword("where"));
	ck_assert(!parse_is_keyword("over"));
	ck_assert(parse_is_name("over"));
	ck_assert(parse_is_name("\xce\x94t_1"));
	ck_assert(!parse_is_name("1a"));
	ck_assert(!parse_is_name("a b"));
	ck_assert(!parse_is_name(""));
	ck_assert(!parse_is_name("for"));
	ck_assert(!parse_is_name("\xff"));
}
END_TEST

START_TEST(the_prompt_goes_on_after_an_error)
{
	struct source *s = source_new(syntax.arena, "prompt", "", 0);
	struct parser *p = parser_new(&syntax, s);
	const struct ast *program;

	ck_assert_int_eq(parser_feed(p, "f(a,\n", 5), PARSE_NEEDS_MORE);
	ck_assert_int_eq(parser_feed(p, "b)", 2), PARSE_COMPLETE);
	program = parser_take(p);
	ck_assert_int_eq(program->n_children, 1);
	check_span(program->child[0], "f(a,\nb)");
	ck_assert_int_eq(parser_feed(p, "let 3", 5), PARSE_FAILED);
	ck_assert_int_eq(parser_feed(p, "", 0), PARSE_COMPLETE);
	ck_assert_int_eq(parser_take(p)->n_children, 0);
	ck_assert_int_eq(parser_feed(p, "1; 2\n3\n", 7), PARSE_COMPLETE);
	program = parser_take(p);
	ck_assert_int_eq(program->n_children, 3);
	ck_assert_int_eq(span_place(program->child[2]->span).line, 6);
	parser_free(p);
}
END_TEST

static Suite *syntax_suite(void)
{
	Suite *suite = suite_create("syntax");
	TCase *tests = tcase_create("syntax");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, literals_have_values);
	tcase_add_test(tests, texts_are_pieces_and_holes);
	tcase_add_test(tests, spans_cover_what_was_written);
	tcase_add_test(tests, names_are_interned_in_nfc);
	tcase_add_test(tests, docs_belong_to_the_declaration_below);
	tcase_add_test(tests, errors_make_no_tree);
	tcase_add_test(tests, nesting_has_a_limit);
	tcase_add_test(tests, words_are_told_apart);
	tcase_add_test(tests, the_prompt_goes_on_after_an_error);
	suite_add_tcase(suite, tests);
	return suite;
}

UNIT_MAIN(syntax_suite)
