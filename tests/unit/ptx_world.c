/* tests/unit/ptx_world.c - memory and modules for tests of PTX */
#include "ptx_world.h"

#include <check.h>
#include <stdlib.h>

enum { MOST = 16, GAP = 4096 };

struct ptx_world {
	int n;
	struct ptx_extent extent[MOST];
	struct ptx_module *module;
	uint32_t shared;
	struct ptx_shadow *shadow;
};

static bool find(void *context, uint64_t at, struct ptx_extent *extent)
{
	struct ptx_world *w = context;

	for (int i = 0; i < w->n; i++)
		if (at - w->extent[i].at < w->extent[i].bytes) {
			*extent = w->extent[i];
			return true;
		}
	return false;
}

static uint64_t alloc(void *context, uint64_t bytes, const char *name, bool constant)
{
	struct ptx_world *w = context;
	uint64_t at = ptx_world_array(w, name, (int64_t)bytes);

	w->extent[w->n - 1].constant = constant;
	ptx_world_written(w, at, (int64_t)bytes);
	return at;
}

static void release(void *context, uint64_t at)
{
	(void)context;
	(void)at;
}

struct ptx_hardware ptx_world_hardware(void)
{
	return (struct ptx_hardware){ .real = false, .capability = 999 };
}

struct ptx_world *ptx_world_new(void)
{
	return calloc(1, sizeof(struct ptx_world));
}

void ptx_world_free(struct ptx_world *w)
{
	ptx_unload(w->module);
	ptx_shadow_free(w->shadow);
	for (int i = 0; i < w->n; i++)
		free(w->extent[i].host);
	free(w);
}

uint64_t ptx_world_array(struct ptx_world *w, const char *name, int64_t bytes)
{
	struct ptx_extent *x = &w->extent[w->n];

	ck_assert_int_lt(w->n, MOST);
	*x = (struct ptx_extent){ .bytes = (uint64_t)bytes, .name = name };
	x->at = w->n ? (x[-1].at + x[-1].bytes + GAP) / 256 * 256 : 0x100000;
	x->host = calloc(1, (size_t)bytes);
	w->n++;
	ck_assert(ptx_shadow_add(w->shadow, x));
	return x->at;
}

void *ptx_world_host(struct ptx_world *w, uint64_t at)
{
	struct ptx_extent extent;

	ck_assert(find(w, at, &extent));
	return extent.host + (at - extent.at);
}

struct ptx_fault ptx_world_load_wrong(struct ptx_world *w, const char *text)
{
	struct ptx_memory memory = { w, find, alloc, release };
	struct ptx_fault fault;

	ptx_unload(w->module);
	w->module = ptx_load(text, &memory, &fault);
	return fault;
}

void ptx_world_load(struct ptx_world *w, const char *text)
{
	struct ptx_fault fault = ptx_world_load_wrong(w, text);

	ck_assert_msg(w->module != NULL, "%s", fault.text);
}

struct ptx_fault ptx_world_try(struct ptx_world *w, const char *kernel, int blocks,
			       int threads, const uint64_t *param, int n)
{
	const void *pointer[8];
	struct ptx_launch launch = { .kernel = ptx_find(w->module, kernel),
				     .grid = { (uint32_t)blocks, 1, 1 },
				     .block = { (uint32_t)threads, 1, 1 },
				     .shared = w->shared,
				     .shadow = w->shadow,
				     .param = pointer,
				     .steps = 1000000 };
	struct ptx_fault fault;

	ck_assert_ptr_nonnull(launch.kernel);
	for (int i = 0; i < n; i++)
		pointer[i] = &param[i];
	ptx_run(&launch, NULL, &fault);
	return fault;
}

void ptx_world_run(struct ptx_world *w, const char *kernel, int blocks, int threads,
		   const uint64_t *param, int n)
{
	struct ptx_fault fault = ptx_world_try(w, kernel, blocks, threads, param, n);

	ck_assert_msg(fault.code == PTX_FINE, "%s", fault.text);
}

void ptx_world_shared(struct ptx_world *w, uint32_t bytes)
{
	w->shared = bytes;
}

void ptx_world_check(struct ptx_world *w)
{
	w->shadow = ptx_shadow_new();
	ck_assert_ptr_nonnull(w->shadow);
}

void ptx_world_written(struct ptx_world *w, uint64_t at, int64_t bytes)
{
	ptx_shadow_write(w->shadow, ptx_world_host(w, at), (uint64_t)bytes);
}

const struct ptx_kernel *ptx_world_kernel(struct ptx_world *w, const char *name)
{
	return ptx_find(w->module, name);
}
