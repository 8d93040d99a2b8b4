/* schedule/plan.h - the plan: how a program runs
 *
 * The tree of AIR's statements, in which whole-field statements have become runs of
 * kernels over regions. What is static stands here: storage and halo widths, what a
 * run needs of the ghosts, where results go. What depends on the moment - whether a
 * halo is stale, which block a rank has - the run time finds out: a need is stated at
 * each run and costs nothing where it is met already.
 *
 * A run, on every rank:
 *   1. the needs that are stale: one exchange for all of them, one message a
 *      neighbour; walls are filled after it (array->wall), axis by axis;
 *   2. meanwhile the points at least `margin` away from the block's sides;
 *   3. then the rest; 4. commits, swaps, results.
 */
#ifndef SCHEDULE_PLAN_H
#define SCHEDULE_PLAN_H

#include "kernel/kir.h"

/* A scalar that the host passes to a kernel. */
enum plan_scalar_kind { SCALAR_EXPR, SCALAR_AXIS_LO, SCALAR_SEED };
struct plan_scalar {
	enum plan_scalar_kind kind;
	const struct air_expr *expr;         /* EXPR: evaluated just before the run */
	const struct axis *axis;             /* AXIS_LO: f64, as it was when the grid was made */
};

enum plan_buffer { BUFFER_CURRENT, BUFFER_SECOND };
struct plan_bind { struct plan_array *array; enum plan_buffer buffer; };

/* A kernel with what it is bound to. */
struct plan_call {
	struct kir_kernel *kernel;
	int loop_axis[MAX_AXES];             /* which axis of the grid each loop runs over */
	struct plan_bind *bind;              /* per view */
	struct plan_scalar *scalar;          /* per slot */
	int first_arg;                       /* where its scalars stand in the program's table */
};

/* What the tables of a program list for each view. */
enum plan_bound { PLAN_ARRAY, PLAN_SECOND, PLAN_WRITTEN, PLAN_BOUNDS };

/* How the ghosts beyond one wall are made: a kernel over ghost points that reads the
 * array itself (mirrored along the axis) and wall fields. */
struct plan_wall {
	struct plan_call call;
	int mirrors;                         /* which air_mirrors of the array itself: bits */
	int n_fields;                        /* wall fields read: needed to the same widths */
	struct plan_array **field;
};

struct plan_array {
	int id;                              /* dense in the plan */
	struct air_field *field;
	int64_t halo[MAX_AXES][2];           /* allocated beyond the block, per axis and side */
	int64_t grown[MAX_AXES][2];          /* of these, beyond walls: written by its own runs
	                                      * (stages with computed ghosts) */
	struct plan_wall *wall[MAX_AXES][2]; /* NULL: no condition, or never read */
	bool second;                         /* ever written out of place */
	bool gone;                           /* plan_keep: nothing is left of it */
};

struct plan_need {
	struct plan_array *array;
	int64_t width[MAX_AXES][2];          /* ghosts valid to these widths */
	int diagonal;                        /* most axes displaced at once */
};

struct plan_result { const struct air_var *var; enum air_reduction reduction; };

struct plan_run {
	int id;                              /* dense in the plan */
	struct span span;
	struct plan_call call;
	struct grid *grid;                   /* the points are its, */
	struct air_region region;            /* in this part of it, */
	int64_t grow[MAX_AXES][2];           /* and these beyond its walls */
	int first_region_arg;                /* lo, hi of each axis in the program's table */
	int n_needs;
	struct plan_need *need;
	int64_t margin[MAX_AXES][2];
	int n_commits;                       /* written into the second buffer: points outside the */
	struct plan_array **commit;          /* region keep their value, then buffers swap */
	int n_swaps;                         /* after that, current buffers change places in turn */
	struct plan_array *(*swap)[2];
	int n_changed;                       /* whose values changed: their ghosts are stale */
	struct plan_array **changed;
	int n_results;
	struct plan_result *result;
};

/* A STMT_COPY: changes copy->to; reads no ghosts. */
struct plan_copy {
	int id;                              /* dense in the plan */
	struct span span;
	const struct air_copy *air;
	int first_arg;                       /* lo, hi of each axis of `to`, then of `from`, in
	                                      * the program's table */
};

/* EXPORT: a function of its own, passed over when met.
 * LOCAL: a rank for itself; only HOST IF LOOP FOR in it, and no ranks differ after it. */
enum plan_kind { PLAN_HOST, PLAN_RUN, PLAN_SWAP, PLAN_IF, PLAN_LOOP, PLAN_FOR, PLAN_LOCAL,
	         PLAN_EXPORT };
struct plan_block { struct plan_stmt *first, *last; };
struct plan_stmt {
	enum plan_kind kind;
	struct plan_stmt *next;
	const struct air_stmt *air;          /* HOST: any of AIR's that is not a run; IF LOOP FOR
	                                      * LOCAL EXPORT */
	struct plan_run *run;                /* RUN */
	struct plan_copy *copy;              /* HOST of a STMT_COPY */
	struct plan_array *swap[2];          /* SWAP: (p, q) = (q, p), nothing else */
	struct plan_block body, other;
};

struct plan {
	struct air_program *air;
	struct arena *arena;
	int n_arrays, n_runs, n_copies, n_kernels, n_args;
	struct plan_array **array;
	struct plan_array **of_field;        /* by air_field id; NULL: not stored */
	struct plan_run **run;
	struct plan_copy **copy;             /* by id */
	struct kir_kernel **kernel;          /* by id; walls' too */
	struct plan_block body;
};

/* lower.c; stages' values may be rewritten to equal ones. */
struct plan *plan_program(struct air_program *p, struct arena *a);
/* The plan of a body that goes on where the one of `before` ended: arrays keep their
 * numbers. plan_keep, when it has run: only arrays of kept fields (air_keep) go on. Where
 * numbers are free, array[i] is any other array, whose id is not i. */
struct plan *plan_program_after(struct air_program *p, struct arena *a,
                                const struct plan *before);
void plan_keep(struct plan *p);
/* An array of before that is read further beyond walls than it was computed, or NULL. */
const struct plan_array *plan_too_far(const struct plan *p, const struct plan *before);
enum plan_pass {
	PASS_DEAD = 1,
	PASS_INLINE = 2,
	PASS_MERGE = 4,
	PASS_SHARE = 8,
	PASS_SPLIT = 16,
	PASS_ALL = 31,
	PASS_TINY = 32                       /* small runs count as large, for tests */
};
struct plan *plan_program_by(struct air_program *p, struct arena *a, unsigned passes);
/* The kernel of a run, and those of the walls of all that it needs and of what they read in
 * turn, each once: walls see the scalars of the moment of the read, so the scalars of all
 * are passed for every run (wall.c). */
int plan_calls(const struct plan *p, const struct plan_run *r, struct arena *a,
               const struct plan_call *const **call);
/* The array's id; 1: its second buffer; 1: not only read. */
int plan_bound(const struct plan_call *c, int view, enum plan_bound what);
const char *plan_bound_name(enum plan_bound what);
/* One of so many instructions that a compiler must not take its time over each. */
bool plan_has_large_kernel(const struct plan *p);
void plan_print(const struct plan *p, FILE *out);                      /* --emit=plan */
const char *plan_verify(const struct plan *p);

#endif
