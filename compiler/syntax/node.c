/* compiler/syntax/node.c - making AST nodes, for the grammar
 *
 * Takes tokens and children, gives nodes in the arena of the tree. Values of
 * literals are computed here; one too large is an error. A tree nested deeper than
 * MAX_NESTING is an error too, so that whoever walks it by recursion is safe; only
 * the left sides of a chain of operators go deeper (to MAX_HEIGHT), and are walked in
 * loops or by functions with small frames.
 */
#include "syntax/reader.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int height_above(const struct ast *const *child, int n)
{
	int height = 0;

	for (int i = 0; i < n; i++)
		if (child[i] && child[i]->height > height)
			height = child[i]->height;
	return height + 1;
}

static int nesting_above(enum ast_kind kind, const struct ast *const *child, int n)
{
	int nesting = 0;

	for (int i = 0; i < n; i++) {
		int more = !(kind == AST_BINARY && i == 0 && child[i]->kind == AST_BINARY);

		if (child[i] && child[i]->nesting + more > nesting)
			nesting = child[i]->nesting + more;
	}
	return nesting ? nesting : 1;
}

static struct ast *new_node(struct parser *p, enum ast_kind kind, struct span at,
                            const struct ast *const *child, int n)
{
	struct ast *a = arena_new_object(p->arena, struct ast);

	a->kind = kind;
	a->span = at;
	a->child = child;
	a->n_children = n;
	a->height = height_above(child, n);
	a->nesting = nesting_above(kind, child, n);
	if (a->nesting == MAX_NESTING + 1 || a->height == MAX_HEIGHT + 1)
		parser_error(p, DIAG_TOO_DEEP, at, "this is nested too deep");
	return a;
}

struct ast *node_make(struct parser *p, enum ast_kind kind, struct span at,
                      const struct ast *const *child, int n)
{
	size_t size = (size_t)n * sizeof *child;

	return new_node(p, kind, at, n ? arena_copy(p->arena, child, size) : NULL, n);
}

struct ast *node_list(struct parser *p, enum ast_kind kind, struct span at,
                      struct list *children)
{
	return new_node(p, kind, at, children->v.item, children->v.n);
}

struct ast *node_text(struct parser *p, enum ast_kind kind, struct span at,
                      const char *text)
{
	struct ast *a = new_node(p, kind, at, NULL, 0);

	a->text = text;
	return a;
}

/* NULL when there is no text: between two holes, say. */
struct ast *node_piece(struct parser *p, struct span at, const char *text)
{
	return *text ? node_text(p, AST_PIECE, at, text) : NULL;
}

struct ast *node_hole(struct parser *p, struct span at, struct ast *e, const char *spec)
{
	struct ast *a = node(p, HOLE, at, e);

	a->text = spec;
	return a;
}

struct ast *node_op(struct ast *node, enum ast_op op)
{
	node->op = op;
	return node;
}

struct ast *node_doc(struct ast *declaration, const char *doc)
{
	declaration->doc = doc;
	return declaration;
}

/* The digits of a literal without its underscores and its i. */
static char *digits_of(struct parser *p, const char *text)
{
	char *digits = arena_strdup(p->arena, text), *to = digits;

	for (; *text; text++)
		if (*text != '_' && *text != 'i')
			*to++ = *text;
	*to = '\0';
	return digits;
}

struct ast *node_integer(struct parser *p, struct span at, const char *text)
{
	struct ast *a = node_text(p, AST_INTEGER, at, text);
	bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');

	errno = 0;
	a->value.integer = strtoll(digits_of(p, text), NULL, hex ? 16 : 10);
	if (errno == ERANGE) {
		parser_error(p, DIAG_BAD_NUMBER, at, "this integer is too large for i64");
		diag_hint(p->diag, "The largest is 9223372036854775807.");
	}
	return a;
}

struct ast *node_real(struct parser *p, enum ast_kind kind, struct span at,
                      const char *text)
{
	struct ast *a = node_text(p, kind, at, text);

	a->value.real = strtod(digits_of(p, text), NULL);
	if (isinf(a->value.real)) {
		parser_error(p, DIAG_BAD_NUMBER, at, "this number is too large for f64");
		diag_hint(p->diag, "Infinity is written inf.");
	}
	return a;
}

struct ast *node_bool(struct parser *p, struct span at, bool value)
{
	struct ast *a = node_text(p, AST_BOOL, at, value ? "true" : "false");

	a->value.integer = value;
	return a;
}

struct ast *node_function(struct parser *p, enum ast_kind kind, struct span at,
                          const struct ast *signature, struct ast *body)
{
	const struct ast *child[] = { signature->child[0], signature->child[1],
		                      signature->child[2], body };

	return node_doc(node_make(p, kind, at, child, 4), signature->doc);
}

struct list *list_new(struct parser *p, struct ast *first)
{
	return list_add(p, arena_new_object(p->arena, struct list), first);
}

struct list *list_add(struct parser *p, struct list *list, struct ast *node)
{
	if (node)
		vec_push(p->arena, &list->v, node);
	return list;
}

void list_append(struct parser *p, struct list *list, const struct list *more)
{
	for (int i = 0; i < more->v.n; i++)
		vec_push(p->arena, &list->v, more->v.item[i]);
}

struct list *list_first(struct parser *p, struct ast *first, struct list *rest)
{
	struct list *list = list_new(p, first);

	list_append(p, list, rest);
	return list;
}
