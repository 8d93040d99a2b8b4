/* device/emu/ptx_shadow.c - shadows of the device's memory: see ptx_shadow.h */
#include <string.h>

#include "base/memory.h"
#include "device/emu/ptx_shadow.h"

enum { WIDEST = 8 };

struct ptx_shadow *ptx_shadow_new(void)
{
	return mem_new(sizeof(struct ptx_shadow));
}

static void clear_part(struct ptx_part *p)
{
	mem_free(p->written);
	mem_free(p->cell);
	p->written = NULL;
	p->cell = NULL;
}

void ptx_shadow_free(struct ptx_shadow *s)
{
	while (s && s->parts)
		ptx_shadow_drop(s, s->parts->at);
	if (s)
		clear_part(&s->shared);
	mem_free(s);
}

static bool open_part(struct ptx_part *p, uint64_t at, uint64_t bytes, const char *host)
{
	*p = (struct ptx_part){ .at = at, .bytes = bytes, .host = host, .unit = WIDEST };
	p->written = mem_new((size_t)(bytes / 8 + 1));
	return p->written != NULL;
}

bool ptx_shadow_add(struct ptx_shadow *s, const struct ptx_extent *x)
{
	struct ptx_part *p;

	if (!s)
		return true;
	p = mem_new(sizeof *p);
	if (!p || !open_part(p, x->at, x->bytes, x->host)) {
		mem_free(p);
		return false;
	}
	p->next = s->parts;
	s->parts = p;
	return true;
}

void ptx_shadow_drop(struct ptx_shadow *s, uint64_t at)
{
	struct ptx_part **p, *gone;

	if (!s)
		return;
	p = &s->parts;
	while (*p && (*p)->at != at)
		p = &(*p)->next;
	gone = *p;
	if (!gone)
		return;
	*p = gone->next;
	clear_part(gone);
	mem_free(gone);
}

void ptx_shadow_write(struct ptx_shadow *s, const char *host, uint64_t n)
{
	struct ptx_part *p = s ? s->parts : NULL;

	while (p && (uint64_t)(host - p->host) >= p->bytes)
		p = p->next;
	if (p)
		ptx_part_write(p, (uint64_t)(host - p->host), n);
}

bool ptx_shadow_shared(struct ptx_shadow *s, uint64_t bytes)
{
	clear_part(&s->shared);
	return open_part(&s->shared, 0, bytes, NULL);
}

uint32_t ptx_shadow_begin(struct ptx_shadow *s, bool block)
{
	s->epoch++;
	if (block) {
		s->shared.epoch = s->epoch;
		memset(s->shared.written, 0, (size_t)(s->shared.bytes / 8 + 1));
	}
	return s->epoch;
}

/* ---- parts ------------------------------------------------------------------------ */

/* The one met last comes first. */
struct ptx_part *ptx_part_at(struct ptx_shadow *s, uint64_t at)
{
	struct ptx_part **p = &s->parts, *found;

	while (*p && at - (*p)->at >= (*p)->bytes)
		p = &(*p)->next;
	found = *p;
	if (found && found != s->parts) {
		*p = found->next;
		found->next = s->parts;
		s->parts = found;
	}
	return found;
}

bool ptx_part_narrow(struct ptx_part *p, uint64_t offset, uint64_t n)
{
	int unit = p->unit;
	uint64_t cells;
	struct ptx_cell *cell;

	while ((uint64_t)unit > n || offset % (uint64_t)unit)
		unit /= 2;
	if (p->cell && unit == p->unit)
		return true;
	cells = p->bytes / (uint64_t)unit + 1;
	cell = mem_new((size_t)cells * sizeof *cell);
	if (!cell)
		return false;
	for (uint64_t i = 0; p->cell && i < cells; i++)
		cell[i] = p->cell[i * (uint64_t)unit / (uint64_t)p->unit];
	mem_free(p->cell);
	p->cell = cell;
	p->unit = unit;
	return true;
}

bool ptx_part_is_written(const struct ptx_part *p, uint64_t offset, uint64_t n)
{
	for (uint64_t i = offset; i < offset + n; i++)
		if (!(p->written[i / 8] >> (i % 8) & 1))
			return false;
	return true;
}

void ptx_part_write(struct ptx_part *p, uint64_t offset, uint64_t n)
{
	uint64_t i = offset, end = offset + n < p->bytes ? offset + n : p->bytes;

	for (; i < end && i % 8; i++)
		p->written[i / 8] |= (unsigned char)(1 << i % 8);
	if (i < end)
		memset(p->written + i / 8, 0xff, (size_t)((end - i) / 8));
	for (i += (end - i) / 8 * 8; i < end; i++)
		p->written[i / 8] |= (unsigned char)(1 << i % 8);
}
