/* device/cuda/gpu.h - the GPU of a rank: memory, copies, kernels of one program
 *
 * Of the devices that CUDA shows (CUDA_VISIBLE_DEVICES) a rank takes the one of its
 * number on the node, modulo how many there are. Kernels are CUDA C, compiled by NVRTC
 * for the device; where the driver does not take the code, it gets the PTX. Calls return
 * when the device is done. Failures name the driver's error, and of the emulated driver
 * what it has found. */
#ifndef MPA_DEVICE_CUDA_GPU_H
#define MPA_DEVICE_CUDA_GPU_H

#include <stdint.h>

#include "base/status.h"

struct gpu;

/* NULL: see the fault. `text`: the kernels. */
struct gpu *gpu_open(int local_rank, const char *text, struct fault *fault);
void gpu_close(struct gpu *g); /* NULL is fine */
const char *gpu_name(const struct gpu *g);

/* Memory of the device; name: for messages. */
enum mpa_status gpu_alloc(struct gpu *g, int64_t bytes, const char *name, uint64_t *at,
			  struct fault *fault);
void gpu_free(struct gpu *g, uint64_t at);
enum mpa_status gpu_put(struct gpu *g, uint64_t to, const void *from, int64_t bytes,
			struct fault *fault);
enum mpa_status gpu_get(struct gpu *g, void *to, uint64_t from, int64_t bytes,
			struct fault *fault);

/* A kernel over n[k] points of each loop, outermost first; args: its one parameter. */
struct gpu_launch {
	const char *kernel;
	const void *args;
	int n_loops;
	const int64_t *n;
};
enum mpa_status gpu_run(struct gpu *g, const struct gpu_launch *launch,
			struct fault *fault);

#endif
