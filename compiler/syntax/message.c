/* compiler/syntax/message.c - the words for a syntax error
 *
 * Takes the token that did not fit and, for each kind of token, whether it could
 * have stood there; gives a message and, where other languages explain the
 * mistake, a hint.
 */
#include "syntax/reader.h"
#include "syntax/parser.h"
#include "support/habit.h"

#include <string.h>

static bool is_comparison(int kind)
{
	return kind == '<' || kind == '>' || kind == T_EQ || kind == T_NE ||
	       kind == T_LE || kind == T_GE;
}

static bool is_keyword(int kind)
{
	return kind >= T_PARAM && kind <= T_FALSE;
}

static bool is_word(const struct token *t, const char *word)
{
	return t->kind == T_NAME && strcmp(t->value.text, word) == 0;
}

static const char *hint_at_start(const struct token *t)
{
	if (t->kind == '{')
		return "A `{` stands on the line it belongs to.";
	if (t->kind == '}')
		return "There is no `{` for it.";
	if (t->kind == T_ELSE)
		return "`else` follows the `}` of an `if` or `where`.";
	if (t->kind == T_FLOORDIV)
		return "A comment begins with #.";
	if (t->starts_line && t->kind != T_YYEOF && layout_goes_on(t->kind))
		return "A line goes on if it ends with the operator.";
	return NULL;
}

static const char *hint_after_operand(const struct parser *p, const struct token *t)
{
	if (is_comparison(t->kind))
		return "Comparisons do not chain: write a < b and b < c.";
	if (t->kind == '=')
		return "To compare, write ==.";
	if (t->kind == T_DIV_BY)
		return "/= divides in place; not equal is !=.";
	if (t->kind == T_RANGE && p->depth && p->open[p->depth - 1].kind == '[')
		return "A slice is written a:b.";
	if (t->kind == T_RANGE)
		return "A range stands after `in`, `over` or `nodes`.";
	if (t->kind == T_ARROW)
		return "Its parameters stand in ( ).";
	if (t->kind == T_FOR)
		return "A sum over values is written sum(k in 1..5: c[k]); lists are written "
		       "out.";
	if (t->kind == T_IF)
		return "To choose a value, write where(condition, this, that).";
	if (is_word(t, "elif") || is_word(t, "elseif"))
		return "Write `else if`.";
	return NULL;
}

/* Where another language has another mark. */
static const char *hint_at_mark(const struct parser *p, const bool *may)
{
	const struct token *t = &p->current;

	if (t->kind == ':' && may['{'])
		return "A block stands in { }, and a range is written a..b.";
	if (t->kind == '=' && may[T_IN])
		return "A loop is written for i in a..b { ... }; b is excluded.";
	if (t->kind == T_INT && may[T_NAME] && p->depth &&
	    p->open[p->depth - 1].kind == '[')
		return "Axes have names: [x: 64, y: 48].";
	return NULL;
}

static const char *find_hint(const struct parser *p, const bool *may)
{
	const struct token *t = &p->current;

	if (t->starts_line && layout_in_brackets(p))
		return "Is a comma missing, or a bracket not closed?";
	if (may[T_LET])
		return hint_at_start(t);
	if (t->kind == T_TERM && may['{'])
		return "The `{` belongs on this line.";
	if (may[T_AND])
		return hint_after_operand(p, t);
	if (may[T_NAME] && is_keyword(t->kind))
		return "This is a keyword; choose another name.";
	return hint_at_mark(p, may);
}

static void quote(struct strbuf *b, const char *text)
{
	strbuf_printf(b, "`%s`", text);
}

static void describe(struct strbuf *b, const struct token *t, const char *name)
{
	switch (t->kind) {
	case T_TERM:
		strbuf_puts(b, t->value.text);
		break;
	case T_YYEOF:
		strbuf_puts(b, "end of file");
		break;
	case T_STRING: case T_STRING_HEAD:
		strbuf_puts(b, "text");
		break;
	case T_STRING_MID: case T_STRING_TAIL:
		quote(b, "}");
		break;
	case T_NAME: case T_INT: case T_REAL: case T_IMAG:
		quote(b, t->value.text);
		break;
	default:                     /* the grammar calls a character 'c' */
		if (*name == '\'')
			strbuf_printf(b, "`%c`", name[1]);
		else
			quote(b, name);
	}
}

