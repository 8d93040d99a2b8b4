/* device/emu/order.c - is what two streams do with the same bytes in an order?
 *
 * What is known of a byte is the tick of a stream, in one word: 0 is none, else the
 * stream in the low bits. Work comes before other work if the clock of that has its tick.
 */
#include "device/emu/order.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"

enum { STREAM_BITS = 5, LABELS = 64 };

struct byte {
	uint32_t write, read, beside;
};

struct part {
	struct part *next;
	uint64_t at, bytes;
	struct byte byte[];
};

struct label {
	uint32_t tick;
	char text[48];
};

struct emu_order {
	const struct emu_memory *memory;
	struct part *parts; /* the one met last comes first */
	struct emu_clock host, stream[EMU_STREAMS];
	bool used[EMU_STREAMS], apart[EMU_STREAMS];
	struct label label[EMU_STREAMS][LABELS]; /* of the last ticks */
};

struct emu_order *emu_order_new(const struct emu_memory *memory)
{
	struct emu_order *o = mem_new(sizeof *o);

	if (o) {
		o->memory = memory;
		o->used[0] = true;
	}
	return o;
}

/* ---- clocks ------------------------------------------------------------------------ */

static void join(struct emu_clock *c, const struct emu_clock *other)
{
	for (int i = 0; i < EMU_STREAMS; i++)
		if (c->tick[i] < other->tick[i])
			c->tick[i] = other->tick[i];
}

void emu_order_add(struct emu_order *o, int stream, bool apart)
{
	o->used[stream] = true;
	o->apart[stream] = apart;
}

/* What is put into a stream comes behind what is in it, and without a stream behind all
 * that is not apart; those come behind that in turn. */
static struct emu_clock *clock_of(struct emu_order *o, int stream)
{
	struct emu_clock *c = &o->stream[stream];

	join(c, &o->host);
	for (int i = 0; i < EMU_STREAMS; i++)
		if (o->used[i] && !o->apart[i] && !o->apart[stream] && (!i || !stream))
			join(c, &o->stream[i]);
	return c;
}

struct emu_when emu_order_put(struct emu_order *o, int stream, const char *label)
{
	struct emu_clock *c = clock_of(o, stream);
	uint32_t tick = ++c->tick[stream];
	struct label *l = &o->label[stream][tick % LABELS];

	l->tick = tick;
	snprintf(l->text, sizeof l->text, "%s", label);
	return (struct emu_when){ stream, *c };
}

struct emu_clock emu_order_record(const struct emu_order *o, int stream)
{
	struct emu_clock c = o->stream[stream];

	join(&c, &o->host);
	return c;
}

void emu_order_wait(struct emu_order *o, int stream, const struct emu_clock *event)
{
	join(&o->stream[stream], event);
}

void emu_order_met(struct emu_order *o, int stream)
{
	join(&o->host, clock_of(o, stream));
}

void emu_order_met_all(struct emu_order *o)
{
	for (int i = 0; i < EMU_STREAMS; i++)
		join(&o->host, &o->stream[i]);
}

void emu_order_met_event(struct emu_order *o, const struct emu_clock *event)
{
	join(&o->host, event);
}

/* ---- bytes --------------------------------------------------------------------------
 */

/* NULL: no memory. */
static struct part *part_new(struct emu_order *o, uint64_t at)
{
	struct ptx_extent x;
	struct part *p;

	if (!emu_memory_find(o->memory, at, &x) && !emu_pinned_find(o->memory, at, &x))
		return NULL;
	p = mem_new(sizeof *p + (size_t)x.bytes * sizeof *p->byte);
	if (!p)
		return NULL;
	p->at = x.at;
	p->bytes = x.bytes;
	p->next = o->parts;
	o->parts = p;
	return p;
}

static struct part *part_at(struct emu_order *o, uint64_t at)
{
	struct part **p = &o->parts, *found;

	while (*p && at - (*p)->at >= (*p)->bytes)
		p = &(*p)->next;
	found = *p;
	if (!found)
		return part_new(o, at);
	*p = found->next;
	found->next = o->parts;
	o->parts = found;
	return found;
}

void emu_order_drop(struct emu_order *o, uint64_t at)
{
	struct part **p = &o->parts, *gone;

	while (*p && (*p)->at != at)
		p = &(*p)->next;
	gone = *p;
	if (gone) {
		*p = gone->next;
		mem_free(gone);
	}
}

static bool is_before(uint32_t word, const struct emu_when *w)
{
	return w->clock.tick[word % EMU_STREAMS] >= word >> STREAM_BITS;
}

/* The work that is in no order with this; 0: there is none. */
static uint32_t find_other(const struct byte *b, const struct emu_when *w, bool writes)
{
	if (!is_before(b->write, w))
		return b->write;
	if (writes && !is_before(b->read, w))
		return b->read;
	return writes && !is_before(b->beside, w) ? b->beside : 0;
}

static void remember(struct byte *b, const struct emu_when *w, bool writes)
{
	uint32_t word = w->clock.tick[w->stream] << STREAM_BITS | (uint32_t)w->stream;

	if (writes) {
		*b = (struct byte){ .write = word };
		return;
	}
	if (!is_before(b->read, w))
		b->beside = b->read;
	b->read = word;
}

static void tell(const struct emu_order *o, uint32_t other, bool wrote, char *text,
		 size_t size)
{
	int stream = (int)(other % EMU_STREAMS);
	uint32_t tick = other >> STREAM_BITS;
	const struct label *l = &o->label[stream][tick % LABELS];

	snprintf(text, size, "which %s of stream %d %s, and no event is between",
		 l->tick == tick ? l->text : "earlier work", stream,
		 wrote ? "writes" : "reads");
}

bool emu_order_touch(struct emu_order *o, const struct emu_when *w,
		     const struct emu_touched *t, char *text, size_t size)
{
	struct part *p = part_at(o, t->at);

	if (!p) {
		snprintf(text, size, "which cannot be checked: no memory");
		return false;
	}
	for (uint64_t i = t->at - p->at; i < t->at - p->at + t->bytes; i++) {
		uint32_t other = find_other(&p->byte[i], w, t->writes);

		if (other) {
			tell(o, other, other == p->byte[i].write, text, size);
			return false;
		}
		remember(&p->byte[i], w, t->writes);
	}
	return true;
}
