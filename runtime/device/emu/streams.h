/* device/emu/streams.h - queues of work that are carried out as late as CUDA allows
 *
 * What is put into a stream runs when something waits for it, behind what was put there
 * before and behind the events that its stream waits for; so a wait that is missing shows
 * as values that are not there yet. Of streams that could go on the one made last does, or
 * with a seed a random one. */
#ifndef MPA_DEVICE_EMU_STREAMS_H
#define MPA_DEVICE_EMU_STREAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "device/emu/order.h"

struct emu_stream;
struct emu_event;

struct emu_streams {
	struct emu_stream *last; /* made last, then those before */
	bool eager;              /* nothing is kept waiting */
	uint64_t seed;           /* 0: the last stream first */
};

/* apart: what is not in a stream does not wait for it. NULL: no memory. */
struct emu_stream *emu_stream_new(struct emu_streams *all, bool apart);
int emu_stream_number(const struct emu_stream *s); /* from 1 on; NULL: 0 */
void emu_stream_free(struct emu_streams *all, struct emu_stream *s); /* when it is done */
/* Calls run with a copy of the data. false: no memory. */
bool emu_stream_put(struct emu_streams *all, struct emu_stream *s,
		    void (*run)(const void *data), const void *data, size_t bytes);
struct emu_event *emu_event_new(void);
void emu_event_free(struct emu_event *e);
/* s == NULL: what has been put anywhere is done. */
void emu_event_record(struct emu_event *e, struct emu_stream *s);
/* What is put into s from now on waits for what e recorded last. */
bool emu_stream_wait(struct emu_streams *all, struct emu_stream *s,
		     const struct emu_event *e);

/* What comes before it, for checks: kept for whoever records it. */
struct emu_clock *emu_event_clock(struct emu_event *e);
bool emu_event_is_done(const struct emu_event *e);

void emu_streams_finish(struct emu_streams *all);
void emu_streams_join(struct emu_streams *all); /* but those apart */
void emu_stream_finish(struct emu_streams *all, struct emu_stream *s);
void emu_event_finish(struct emu_streams *all, const struct emu_event *e);

#endif
