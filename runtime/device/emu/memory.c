/* device/emu/memory.c - memory of an emulated device, and what of the host's is pinned */
#include "device/emu/memory.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/memory.h"

enum { ALIGN = 256, PAGE = MEM_PAGE, GAP = PAGE, ROUNDS = 8 };
static const uint64_t FIRST = 0x200000000000u;
static const uint64_t RANGE = (uint64_t)64 << 30; /* of a device, at most */

struct emu_allocation {
	struct emu_allocation *next;
	uint64_t at, bytes;
	uint64_t mirror, mirror_bytes; /* of the host */
	bool constant;
	char name[64];
};

struct emu_pinned {
	struct emu_pinned *next;
	char *at;
	size_t bytes;
};

/* ---- the range ----------------------------------------------------------------- */

static uint64_t up(uint64_t n, uint64_t to)
{
	return (n + to - 1) / to * to;
}

/* Some times what the device holds. */
static uint64_t range_size(uint64_t bytes)
{
	return bytes < RANGE / ROUNDS ? up(ROUNDS * bytes + GAP, PAGE) : RANGE;
}

static bool map(struct emu_memory *m)
{
	enum { SHARED = MAP_SHARED | MAP_NORESERVE };
	void *first = (void *)m->first;
	void *seen = mmap(first, m->range, PROT_NONE, SHARED | MAP_FIXED_NOREPLACE,
			  m->file, 0);
	void *host = mmap(NULL, m->range, PROT_READ | PROT_WRITE, SHARED, m->file, 0);

	m->host = host;
	return seen == first && host != MAP_FAILED;
}

bool emu_memory_open(struct emu_memory *m, int device, uint64_t bytes)
{
	*m = (struct emu_memory){ .first = FIRST + (uint64_t)device * RANGE,
				  .size = bytes };
	m->next = m->first;
	m->range = range_size(bytes);
	m->file = memfd_create("emulated GPU", MFD_CLOEXEC);
	return m->file >= 0 && ftruncate(m->file, (off_t)m->range) == 0 && map(m);
}

bool emu_memory_check(struct emu_memory *m)
{
	m->shadow = ptx_shadow_new();
	return m->shadow != NULL;
}

/* ---- allocations ------------------------------------------------------------------ */

bool emu_memory_find(const struct emu_memory *m, uint64_t at, struct ptx_extent *x)
{
	const struct emu_allocation *a = m->live;

	while (a && at - a->at >= a->bytes)
		a = a->next;
	if (!a)
		return false;
	*x = (struct ptx_extent){ .at = a->at,
				  .bytes = a->bytes,
				  .host = m->host + (a->at - m->first),
				  .name = *a->name ? a->name : NULL,
				  .constant = a->constant };
	return true;
}

/* The first allocation in use that leaves no room at an address; NULL: there is none. */
static const struct emu_allocation *in_the_way(const struct emu_memory *m, uint64_t at,
					       uint64_t bytes)
{
	const struct emu_allocation *a = m->live;

	while (a && (at + bytes + GAP <= a->at || a->at + a->bytes + GAP <= at))
		a = a->next;
	return a;
}

/* An address for so many bytes, from the last one on; 0: the range is full. */
static uint64_t place(const struct emu_memory *m, uint64_t bytes)
{
	uint64_t at = m->next;

	for (int round = 0; round < 2; round++, at = m->first)
		while (at + bytes + GAP <= m->first + m->range) {
			const struct emu_allocation *a = in_the_way(m, at, bytes);

			if (!a)
				return at;
			at = up(a->at + a->bytes + GAP, ALIGN);
		}
	return 0;
}

static bool take_place(struct emu_memory *m, struct emu_allocation *a)
{
	struct ptx_extent x = { .bytes = a->bytes };

	a->at = x.at = place(m, a->bytes);
	x.host = m->host + (a->at - m->first);
	if (!a->at || !ptx_shadow_add(m->shadow, &x))
		return false;
	memset(x.host, 0xff, a->bytes);
	return true;
}

