/* array/resident.c - arrays on the host and on a GPU: which of the two is up to date */
#include <string.h>
#include <sys/mman.h>

#include "array/array.h"
#include "array/runs.h"
#include "base/memory.h"

static enum mpa_status protect(const struct mpa_array *a, int how, struct fault *fault)
{
	if (mprotect(a->block.data, a->block.bytes, how) == 0)
		return MPA_OK;
	return fault_set(fault, MPA_SYSTEM, "cannot protect the memory of an array");
}

enum mpa_status array_on_host(struct mpa_array *a, bool writes, struct fault *fault)
{
	enum mpa_status st = MPA_OK;

	if (!a->gpu || !a->block.data)
		return MPA_OK;
	if (!(a->fresh & ARRAY_ON_HOST)) {
		st = protect(a, PROT_READ | PROT_WRITE, fault);
		if (st == MPA_OK)
			st = gpu_get(a->gpu, a->block.data, a->device,
				     (int64_t)a->block.bytes, fault);
		a->fresh |= ARRAY_ON_HOST;
	}
	if (writes)
		a->fresh = ARRAY_ON_HOST;
	return st;
}

enum mpa_status array_on_device(struct mpa_array *a, bool writes, struct fault *fault)
{
	enum mpa_status st = MPA_OK;

	if (!a->gpu || !a->block.data)
		return MPA_OK;
	if (!(a->fresh & ARRAY_ON_DEVICE)) {
		st = gpu_put(a->gpu, a->device, a->block.data, (int64_t)a->block.bytes,
			     fault);
		a->fresh |= ARRAY_ON_DEVICE;
	}
	if (writes && a->fresh & ARRAY_ON_HOST && st == MPA_OK) {
		a->fresh = ARRAY_ON_DEVICE;
		st = protect(a, PROT_NONE, fault);
	}
	return st;
}

struct mpa_array array_of_device(const struct mpa_array *array)
{
	struct mpa_array a = *array;

	if (a.block.data)
		a.origin = (char *)(uintptr_t)(a.device +
					       (uint64_t)(a.origin - a.block.data));
	return a;
}

struct zeroing {
	char *data;
};

static void zero_bytes(void *arg, int64_t lo, int64_t hi)
{
	memset(((struct zeroing *)arg)->data + lo, 0, (size_t)(hi - lo));
}

enum mpa_status array_zero(struct mpa_array *a, const struct array_home *home)
{
	struct zeroing z = { a->block.data };
	enum mpa_status st;

	if (!a->block.data)
		return MPA_OK;
	if (!a->gpu) {
		pool_for(home->pool, zero_bytes, &z,
			 (struct pool_span){ 0, (int64_t)a->block.bytes, 1 << 20 });
		return MPA_OK;
	}
	a->fresh |= ARRAY_ON_DEVICE; /* what the host has will not be looked at */
	st = array_on_device(a, true, home->fault);
	if (st != MPA_OK)
		return st;
	return gpu_zero(a->gpu, a->device, (int64_t)a->block.bytes, home->fault);
}

enum mpa_status array_get(const struct mpa_array *a, const int64_t *index, void *to,
			  struct fault *fault)
{
	struct mpa_array there;

	if (!a->gpu || a->fresh & ARRAY_ON_HOST) {
		memcpy(to, array_at(a, index), (size_t)a->elem);
		return MPA_OK;
	}
	there = array_of_device(a);
	return gpu_get(a->gpu, to, (uint64_t)(uintptr_t)array_at(&there, index), a->elem,
		       fault);
}

/* ---- lists of moves ------------------------------------------------------------- */

static struct gpu_move device_move(const struct runs_move *m)
{
	struct gpu_move d;

	memset(&d, 0, sizeof d); /* lists are compared by their bytes */
	d.to = (uint64_t)(uintptr_t)m->to;
	d.from = (uint64_t)(uintptr_t)m->from;
	d.elem = m->elem;
	d.points = m->to ? 1 : 0;
	d.n = m->n;
	for (int k = 0; k < m->n; k++) {
		d.loop[k] = (struct gpu_loop){ m->loop[k].count, m->loop[k].to,
					       m->loop[k].from };
		d.points *= m->loop[k].count;
	}
	return d;
}

enum mpa_status runs_on_device(struct gpu *gpu, struct gpu_moves *kept,
			       enum gpu_queue queue, const struct runs_move *move,
			       int64_t n, struct fault *fault)
{
	struct gpu_move *list = mem_new((size_t)n * sizeof *list);
	enum mpa_status st;

	if (!list)
		return fault_set(fault, MPA_MEMORY, "out of memory");
	for (int64_t i = 0; i < n; i++)
		list[i] = device_move(&move[i]);
	st = gpu_move(gpu, kept, queue, list, n, fault);
	mem_free(list);
	return st;
}
