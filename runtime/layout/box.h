/* layout/box.h - half-open boxes of global indices, axes in written order */
#ifndef MPA_LAYOUT_BOX_H
#define MPA_LAYOUT_BOX_H

#include <stdbool.h>
#include <stdint.h>

#include "mpa/program.h" /* MPA_MAX_AXES */

struct range {
	int64_t lo, hi; /* empty when hi <= lo */
};

struct box {
	int naxes; /* 0: one point */
	int64_t lo[MPA_MAX_AXES], hi[MPA_MAX_AXES];
};

struct range range_cut(struct range a, struct range b);

bool box_empty(const struct box *b);
int64_t box_points(const struct box *b); /* 0 if empty */
bool box_holds(const struct box *b, const int64_t *index);
struct box box_cut(const struct box *a, const struct box *b);
bool box_same(const struct box *a, const struct box *b);

#endif
