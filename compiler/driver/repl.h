/* driver/repl.h - the prompt
 *
 * takes: options, something that reads lines   gives: an exit status
 * Lines become items, items are compiled and run at once (session.h), lines that begin
 * with `:` are commands (command.c). Under mpiexec every rank does all of it, with the
 * lines that rank 0 reads, and rank 0 alone speaks.
 */
#ifndef DRIVER_REPL_H
#define DRIVER_REPL_H

#include <stdbool.h>

struct options;

typedef void repl_name_fn(void *context, const char *name);

struct repl_editor {
	bool interactive; /* somebody sees prompts */
	/* The next line without its end, from malloc, or NULL: there is none any more.
	 * *interrupted: the line, and those that it goes on from, are given up. */
	char *(*read)(struct repl_editor *e, const char *prompt, bool *interrupted);
	void (*close)(struct repl_editor *e);
	/* Set by the prompt: calls fn for all that a word may become. */
	void (*names)(void *context, repl_name_fn *fn, void *to);
	void *context;
};

int repl_run(struct options *o, struct repl_editor *editor);

/* lines.c: an editor that reads standard input as it comes */
struct repl_editor *lines_open(void);

#endif
