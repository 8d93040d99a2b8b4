/* array/print.h - what the printers of expressions and of statements share
 *
 * Private to this folder. Names are the %1, %2, ... of the parts of some expressions
 * that are printed together.
 */
#ifndef ARRAY_PRINT_H
#define ARRAY_PRINT_H

#include "array/walk.h"

struct air_names {
	struct air_walk walk;
	int n_names;
	int *name;                           /* of each node of the walk; 0: in place */
};

/* Roots may be NULL. */
struct air_names air_names_of(const struct air_expr *const *root, int n_roots);
/* A definition of each named part, between `before` and `after`. */
void air_names_print(const struct air_names *n, const char *before, const char *after,
                     FILE *out);
void air_names_free(struct air_names *n);

void air_print_part(const struct air_names *n, const struct air_expr *e, FILE *out);
void air_print_text(const char *text, FILE *out);           /* quoted */

#endif
