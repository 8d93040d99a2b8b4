/* device/cuda/gpu_state.h - the GPU of a rank, as the files of this folder see it */
#ifndef MPA_DEVICE_CUDA_GPU_STATE_H
#define MPA_DEVICE_CUDA_GPU_STATE_H

#include "device/cuda/driver.h"
#include "device/cuda/gpu.h"
#include "device/cuda/move.h"
#include "device/cuda/nvrtc.h"

struct gpu {
	struct cuda_driver driver;
	int device;
	void *context;
	void *queue[2]; /* streams, by enum gpu_queue */
	void *passed;   /* the event by which one queue waits for the other */
	void *module;  /* the program's kernels */
	void *support; /* those of support.cu; NULL: not needed yet */
	struct gpu_moves moves; /* those that no plan keeps */
	bool direct; /* MPI takes its addresses */
	struct gpu_counts counts;
	uint64_t args; /* memory for arguments that are too large to be handed over */
	int64_t args_bytes;
	char name[128];
	char compiler[64]; /* of the program's kernels */
};

extern const char gpu_support_text[], gpu_support_ptx[]; /* support.cu and .ptx */

/* CUDA's error as a fault: "the GPU cannot …"; CUDA_FINE: MPA_OK. */
enum mpa_status gpu_failed(const struct gpu *g, int error, const char *what,
			   struct fault *fault);
/* load.c: what NVRTC must know of the device; kernels as code of it. */
struct nvrtc_device gpu_for_nvrtc(const struct gpu *g);
enum mpa_status gpu_load(struct gpu *g, const struct gpu_text *text, void **module,
			 struct fault *fault);
/* A kernel of support.cu, which is loaded when first asked for. */
enum mpa_status gpu_support(struct gpu *g, const char *kernel, void **function,
			    struct fault *fault);

#endif
