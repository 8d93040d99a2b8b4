/* kernel/maker.h - makes one kernel out of AIR expressions
 *
 * The scheduler says over which grid, adds views, asks for values and says where they go;
 * equal instructions become one. What the host must pass comes out as slots; which field
 * stands behind a view is remembered for the one who binds it. Values are made before
 * stores: a load sees what was there before the kernel came to its point.
 */
#ifndef KERNEL_MAKER_H
#define KERNEL_MAKER_H

#include "kernel/kir.h"
#include "support/map.h"
#include "support/vec.h"

enum kir_slot_kind { SLOT_EXPR, SLOT_AXIS_LO, SLOT_SEED };
struct kir_slot {
	enum kir_slot_kind kind;
	const struct air_expr *expr;         /* EXPR: a scalar */
	const struct axis *axis;             /* AXIS_LO */
};

/* A kernel for the ghosts of `field` beyond one wall: a place of its grid. */
struct kir_wall {
	struct air_field *field;
	int axis, side;
};

/* The array behind a view: the current buffer of a field, or another one. */
struct kir_source {
	struct air_field *field;
	bool second;
};

struct kir_maker {
	struct arena *arena;
	struct air_program *air;
	struct grid *grid;
	const struct kir_wall *wall;         /* NULL: not a wall's kernel */
	int n_loops, loop_axis[MAX_AXES];    /* places of the grid, outermost first */
	int loop_of[MAX_AXES];               /* the other way around */
	VEC(struct kir_instr) instr;
	VEC(struct kir_view) view;
	VEC(struct kir_source) source;       /* per view */
	VEC(struct kir_slot) slot;
	VEC(enum elem) slot_elem;
	VEC(enum elem) reduction;
	struct map *done;                    /* AIR expression -> its instruction + 1 */
	int n_buckets, *bucket;              /* equal instructions: open addressing */
};

struct kir_maker *kir_maker_new(struct arena *a, struct air_program *p, struct grid *g,
                                const struct kir_wall *wall);

/* emit.c - instructions; each returns its number */
int kir_emit(struct kir_maker *m, struct kir_instr proto, const int *arg);
int kir_int(struct kir_maker *m, enum elem e, int64_t i);
int kir_real(struct kir_maker *m, enum elem e, double f);
int kir_op(struct kir_maker *m, enum air_op op, enum elem e, const int *arg, int n);
int kir_slot(struct kir_maker *m, struct kir_slot s, enum elem e);

/* lower.c */
/* The view through which a field's current buffer is read, or written in place. */
int kir_maker_view(struct kir_maker *m, struct air_field *f);
/* A second view of a field: its other buffer, not read. */
int kir_maker_second(struct kir_maker *m, struct air_field *f);
int kir_maker_value(struct kir_maker *m, const struct air_expr *e);
/* Stores a value at the point; at[a] chooses along axes that the grid lacks, or NULL. */
void kir_maker_store(struct kir_maker *m, int view, int value, const struct air_select *at);
void kir_maker_reduce(struct kir_maker *m, int value);
/* Nothing may be added after it. */
struct kir_kernel *kir_maker_end(struct kir_maker *m, const char *name, struct span span);

#endif
