/* device/cuda/load.c - kernels become code of the device: by NVRTC, or by PTX that is there
 *
 * NVRTC first: it makes code for this very device. Where there is none that fits, or the
 * driver does not take what it makes, the PTX is loaded that mpac has made with LLVM, which
 * drivers from CUDA 11 on take. MPA_GPU_CODE (nvrtc, ptx) leaves one way alone. */
#include <stdio.h>
#include <string.h>

#include "base/settings.h"
#include "device/cuda/gpu_state.h"

static int attribute_of(const struct gpu *g, enum cuda_attribute which)
{
	int value = 0;

	g->driver.attribute(&value, which, g->device);
	return value;
}

struct nvrtc_device gpu_for_nvrtc(const struct gpu *g)
{
	struct nvrtc_device d = { .takes_code = !g->driver.explain };

	g->driver.version(&d.driver);
	d.capability = 10 * attribute_of(g, CUDA_CAPABILITY_MAJOR) +
		       attribute_of(g, CUDA_CAPABILITY_MINOR);
	return d;
}

/* Errors of code that the driver does not know, not of the device. */
static bool is_refusal(int error)
{
	return error == CUDA_INVALID_IMAGE || error == CUDA_NO_BINARY ||
	       error == CUDA_INVALID_PTX || error == CUDA_UNSUPPORTED_PTX;
}

/* The code first: it is for this very device. A driver whose CUDA is older in its minor
 * number takes it all the same, but not the PTX. */
static enum mpa_status load(struct gpu *g, const struct nvrtc *n,
			    const struct nvrtc_code *code, void **module, bool *refused,
			    struct fault *fault)
{
	char what[120];
	int error = CUDA_NO_BINARY, driver = 0;

	if (code->cubin)
		error = g->driver.module_load(module, code->cubin);
	if (is_refusal(error))
		error = g->driver.module_load(module, code->ptx);
	*refused = is_refusal(error);
	g->driver.version(&driver);
	snprintf(what, sizeof what,
		 "load the kernels that NVRTC %d.%d has made, by its driver of CUDA %d.%d",
		 n->major, n->minor, driver / 1000, driver % 1000 / 10);
	return gpu_failed(g, error, what, fault);
}

/* *other: the failure is one that other code may not have. */
static enum mpa_status load_by_nvrtc(struct gpu *g, const char *text, void **module,
				     bool *other, struct fault *fault)
{
	struct nvrtc_device device = gpu_for_nvrtc(g);
	struct nvrtc nvrtc;
	struct nvrtc_code code;
	enum mpa_status st = nvrtc_open(&nvrtc, &device, fault);

	*other = st != MPA_OK;
	if (st != MPA_OK)
		return st;
	st = nvrtc_compile(&nvrtc, text, &code, fault);
	if (st == MPA_OK)
		st = load(g, &nvrtc, &code, module, other, fault);
	if (module == &g->module)
		snprintf(g->compiler, sizeof g->compiler, "NVRTC %d.%d%s", nvrtc.major,
			 nvrtc.minor, code.cached ? ", from the cache" : "");
	nvrtc_free(&code);
	return st;
}

static enum mpa_status load_ptx(struct gpu *g, const char *ptx, void **module,
				struct fault *fault)
{
	if (!ptx)
		return fault_set(fault, MPA_SYSTEM,
				 "there is no PTX in this program: the LLVM that mpac was "
				 "built with makes none");
	if (module == &g->module)
		snprintf(g->compiler, sizeof g->compiler, "LLVM, in the program");
	return gpu_failed(g, g->driver.module_load(module, ptx),
			  "load the PTX that is in the program", fault);
}

enum mpa_status gpu_load(struct gpu *g, const struct gpu_text *text, void **module,
			 struct fault *fault)
{
	const char *way = setting_text("MPA_GPU_CODE");
	bool other = false;
	enum mpa_status st;

	if (way && strcmp(way, "nvrtc") && strcmp(way, "ptx"))
		return fault_set(fault, MPA_ARGUMENT,
				 "MPA_GPU_CODE is nvrtc or ptx, not \"%s\"", way);
	if (way && !strcmp(way, "ptx"))
		return load_ptx(g, text->ptx, module, fault);
	st = load_by_nvrtc(g, text->cuda, module, &other, fault);
	if (st == MPA_OK || !other || !text->ptx || way)
		return st;
	fault_clear(fault);
	return load_ptx(g, text->ptx, module, fault);
}
