/* device/cuda/gpu.c - the GPU of a rank: which, and kernels of one program */
#include "device/cuda/gpu_state.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "device/cuda/nvrtc.h"

enum { THREADS = GPU_THREADS, WARP = 32, MOST_BLOCKS = 65535 };

/* ---- failures ----------------------------------------------------------------- */

enum mpa_status gpu_failed(const struct gpu *g, int error, const char *what,
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
	enum mpa_status st = gpu_failed(g, g->driver.init(0), "begin", fault);

	if (st == MPA_OK)
		st = gpu_failed(g, g->driver.device_count(&count), "be counted", fault);
	if (st != MPA_OK)
		return st;
	if (count == 0)
		return fault_set(fault, MPA_SYSTEM, "there is no GPU that CUDA shows");
	st = gpu_failed(g, g->driver.device_get(&g->device, local_rank % count), "be chosen",
		    fault);
	if (st == MPA_OK)
		st = gpu_failed(g, g->driver.context_retain(&g->context, g->device),
			    "be opened", fault);
	if (st == MPA_OK)
		st = gpu_failed(g, g->driver.context_set(g->context), "be opened", fault);
	g->driver.device_name(g->name, sizeof g->name, g->device);
	return st;
}

/* Messages go first where both have something to do. */
static enum mpa_status open_queues(struct gpu *g, struct fault *fault)
{
	int error = g->driver.stream_create(&g->queue[GPU_WORK], 0, 0);

	if (error == CUDA_FINE)
		error = g->driver.stream_create(&g->queue[GPU_TRAFFIC], 0, -1);
	if (error == CUDA_FINE)
		error = g->driver.event_create(&g->passed, CUDA_EVENT_WITHOUT_TIME);
	return gpu_failed(g, error, "have queues", fault);
}

enum mpa_status gpu_pass(struct gpu *g, enum gpu_queue behind, struct fault *fault)
{
	int error = g->driver.event_record(g->passed, g->queue[!behind]);

	if (error == CUDA_FINE)
		error = g->driver.stream_wait(g->queue[behind], g->passed, 0);
	return gpu_failed(g, error, "go on", fault);
}

struct gpu *gpu_open(int local_rank, struct fault *fault)
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
		st = open_queues(g, fault);
	if (st == MPA_OK)
		return g;
	gpu_close(g);
	return NULL;
}

enum mpa_status gpu_program(struct gpu *g, const struct gpu_text *text,
			    struct fault *fault)
{
	if (g->module)
		g->driver.module_unload(g->module);
	g->module = NULL;
	return gpu_load(g, text, &g->module, fault);
}

void gpu_close(struct gpu *g)
{
	if (!g)
		return;
	gpu_moves_free(g, &g->moves);
	gpu_free(g, g->args);
	if (g->module)
		g->driver.module_unload(g->module);
	if (g->support)
		g->driver.module_unload(g->support);
	for (int i = 0; i < 2; i++)
		if (g->queue[i])
			g->driver.stream_destroy(g->queue[i]);
	if (g->passed)
		g->driver.event_destroy(g->passed);
	if (g->context)
		g->driver.context_release(g->device);
	mem_free(g);
}

enum mpa_status gpu_support(struct gpu *g, const char *kernel, void **function,
			    struct fault *fault)
{
	static const struct gpu_text text = { gpu_support_text, gpu_support_ptx };
	enum mpa_status st = MPA_OK;

	if (!g->support)
		st = gpu_load(g, &text, &g->support, fault);
	if (st != MPA_OK)
		return st;
	return gpu_failed(g, g->driver.function_get(function, g->support, kernel), kernel,
			  fault);
}

int gpu_number(const struct gpu *g)
{
	return g->device;
}

const char *gpu_name(const struct gpu *g)
{
	return g->name;
}

void gpu_describe(const struct gpu *g, char *text, size_t size)
{
	struct nvrtc_device d = gpu_for_nvrtc(g);
	char bus[32] = "";
	int64_t available, total;

	gpu_room(g, &available, &total);
	if (g->driver.device_bus(bus, sizeof bus, g->device))
		*bus = '\0';
	snprintf(text, size,
		 "%s, device %d, bus %s, capability %d.%d, %lld MiB, driver of CUDA "
		 "%d.%d; kernels by %s",
		 g->name, g->device, bus, d.capability / 10, d.capability % 10,
		 (long long)(total >> 20), d.driver / 1000, d.driver % 1000 / 10,
		 g->compiler);
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

/* Behind the kernels that have been launched, so those read theirs before. */
static enum mpa_status put_args(struct gpu *g, const struct gpu_launch *l,
				struct fault *fault)
{
	enum mpa_status st = MPA_OK;

	if (l->args_bytes > g->args_bytes) {
		gpu_free(g, g->args);
		g->args = 0;
		g->args_bytes = l->args_bytes;
		st = gpu_alloc(g, l->args_bytes, "arguments", &g->args, fault);
	}
	if (st != MPA_OK)
		return st;
	return gpu_failed(
		g, g->driver.to_device(g->args, l->args, (size_t)l->args_bytes),
		"take arguments", fault);
}

enum mpa_status gpu_run(struct gpu *g, const struct gpu_launch *l, struct fault *fault)
{
	unsigned grid[3], block[3];
	char what[160];
	void *function = NULL, *args[1];
	int error;

	memcpy(args, &l->args, sizeof args);
	if (l->args_bytes > 0) {
		enum mpa_status st = put_args(g, l, fault);

		if (st != MPA_OK)
			return st;
		args[0] = &g->args;
	}
	snprintf(what, sizeof what, "run %.100s", l->kernel);
	choose_shape(l, grid, block);
	g->counts.launches++;
	error = g->driver.function_get(&function, g->module, l->kernel);
	if (error == CUDA_FINE)
		error = g->driver.launch(function, grid[0], grid[1], grid[2], block[0],
					 block[1], block[2], 0,
					 g->queue[GPU_WORK], args, NULL);
	return gpu_failed(g, error, what, fault);
}

enum mpa_status gpu_call(struct gpu *g, const char *kernel, int64_t blocks, void **args,
			 struct fault *fault)
{
	void *function;
	enum mpa_status st = gpu_support(g, kernel, &function, fault);

	if (st != MPA_OK)
		return st;
	g->counts.launches++;
	return gpu_failed(g,
			  g->driver.launch(function, (unsigned)blocks, 1, 1, GPU_THREADS,
					   1, 1, 0, g->queue[GPU_WORK], args, NULL),
			  kernel, fault);
}

struct gpu_counts gpu_counts(const struct gpu *g)
{
	return g->counts;
}
