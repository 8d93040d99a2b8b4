/* compiler/syntax/ast.h - what was written
 *
 * One uniform node: a kind, a span, what the kind needs of text, op and value, and
 * children in the order that ast.def documents (an absent one is NULL). A tree is
 * never changed after it was parsed, so a function body can be read many times.
 * Lives in the arena of its input; texts that are names are interned.
 */
#ifndef SYNTAX_AST_H
#define SYNTAX_AST_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "support/source.h"

struct arena;

enum ast_kind {
#define ROW(id, text, least, most, absent) AST_##id,
#include "syntax/ast.def"
#undef ROW
	AST_KIND_COUNT
};

/* operators: ROW(id, as written) */
#define AST_OPS(ROW)                                                                   \
	ROW(NONE, "")                                                                  \
	ROW(SET, "=")                                                                  \
	ROW(ADD, "+")                                                                  \
	ROW(SUB, "-")                                                                  \
	ROW(MUL, "*")                                                                  \
	ROW(DIV, "/")                                                                  \
	ROW(FLOORDIV, "//")                                                            \
	ROW(MOD, "%")                                                                  \
	ROW(POW, "^")                                                                  \
	ROW(NEG, "-")                                                                  \
	ROW(POS, "+")                                                                  \
	ROW(EQ, "==")                                                                  \
	ROW(NE, "!=")                                                                  \
	ROW(LT, "<")                                                                   \
	ROW(LE, "<=")                                                                  \
	ROW(GT, ">")                                                                   \
	ROW(GE, ">=")                                                                  \
	ROW(AND, "and")                                                                \
	ROW(OR, "or")                                                                  \
	ROW(NOT, "not")

enum ast_op {
#define ROW(id, text) AST_OP_##id,
	AST_OPS(ROW)
#undef ROW
	AST_OP_COUNT
};

struct ast {
	enum ast_kind kind;
	enum ast_op op;                 /* UNARY, BINARY, ASSIGN */
	struct span span;
	const char *text;               /* NAME, literals, TEXT, PIECE, HOLE; else NULL */
	const char *doc;                /* of a declaration, or NULL */
	union {
		int64_t integer;        /* INTEGER, BOOL */
		double real;            /* REAL, IMAGINARY */
	} value;
	int height;                     /* of the tree below, itself included */
	int nesting;                    /* the same, but a chain a + b + c ... counts once */
	int n_children;
	const struct ast *const *child;
};

const char *ast_kind_text(enum ast_kind kind);
const char *ast_op_text(enum ast_op op);

static inline bool ast_is(const struct ast *a, enum ast_kind kind)
{
	return a && a->kind == kind;
}

const char *ast_name(const struct ast *a);      /* of a NAME; asserts that it is one */
const struct ast *ast_bare(const struct ast *a); /* a without the ( ) around it */

/* NULL, or what is wrong with the tree: a mistake of the parser. */
const char *ast_verify(const struct ast *a);

/* As an S-expression: the statements of a program one a line. */
void ast_print(FILE *out, const struct ast *a);

#endif
