/* compiler/syntax/layout.c - line ends to ends of statements
 *
 * Takes raw tokens, gives the grammar T_TERM where a statement ends: at `;`, at
 * the end of the source, before `}`, and at a line end, unless
 *   - the line's last token cannot end a statement (an operator, a comma, =), or
 *   - a ( or [ is open, and the next line does not begin with a word that only
 *     ever begins a statement: then the bracket was forgotten, or
 *   - the next line begins with `else`.
 * Looking at the next line means holding a token back. At the prompt nobody
 * knows the next line, so there a line end outside all brackets just ends.
 */
#include "syntax/reader.h"
#include "syntax/parser.h"

bool layout_in_brackets(const struct parser *p)
{
	return p->depth && p->open[p->depth - 1].kind != '{';
}

bool layout_goes_on(int kind)
{
	switch (kind) {
	case 0: case T_TERM: case '{': case '(': case '[': case ',': case ':': case '.':
	case '=': case T_ADD_TO: case T_SUB_FROM: case T_MUL_BY: case T_DIV_BY:
	case '+': case '-': case '*': case '/': case T_FLOORDIV: case '%': case '^':
	case T_EQ: case T_NE: case '<': case '>': case T_LE: case T_GE:
	case T_AND: case T_OR: case T_NOT: case T_RANGE: case T_ARROW:
		return true;
	default:
		return false;
	}
}

/* Can this begin a line only if the brackets before it were forgotten? */
static bool cuts_brackets(int kind)
{
	switch (kind) {
	case '}': case T_YYEOF:
	case T_PARAM: case T_LET: case T_GRID: case T_FIELD: case T_BOUNDARY: case T_FN:
	case T_RETURN: case T_FOR: case T_WHILE: case T_IF: case T_EVERY: case T_BREAK:
	case T_CONTINUE: case T_IMPORT: case T_EXTERN: case T_EXPORT:
		return true;
	default:                     /* not `var` and `where`, which may be called */
		return false;
	}
}

static int give(struct parser *p, struct token t)
{
	p->before = p->current;
	p->current = t;
	p->idle = p->idle && t.kind == T_TERM;
	if (t.kind == T_TERM || t.kind == '{')
		p->recovering = false;
	return t.kind;
}

static int give_term(struct parser *p, const char *what, struct span at)
{
	return give(p, (struct token){ .kind = T_TERM, .value.text = what, .at = at });
}

static void hold(struct parser *p, struct token t)
{
	p->held = t;
	p->holds = true;
}

static struct token next_raw(struct parser *p)
{
	struct token t;

	if (p->holds) {
		p->holds = false;
		return p->held;
	}
	lexer_next(p, &t);
	return t;
}

/* A line ended after a token that can end a statement; does it? */
static int end_line(struct parser *p, struct token line_end)
{
	bool in_brackets = layout_in_brackets(p);
	struct token next;

	do
		next = next_raw(p);
	while (next.kind == T_NEWLINE);

	if (next.kind == STARVED) {
		hold(p, line_end);
		return STARVED;
	}
	if (in_brackets ? !cuts_brackets(next.kind) : next.kind == T_ELSE)
		return give(p, next);
	if (next.kind == '{') {
		parser_error(p, DIAG_BRACE_ON_OWN_LINE, next.at,
		             "a line cannot begin with `{`");
		diag_hint(p->diag, "It belongs at the end of the line above.");
		return give(p, next);
	}
	brackets_abandon(p);
	hold(p, next);
	return give_term(p, "end of line", line_end.at);
}

int layout_next(union value *value, struct span *at, struct parser *p)
{
	struct token t;
	int kind;

	p->unclosed.kind = 0;
	do
		t = next_raw(p);
	while (t.kind == T_NEWLINE && layout_goes_on(p->current.kind));

	if (t.kind == STARVED)
		return STARVED;
	if (t.kind == T_NEWLINE && p->interactive && p->depth == 0)
		kind = give_term(p, "end of line", t.at);
	else if (t.kind == T_NEWLINE)
		kind = end_line(p, t);
	else if (t.kind == ';')
		kind = give_term(p, "`;`", t.at);
	else if ((t.kind == '}' || t.kind == T_YYEOF) && p->current.kind != T_TERM) {
		brackets_abandon(p);
		hold(p, t);
		kind = give_term(p, t.kind == '}' ? "`}`" : "end of file", t.at);
	} else {
		kind = give(p, t);
	}

	*value = p->current.value;
	*at = p->current.at;
	return kind;
}

/* Between two lines at the prompt: would a line end be passed over? */
bool layout_needs_more(const struct parser *p)
{
	return p->depth > 0 || !p->idle;
}