bool emu_memory_new(struct emu_memory *m, uint64_t *at, size_t bytes, bool constant)
{
	struct emu_allocation *a = NULL;

	if (bytes <= m->size && m->used <= m->size - bytes)
		a = mem_new(sizeof *a);
	if (!a)
		return false;
	a->constant = constant;
	a->bytes = bytes;
	if (!take_place(m, a)) {
		mem_free(a);
		return false;
	}
	*at = a->at;
	a->next = m->live;
	m->live = a;
	m->used += bytes;
	m->next = up(a->at + bytes + GAP, ALIGN);
	return true;
}

/* Allocations are a page apart at least: these pages are of no other one. */
static void give_back(const struct emu_memory *m, const struct emu_allocation *a)
{
	uint64_t from = (a->at - m->first) / PAGE * PAGE;
	uint64_t to = up(a->at - m->first + a->bytes, PAGE);

	fallocate(m->file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)from,
		  (off_t)(to - from));
}

bool emu_memory_free(struct emu_memory *m, uint64_t at)
{
	struct emu_allocation **a = &m->live, *gone;

	while (*a && (*a)->at != at)
		a = &(*a)->next;
	gone = *a;
	if (!gone)
		return false;
	*a = gone->next;
	ptx_shadow_drop(m->shadow, at);
	m->used -= gone->bytes;
	give_back(m, gone);
	mem_free(gone);
	return true;
}

void emu_memory_name(struct emu_memory *m, uint64_t at, const char *name)
{
	for (struct emu_allocation *a = m->live; a; a = a->next)
		if (a->at == at)
			snprintf(a->name, sizeof a->name, "%s", name);
}

void emu_memory_mirror(struct emu_memory *m, uint64_t at, const void *host, size_t bytes)
{
	for (struct emu_allocation *a = m->live; a; a = a->next)
		if (a->at == at) {
			a->mirror = (uint64_t)(uintptr_t)host;
			a->mirror_bytes = bytes < a->bytes ? bytes : a->bytes;
		}
}

uint64_t emu_memory_mirrored(const struct emu_memory *m, uint64_t host)
{
	for (const struct emu_allocation *a = m->live; a; a = a->next)
		if (host - a->mirror < a->mirror_bytes)
			return a->at + (host - a->mirror);
	return 0;
}

char *emu_memory_bytes(const struct emu_memory *m, uint64_t at, size_t n)
{
	struct ptx_extent x;

	if (!emu_memory_find(m, at, &x) || n > x.bytes - (at - x.at))
		return NULL;
	return x.host + (at - x.at);
}

/* ---- memory of the host ---------------------------------------------------------- */

void *emu_pinned_new(struct emu_memory *m, size_t bytes)
{
	struct emu_pinned *p = mem_new(sizeof *p);

	if (!p)
		return NULL;
	p->at = mem_new(bytes);
	p->bytes = bytes;
	if (!p->at) {
		mem_free(p);
		return NULL;
	}
	p->next = m->pinned;
	m->pinned = p;
	return p->at;
}

bool emu_pinned_free(struct emu_memory *m, void *at)
{
	struct emu_pinned **p = &m->pinned, *gone;

	while (*p && (*p)->at != at)
		p = &(*p)->next;
	gone = *p;
	if (!gone)
		return false;
	*p = gone->next;
	mem_free(gone->at);
	mem_free(gone);
	return true;
}

bool emu_pinned_find(const struct emu_memory *m, uint64_t at, struct ptx_extent *x)
{
	const struct emu_pinned *p = m->pinned;

	while (p && at - (uint64_t)(uintptr_t)p->at >= p->bytes)
		p = p->next;
	if (p)
		*x = (struct ptx_extent){ .at = (uint64_t)(uintptr_t)p->at,
					  .bytes = p->bytes,
					  .name = "pinned memory" };
	return p != NULL;
}

bool emu_is_pinned(const struct emu_memory *m, const void *at, size_t n)
{
	uint64_t first = (uint64_t)(uintptr_t)at;
	struct ptx_extent x;

	return emu_pinned_find(m, first, &x) && n <= x.bytes - (first - x.at);
}
