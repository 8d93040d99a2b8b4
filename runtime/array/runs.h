/* array/runs.h - moving boxes of elements in and out of arrays
 *
 * The loops behind copies, messages and files. A box is in the array's own global
 * indices; empty boxes do nothing. A list of axes gives the order of the packed
 * elements, outermost first; NULL is the written order. */
#ifndef MPA_ARRAY_RUNS_H
#define MPA_ARRAY_RUNS_H

#include "array/array.h"

/* One axis of a move: how often, and how far apart in bytes on either side. */
struct runs_loop {
	int64_t count, to, from;
};

/* Moves elements of `elem` bytes; loops outermost first, none of them empty. */
void runs_move(const struct runs_loop *loop, int n, int64_t elem, void *to,
	       const void *from);
/* Every element of the box becomes the one at `value`. */
void runs_fill(struct mpa_array *array, const struct box *box, const void *value);
void runs_zero(struct mpa_array *array, const struct box *box);
/* dst[i] = src[i + shift] for every i of the box (indices of dst); equal axes,
 * order and elem. The two may be the same array if the boxes do not overlap. */
void runs_copy(struct mpa_array *dst, const struct mpa_array *src, const struct box *box,
	       const int64_t *shift);
void runs_pack(const struct mpa_array *array, const struct box *box, const int *axes,
	       void *out);
void runs_unpack(struct mpa_array *array, const struct box *box, const int *axes,
		 const void *in);

#endif
