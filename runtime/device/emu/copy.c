/* device/emu/copy.c - the emulated driver: memory, and copies in their turn
 *
 * What is copied from memory of the host that is not pinned is taken at the call, as CUDA
 * stages it; what is pinned is read and written when the stream comes to the copy, so a
 * wait that is missing shows in the values. Copies to memory that is not pinned wait. */
#include <string.h>

#include "base/memory.h"
#include "device/emu/state.h"

/* ---- memory -------------------------------------------------------------------- */

int emu_allocate(uint64_t *at, size_t bytes, bool constant)
{
	const struct emu_setup *s = &emulated.setup;

	if (emu_ready())
		return emu_ready();
	if (!bytes)
		return CUDA_INVALID_VALUE;
	if (++emulated.allocations == s->which && s->wrong == EMU_ALLOC)
		return emu_refuse(CUDA_OUT_OF_MEMORY, "allocation %lld is to fail",
				  (long long)s->which);
	return emu_memory_new(&emulated.current->memory, at, bytes, constant)
		       ? CUDA_FINE
		       : CUDA_OUT_OF_MEMORY;
}

static int mem_alloc(uint64_t *at, size_t bytes)
{
	return emu_allocate(at, bytes, false);
}

static int mem_free_at(uint64_t at)
{
	struct emu_device *d = emulated.current;

	if (!d)
		return emu_ready();
	emu_met_all(d);
	if (d->order)
		emu_order_drop(d->order, at);
	return emu_memory_free(&d->memory, at) ? emu_ready() : CUDA_INVALID_VALUE;
}

static int mem_info(size_t *available, size_t *total)
{
	if (!emulated.current)
		return emu_ready();
	*total = (size_t)emulated.current->memory.size;
	*available = *total - (size_t)emulated.current->memory.used;
	return emu_ready();
}

static void name_memory(uint64_t at, const char *name)
{
	if (emulated.current)
		emu_memory_name(&emulated.current->memory, at, name);
}

static void mirror(uint64_t at, const void *host, size_t bytes)
{
	if (emulated.current)
		emu_memory_mirror(&emulated.current->memory, at, host, bytes);
}

static char *bytes_at(uint64_t at, size_t n)
{
	return emulated.current ? emu_memory_bytes(&emulated.current->memory, at, n)
				: NULL;
}

/* What others write there is not seen, so it counts as written. */
static void *alias(uint64_t at)
{
	struct emu_device *d = emulated.current;
	struct ptx_extent x;

	if (!d || !emu_memory_find(&d->memory, at, &x))
		return NULL;
	ptx_shadow_write(d->memory.shadow, x.host, x.bytes);
	return x.host + (at - x.at);
}

static int host_alloc(void **at, size_t bytes, unsigned flags)
{
	if (emu_ready())
		return emu_ready();
	*at = bytes && !flags ? emu_pinned_new(&emulated.current->memory, bytes) : NULL;
	return *at ? CUDA_FINE : CUDA_OUT_OF_MEMORY;
}

static int host_free(void *at)
{
	struct emu_device *d = emulated.current;

	if (!d)
		return emu_ready();
	emu_met_all(d);
	if (d->order)
		emu_order_drop(d->order, (uint64_t)(uintptr_t)at);
	return emu_pinned_free(&d->memory, at) ? emu_ready() : CUDA_INVALID_VALUE;
}

/* The kind alone: whose memory it is. */
static int pointer_attribute(void *value, int which, uint64_t at)
{
	enum { HOST = 1, DEVICE = 2 };
	unsigned kind = HOST;

	if (emu_ready())
		return emu_ready();
	if (bytes_at(at, 1))
		kind = DEVICE;
	else if (!emu_is_pinned(&emulated.current->memory, (void *)at, 1))
		return CUDA_INVALID_VALUE;
	if (which != CUDA_POINTER_KIND)
		return CUDA_INVALID_VALUE;
	memcpy(value, &kind, sizeof kind);
	return CUDA_FINE;
}

/* ---- copies ---------------------------------------------------------------------- */

/* Or a value for all bytes. */
struct transfer {
	char *to;
	const char *from; /* NULL: what follows, or else the value */
	size_t n;
	bool follows;
	int value;
	uint64_t reads, writes; /* of the device, or pinned; 0: what is not checked */
	struct emu_device *device;
	struct emu_when when;
	char bytes[];
};

