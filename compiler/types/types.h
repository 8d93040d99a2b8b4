/* types/types.h - element types, axes, grids and families of grids
 *
 * An axis belongs to exactly one family: two axes are the same if their pointers
 * are. A grid is an ordered selection of axes of one family, each as long as it is or
 * extended (faces beside cells); grids with the same axes and extensions in the same
 * order are one object (grid_of finds it), so grids compare by pointer. Sizes and ends
 * are scalar AIR expressions: known at run time, often constants. Never sees: syntax,
 * schedules, the run time.
 */
#ifndef TYPES_TYPES_H
#define TYPES_TYPES_H

#include <stdbool.h>
#include <stdint.h>
#include "support/arena.h"
#include "support/source.h"

enum {
	MAX_AXES = 6,                /* one to four of a grid, and added local ones */
	MAX_FAMILY_AXES = 32,
	MAX_FAMILIES = 8192,
	MAX_GRIDS = 16384,
	EXT_OPEN = -2                /* the least, so that any other is taken before it */
};

enum elem {
	ELEM_NONE,
#define ROW(id, text, kind, bytes, npy) ELEM_##id,
#include "types/elem.def"
#undef ROW
	ELEM_COUNT
};

enum elem_kind { KIND_NONE, KIND_BOOL, KIND_INT, KIND_REAL, KIND_COMPLEX, KIND_TEXT };

const char *elem_text(enum elem e);          /* "f64" */
const char *elem_npy(enum elem e);           /* "<f8" */
enum elem_kind elem_kind(enum elem e);
int elem_bytes(enum elem e);
enum elem elem_named(const char *text);      /* ELEM_NONE if there is none */
enum elem elem_promote(enum elem a, enum elem b);    /* NumPy's result type */
enum elem elem_part(enum elem e);            /* c64: f32, c128: f64; others are their own */
enum elem elem_complex(enum elem e);         /* f32: c64; f64 and integers: c128 */

struct air_expr;
struct air_field;

/* Where the blocks of an axis start, if not near even. */
struct cuts {
	int n;                               /* starts and the end; 0: none written */
	const struct air_expr *const *at;    /* i64 scalars */
	struct air_field *cost;              /* or: of one axis; NULL: none */
};

enum axis_place { AXIS_INDEX, AXIS_OVER, AXIS_NODES };

struct axis {
	const char *name;                    /* interned */
	struct family *family;
	int id;                              /* dense among all axes; kept when more come */
	int rank;                            /* place among its family's axes */
	bool periodic, local;
	enum axis_place place;
	const struct air_expr *size;         /* i64 scalar */
	const struct air_expr *lo, *hi;      /* f64 scalars, NULL for AXIS_INDEX */
	int64_t constant_size;               /* -1: known at run time only */
	const struct axis_slice *slice;      /* of a sliced grid: whence its points are; its place
	                                      * is AXIS_INDEX, and it may have no points */
	struct span span;
};

/* Point i of the axis is point start + i * step of another one, which may be extended. */
struct axis_slice {
	struct axis *axis;                   /* of the family that was sliced */
	int ext;
	const struct air_expr *start;        /* i64 scalar */
	int64_t step;                        /* not 0 */
	double half;                         /* steps to be added to coordinates, too */
	const struct axis_slice *from;       /* the same, of the axis from which all come */
};

/* All grids over which fields may be combined. The first `n_base` axes are those
 * of the declared grid, in written order; local axes added by derived grids follow.
 */
struct family {
	int id;
	const char *name;                    /* of the declared grid */
	bool anonymous;                      /* of arrays: no declaration has named it */
	int n_axes, n_base;
	struct family *parent;               /* that it is a slice of, or NULL */
	bool positional;                     /* made for values (slices, arrays): fields of two
	                                      * such families meet position by position */
	struct axis *axis[MAX_FAMILY_AXES];
	bool split_given, split_none, split[MAX_AXES];   /* per base axis */
	int n_procs;                         /* 0: automatic */
	const struct air_expr *procs[MAX_AXES];
	struct cuts cuts[MAX_AXES];          /* per base axis */
	struct grid *grids;                  /* all grids made so far */
	bool gone;                           /* at the prompt: no name leads to it any more */
	struct span span;
};

struct grid {
	int id;                              /* unique in the program */
	const char *name;                    /* as declared, or made up: "plate[x]" */
	struct family *family;
	int n_axes;
	struct axis *axis[MAX_AXES];
	int ext[MAX_AXES];                   /* 1: half a step lower, and, unless periodic, a
	                                      * point more; -1: higher, and a point less; 0;
	                                      * EXT_OPEN: of an expression, not yet known */
	struct grid *next;                   /* of the family */
};

/* Context of construction: ids are counted here. */
struct types {
	struct arena *arena;
	int n_families, n_grids, n_axes;
	struct family *family[MAX_FAMILIES];
	struct grid *grid[MAX_GRIDS];
};

struct family *family_new(struct types *t, const char *name, struct span span);
/* Axes added before the family's first grid are its declared ones. */
struct axis *family_add_axis(struct types *t, struct family *f, struct axis proto);
bool family_may_cut(const struct family *f, int base_axis);
struct grid *grid_of(struct types *t, struct family *f, struct axis *const *axis, int n);
struct grid *grid_of_extended(struct types *t, struct axis *const *axis, const int *ext,
                              int n);        /* n > 0 */
int grid_axis_index(const struct grid *g, const struct axis *a);      /* -1: not there */
struct axis *grid_axis_named(const struct grid *g, const char *name); /* NULL: none */
bool grid_contains(const struct grid *big, const struct grid *small);  /* its axes */
/* Along an axis (any of the family): its extension in g, 0 where g lacks it; the points
 * that it has there more than the axis. */
int grid_ext(const struct grid *g, const struct axis *a);
int grid_longer(const struct grid *g, const struct axis *a);
struct grid *grid_closed(struct types *t, struct grid *g);            /* open: as it is */
int64_t grid_constant_size(const struct grid *g, int i);              /* -1: not known */
/* How many more points than `small` `big` has along its axis i; 0: no more, or `small`
 * has not that axis. */
int grid_exceeds(const struct grid *big, int i, const struct grid *small);

/* The smallest grid with the axes of both: a or b if one has them all, else all in the
 * family's order; extended along an axis as the longer of the two. NULL if families
 * differ (or the axes are more than MAX_AXES). */
struct grid *grid_join(struct types *t, struct grid *a, struct grid *b);

#endif
