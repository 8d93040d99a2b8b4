/* kernel/kir.h - KIR: one kernel, a loop nest over loads, scalar operations and stores
 *
 * A kernel runs over a box of points: loops outermost first, in memory order, the last
 * one over contiguous points. Each instruction is a value; arguments come before their
 * uses, each instruction is evaluated once a point. It knows element types, positions in
 * the source and nothing of fields, ranks, ghosts or the host.
 *
 * Views: the arrays it reads and writes. Two views never overlap; a view may be read and
 * written, then only at the same point (so points may be computed in any order).
 */
#ifndef KERNEL_KIR_H
#define KERNEL_KIR_H

#include "array/air.h"

enum kir_op {
	KIR_CONST,      /* as.i or as.f */
	KIR_SCALAR,     /* as.slot: a value that the host passes */
	KIR_INDEX,      /* as.loop: i64 index of the point along a loop */
	KIR_LOAD,       /* as.access */
	KIR_STORE,      /* as.access = arg 0 */
	KIR_REDUCE,     /* arg 0 goes to reduction as.slot */
	KIR_RANDOM,     /* args: seed, key, flat index (i64); as.i: 0 uniform, 1 normal */
	KIR_AIR         /* the elementwise operation as.air.op on args; POWI: as.air.exponent;
	                 * EXTERN: as.air.function */
};

/* The index along one axis of a view: coefficient * loop + offset + value of instruction
 * base. The coefficient is 1, or -1 in mirrored reads, or 0. */
struct kir_index {
	int loop;                            /* -1: none */
	int coefficient;
	int64_t offset;
	int base;                            /* an i64 instruction that no loop changes, or -1 */
};

struct kir_access { int view; struct kir_index at[MAX_AXES]; };   /* in the view's axis order */

struct kir_instr {
	enum kir_op op;
	enum elem elem;                      /* of the value; STORE, REDUCE: of arg 0 */
	struct span span;
	int n_args;
	const int *arg;                      /* earlier instructions */
	union {
		int64_t i;
		double f;
		int slot, loop;
		struct kir_access access;
		struct {
			enum air_op op;
			int exponent;
			const struct air_extern *function;
		} air;
	} as;
};

struct kir_view {
	const char *name;                    /* for people: "u", "u.new" */
	enum elem elem;
	int n_axes;                          /* in written order of its grid */
	int unit_axis;                       /* the one with stride 1, or -1 */
	bool read, written;
};

struct kir_kernel {
	int id;
	const char *name;                    /* "heat_12", a valid symbol */
	struct span span;                    /* of the statement */
	int n_loops;
	const char *loop_name[MAX_AXES];     /* of the axes, for people */
	int n_views;
	struct kir_view *view;
	int n_scalars;
	enum elem *scalar;                   /* element type of each slot */
	int n_reductions;
	enum elem *reduction;                /* element type of what is passed to each */
	int n_instrs;
	struct kir_instr *instr;
};

void kir_print(const struct kir_kernel *k, FILE *out);     /* --emit=kernels */
bool kir_equal(const struct kir_kernel *a, const struct kir_kernel *b);
/* Per kernel the first one that can stand for it: often itself. */
void kir_share(struct kir_kernel *const *kernel, int n, int *first);
/* Per instruction the loop in which it is computed: -1 before all, n_loops - 1 in the
 * innermost (level.c). */
void kir_levels(const struct kir_kernel *k, int *level);
/* Sums of products become fma, by a rule that contract.c says: for --fast. */
void kir_contract(struct kir_kernel *k, struct arena *a);
const char *kir_verify(const struct kir_kernel *k);        /* NULL: fine */

#endif