static const char *add_expected(struct strbuf *b, const char *before, const char *what)
{
	strbuf_puts(b, before);
	strbuf_puts(b, what);
	return " or ";
}

/* What is worth telling of what could follow: "an expression or `]`". */
static void describe_expected(struct strbuf *b, const bool *may)
{
	static const struct {
		int kind;
		const char *text;
	} closers[] = {
		{ '{', "`{`" }, { '}', "`}`" }, { ',', "`,`" }, { ')', "`)`" },
		{ ']', "`]`" }, { T_STRING_TAIL, "`}`" }, { T_TERM, "end of statement" },
	}, openers[] = {
		{ ':', "`:`" }, { '=', "`=`" }, { T_IN, "`in`" },
		{ T_IMPORT, "`import`" },
	};
	const char *before = ", expected ";

	if (may[T_LET]) {
		before = add_expected(b, before, "a statement");
		if (may['}'])
			add_expected(b, before, "`}`");
		return;
	}
	if (may[T_INT])
		before = add_expected(b, before, "an expression");
	else if (may[T_NAME])
		before = add_expected(b, before, "a name");
	for (size_t i = 0; i < sizeof closers / sizeof *closers; i++)
		if (may[closers[i].kind])
			before = add_expected(b, before, closers[i].text);
	for (size_t i = 0; i < sizeof openers / sizeof *openers && !may[T_AND]; i++)
		if (may[openers[i].kind])
			before = add_expected(b, before, openers[i].text);
}

/* The name that began the line, if what follows it on the line is what does not fit. */
static const char *first_word(const struct parser *p)
{
	if (!p->before.starts_line || p->before.kind != T_NAME || p->current.starts_line)
		return NULL;
	return p->before.value.text;
}

/* `fild v on g`: it was to be a keyword. */
static const char *misspelt_keyword(const char *word)
{
	static const char *const words[] = {
#define KEYWORD(id, text) text,
#define WORD(id, text)
#include "syntax/token.def"
#undef KEYWORD
#undef WORD
	};

	return diag_nearest(word, words, sizeof words / sizeof *words);
}

static void tell_unexpected(struct parser *p, struct span at, const char *name,
                            const bool *may)
{
	struct strbuf message = { 0 };
	const char *first = first_word(p), *hint = find_hint(p, may);
	const char *habit = first ? habit_hint(HABIT_START, first) : NULL;
	const char *keyword = first && !habit ? misspelt_keyword(first) : NULL;

	strbuf_puts(&message, "unexpected ");
	describe(&message, &p->current, name);
	describe_expected(&message, may);
	parser_error(p, DIAG_UNEXPECTED, at, "%s", strbuf_text(&message));
	strbuf_free(&message);
	if (keyword)
		diag_hint(p->diag, "Did you mean `%s`?", keyword);
	else if (habit || hint)
		diag_hint(p->diag, "%s", habit ? habit : hint);
	if (p->current.kind == T_YYEOF && p->depth) {
		uint32_t open = p->open[p->depth - 1].at;

		diag_note(p->diag, parser_span(p, open, open + 1),
		          "this `{` is not closed");
	}
}

/* When the first word of a line does not fit into the brackets around it, they
 * were probably to be closed on the line before. */
void message_unexpected(struct parser *p, struct span at, const char *name,
                        const bool *may)
{
	p->recovering = true;
	if (p->unclosed.kind) {
		uint32_t open = p->unclosed.at;

		parser_error(p, DIAG_NOT_CLOSED, parser_span(p, open, open + 1),
		             "`%c` is not closed", p->unclosed.kind);
		return;
	}
	tell_unexpected(p, at, name, may);
	if (p->current.starts_line)
		brackets_abandon(p);
}
