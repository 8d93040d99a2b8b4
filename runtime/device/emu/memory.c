/* device/emu/memory.c - memory of the emulated device */
#include "device/emu/memory.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "base/memory.h"
#include "base/settings.h"

enum { ALIGN = 256, GAP = 4096, ROUNDS = 8 };
static const uint64_t FIRST = 0x200000000000u;
static const uint64_t RANGE = (uint64_t)64 << 30;
static const int64_t MEMORY = (int64_t)8 << 30;

struct allocation {
	struct allocation *next;
	uint64_t at, bytes;
	char *host;
	bool constant;
	char name[64];
};

bool emu_memory_open(struct emu_memory *m)
{
	void *range = mmap((void *)FIRST, RANGE, PROT_NONE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE |
				   MAP_FIXED_NOREPLACE,
			   -1, 0);
	const char *fake = setting_text("MPA_FAKE_CUDA");
	int64_t bytes = MEMORY;

	setting_int("MPA_FAKE_CUDA_MEMORY", &bytes);
	if (fake && !strcmp(fake, "check")) {
		m->shadow = ptx_shadow_new();
		if (!m->shadow)
			return false;
	}
	m->size = (uint64_t)bytes;
	m->next = FIRST;
	return range == (void *)FIRST;
}

bool emu_memory_find(const struct emu_memory *m, uint64_t at, struct ptx_extent *x)
{
	const struct allocation *a = m->live;

	while (a && at - a->at >= a->bytes)
		a = a->next;
	if (!a)
		return false;
	*x = (struct ptx_extent){ .at = a->at,
				  .bytes = a->bytes,
				  .host = a->host,
				  .name = *a->name ? a->name : NULL,
				  .constant = a->constant };
	return true;
}

/* Of addresses: some times what the device holds. */
static uint64_t range_size(const struct emu_memory *m)
{
	return ROUNDS * m->size < RANGE ? ROUNDS * m->size : RANGE;
}

/* The first allocation in use that leaves no room at an address; NULL: there is none. */
static const struct allocation *in_the_way(const struct emu_memory *m, uint64_t at,
					   uint64_t bytes)
{
	const struct allocation *a = m->live;

	while (a && (at + bytes + GAP <= a->at || a->at + a->bytes + GAP <= at))
		a = a->next;
	return a;
}

static uint64_t beyond(uint64_t at, uint64_t bytes)
{
	return (at + bytes + GAP + ALIGN - 1) / ALIGN * ALIGN;
}

/* An address for so many bytes, from the last one on; 0: the range is full. */
static uint64_t place(const struct emu_memory *m, uint64_t bytes)
{
	uint64_t at = m->next;

	for (int round = 0; round < 2; round++, at = FIRST)
		while (at + bytes + GAP <= FIRST + range_size(m)) {
			const struct allocation *a = in_the_way(m, at, bytes);

			if (!a)
				return at;
			at = beyond(a->at, a->bytes);
		}
	return 0;
}

bool emu_memory_new(struct emu_memory *m, uint64_t *at, size_t bytes, bool constant)
{
	struct allocation *a = m->used + bytes <= m->size ? mem_new(sizeof *a) : NULL;

	if (!a)
		return false;
	a->at = place(m, bytes);
	a->host = a->at ? mem_new(bytes) : NULL;
	if (!a->host ||
	    !ptx_shadow_add(m->shadow, &(struct ptx_extent){ .at = a->at,
							    .bytes = bytes,
							    .host = a->host })) {
		mem_free(a->host);
		mem_free(a);
		return false;
	}
	memset(a->host, 0xff, bytes);
	*at = a->at;
	a->constant = constant;
	a->bytes = bytes;
	a->next = m->live;
	m->live = a;
	m->used += bytes;
	m->next = beyond(a->at, bytes);
	return true;
}

bool emu_memory_free(struct emu_memory *m, uint64_t at)
{
	struct allocation **a = &m->live, *gone;

	while (*a && (*a)->at != at)
		a = &(*a)->next;
	gone = *a;
	if (!gone)
		return false;
	*a = gone->next;
	ptx_shadow_drop(m->shadow, at);
	m->used -= gone->bytes;
	mem_free(gone->host);
	mem_free(gone);
	return true;
}

void emu_memory_name(struct emu_memory *m, uint64_t at, const char *name)
{
	for (struct allocation *a = m->live; a; a = a->next)
		if (a->at == at)
			snprintf(a->name, sizeof a->name, "%s", name);
}

char *emu_memory_bytes(const struct emu_memory *m, uint64_t at, size_t n)
{
	struct ptx_extent x;

	if (!emu_memory_find(m, at, &x) || n > x.bytes - (at - x.at))
		return NULL;
	return x.host + (at - x.at);
}
