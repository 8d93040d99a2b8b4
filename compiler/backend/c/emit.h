/* backend/c/emit.h - what the files of this back end share
 *
 * reads: a plan   makes: one file of C, which needs no header of ours. Each file makes
 * one part of it:
 *
 *   c.c          the record backend_c, and the order of the parts
 *   base.h, arithmetic.h
 *                what all code relies on; embedded, with headers of the run time
 *   scalar.c     one operation as an expression; scalar.def says which
 *   kernel.c     KIR to statements, of C and of CUDA C (nest.h)
 *   loops.c      kernels of the CPU
 *   cuda.c       a file of its own, with all kernels in CUDA C; cuda.h, cuda_random.h are
 *                its base.h
 *   host.c       the plan's tree to the function `body`; host_value.c its scalars,
 *                host_call.c what it asks of the run time
 *   tables.c     the constant struct mpa_program
 *   library.c    the functions of a library, for programs in C
 *
 * A value is the text of a name or of a constant, so that it can stand anywhere in an
 * expression and be used twice.
 */
#ifndef BACKEND_C_EMIT_H
#define BACKEND_C_EMIT_H

#include "backend/backend.h"
#include "schedule/plan.h"
#include "support/map.h"
#include "support/strbuf.h"

struct c_code {
	const struct plan *plan;
	const struct backend_options *options;
	struct diag *diag;
	struct arena *arena;
	struct strbuf text;                  /* of the file, but for what it begins with */
	FILE *functions;                     /* elementary ones, that stand before it */
	char *functions_text;
	size_t functions_length;
	struct map *made;                    /* names of these and of their tables */
	int depth;                           /* of the blocks around */
	int names;                           /* given to values and tables so far */
	int line;                            /* of the source, as told last */
	bool everywhere;                     /* CUDA C: each line of the text tells its line of
	                                      * the source, of files by whole names */
	const struct source *source;         /* of the line */
	bool random;                         /* CUDA C: random numbers are there */
	const char **kernel;                 /* the function, by kir_kernel id */
	const char **entry;                  /* of a library, by air_entry id */
};

void c_open(struct c_code *c);               /* with plan, options, arena set */
void c_print(struct c_code *c, FILE *out);   /* functions, then the text */
void c_close(struct c_code *c);
/* A line at the depth of the blocks around; one that ends in { opens a block, one that
 * begins with } closes it. */
void c_line(struct c_code *c, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void c_place(struct c_code *c, struct span at);                /* with -g: where we are */
const char *c_name(struct c_code *c, const char *kind);        /* a new one: "kind_12" */
const char *c_text(struct c_code *c, const char *text);        /* as a string literal */
const char *c_where(struct c_code *c, struct span at);         /* "heat.mpa:12:5" */
const char *c_symbol(struct c_code *c, const char *name);      /* letters, digits and _ */

/* ---- scalar.c ------------------------------------------------------------ */
struct c_op {
	enum air_op op;
	enum elem elem;                      /* of the result */
	enum elem from;                      /* of the last argument */
	int n, exponent;                     /* exponent: POWI */
	const char *const *arg;
	const struct air_extern *function;   /* EXTERN */
};
const char *c_elem(enum elem e);             /* of a value: "double", "bool" */
const char *c_memory(enum elem e);           /* in memory: bool is uint8_t */
const char *c_constant(struct c_code *c, enum elem e, int64_t i, double f);
const char *c_operation(struct c_code *c, const struct c_op *o);
void c_function(struct c_code *c, enum air_op op);             /* an elementary one is there */
/* Names an expression: `const T name = text;`. */
const char *c_value(struct c_code *c, enum elem e, const char *text);
/* The 8 bytes in which the run time passes integers and bools: converted by C itself. */
const char *c_narrow(struct c_code *c, enum elem e, const char *value);

/* ---- the parts ------------------------------------------------------------ */
void c_externs(struct c_code *c);
void c_kernel(struct c_code *c, const struct kir_kernel *k);
void c_host(struct c_code *c);
void c_tables(struct c_code *c);             /* mpa_program_table, and main */
void c_library(struct c_code *c);

int c_family(const struct c_code *c, const struct family *f);
int c_grid(const struct c_code *c, const struct grid *g);

#endif
