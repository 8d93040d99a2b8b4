/* backend/c/host.h - the host code of a program while it is made
 *
 * The plan's tree becomes one function, void body(session), the same on every rank, and
 * one more for each entry of an exported function. Scalar variables live on its stack;
 * those of a library, whose functions share them, in the session.
 */
#ifndef BACKEND_C_HOST_H
#define BACKEND_C_HOST_H

#include "backend/c/emit.h"

struct c_host {
	struct c_code *c;
	const char **value;                  /* by air_expr id: made for the value in progress */
	int *stamp, now;                     /* whose value that was; which is in progress */
	bool in_loop;
	const char *local;                   /* label at the end of the local block around; or NULL */
};

/* host_value.c */
void c_slots(struct c_host *h);                                      /* declares variables */
const char *c_var(struct c_host *h, const struct air_var *v);        /* an lvalue */
const char *c_axis(struct c_host *h, const struct axis *a, const char *what); /* size lo step */
const char *c_scalar(struct c_host *h, const struct air_expr *x);
void c_set(struct c_host *h, const struct air_var *v, const char *value);
int c_array(struct c_host *h, const struct air_field *f);            /* its number */

/* host_call.c */
void c_grid_stmt(struct c_host *h, const struct air_stmt *s);
void c_run(struct c_host *h, const struct plan_run *r);
void c_copy(struct c_host *h, const struct plan_copy *copy);
void c_pieces(struct c_host *h, const struct air_text *t);           /* after mpa_out_begin */
void c_file(struct c_host *h, const struct air_stmt *s);             /* SAVE LOAD SHAPE PLOT EXISTS */
void c_element(struct c_host *h, const struct air_stmt *s);

#endif
