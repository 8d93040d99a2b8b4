/* layout/layout.h - who owns which points: pure arithmetic, no messages
 *
 * A family is a parent grid cut by one process grid. A layout is a member of it:
 * the grid itself, a projection (plate[x]), one with more local axes
 * (plate[x, y, q: 9 local]) or with longer ones (faces). Each of its axes names
 * the family axis whose cuts it follows, or is whole on every rank.
 *
 * Rank r < nparts has the coordinates of r in procs[], last axis fastest. Ranks
 * from nparts on hold nothing, unless the family is `replicated` (split none):
 * then every rank holds everything. Blocks are near even: the first parts get
 * one point more; parts may be empty. */
#ifndef MPA_LAYOUT_LAYOUT_H
#define MPA_LAYOUT_LAYOUT_H

#include "base/status.h"
#include "layout/box.h"

struct family_axis {
	int64_t size;        /* points, at least 1 */
	bool periodic;       /* wraps: matters for the surface only */
	bool cuttable;       /* false: local axes, and those that `split` leaves out */
	const int64_t *cuts; /* procs + 1 starts and the end; NULL: near even */
};

struct family {
	int naxes;
	struct family_axis axis[MPA_MAX_AXES];
	int procs[MPA_MAX_AXES]; /* parts along each axis; 1 where not cuttable */
	int nparts;              /* their product, at most nranks */
	int nranks;              /* of the program */
	bool replicated;         /* nothing may be cut: every rank holds all */
};

struct layout_axis {
	int64_t size;  /* points of the member: the family's, or with faces one more or
			  less */
	bool periodic; /* ghosts beyond the ends are other points of the axis */
	bool local;    /* outermost in memory, never a halo */
	int from;      /* the family axis it is cut as; -1: whole on every rank */
};

struct layout {
	const struct family *family; /* outlives the layout */
	int naxes;
	struct layout_axis axis[MPA_MAX_AXES];
};

/* procs.c - process grids */

/* Fills procs, nparts and replicated of a family whose axes and nranks are set.
 * want[a] > 0 asks for that many parts along axis a (`procs`, `cuts`, --procs); 0, or
 * NULL for all: automatic, of the ranks that are left the division with the fewest
 * empty blocks and then the smallest total halo surface; when equal the more even one,
 * then the one that cuts earlier axes.
 * MPA_ARGUMENT when `want` needs more ranks than there are, or cuts what may not be
 * cut. */
enum mpa_status family_divide(struct family *family, const int *want,
			      struct fault *fault);

/* layout.c */

/* The points of part `which` of `parts` of an axis of n points. */
struct range block_range(int64_t n, int parts, int which);
int block_owner(int64_t n, int parts, int64_t index);

/* Points start, start + step, … of an axis, `size` of them. */
struct layout_slice {
	int64_t start, step, size;
};
/* Where an axis of these points (step > 0) is cut when each stays with its owner:
 * procs[axis] + 1 starts and the end. */
void family_slice_cuts(const struct family *family, int axis, struct layout_slice points,
		       int64_t *cuts);

/* The member that is the family's grid itself; local[a] as written. */
struct layout layout_of_family(const struct family *family, const bool *local);
/* Parts along axis a of the member, 1 for axes that are whole. */
int layout_parts(const struct layout *layout, int a);
/* Coordinate of `rank` along axis a; 0 for axes that are whole. */
int layout_coordinate(const struct layout *layout, int a, int rank);
/* The points along axis a that part `which` owns, in global indices. */
struct range layout_range(const struct layout *layout, int a, int which);
int layout_part_of(const struct layout *layout, int a, int64_t index);

/* Whether the rank is in the process grid (it may still own an empty block). */
bool layout_takes_part(const struct layout *layout, int rank);
/* Whether the rank has points of the family along the member's axes: it may then read
 * the member next to them, and needs storage for ghosts, even if it owns none of its
 * points (a shorter member, beside a block of one point). */
bool layout_holds(const struct layout *layout, int rank);
/* The same along one axis, of a part. */
bool layout_part_holds(const struct layout *layout, int a, int which);
/* The points `rank` owns: an empty box where it holds nothing. */
struct box layout_block(const struct layout *layout, int rank);
/* All points of the grid. */
struct box layout_whole(const struct layout *layout);
/* Of several ranks that hold the same block exactly one is the first: it alone
 * adds to reductions and writes to files. True for ranks with an empty block of
 * their own too; false outside the process grid. */
bool layout_is_first(const struct layout *layout, int rank);
/* The first rank that holds this point; 0 <= index[a] < size. */
int layout_owner(const struct layout *layout, const int64_t *index);
/* The rank that has parts[a] along each axis a of the member and the
 * coordinates of `rank` along the family axes that the member lacks. */
int layout_rank_beside(const struct layout *layout, int rank, const int *parts);

#endif
