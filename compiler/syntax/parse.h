/* compiler/syntax/parse.h - a source to its tree
 *
 *   characters --lexer.l--> raw tokens --layout.c--> tokens --parser.y--> AST
 *
 * A file is read at once. At the prompt lines are fed one by one; each answer says
 * whether to run what is complete, to ask for another line, or that errors made
 * the input so far void (the next line starts anew).
 */
#ifndef SYNTAX_PARSE_H
#define SYNTAX_PARSE_H

#include <stdbool.h>
#include <stddef.h>

#include "syntax/ast.h"

struct arena;
struct diag;
struct intern;
struct parser;

struct syntax {
	struct arena *arena;            /* the tree goes here */
	struct intern *names;
	struct diag *diag;
};

/* A PROGRAM, or NULL when there were errors. */
const struct ast *parse_file(const struct syntax *s, const struct source *source);

enum parse_status { PARSE_COMPLETE, PARSE_NEEDS_MORE, PARSE_FAILED };

/* Lines are appended to source, so that messages can show them. */
struct parser *parser_new(const struct syntax *s, struct source *source);
void parser_free(struct parser *p);
enum parse_status parser_feed(struct parser *p, const char *line, size_t length);
const struct ast *parser_take(struct parser *p);        /* a PROGRAM of what is done */

/* Does this word begin with a letter and go on as a name does? Is it a keyword? */
bool parse_is_name(const char *text);
bool parse_is_keyword(const char *text);

#endif
