/* backend/llvm/nest.h - a kernel while it becomes a function
 *
 * kernel.c walks the loops and instructions; access.c makes addresses, sink.c takes
 * values to reductions. The level of a value is the loop it is computed in: -1 before
 * all loops, n_loops - 1 in the innermost.
 */
#ifndef BACKEND_LLVM_NEST_H
#define BACKEND_LLVM_NEST_H

#include "backend/llvm/emit.h"

/* A view: its frame entry, loaded once, and what LLVM is told about overlaps. */
struct nest_view {
	LLVMValueRef origin, stride[MAX_AXES];
	LLVMValueRef scope, others; /* metadata: its scope; all other scopes */
};

/* The address of an access without what the innermost loop adds. */
struct nest_row {
	const struct kir_access *access;
	LLVMValueRef address;
};

struct nest {
	struct emit *e;
	const struct kir_kernel *k;
	LLVMValueRef function;
	LLVMValueRef lo[MAX_AXES], hi[MAX_AXES], at[MAX_AXES]; /* of the loops; at: now */
	LLVMBasicBlockRef head[MAX_AXES];
	LLVMValueRef *value; /* by instruction */
	int *level;
	struct nest_view *view;
	struct nest_row *row; /* of the accesses of the innermost loop */
	int n_rows;
	LLVMValueRef *sink, *buffer; /* by reduction */
	LLVMValueRef sink_scope, sink_others;
	LLVMValueRef first;        /* of the chunk of a row */
	LLVMValueRef large, chunk; /* does the box exceed the caches? points at a
				    * time then; NULL: rows are not divided */
	LLVMValueRef place;        /* the indices that sinks are told */
	LLVMValueRef group;        /* metadata: its accesses, parallel in loops */
	LLVMValueRef scalars;      /* where they stand, 8 bytes each */
	bool device;               /* of a GPU: */
	LLVMValueRef *values, flat; /* where values of reductions go; which one now */
};

/* ptx_random.c */
LLVMValueRef ptx_random(struct nest *n, const struct kir_instr *in);

/* kernel.c: the instructions of a level, at the point where its loops stand */
void nest_level(struct nest *n, int level);

/* access.c */
void access_views(struct nest *n, LLVMValueRef frame);
void access_rows(struct nest *n); /* just before the innermost loop */
LLVMValueRef access_address(struct nest *n, const struct kir_access *a, int level);
void access_mark(struct nest *n, int view, LLVMValueRef instruction);
void access_mark_buffer(struct nest *n, LLVMValueRef instruction);

/* sink.c: the innermost loop of a kernel with reductions runs in chunks */
enum { SINK_CHUNK = 512 };
void sink_open(struct nest *n, LLVMValueRef frame);
void sink_row(struct nest *n); /* a new row: all loops but the last stand */
void sink_put(struct nest *n, const struct kir_instr *in);
void sink_flush(struct nest *n, LLVMValueRef end);

/* prefetch.c: the innermost loop of a large box runs in chunks, too */
enum { PREFETCH_CHUNK = 128 };
void prefetch_open(struct nest *n);
void prefetch_chunk(struct nest *n, LLVMValueRef first);

#endif
