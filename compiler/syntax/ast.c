/* compiler/syntax/ast.c - looking at trees, verifying and printing them
 *
 * The printed form shows how a text was understood: every node as (kind child ...),
 * names and numbers as they were written, `-` for what is absent, and statements of
 * blocks on lines of their own.
 */
#include "syntax/ast.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

enum { MANY = INT_MAX };

static const struct kind {
	const char *text;
	int least, most;
	unsigned absent;
} kinds[] = {
#define ROW(id, text, least, most, absent) { text, least, most, absent },
#include "syntax/ast.def"
#undef ROW
};

const char *ast_kind_text(enum ast_kind kind)
{
	assert(kind < AST_KIND_COUNT);
	return kinds[kind].text;
}

const char *ast_op_text(enum ast_op op)
{
	static const char *const texts[] = {
#define ROW(id, text) text,
		AST_OPS(ROW)
#undef ROW
	};

	assert(op < AST_OP_COUNT);
	return texts[op];
}

const char *ast_name(const struct ast *a)
{
	assert(ast_is(a, AST_NAME));
	return a->text;
}

const struct ast *ast_bare(const struct ast *a)
{
	while (ast_is(a, AST_PAREN))
		a = a->child[0];
	return a;
}

/* ---- verifying ---------------------------------------------------------- */

static const char *verify_child(const struct ast *a, int i)
{
	const struct ast *c = a->child[i];

	if (!c)
		return i < 32 && kinds[a->kind].absent >> i & 1 ? NULL : "a child is missing";
	if (c->span.source != a->span.source || c->span.begin < a->span.begin ||
	    c->span.end > a->span.end)
		return "a child lies outside its parent";
	if (c->height >= a->height)
		return "a child is as high as its parent";
	return ast_verify(c);
}

static const char *verify_members(const struct ast *a)
{
	bool has_op = a->kind == AST_UNARY || a->kind == AST_BINARY ||
	              a->kind == AST_ASSIGN;

	if (has_op != (a->op != AST_OP_NONE))
		return "an operator is missing, or has no place here";
	if (a->kind >= AST_NAME && a->kind <= AST_BOOL && !a->text)
		return "a name or literal has no text";
	if (a->kind == AST_TEXT && !a->text == !a->n_children)
		return "a text has neither text nor pieces, or both";
	return NULL;
}

const char *ast_verify(const struct ast *a)
{
	const char *wrong = verify_members(a);

	if (a->kind >= AST_KIND_COUNT)
		return "no such kind";
	if (!a->span.source || a->span.begin > a->span.end)
		return "a node has no place";
	if (a->n_children < kinds[a->kind].least || a->n_children > kinds[a->kind].most)
		return "too many or too few children";
	for (int i = 0; i < a->n_children && !wrong; i++)
		wrong = verify_child(a, i);
	return wrong;
}

/* ---- printing ----------------------------------------------------------- */

/* As it would be written. */
static void print_quoted(FILE *out, const char *text)
{
	putc('"', out);
	for (; *text; text++) {
		if (strchr("\n\t\"\\{}", *text))
			putc('\\', out);
		putc(*text == '\n' ? 'n' : *text == '\t' ? 't' : *text, out);
	}
	putc('"', out);
}

static void print_head(FILE *out, const struct ast *a)
{
	if (a->kind == AST_ASSIGN && a->op != AST_OP_SET)
		fprintf(out, "(%s=", ast_op_text(a->op));
	else if (a->op)
		fprintf(out, "(%s", ast_op_text(a->op));
	else
		fprintf(out, "(%s", ast_kind_text(a->kind));
}

static void print_node(FILE *out, const struct ast *a, int indent);

static void print_children(FILE *out, const struct ast *a, int indent)
{
	bool lines = a->kind == AST_BLOCK;

	for (int i = 0; i < a->n_children; i++) {
		if (lines)
			fprintf(out, "\n%*s", indent + 2, "");
		else
			putc(' ', out);
		print_node(out, a->child[i], lines ? indent + 2 : indent);
	}
}

static void print_inner(FILE *out, const struct ast *a, int indent)
{
	print_head(out, a);
	if (a->doc) {
		fputs(" (doc ", out);
		print_quoted(out, a->doc);
		putc(')', out);
	}
	print_children(out, a, indent);
	if (a->kind == AST_HOLE && a->text) {
		putc(' ', out);
		print_quoted(out, a->text);
	}
	putc(')', out);
}

static void print_node(FILE *out, const struct ast *a, int indent)
{
	if (!a)
		putc('-', out);
	else if (a->text && (a->kind == AST_TEXT || a->kind == AST_PIECE))
		print_quoted(out, a->text);
	else if (a->text && a->kind != AST_HOLE)
		fputs(a->text, out);
	else
		print_inner(out, a, indent);
}

void ast_print(FILE *out, const struct ast *a)
{
	if (!ast_is(a, AST_PROGRAM)) {
		print_node(out, a, 0);
		putc('\n', out);
		return;
	}
	for (int i = 0; i < a->n_children; i++) {
		print_node(out, a->child[i], 0);
		putc('\n', out);
	}
}
