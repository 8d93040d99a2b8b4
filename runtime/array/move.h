/* array/move.h - redistribution: points of one array go to points of another
 *
 * The points taken on either side are a lattice: along each axis a start and a step of
 * any sign, or one fixed index. Both are mapped from a box of positions, so the move is
 * to[position] = from[position], whatever the layouts. Points that change owner travel,
 * in one message for each pair of ranks that all moves of a plan share; a rank that holds
 * a point of the source itself reads its own copy; every rank that holds a point of the
 * destination gets it. All is read before anything is written. Plans hold geometry only,
 * arrays come with each run; all ranks make and run the same plans in the same order. */
#ifndef MPA_ARRAY_MOVE_H
#define MPA_ARRAY_MOVE_H

#include "array/array.h"
#include "comm/comm.h"

enum { MOVE_FIXED = -1 };

struct move_side {
	const struct layout *layout;
	/* per axis: index = start + step * position along `along`; MOVE_FIXED: start */
	int64_t start[MPA_MAX_AXES], step[MPA_MAX_AXES];
	int along[MPA_MAX_AXES];
};

struct move {       /* no padding: plans are compared by their bytes */
	int naxes;  /* of the positions; each is met once by the axes of `to`, and at most
		     * once by those of `from`, which is repeated where it is not */
	int shared; /* `to` may share storage with the `from` of a move of the plan */
	int64_t count[MPA_MAX_AXES]; /* 0: nothing moves */
	int64_t elem;                /* bytes */
	struct move_side to, from;
};

/* Since the plan was made, on this rank. */
struct move_counts {
	int64_t runs;
	int64_t messages; /* sent */
	int64_t bytes;    /* sent */
	int peers;        /* ranks that one run sends to */
};

struct move_plan;

/* NULL with a message when there is no memory: for the ranks to agree on. */
struct move_plan *move_plan_new(struct comm *comm, const struct array_home *home,
				const struct move *moves, int nmoves);
void move_plan_free(struct move_plan *plan); /* NULL is fine */
/* What the plan keeps besides itself. */
int64_t move_plan_bytes(const struct move_plan *plan);

/* to[i], from[i]: the arrays of moves[i]. Where targets overlap the later move wins. */
enum mpa_status move_run(struct move_plan *plan, struct mpa_array *const *to,
			 struct mpa_array *const *from);

struct move_counts move_plan_counts(const struct move_plan *plan);

#endif