/* Of the bytes that a copy reads, or those that it writes. */
static bool is_in_order(const struct transfer *t, uint64_t at, bool writes)
{
	struct emu_touched touched = { at, t->n, writes };
	struct emu_device *d = t->device;
	struct ptx_extent x = { .name = NULL };
	char text[200];

	if (!at || !t->n || !d->order ||
	    emu_order_touch(d->order, &t->when, &touched, text, sizeof text))
		return true;
	if (!emu_memory_find(&d->memory, at, &x))
		emu_pinned_find(&d->memory, at, &x);
	d->failed = emu_refuse(CUDA_LAUNCH_FAILED, "a copy of stream %d %s %s, %s",
			       t->when.stream, writes ? "writes" : "reads",
			       x.name ? x.name : "an allocation", text);
	return false;
}

static void transfer(const void *data)
{
	const struct transfer *t = data;
	const char *from = t->follows ? t->bytes : t->from;

	if (t->device->failed || !is_in_order(t, t->reads, false) ||
	    !is_in_order(t, t->writes, true))
		return;
	if (from)
		memmove(t->to, from, t->n);
	else
		memset(t->to, t->value, t->n);
	ptx_shadow_write(t->device->memory.shadow, t->to, t->n); /* if it is there */
}

/* 0: not all of it is pinned. */
static uint64_t pinned_at(const void *at, size_t n)
{
	struct emu_device *d = emulated.current;

	return d && emu_is_pinned(&d->memory, at, n) ? (uint64_t)(uintptr_t)at : 0;
}

static int put(struct transfer t, void *stream)
{
	if (emu_ready())
		return emu_ready();
	if (!t.to)
		return CUDA_INVALID_VALUE;
	t.device = emulated.current;
	t.when = emu_when(stream, "a copy");
	return emu_do(stream, transfer, &t, sizeof t);
}

/* With the bytes as they are now. */
static int put_taken(struct transfer t, const void *from, void *stream)
{
	struct transfer *taken;
	int error;

	if (emu_ready())
		return emu_ready();
	taken = mem_new(sizeof t + t.n);
	if (!taken)
		return CUDA_OUT_OF_MEMORY;
	*taken = t;
	taken->device = emulated.current;
	taken->when = emu_when(stream, "a copy");
	taken->follows = true;
	memcpy(taken->bytes, from, t.n);
	error = emu_do(stream, transfer, taken, sizeof t + t.n);
	mem_free(taken);
	return error;
}

static int to_device_async(uint64_t to, const void *from, size_t n, void *stream)
{
	struct transfer t = { .to = bytes_at(to, n),
			      .from = from,
			      .n = n,
			      .reads = pinned_at(from, n),
			      .writes = to };

	if (t.to && from && !t.reads)
		return put_taken(t, from, stream);
	return from ? put(t, stream) : CUDA_INVALID_VALUE;
}

static int to_host_async(void *to, uint64_t from, size_t n, void *stream)
{
	const char *at = bytes_at(from, n);
	struct transfer t = { .to = at ? to : NULL,
			      .from = at,
			      .n = n,
			      .reads = from,
			      .writes = pinned_at(to, n) };
	int error = put(t, stream);

	if (error || t.writes)
		return error;
	emu_met(stream);
	return emu_ready();
}

static int within_device_async(uint64_t to, uint64_t from, size_t n, void *stream)
{
	const char *at = bytes_at(from, n);
	struct transfer t = { .to = at ? bytes_at(to, n) : NULL,
			      .from = at,
			      .n = n,
			      .reads = from,
			      .writes = to };

	return put(t, stream);
}

static int set_bytes_async(uint64_t at, unsigned char value, size_t n, void *stream)
{
	struct transfer t = {
		.to = bytes_at(at, n), .n = n, .value = value, .writes = at
	};

	return put(t, stream);
}

/* What waits as CUDA's do tells what has failed until then. */
static int to_device(uint64_t to, const void *from, size_t n)
{
	struct transfer t = { .to = from ? bytes_at(to, n) : NULL,
			      .from = from,
			      .n = n,
			      .reads = pinned_at(from, n),
			      .writes = to };
	int error = put(t, NULL);

	if (!error)
		emu_met(NULL);
	return error ? error : emu_ready();
}

static int to_host(void *to, uint64_t from, size_t n)
{
	int error = to_host_async(to, from, n, NULL);

	if (!error)
		emu_met(NULL);
	return error ? error : emu_ready();
}

void emu_fill_memory(struct cuda_driver *driver)
{
	driver->mem_info = mem_info;
	driver->mem_alloc = mem_alloc;
	driver->mem_free = mem_free_at;
	driver->to_device = to_device;
	driver->to_host = to_host;
	driver->to_device_async = to_device_async;
	driver->to_host_async = to_host_async;
	driver->within_device_async = within_device_async;
	driver->set_bytes_async = set_bytes_async;
	driver->host_alloc = host_alloc;
	driver->host_free = host_free;
	driver->pointer_attribute = pointer_attribute;
	driver->name_memory = name_memory;
	driver->mirror = mirror;
	driver->alias = alias;
}
