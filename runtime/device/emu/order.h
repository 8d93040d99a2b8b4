/* device/emu/order.h - is what two streams do with the same bytes in an order?
 *
 * Each stream has a clock of what of all streams comes before its next work: by its own
 * order, by events that it waits for, by what the host had waited for at the call, and by
 * the rules of work without a stream. Two pieces of work touch a byte, one of them
 * writes, and neither comes before the other: that is an error, whatever order they run
 * in. Of each byte are known the last that wrote, the last that read, and one more that
 * read in no order with that. */
#ifndef MPA_DEVICE_EMU_ORDER_H
#define MPA_DEVICE_EMU_ORDER_H

#include "device/emu/memory.h"

enum { EMU_STREAMS = 32 }; /* that are told apart; 0: without a stream */

struct emu_clock {
	uint32_t tick[EMU_STREAMS];
};

/* A piece of work: the clock counts its own stream's tick, which is its number there. */
struct emu_when {
	int stream;
	struct emu_clock clock;
};

struct emu_touched {
	uint64_t at, bytes;
	bool writes;
};

struct emu_order;

struct emu_order *emu_order_new(const struct emu_memory *memory); /* NULL: no memory */
void emu_order_add(struct emu_order *o, int stream, bool apart);
/* What is put into a stream now; label: for messages. */
struct emu_when emu_order_put(struct emu_order *o, int stream, const char *label);
struct emu_clock emu_order_record(const struct emu_order *o, int stream);
void emu_order_wait(struct emu_order *o, int stream, const struct emu_clock *event);
/* The host has waited for a stream, for all, for an event. */
void emu_order_met(struct emu_order *o, int stream);
void emu_order_met_all(struct emu_order *o);
void emu_order_met_event(struct emu_order *o, const struct emu_clock *event);
/* false: not in order with other work, which the text names. */
bool emu_order_touch(struct emu_order *o, const struct emu_when *when,
		     const struct emu_touched *t, char *text, size_t size);
void emu_order_drop(struct emu_order *o, uint64_t at); /* the allocation is gone */

#endif
