/* device/cuda/move.h - boxes of elements, moved on the device, all by one launch
 *
 * The loops of array/runs.h, with addresses of the device. A list is kept there, so that
 * the same moves again cost a launch and nothing else; two of them, for arrays that
 * change places. */
#ifndef MPA_DEVICE_CUDA_MOVE_H
#define MPA_DEVICE_CUDA_MOVE_H

#include "device/cuda/gpu.h"
#include "mpa/elem.h"

struct gpu_loop {
	int64_t count, to, from; /* turns, bytes from one to the next */
};

/* As support.cu reads it. */
struct gpu_move {
	uint64_t to, from;
	int64_t elem;   /* bytes: 1, 2, 4, 8 or 16 */
	int64_t points; /* of all loops */
	int64_t n;      /* loops, outermost first */
	struct gpu_loop loop[MPA_MAX_AXES];
};

struct gpu_moves {
	struct gpu_list {
		struct gpu_move *move;
		int64_t n, room;
		uint64_t device;
	} list[2];
	int oldest;
};

/* n moves in any order, none of which reads what another one writes. kept: {0} at first;
 * NULL: they are not expected again. */
enum mpa_status gpu_move(struct gpu *g, struct gpu_moves *kept, enum gpu_queue queue,
			 const struct gpu_move *move, int64_t n, struct fault *fault);
void gpu_moves_free(struct gpu *g, struct gpu_moves *kept);

#endif
