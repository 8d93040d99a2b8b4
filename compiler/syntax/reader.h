/* compiler/syntax/reader.h - what lexer, layout, grammar and messages share
 *
 *   characters --lexer.l--> raw tokens --layout.c--> tokens --parser.y--> AST
 *
 * One struct parser is one source being read: a file, or an endless session at
 * the prompt. Only this folder includes this header.
 */
#ifndef SYNTAX_READER_H
#define SYNTAX_READER_H

#include <stdbool.h>
#include <stddef.h>

#include "support/arena.h"
#include "support/diag.h"
#include "support/intern.h"
#include "support/strbuf.h"
#include "support/vec.h"
#include "syntax/ast.h"
#include "syntax/parse.h"

struct list {
	VEC(const struct ast *) v;
};

union value {
	const char *text;            /* of a name or literal; a doc comment; what a TERM was */
	struct ast *node;
	struct list *list;
};

struct token {
	int kind;
	union value value;
	struct span at;
	bool starts_line;
};

/* An open `(` `[` `{`, or `"` for the hole of a text: "{"; that is at its text. */
struct bracket {
	char kind;
	uint32_t at;
};

enum { MAX_BRACKETS = 200, MAX_NESTING = 1000, MAX_HEIGHT = 40000 };

struct parser {
	struct arena *arena;
	struct intern *names;
	struct diag *diag;
	struct source *source;
	bool interactive;
	bool failed;                 /* an error was told since the start */

	/* lexer */
	void *scanner;
	uint32_t pos;
	bool at_line_start, after_dot;
	struct bracket open[MAX_BRACKETS];
	int depth;
	struct strbuf piece;         /* the piece of a text being read ... */
	uint32_t piece_at;           /* ... where it began ... */
	bool piece_first;            /* ... whether it opened the text ... */
	uint32_t text_at;            /* ... and where that was */
	struct strbuf doc;           /* doc comments waiting for their declaration */
	uint32_t doc_end;            /* of the file's own one, which is of no declaration */

	/* layout */
	struct token current;        /* the last token given to the grammar */
	struct token before;         /* the one before it */
	struct token held;           /* the one after it, when already read */
	bool holds;
	bool recovering;             /* an error was told, and its statement is skipped */
	struct bracket unclosed;     /* the outermost one just abandoned, if any */

	/* grammar */
	struct yypstate *grammar;    /* at the prompt */
	bool idle;                   /* no statement is half read */
	struct list *program;
};

/* parser_error(p, code, span, format, ...) */
#define parser_error(p, ...) ((p)->failed = true, diag_error((p)->diag, __VA_ARGS__))

struct span parser_span(const struct parser *p, uint32_t begin, uint32_t end);

/* lexer.l */
enum { STARVED = -2 };       /* no more characters now, but the source goes on */

int lexer_next(struct parser *p, struct token *t);
void lexer_feed(struct parser *p, const char *text, size_t length);
void lexer_reset(struct parser *p);
void brackets_abandon(struct parser *p);     /* forget open ( [ up to the innermost { */

/* layout.c */
int layout_next(union value *value, struct span *at, struct parser *p);
bool layout_in_brackets(const struct parser *p);
bool layout_goes_on(int kind);               /* can a line not end with this token? */
bool layout_needs_more(const struct parser *p);

/* message.c */
void message_unexpected(struct parser *p, struct span at, const char *name,
                        const bool *may);

/* check.c: each but check_axis gives back what it was given */
struct ast *check_target(struct parser *p, struct ast *target);
struct ast *check_effect(struct parser *p, struct ast *expression);
struct ast *check_condition(struct parser *p, struct ast *condition);
struct ast *check_wall(struct parser *p, struct ast *wall);
void check_axis(struct parser *p, const struct ast *name, struct span at,
                const struct ast *size);
struct list *check_parameters(struct parser *p, struct list *names);

/* node.c */
struct ast *node_make(struct parser *p, enum ast_kind kind, struct span at,
                      const struct ast *const *child, int n);
struct ast *node_list(struct parser *p, enum ast_kind kind, struct span at,
                      struct list *children);
struct ast *node_text(struct parser *p, enum ast_kind kind, struct span at,
                      const char *text);
struct ast *node_piece(struct parser *p, struct span at, const char *text);
struct ast *node_hole(struct parser *p, struct span at, struct ast *e, const char *spec);
struct ast *node_op(struct ast *node, enum ast_op op);
struct ast *node_doc(struct ast *declaration, const char *doc);
struct ast *node_integer(struct parser *p, struct span at, const char *text);
struct ast *node_real(struct parser *p, enum ast_kind kind, struct span at,
                      const char *text);
struct ast *node_bool(struct parser *p, struct span at, bool value);
struct ast *node_function(struct parser *p, enum ast_kind kind, struct span at,
                          const struct ast *signature, struct ast *body);
struct list *list_new(struct parser *p, struct ast *first);
struct list *list_add(struct parser *p, struct list *list, struct ast *node);
struct list *list_first(struct parser *p, struct ast *first, struct list *rest);
void list_append(struct parser *p, struct list *list, const struct list *more);

/* a node with these children; NULL for an absent one */
#define node(p, kind, at, ...)                                                         \
	node_make((p), AST_##kind, (at), (const struct ast *[]){ __VA_ARGS__ },        \
	          (int)(sizeof(const struct ast *[]){ __VA_ARGS__ } /                  \
	                sizeof(const struct ast *)))
#define node_leaf(p, kind, at)         node_make((p), AST_##kind, (at), NULL, 0)
#define node_name(p, at, text)         node_text((p), AST_NAME, (at), (text))
#define node_unary(p, op, at, a)       node_op(node(p, UNARY, at, a), AST_OP_##op)
#define node_binary(p, op, at, a, b)   node_op(node(p, BINARY, at, a, b), AST_OP_##op)
#define node_assign(p, op, at, to, v)  node_op(node(p, ASSIGN, at, to, v), AST_OP_##op)

#endif
