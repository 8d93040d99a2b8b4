/* schedule/draft.h - the program while the scheduler thinks about it
 *
 * The tree of statements, in which a run is still a list of AIR values and where they
 * go: masks are folded into the values (SELECT between new and old), so a run writes all
 * points of its region. Passes rewrite drafts; then each becomes a plan_stmt. Private to
 * this folder.
 */
#ifndef SCHEDULE_DRAFT_H
#define SCHEDULE_DRAFT_H

#include "array/walk.h"
#include "schedule/plan.h"
#include "support/map.h"
#include "support/vec.h"

struct draft_output {
	struct air_field *field;
	const struct air_expr *value;
	struct air_select at[MAX_AXES];      /* FIXED along axes that the run's grid lacks */
};

struct draft_result {
	const struct air_var *var;
	enum air_reduction reduction;
	const struct air_expr *value;
};

struct draft_run {
	struct span span;
	struct grid *grid;
	struct air_region region;
	VEC(struct draft_output) output;
	VEC(struct draft_result) result;
};

enum draft_kind { DRAFT_HOST, DRAFT_RUN, DRAFT_IF, DRAFT_LOOP, DRAFT_FOR, DRAFT_LOCAL,
	          DRAFT_EXPORT };
struct draft_block {
	struct draft *first, *last;
};
struct draft {
	enum draft_kind kind;
	struct draft *next;
	const struct air_stmt *air;          /* HOST IF LOOP FOR LOCAL EXPORT */
	struct draft_run *run;               /* RUN */
	bool taken;                          /* merged into an earlier one */
	struct draft_block body, other;
};

struct sched {
	struct arena *arena;
	struct air_program *air;
	struct plan *plan;
	const struct plan *before;           /* NULL: the body is the whole program */
	struct draft_block body;
	struct map *names;                   /* of kernels so far */
	bool tiny;                           /* small runs are large, for tests */
	bool *grows;                         /* merge.c: by field id, stages_growing */
};

/* draft.c */
void draft_program(struct sched *s);
struct draft *draft_add(struct sched *s, struct draft_block *b, enum draft_kind kind);
struct draft_run *draft_run_new(struct sched *s, struct span span, struct grid *g);
const struct air_expr *draft_read(struct sched *s, struct air_field *f, struct span span);
/* A stage for a part of what a run computes, beyond walls too. */
struct air_field *draft_part(struct sched *s, const char *what, const struct draft_run *of,
                             const struct air_expr *value);
/* What target i becomes: its value, or, where the mask does not hold, what it was. */
const struct air_expr *draft_masked(struct sched *s, const struct air_stmt *st, int i);
bool region_is_whole(const struct air_region *r, int n_axes);
bool region_equal(const struct air_region *a, const struct air_region *b, int n_axes);
/* Is e the field at the point itself? */
bool reads_point(const struct air_expr *e);
/* The same, and from no point of g that the field lacks. */
bool reads_within(const struct grid *g, const struct air_expr *e);

/* uses.c - what drafts read and write */
/* How far a FIXED selection lies beyond the ends of its axis: ghosts of local axes. */
int64_t pick_beyond(const struct axis *a, const struct air_expr *index, int side);
bool pick_is_inside(const struct axis *a, const struct air_expr *index);
/* Every value of a run, for rewriting: calls `change` on each. */
typedef const struct air_expr *draft_change(void *with, const struct air_expr *e);
void run_change(struct draft_run *r, draft_change *change, void *with);
/* A draft_change: nodes, also such with arguments, become what `to` says, or, where that
 * is NULL, are rebuilt of their new arguments. */
struct expr_change {
	struct sched *s;
	draft_change *to;
	void *with;
};
draft_change expr_changed;
/* All that the run's values are made of; free it. */
struct air_walk run_walk(const struct draft_run *r);
bool run_reads_field(const struct draft_run *r, const struct air_field *f);
/* Reads of a field outside the values of runs: files, elements, prints; walls. */
bool host_uses_field(const struct air_stmt *st, const struct air_field *f);
bool walls_use_field(const struct air_program *p, const struct air_field *f);
/* By field id: stages that must be computed beyond walls, for those who read them there. */
bool *stages_growing(struct sched *s);
/* The stage that the run makes, if that is all it does, or NULL. */
struct air_field *run_stage(const struct draft_run *r);

/* Things that a value depends on, by their ids. */
struct depends {
	bool *field, *var;
};
struct depends depends_of(struct sched *s, const struct air_expr *e);
/* Does executing it change any of them? Nested statements count. */
bool draft_writes(const struct draft *d, const struct depends *of);
bool block_writes(const struct draft_block *b, const struct depends *of);

/* snapshot.c - before any pass */
void keep_boundaries(struct sched *s);
/* dead.c, inline.c, merge.c, share.c, split.c - the passes */
void pass_dead(struct sched *s);
void pass_inline(struct sched *s);
void pass_merge(struct sched *s);
void pass_share(struct sched *s);
void pass_split(struct sched *s);

/* component.c - runs over the grid without local axes; NULL: not possible */
struct draft_component {
	struct air_field *field;
	const struct air_expr *value;
	const struct air_region *region;
};
struct draft_run *run_by_components(struct sched *s, struct draft_run *r);
struct draft_run *assign_by_components(struct sched *s, const struct air_stmt *st);
void component_add(struct sched *s, struct draft_run *to, const struct grid *g,
                   const struct draft_component *c);
/* The same field, and of its components the same. */
bool output_same(const struct draft_output *a, const struct draft_output *b);
/* Components that a second buffer would lack, and copies of them. */
int components_missing(struct sched *s, const struct draft_run *r);
void components_complete(struct sched *s, struct draft_run *r);

/* place.c - into which buffers the values of a run go */
struct placement {
	struct air_field *buffer;            /* NULL: nothing to compute, a swap does it */
	bool second;                         /* not its current buffer */
};
struct placing {
	struct placement *output;            /* per output of the run */
	VEC(struct air_field *) swap;        /* pairs, in turn, afterwards */
	VEC(struct air_field *) commit;      /* each once */
	VEC(struct air_field *) changed;
};
struct placing placing_of(struct sched *s, const struct draft_run *r);

/* run.c - a draft becomes a plan_run, or swaps; appended to the block */
void run_lower(struct sched *s, const struct draft_run *r, struct plan_block *b);
struct plan_stmt *plan_add(struct sched *s, struct plan_block *b, enum plan_kind kind);
/* call.c - a kernel bound to arrays */
struct kir_maker;
void call_finish(struct sched *s, struct plan_call *c, struct kir_maker *m, const char *name,
                 struct span span);
const char *kernel_name(struct sched *s, struct span span, const char *suffix);

/* halo.c, wall.c */
void plan_halos(struct sched *s);
void plan_walls(struct sched *s);

#endif
