/* sema/bind.h - arguments of a call to the parameters of a function
 *
 * Each function returns false where it has told what is wrong.
 */
#ifndef SEMA_BIND_H
#define SEMA_BIND_H

#include "sema/checker.h"

enum { PARAMETERS = 32 };

struct binding {
	const struct ast *parameter;
	const struct ast *ast; /* of the argument, NULL: the default */
	struct value value;
};

/* The arguments as written, by position and by name, to the n parameters. */
bool bind_asts(struct sema *s, const struct function *f, const struct ast *call,
	       struct binding *b, int *n);
bool bind_values(struct sema *s, struct binding *b, int n);      /* evaluates them */
bool bind_apart(struct sema *s, struct binding *b, int n);       /* holds what may change */
const char *parameter_name(const struct ast *p);

#endif
