/* device/cuda/gpu.c - the GPU of a rank: memory, copies, kernels of one program */
#include "device/cuda/gpu.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "device/cuda/driver.h"
#include "device/cuda/nvrtc.h"

enum { THREADS = 256, WARP = 32, MOST_BLOCKS = 65535 };

struct gpu {
	struct cuda_driver driver;
	int device;
	void *context, *module;
	char name[128];
};

/* ---- failures ----------------------------------------------------------------- */

static enum mpa_status failed(const struct gpu *g, int error, const char *what,
			      struct fault *fault)
{
	const char *name = NULL, *more = "";

	if (error == CUDA_FINE)
		return MPA_OK;
	if (g->driver.error_name(error, &name) || !name)
		name = "an error without a name";
	if (g->driver.explain)
		more = g->driver.explain();
	return fault_set(fault, error == CUDA_OUT_OF_MEMORY ? MPA_MEMORY : MPA_SYSTEM,
			 "the GPU cannot %s: %s%s%s", what, name, *more ? ": " : "",
			 more);
}

/* ---- opening -------------------------------------------------------------------- */

static enum mpa_status choose_device(struct gpu *g, int local_rank, struct fault *fault)
{
	int count = 0;
	enum mpa_status st = failed(g, g->driver.init(0), "begin", fault);

	if (st == MPA_OK)
		st = failed(g, g->driver.device_count(&count), "be counted", fault);
	if (st != MPA_OK)
		return st;
	if (count == 0)
		return fault_set(fault, MPA_SYSTEM, "there is no GPU that CUDA shows");
	st = failed(g, g->driver.device_get(&g->device, local_rank % count), "be chosen",
		    fault);
	if (st == MPA_OK)
		st = failed(g, g->driver.context_retain(&g->context, g->device),
			    "be opened", fault);
	if (st == MPA_OK)
		st = failed(g, g->driver.context_set(g->context), "be opened", fault);
	g->driver.device_name(g->name, sizeof g->name, g->device);
	return st;
}

/* The code first: it is for this very device. An older driver may refuse it, and the PTX.
 */
static enum mpa_status load(struct gpu *g, const struct nvrtc_code *code,
			    struct fault *fault)
{
	int error = CUDA_NO_BINARY;

	if (code->cubin)
		error = g->driver.module_load(&g->module, code->cubin);
	if (error != CUDA_FINE)
		error = g->driver.module_load(&g->module, code->ptx);
	return failed(g, error, "load the kernels", fault);
}

static enum mpa_status compile(struct gpu *g, const char *text, struct fault *fault)
{
	struct nvrtc nvrtc;
	struct nvrtc_code code;
	char architecture[32];
	int major = 0, minor = 0;
	enum mpa_status st = nvrtc_open(&nvrtc, fault);

	if (st != MPA_OK)
		return st;
	g->driver.attribute(&major, CUDA_CAPABILITY_MAJOR, g->device);
	g->driver.attribute(&minor, CUDA_CAPABILITY_MINOR, g->device);
	/* code is of no use to the emulated driver */
	snprintf(architecture, sizeof architecture, "%s_%d%d",
		 g->driver.explain ? "compute" : "sm", major, minor);
	st = nvrtc_compile(&nvrtc, text, architecture, &code, fault);
	if (st == MPA_OK)
		st = load(g, &code, fault);
	nvrtc_free(&code);
	return st;
}

struct gpu *gpu_open(int local_rank, const char *text, struct fault *fault)
{
	struct gpu *g = mem_new(sizeof *g);
	enum mpa_status st;

	if (!g) {
		fault_set(fault, MPA_MEMORY, "out of memory");
		return NULL;
	}
	st = cuda_driver_open(&g->driver, fault);
	if (st == MPA_OK)
		st = choose_device(g, local_rank, fault);
	if (st == MPA_OK)
		st = compile(g, text, fault);
	if (st == MPA_OK)
		return g;
	gpu_close(g);
	return NULL;
}

void gpu_close(struct gpu *g)
{
	if (!g)
		return;
	if (g->module)
		g->driver.module_unload(g->module);
	if (g->context)
		g->driver.context_release(g->device);
	mem_free(g);
}

const char *gpu_name(const struct gpu *g)
{
	return g->name;
}

/* ---- memory ------------------------------------------------------------------------ */

enum mpa_status gpu_alloc(struct gpu *g, int64_t bytes, const char *name, uint64_t *at,
			  struct fault *fault)
{
	char what[160];
	int error = g->driver.mem_alloc(at, bytes ? (size_t)bytes : 1);

	if (error == CUDA_FINE && g->driver.name_memory)
		g->driver.name_memory(*at, name);
	snprintf(what, sizeof what, "hold `%.80s`, %lld bytes", name, (long long)bytes);
	return failed(g, error, what, fault);
}

void gpu_free(struct gpu *g, uint64_t at)
{
	g->driver.mem_free(at);
}

enum mpa_status gpu_put(struct gpu *g, uint64_t to, const void *from, int64_t bytes,
			struct fault *fault)
{
	return bytes ? failed(g, g->driver.to_device(to, from, (size_t)bytes),
			      "take data", fault)
		     : MPA_OK;
}

enum mpa_status gpu_get(struct gpu *g, void *to, uint64_t from, int64_t bytes,
			struct fault *fault)
{
	return bytes ? failed(g, g->driver.to_host(to, from, (size_t)bytes), "give data",
			      fault)
		     : MPA_OK;
}

/* ---- kernels ---------------------------------------------------------------------- */

static unsigned blocks(int64_t n, int64_t threads, int64_t most)
{
	int64_t b = (n + threads - 1) / threads;

	return (unsigned)(b < 1 ? 1 : b < most ? b : most);
}

/* Blocks of 256 threads, whole warps along the innermost loop, as wide as it is long. */
static void choose_shape(const struct gpu_launch *l, unsigned grid[3], unsigned block[3])
{
	int64_t x = l->n[l->n_loops - 1], y = l->n_loops > 1 ? l->n[l->n_loops - 2] : 1,
		z = 1;

	for (int k = 0; k < l->n_loops - 2; k++)
		z *= l->n[k];
	block[0] = x >= THREADS ? THREADS : (unsigned)((x + WARP - 1) / WARP * WARP);
	while (THREADS % block[0]) /* 96, 160, …: to the next power of 2 */
		block[0] += WARP;
	block[1] = THREADS / block[0];
	if (block[1] > y)
		block[1] = (unsigned)y;
	block[2] = 1;
	grid[0] = blocks(x, block[0], INT32_MAX);
	grid[1] = blocks(y, block[1], MOST_BLOCKS);
	grid[2] = blocks(z, 1, MOST_BLOCKS);
}

enum mpa_status gpu_run(struct gpu *g, const struct gpu_launch *l, struct fault *fault)
{
	unsigned grid[3], block[3];
	char what[160];
	void *function = NULL, *args[1];
	int error;

	memcpy(args, &l->args, sizeof args);
	snprintf(what, sizeof what, "run %.100s", l->kernel);
	choose_shape(l, grid, block);
	error = g->driver.function_get(&function, g->module, l->kernel);
	if (error == CUDA_FINE)
		error = g->driver.launch(function, grid[0], grid[1], grid[2], block[0],
					 block[1], block[2], 0, NULL, args, NULL);
	if (error == CUDA_FINE)
		error = g->driver.synchronize();
	return failed(g, error, what, fault);
}
