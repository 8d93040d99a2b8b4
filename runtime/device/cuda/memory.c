/* device/cuda/memory.c - memory of the device, copies, buffers of messages */
#include <stdio.h>

#include "base/memory.h"
#include "device/cuda/gpu_state.h"

enum mpa_status gpu_alloc(struct gpu *g, int64_t bytes, const char *name, uint64_t *at,
			  struct fault *fault)
{
	char what[160];
	int error = g->driver.mem_alloc(at, bytes ? (size_t)bytes : 1);

	if (error == CUDA_FINE && g->driver.name_memory)
		g->driver.name_memory(*at, name);
	snprintf(what, sizeof what, "hold `%.80s`, %lld bytes", name, (long long)bytes);
	return gpu_failed(g, error, what, fault);
}

void gpu_mirror(struct gpu *g, uint64_t at, const void *host, int64_t bytes)
{
	if (g->driver.mirror)
		g->driver.mirror(at, host, (size_t)bytes);
}

void gpu_free(struct gpu *g, uint64_t at)
{
	if (at)
		g->driver.mem_free(at);
}

void gpu_room(const struct gpu *g, int64_t *available, int64_t *total)
{
	size_t room = 0, all = 0;

	g->driver.mem_info(&room, &all);
	*available = (int64_t)room;
	*total = (int64_t)all;
}

enum mpa_status gpu_zero(struct gpu *g, uint64_t at, int64_t bytes, struct fault *fault)
{
	return bytes ? gpu_failed(g,
				  g->driver.set_bytes_async(
					  at, 0, (size_t)bytes, g->queue[GPU_WORK]),
				  "set memory", fault)
		     : MPA_OK;
}

enum mpa_status gpu_put(struct gpu *g, uint64_t to, const void *from, int64_t bytes,
			struct fault *fault)
{
	g->counts.to_device += bytes;
	return bytes ? gpu_failed(g, g->driver.to_device(to, from, (size_t)bytes),
				  "take data", fault)
		     : MPA_OK;
}

enum mpa_status gpu_get(struct gpu *g, void *to, uint64_t from, int64_t bytes,
			struct fault *fault)
{
	g->counts.to_host += bytes;
	return bytes ? gpu_failed(g, g->driver.to_host(to, from, (size_t)bytes),
				  "give data", fault)
		     : MPA_OK;
}

enum mpa_status gpu_wait(struct gpu *g, struct fault *fault)
{
	return gpu_failed(g, g->driver.synchronize(), "go on", fault);
}

/* ---- buffers of messages --------------------------------------------------------- */

void gpu_messages(struct gpu *g, bool direct)
{
	g->direct = direct;
	g->counts = (struct gpu_counts){ .launches = 0 };
}

bool gpu_messages_direct(const struct gpu *g)
{
	return g->direct;
}

bool gpu_is_emulated(const struct gpu *g)
{
	return g->driver.alias != NULL;
}

bool gpu_owns(const struct gpu *g, uint64_t at)
{
	unsigned kind = 0;

	return g->driver.pointer_attribute(&kind, CUDA_POINTER_KIND, at) == CUDA_FINE &&
	       kind == CUDA_OF_DEVICE;
}

void *gpu_for_mpi(const struct gpu *g, uint64_t at)
{
	return g->driver.alias ? g->driver.alias(at) : (void *)(uintptr_t)at;
}

enum mpa_status gpu_buffer_new(struct gpu *g, int64_t bytes, struct gpu_buffer *b,
			       struct fault *fault)
{
	void *host = NULL;
	enum mpa_status st;

	*b = (struct gpu_buffer){ .bytes = bytes };
	if (bytes == 0)
		return MPA_OK;
	st = gpu_alloc(g, bytes, "messages", &b->device, fault);
	b->direct = g->direct;
	if (st == MPA_OK && b->direct)
		host = gpu_for_mpi(g, b->device);
	else if (st == MPA_OK)
		st = gpu_failed(g, g->driver.host_alloc(&host, (size_t)bytes, 0),
				"have memory of the host for messages", fault);
	b->host = host;
	if (st == MPA_OK)
		st = gpu_failed(
			g, g->driver.event_create(&b->ready, CUDA_EVENT_WITHOUT_TIME),
			"have an event", fault);
	return st;
}

void gpu_buffer_free(struct gpu *g, struct gpu_buffer *b)
{
	gpu_free(g, b->device);
	if (b->host && !b->direct)
		g->driver.host_free(b->host);
	if (b->ready)
		g->driver.event_destroy(b->ready);
	*b = (struct gpu_buffer){ .bytes = 0 };
}

enum mpa_status gpu_buffer_packed(struct gpu *g, struct gpu_buffer *b,
				  struct fault *fault)
{
	if (b->direct || b->bytes == 0) {
		g->counts.direct += b->bytes;
		return MPA_OK;
	}
	g->counts.staged += b->bytes;
	return gpu_failed(g,
			  g->driver.to_host_async(b->host, b->device, (size_t)b->bytes,
						  g->queue[GPU_TRAFFIC]),
			  "give a message", fault);
}

enum mpa_status gpu_buffer_received(struct gpu *g, struct gpu_buffer *b,
				    struct fault *fault)
{
	if (b->direct || b->bytes == 0) {
		g->counts.direct += b->bytes;
		return MPA_OK;
	}
	g->counts.staged += b->bytes;
	return gpu_failed(g,
			  g->driver.to_device_async(b->device, b->host, (size_t)b->bytes,
						    g->queue[GPU_TRAFFIC]),
			  "take a message", fault);
}

enum mpa_status gpu_buffer_mark(struct gpu *g, struct gpu_buffer *b, enum gpu_queue queue,
				struct fault *fault)
{
	return b->bytes ? gpu_failed(g, g->driver.event_record(b->ready, g->queue[queue]),
				     "mark a message", fault)
			: MPA_OK;
}

enum mpa_status gpu_buffer_wait(struct gpu *g, struct gpu_buffer *b, struct fault *fault)
{
	return b->bytes ? gpu_failed(g, g->driver.event_synchronize(b->ready),
				     "wait for a message", fault)
			: MPA_OK;
}
