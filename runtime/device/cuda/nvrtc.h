/* device/cuda/nvrtc.h - NVIDIA's compiler of CUDA C, opened when kernels are needed
 *
 * Looked for in MPA_NVRTC (a path), CUDA_HOME and CUDA_PATH, where the loader looks, the
 * folders of the toolkit, newest first, and those of Python's wheels of it below
 * VIRTUAL_ENV, CONDA_PREFIX and ~/.local. */
#ifndef MPA_DEVICE_CUDA_NVRTC_H
#define MPA_DEVICE_CUDA_NVRTC_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

struct nvrtc {
#define ROW(member, symbol, parameters) int(*member) parameters;
#include "device/cuda/nvrtc.def"
#undef ROW
	int major, minor;
	char path[1024];
	char architecture[32]; /* "sm_90": makes CUBIN and PTX; "compute_90": PTX alone */
};

/* What kernels are for. */
struct nvrtc_device {
	int driver;      /* the CUDA of its driver: 12040 is 12.4 */
	int capability;  /* 90 is 9.0 */
	bool takes_code; /* not PTX alone */
};

/* To be freed by mem_free each; NULL: not made. */
struct nvrtc_code {
	char *ptx;
	char *cubin;
	size_t cubin_bytes;
	bool cached; /* compiled before */
};

/* The first NVRTC that can make code for the device. */
enum mpa_status nvrtc_open(struct nvrtc *n, const struct nvrtc_device *device,
			   struct fault *fault);
/* Strict: no fused products. A failure quotes the log. */
enum mpa_status nvrtc_compile(const struct nvrtc *n, const char *text,
			      struct nvrtc_code *code, struct fault *fault);
void nvrtc_free(struct nvrtc_code *code);

#endif
