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

/* verify.c: false once something is wrong; `what` is what the message calls it */
bool verify_scalar(struct verifier *v, const struct air_expr *e, enum elem type,
                   const char *what);
bool verify_var(struct verifier *v, const struct air_stmt *s, enum elem type);  /* is set */
bool verify_live(struct verifier *v, const struct air_field *f);
/* Of this type, and its grid is within `grid`. */
bool verify_value(struct verifier *v, const struct air_expr *e, enum elem type,
                  const struct grid *grid);

/* verify_field.c: one kind of statement each */
void verify_grid(struct verifier *v, const struct air_stmt *s);
void verify_declaration(struct verifier *v, const struct air_stmt *s);
void verify_stage(struct verifier *v, const struct air_stmt *s);
void verify_assign(struct verifier *v, const struct air_stmt *s);
void verify_copy(struct verifier *v, const struct air_stmt *s);
void verify_reduce(struct verifier *v, const struct air_stmt *s);
void verify_fold(struct verifier *v, const struct air_stmt *s);
void verify_element(struct verifier *v, const struct air_stmt *s);
/* Names in conditions of f have statements. */
void verify_condition_names(struct verifier *v, const struct air_field *f);

#endif
