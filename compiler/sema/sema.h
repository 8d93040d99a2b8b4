/* compiler/sema/sema.h - what a program means: AST -> AIR
 *
 * Resolves names, types and grids, expands functions and constant loops, hoists
 * effects, and proves that no read needs a ghost value that nobody gave. Errors go
 * to diag, as many as can be told apart; then there is no program. The only header
 * of this folder that others include.
 */
#ifndef SEMA_SEMA_H
#define SEMA_SEMA_H

#include "array/air.h"
#include "support/source.h"

struct arena;
struct ast;
struct diag;
struct intern;

/* `mpac --order=8` for `param order: const`; the text is read as a literal. */
struct sema_override {
	const char *name, *value;
	bool optional; /* it may be a parameter that is not constant */
	bool used;     /* set by sema: no parameter has an unused name */
};

enum sema_found {
	SEMA_FOUND,
	SEMA_ABSENT, /* sema says so, at the `import` */
	SEMA_BROKEN  /* diag was told what is wrong with it */
};

struct sema_input {
	struct arena *arena;  /* the program goes here */
	struct intern *names; /* the one the trees were made with */
	struct diag *diag;
	const struct ast *program;   /* a PROGRAM */
	const struct source *source; /* its text; the name is the program's `file` */
	/* The tree of the module `name`, imported by `from` (NULL: by no file): first one
	 * embedded in the compiler (always there: "prelude"), then NAME.mpa beside
	 * `from`. */
	enum sema_found (*load)(void *context, const char *name,
				const struct source *from, const struct ast **tree);
	void *context;
	int n_overrides;
	struct sema_override *override;
	bool exports;         /* exported functions are to be called from outside */
};

struct air_program *sema_program(const struct sema_input *in);

#endif
