/* compiler/sema/item.h - the prompt: items that are checked one after the other
 *
 * One state lives on. An item is what was given at once; it is checked as the text of a
 * program is, at the end of what is there, and either all of it holds or nothing.
 *
 *	air = sema_item(s, tree);       NULL: told, and s is as it was
 *	... run it ...
 *	fine ? sema_accept(s) : sema_revert(s);
 *
 * The body of the program is the item's alone; numbers of variables, fields, axes,
 * families and grids go on. What no name leads to any more is given up in sema_accept:
 * its numbers are used again if they are the last ones.
 */
#ifndef SEMA_ITEM_H
#define SEMA_ITEM_H

#include "sema/sema.h"

struct sema;

/* With the prelude; NULL: told. in->program is empty, and `in` lives as long. */
struct sema *sema_open(const struct sema_input *in);
struct air_program *sema_item(struct sema *s, const struct ast *tree);
void sema_close(struct sema *s); /* NULL is fine */
void sema_accept(struct sema *s);
void sema_revert(struct sema *s);

/* What the expression of an item is, "field f64 on plate"; NULL: told. */
const char *sema_type(struct sema *s, const struct ast *tree);
/* Calls fn for each name at the prompt, in order, with what it is; all: also for those
 * that were not declared at the prompt, whose text is NULL. */
void sema_names(struct sema *s, bool all,
		void (*fn)(void *context, const char *name, const char *text),
		void *context);

#endif
