/* backend/llvm/host.h - the host code of a program while it is made
 *
 * The plan's tree becomes one function, void body(session), the same on every rank, and
 * one more for each entry of an exported function.
 * Scalar variables live on its stack, or in the session.
 */
#ifndef BACKEND_LLVM_HOST_H
#define BACKEND_LLVM_HOST_H

#include "backend/llvm/emit.h"

/* What a scalar may ask of an axis; set where its grid is made. */
struct host_axis {
	LLVMValueRef size, lo, step;
};

struct host {
	struct emit *e;
	LLVMValueRef session, args; /* args: where the scalars of runs go */
	LLVMValueRef *var;          /* stack slots, by air_var id */
	LLVMValueRef cells;         /* where they live in the session instead, or NULL */
	struct host_axis *axis;     /* by tables_axis */
	LLVMValueRef *value;        /* by air_expr id: made for the value in progress */
	int *stamp, now;            /* whose value that was; which is in progress */
	LLVMBasicBlockRef leave, next; /* of the innermost loop; NULL: outside of all */
	LLVMBasicBlockRef local;       /* the end of the local block around; or NULL */
};

/* host_slots.c */
void host_make_slots(struct host *h);
LLVMValueRef host_slot(struct host *h, const struct air_var *v);

/* host_expr.c */
LLVMValueRef host_value(struct host *h, const struct air_expr *x);
LLVMValueRef host_var(struct host *h, const struct air_var *v); /* its value now */
void host_set(struct host *h, const struct air_var *v, LLVMValueRef value);
LLVMValueRef host_call(struct host *h, enum abi function, LLVMValueRef a, LLVMValueRef b,
		       LLVMValueRef c);         /* the session first; NULL: no more */
LLVMValueRef host_slots(struct host *h, int n); /* i64s on the stack */
void host_fill(struct host *h, LLVMValueRef slots, int i, LLVMValueRef value);

/* host_run.c, host_text.c, host_file.c */
void host_run(struct host *h, const struct plan_run *r);
void host_copy(struct host *h, const struct plan_copy *c);
void host_pieces(struct host *h, const struct air_text *t); /* after mpa_out_begin */
void host_file(struct host *h, const struct air_stmt *s);   /* SAVE LOAD SHAPE PLOT EXISTS */

#endif
