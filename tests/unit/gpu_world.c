/* tests/unit/gpu_world.c - ptx_world.h by the CUDA driver: the tests of the interpreter run
 * on a GPU, which must give what the interpreter has to give
 *
 * Arrays of the host are copied to the device before each launch, and back after it.
 */
#include "ptx_world.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device/cuda/driver.h"

enum { MOST = 16 };

struct array {
	uint64_t at;
	size_t bytes;
	char *host;
};

struct ptx_world {
	struct cuda_driver cuda;
	void *context, *module;
	int device, n;
	struct array array[MOST];
	uint32_t shared;
};

static bool open_world(struct ptx_world *w)
{
	struct fault fault = { 0 };
	int count = 0;

	return cuda_driver_open(&w->cuda, &fault) == MPA_OK && w->cuda.init(0) == 0 &&
	       w->cuda.device_count(&count) == 0 && count > 0 &&
	       w->cuda.device_get(&w->device, 0) == 0 &&
	       w->cuda.context_retain(&w->context, w->device) == 0 &&
	       w->cuda.context_set(w->context) == 0;
}

static int capability(void)
{
	struct ptx_world w = { .n = 0 };
	int major = 0, minor = 0;

	if (!open_world(&w))
		return 0;
	w.cuda.attribute(&major, CUDA_CAPABILITY_MAJOR, w.device);
	w.cuda.attribute(&minor, CUDA_CAPABILITY_MINOR, w.device);
	return 10 * major + minor;
}

/* In a process of its own: CUDA is of no use in children of one that has begun it. */
struct ptx_hardware ptx_world_hardware(void)
{
	struct ptx_hardware h = { .real = true };
	int status = 0;
	pid_t child = fork();

	if (child == 0)
		_exit(capability());
	if (child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status))
		h.capability = WEXITSTATUS(status);
	return h;
}

struct ptx_world *ptx_world_new(void)
{
	struct ptx_world *w = calloc(1, sizeof *w);

	ck_assert(open_world(w));
	return w;
}

void ptx_world_free(struct ptx_world *w)
{
	if (w->module)
		w->cuda.module_unload(w->module);
	for (int i = 0; i < w->n; i++) {
		w->cuda.mem_free(w->array[i].at);
		free(w->array[i].host);
	}
	w->cuda.context_release(w->device);
	free(w);
}

uint64_t ptx_world_array(struct ptx_world *w, const char *name, int64_t bytes)
{
	struct array *a = &w->array[w->n++];

	ck_assert_int_le(w->n, MOST);
	a->bytes = (size_t)bytes;
	a->host = calloc(1, a->bytes);
	ck_assert_msg(w->cuda.mem_alloc(&a->at, a->bytes) == CUDA_FINE, "%s", name);
	return a->at;
}

void *ptx_world_host(struct ptx_world *w, uint64_t at)
{
	for (int i = 0; i < w->n; i++)
		if (at - w->array[i].at < w->array[i].bytes)
			return w->array[i].host + (at - w->array[i].at);
	ck_abort_msg("there is no such array");
}

static struct ptx_fault fault_of(const struct ptx_world *w, int error)
{
	struct ptx_fault fault = { .code = error };
	const char *name = NULL;

	if (error && (w->cuda.error_name(error, &name) || !name))
		name = "an error without a name";
	if (error)
		snprintf(fault.text, sizeof fault.text, "%s", name);
	return fault;
}

struct ptx_fault ptx_world_load_wrong(struct ptx_world *w, const char *text)
{
	if (w->module)
		w->cuda.module_unload(w->module);
	w->module = NULL;
	return fault_of(w, w->cuda.module_load(&w->module, text));
}

void ptx_world_load(struct ptx_world *w, const char *text)
{
	struct ptx_fault fault = ptx_world_load_wrong(w, text);

	ck_assert_msg(fault.code == 0, "%s\n%s", fault.text, text);
}

static int launch(struct ptx_world *w, const char *kernel, const unsigned shape[2],
		  void **pointer)
{
	void *function;
	int error = w->cuda.function_get(&function, w->module, kernel);

	for (int i = 0; i < w->n && !error; i++)
		error = w->cuda.to_device(w->array[i].at, w->array[i].host,
					  w->array[i].bytes);
	if (!error)
		error = w->cuda.launch(function, shape[0], 1, 1, shape[1], 1, 1, w->shared,
				       NULL, pointer, NULL);
	if (!error)
		error = w->cuda.synchronize();
	for (int i = 0; i < w->n && !error; i++)
		error = w->cuda.to_host(w->array[i].host, w->array[i].at,
					w->array[i].bytes);
	return error;
}

struct ptx_fault ptx_world_try(struct ptx_world *w, const char *kernel, int blocks,
			       int threads, const uint64_t *param, int n)
{
	uint64_t value[8];
	void *pointer[8];

	for (int i = 0; i < n; i++) {
		value[i] = param[i];
		pointer[i] = &value[i];
	}
	return fault_of(w, launch(w, kernel,
				  (unsigned[]){ (unsigned)blocks, (unsigned)threads },
				  pointer));
}

void ptx_world_run(struct ptx_world *w, const char *kernel, int blocks, int threads,
		   const uint64_t *param, int n)
{
	struct ptx_fault fault = ptx_world_try(w, kernel, blocks, threads, param, n);

	ck_assert_msg(fault.code == 0, "%s", fault.text);
}

void ptx_world_shared(struct ptx_world *w, uint32_t bytes)
{
	w->shared = bytes;
}
