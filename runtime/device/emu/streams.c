/* device/emu/streams.c - queues of work that are carried out as late as CUDA allows */
#include "device/emu/streams.h"

#include <string.h>

#include "base/memory.h"

struct op {
	struct op *next;
	void (*run)(const void *data); /* NULL: a wait */
	struct emu_stream *from;       /* waited for, */
	int64_t until;                 /* that so much of it is done */
	uint64_t data[];
};

/* Never goes, as events may point to it: one that is freed is used again. */
struct emu_stream {
	struct emu_stream *before;
	struct op *first, **end;
	int64_t put, done; /* so far */
	bool apart, free;
	int number;
};

struct emu_event {
	struct emu_stream *stream; /* NULL: nothing to wait for */
	int64_t until;
	struct emu_clock clock;
};

/* ---- making ------------------------------------------------------------------ */

int emu_stream_number(const struct emu_stream *s)
{
	return s ? s->number : 0;
}

struct emu_stream *emu_stream_new(struct emu_streams *all, bool apart)
{
	struct emu_stream *s = NULL;

	for (struct emu_stream *old = all->last; old; old = old->before)
		if (old->free)
			s = old; /* the first that was made */
	if (!s) {
		s = mem_new(sizeof *s);
		if (!s)
			return NULL;
		s->end = &s->first;
		s->before = all->last;
		s->number = emu_stream_number(all->last) + 1;
		all->last = s;
	}
	s->apart = apart;
	s->free = false;
	return s;
}

void emu_stream_free(struct emu_streams *all, struct emu_stream *s)
{
	emu_stream_finish(all, s);
	s->free = true;
}

struct emu_event *emu_event_new(void)
{
	return mem_new(sizeof(struct emu_event));
}

void emu_event_free(struct emu_event *e)
{
	mem_free(e);
}

static bool put(struct emu_streams *all, struct emu_stream *s, const struct op *op,
		const void *data, size_t bytes)
{
	struct op *made = mem_new(sizeof *made + bytes);

	if (!made)
		return false;
	*made = *op;
	if (bytes)
		memcpy(made->data, data, bytes);
	*s->end = made;
	s->end = &made->next;
	s->put++;
	if (all->eager)
		emu_streams_finish(all);
	return true;
}

bool emu_stream_put(struct emu_streams *all, struct emu_stream *s,
		    void (*run)(const void *data), const void *data, size_t bytes)
{
	return put(all, s, &(struct op){ .run = run }, data, bytes);
}

void emu_event_record(struct emu_event *e, struct emu_stream *s)
{
	e->stream = s;
	e->until = s ? s->put : 0;
}

bool emu_stream_wait(struct emu_streams *all, struct emu_stream *s,
		     const struct emu_event *e)
{
	return emu_event_is_done(e) ||
	       put(all, s, &(struct op){ .from = e->stream, .until = e->until }, NULL, 0);
}

/* ---- carrying out ---------------------------------------------------------------- */

static bool is_held(const struct emu_stream *s)
{
	return s->first->from && s->first->from->done < s->first->until;
}

/* The first of a stream that is not held. */
static void step(struct emu_stream *s)
{
	struct op *op = s->first;

	s->first = op->next;
	if (!s->first)
		s->end = &s->first;
	if (op->run)
		op->run(op->data);
	s->done++;
	mem_free(op);
}

/* xorshift64* (Vigna, 2016) */
static uint64_t draw(uint64_t *seed)
{
	*seed ^= *seed >> 12;
	*seed ^= *seed << 25;
	*seed ^= *seed >> 27;
	return *seed * 0x2545f4914f6cdd1du;
}

static bool can_go(const struct emu_stream *s)
{
	return s->first && !is_held(s);
}

/* One that can go on; NULL: none. */
static struct emu_stream *choose(struct emu_streams *all)
{
	struct emu_stream *chosen = NULL;
	uint64_t n = 0;

	for (struct emu_stream *s = all->last; s; s = s->before) {
		if (!can_go(s))
			continue;
		n++;
		if (!chosen || (all->seed && draw(&all->seed) % n == 0))
			chosen = s;
	}
	return chosen;
}

void emu_streams_finish(struct emu_streams *all)
{
	struct emu_stream *s = choose(all);

	for (; s; s = choose(all))
		step(s);
}

/* An event can only wait for what was put before it, so this ends. */
static void go_on(struct emu_streams *all, struct emu_stream *s)
{
	/* what nothing waits for may come first as well, all of it even */
	if (all->seed && draw(&all->seed) % 4 == 0)
		for (struct emu_stream *other = all->last; other; other = other->before)
			while (other != s && can_go(other))
				step(other);
	while (is_held(s))
		go_on(all, s->first->from);
	step(s);
}

void emu_stream_finish(struct emu_streams *all, struct emu_stream *s)
{
	while (s->first)
		go_on(all, s);
}

void emu_streams_join(struct emu_streams *all)
{
	for (struct emu_stream *s = all->last; s; s = s->before)
		if (!s->apart)
			emu_stream_finish(all, s);
}

struct emu_clock *emu_event_clock(struct emu_event *e)
{
	return &e->clock;
}

bool emu_event_is_done(const struct emu_event *e)
{
	return !e->stream || e->stream->done >= e->until;
}

void emu_event_finish(struct emu_streams *all, const struct emu_event *e)
{
	while (!emu_event_is_done(e))
		go_on(all, e->stream);
}
