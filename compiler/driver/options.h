/* driver/options.h - what the command line of mpac says
 *
 * takes: the words   gives: options, or a complaint about one word. The table is
 * options.def; forms are form.def. Texts point into the words.
 */
#ifndef DRIVER_OPTIONS_H
#define DRIVER_OPTIONS_H

#include <stdbool.h>
#include <stdio.h>

#include "sema/sema.h"
#include "support/vec.h"

struct backend;
struct diag;

enum form {
#define ROW(id, name, suffix, help) EMIT_##id,
#include "driver/form.def"
#undef ROW
	EMIT_COUNT
};

struct form_info {
	const char *name, *suffix, *help;
};
extern const struct form_info form_info[EMIT_COUNT];

enum colour { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER };

struct options {
	struct arena *arena;
	const char *file;   /* the program */
	const char *output; /* NULL: by the form */
	enum form emit;
	const struct backend *backend;
	int level;
	bool debug, fast, verify, time, evaluate, help, version;
	bool repl;
	bool run; /* in this process, instead of writing a file */
	bool compare; /* mpac verify: run it in all ways */
	const char *cpu, *linker; /* NULL: this one, the usual one */
	enum colour colour;
	VEC(const char *) include;
	VEC(const char *) link;             /* words for the linker, in order */
	VEC(struct sema_override) override; /* --NAME=VALUE of constant parameters */
	VEC(char *) session;                /* with --repl: options of programs */
	int n_rest;                         /* with run, --evaluate: what follows the file */
	char **rest;
};

/* false: the command line is wrong, and standard error says how. */
bool options_parse(struct options *o, struct arena *a, int argc, char **argv);
/* What the program is to say of its arithmetic: "" where that is strict. */
const char *options_arithmetic(const struct options *o);
/* How many overrides no parameter took; adds hints to what sema said about them. */
int options_unused(const struct options *o, struct diag *d);
void options_help(FILE *out);

#endif
