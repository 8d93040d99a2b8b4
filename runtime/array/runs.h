/* array/runs.h - moving boxes of elements in and out of arrays
 *
 * The loops behind copies, messages and files. A box is in the array's own global
 * indices; empty boxes do nothing. A list of axes gives the order of the packed
 * elements, outermost first; NULL is the written order. */
#ifndef MPA_ARRAY_RUNS_H
#define MPA_ARRAY_RUNS_H

#include "array/array.h"
#include "device/cuda/move.h"

/* One axis of a move: how often, and how far apart in bytes on either side. */
struct runs_loop {
	int64_t count, to, from;
};

/* A move as it will be done: loops outermost first, without those of one turn, joined
 * where they are contiguous on both sides. to NULL: nothing is to be moved. */
struct runs_move {
	struct runs_loop loop[MPA_MAX_AXES];
	int n;
	int64_t elem;
	char *to;
	const char *from;
};
void runs_do(const struct runs_move *m);
/* n moves between addresses of the device (array_of_device); kept: see device/cuda/move.h. */
enum mpa_status runs_on_device(struct gpu *gpu, struct gpu_moves *kept,
			       enum gpu_queue queue, const struct runs_move *move,
			       int64_t n, struct fault *fault);
/* What runs_move, runs_copy, runs_pack and runs_unpack do. */
struct runs_move runs_moving(const struct runs_loop *loop, int n, int64_t elem, void *to,
			     const void *from);
struct runs_move runs_copying(struct mpa_array *dst, const struct mpa_array *src,
			      const struct box *box, const int64_t *shift);
struct runs_move runs_packing(const struct mpa_array *array, const struct box *box,
			      const int *axes, void *out);
struct runs_move runs_unpacking(struct mpa_array *array, const struct box *box,
				const int *axes, const void *in);

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
