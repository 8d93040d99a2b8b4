/* driver/session.h - one prompt from its first line to its last; what repl.c, item.c and
 * command.c share */
#ifndef DRIVER_SESSION_H
#define DRIVER_SESSION_H

#include "backend/backend.h"
#include "driver/modules.h"
#include "driver/options.h"
#include "driver/repl.h"
#include "mpa/host.h"
#include "sema/item.h"
#include "support/arena.h"
#include "support/diag.h"
#include "support/intern.h"
#include "syntax/parse.h"

struct plan;

struct repl {
	struct options *o;
	struct syntax syntax; /* arena, names, diag: they live as long as the session */
	struct modules modules;
	struct source *source; /* all lines */
	struct parser *parser;
	struct sema_input input;
	struct sema *sema;
	struct plan *plan; /* of the last item that went well */
	struct backend_options backend;
	void *engine;
	struct mpa_session *run;
	struct repl_editor *editor; /* rank 0 */
	int items;
	bool failed; /* any of them */
	bool done;
	int status;
};

/* item.c */
/* Checks, compiles and runs; what goes wrong is told. false: it did. */
bool item_run(struct repl *r, const struct ast *tree);
/* Shows a form of an item, which is not run. */
bool item_emit(struct repl *r, const struct ast *tree, enum form form);
bool item_open(struct repl *r); /* the state of no item yet; also anew */
/* Messages of this item, once; then there are none. */
void item_tell(struct repl *r);

/* effort.c */
int effort_of(const struct repl *r, const struct plan *p);

/* command.c: a line after its `:` */
void command_run(struct repl *r, const char *line);

/* repl.c */
bool repl_speaks(const struct repl *r); /* this rank prints */
/* The tree of a text that is no part of the session; NULL: told. */
const struct ast *repl_parse(struct repl *r, const char *text);

#endif
