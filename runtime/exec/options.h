/* exec/options.h - the command line of a program
 *
 * takes: argv, the table of parameters   gives: parameters and options by value
 * Nothing here needs other ranks: every rank reads the same command line. */
#ifndef MPA_EXEC_OPTIONS_H
#define MPA_EXEC_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"
#include "mpa/program.h"

typedef bool option_FLAG;
typedef int64_t option_COUNT;
typedef int64_t option_NUMBER;
typedef const char *option_WORD;

struct options {
#define ROW(member, name, kind, variable, argument, text) option_##kind member;
#include "exec/options.def"
#undef ROW
	int n_procs;
	int64_t proc[MPA_MAX_AXES];
	bool *given;    /* per parameter */
	int64_t (*value)[2]; /* per parameter: its own bytes first; str: a char * */
	int n_words;    /* told early */
	char **word;
	char *files;    /* contents of @FILE, which words point into; chained */
};

/* On failure the text says what is wrong, with the nearest name. */
enum mpa_status command_parse(struct options *o, const struct mpa_program *p, int argc,
			      char **argv, struct fault *fault);
/* Before there is a program: names that are no options may be parameters later. */
enum mpa_status command_parse_early(struct options *o, int argc, char **argv,
				    struct fault *fault);
/* The parameters of a program, by what was told early. */
enum mpa_status command_params(struct options *o, const struct mpa_program *p,
			       struct fault *fault);
void command_free(struct options *o);
void command_help(const struct mpa_program *p, FILE *out);

/* options_value.c: the text of a parameter as its type; false: it does not fit. */
bool value_parse(enum mpa_elem elem, const char *text, int64_t value[2]);
const char *value_kind(enum mpa_elem elem); /* "an integer" */
bool integer_parse(const char *text, int64_t *value);
/* The candidate nearest to a misspelt name, NULL if none is near. */
struct nearest {
	const char *name, *best;
	int distance;
};
void nearest_try(struct nearest *n, const char *candidate);

#endif
