/* array/verify.h - what the verifiers of expressions and of statements share
 *
 * Private to this folder. A check returns false once something is wrong; the first
 * complaint is kept.
 */
#ifndef ARRAY_VERIFY_H
#define ARRAY_VERIFY_H

#include "array/air.h"

struct verifier {
	const struct air_program *p;
	const char *complaint;               /* NULL: fine so far */
	const struct air_expr **seen_expr;   /* by id: its own rules hold */
	char *live_field;                    /* by id: its statement encloses or precedes this */
	char *declared_field;                /* by id: has a statement */
	char *set_var;                       /* by id: a parameter, or set before */
	bool (*live_axis)[MAX_FAMILY_AXES];  /* by family and rank: its statement came before */
	char *outside_var;                   /* in a local block: set_var around it; or NULL */
	int loops;                           /* around the statement, in its local block */
	const struct air_stmt *stmt;         /* the one looked at */
};

bool verify_fail(struct verifier *v, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The rules that hold wherever e stands, for all of its parts. `mirror`: the field whose
 * condition e is, or NULL. */
bool verify_expr(struct verifier *v, const struct air_expr *e,
                 const struct air_field *mirror);

#endif
