/* device/emu/queue.c - the emulated driver: streams and events */
#include "device/emu/state.h"

enum { NON_BLOCKING = 1 }; /* a stream that those without one do not wait for */

int emu_do(void *stream, void (*run)(const void *data), const void *data, size_t bytes)
{
	struct emu_streams *all = &emulated.current->streams;

	if (stream)
		return emu_stream_put(all, stream, run, data, bytes) ? CUDA_FINE
								     : CUDA_OUT_OF_MEMORY;
	emu_streams_join(all);
	run(data);
	return CUDA_FINE;
}

/* ---- for checks -------------------------------------------------------------------- */

struct emu_when emu_when(void *stream, const char *label)
{
	struct emu_order *o = emulated.current->order;

	return o ? emu_order_put(o, emu_stream_number(stream), label)
		 : (struct emu_when){ .stream = 0 };
}

void emu_met(void *stream)
{
	struct emu_device *d = emulated.current;

	if (stream)
		emu_stream_finish(&d->streams, stream);
	else
		emu_streams_join(&d->streams);
	if (d->order)
		emu_order_met(d->order, emu_stream_number(stream));
}

void emu_met_all(struct emu_device *d)
{
	emu_streams_finish(&d->streams);
	if (d->order)
		emu_order_met_all(d->order);
}

static void meet_event(struct emu_event *e)
{
	struct emu_device *d = emulated.current;

	emu_event_finish(&d->streams, e);
	if (d->order)
		emu_order_met_event(d->order, emu_event_clock(e));
}

/* ---- streams --------------------------------------------------------------------- */

static int stream_create(void **stream, unsigned flags, int priority)
{
	struct emu_stream *made;
	struct emu_order *o;
	int number;

	(void)priority;
	if (emu_ready())
		return emu_ready();
	o = emulated.current->order;
	if (flags & ~(unsigned)NON_BLOCKING)
		return CUDA_INVALID_VALUE;
	made = emu_stream_new(&emulated.current->streams, flags & NON_BLOCKING);
	number = emu_stream_number(made);
	if (!made)
		return CUDA_OUT_OF_MEMORY;
	if (o && number >= EMU_STREAMS) {
		emu_stream_free(&emulated.current->streams, made);
		return emu_refuse(CUDA_OUT_OF_MEMORY, "at most %d streams are checked",
				  EMU_STREAMS - 1);
	}
	if (o)
		emu_order_add(o, number, flags & NON_BLOCKING);
	*stream = made;
	return CUDA_FINE;
}

static int stream_destroy(void *stream)
{
	if (!emulated.current || !stream)
		return emu_ready() ? emu_ready() : CUDA_INVALID_VALUE;
	emu_stream_free(&emulated.current->streams, stream);
	return emu_ready();
}

static int stream_synchronize(void *stream)
{
	if (!emulated.current)
		return emu_ready();
	emu_met(stream);
	return emu_ready();
}

static int stream_wait(void *stream, void *event, unsigned flags)
{
	struct emu_streams *all;
	struct emu_order *o;

	if (emu_ready())
		return emu_ready();
	if (flags || !event)
		return CUDA_INVALID_VALUE;
	all = &emulated.current->streams;
	o = emulated.current->order;
	if (o)
		emu_order_wait(o, emu_stream_number(stream), emu_event_clock(event));
	if (stream)
		return emu_stream_wait(all, stream, event) ? CUDA_FINE
							   : CUDA_OUT_OF_MEMORY;
	emu_event_finish(all, event);
	return CUDA_FINE;
}

/* ---- events ---------------------------------------------------------------------- */

static int event_create(void **event, unsigned flags)
{
	(void)flags; /* of time, which there is none of */
	if (emu_ready())
		return emu_ready();
	*event = emu_event_new();
	return *event ? CUDA_FINE : CUDA_OUT_OF_MEMORY;
}

static int event_destroy(void *event)
{
	if (!emulated.current || !event)
		return emu_ready() ? emu_ready() : CUDA_INVALID_VALUE;
	emu_event_free(event); /* what waits for it knows for what */
	return emu_ready();
}

static int event_record(void *event, void *stream)
{
	struct emu_device *d;

	if (emu_ready())
		return emu_ready();
	if (!event)
		return CUDA_INVALID_VALUE;
	d = emulated.current;
	if (!stream)
		emu_streams_join(&d->streams);
	emu_event_record(event, stream);
	if (d->order)
		*emu_event_clock(event) =
			emu_order_record(d->order, emu_stream_number(stream));
	return CUDA_FINE;
}

static int event_synchronize(void *event)
{
	if (!emulated.current || !event)
		return emu_ready() ? emu_ready() : CUDA_INVALID_VALUE;
	meet_event(event);
	return emu_ready();
}

/* Who asks again and again gets on: what is waited for runs, but the answer was no. */
static int event_query(void *event)
{
	bool is_done;

	if (emu_ready())
		return emu_ready();
	if (!event)
		return CUDA_INVALID_VALUE;
	is_done = emu_event_is_done(event);
	if (is_done)
		meet_event(event);
	else
		emu_event_finish(&emulated.current->streams, event);
	return is_done ? emu_ready() : CUDA_NOT_READY;
}

void emu_fill_queues(struct cuda_driver *driver)
{
	driver->stream_create = stream_create;
	driver->stream_destroy = stream_destroy;
	driver->stream_synchronize = stream_synchronize;
	driver->stream_wait = stream_wait;
	driver->event_create = event_create;
	driver->event_destroy = event_destroy;
	driver->event_record = event_record;
	driver->event_synchronize = event_synchronize;
	driver->event_query = event_query;
}
