/* device/cuda/nvrtc.h - NVIDIA's compiler of CUDA C, opened when kernels are needed
 *
 * Looked for in MPA_NVRTC (a path), CUDA_HOME and CUDA_PATH, where the loader looks, the
 * folders of the toolkit, and those of Python's wheels of it below VIRTUAL_ENV and
 * CONDA_PREFIX. */
#ifndef MPA_DEVICE_CUDA_NVRTC_H
#define MPA_DEVICE_CUDA_NVRTC_H

#include <stddef.h>

#include "base/status.h"

struct nvrtc {
#define ROW(member, symbol, parameters) int(*member) parameters;
#include "device/cuda/nvrtc.def"
#undef ROW
	int major, minor;
};

/* To be freed by mem_free each; NULL: not made. */
struct nvrtc_code {
	char *ptx;
	char *cubin;
	size_t cubin_bytes;
};

enum mpa_status nvrtc_open(struct nvrtc *n, struct fault *fault);
/* Code for an architecture ("sm_90": CUBIN and PTX; "compute_90": PTX alone), strict: no
 * fused products. A failure quotes the log. */
enum mpa_status nvrtc_compile(const struct nvrtc *n, const char *text,
			      const char *architecture, struct nvrtc_code *code,
			      struct fault *fault);
void nvrtc_free(struct nvrtc_code *code);

#endif
