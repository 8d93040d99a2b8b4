/* device/emu/memory.h - memory of an emulated device, and what of the host's is pinned
 *
 * Its bytes are mapped twice: without access at the addresses that programs see, so that
 * host code which touches them is found, and elsewhere for the emulator. Addresses go
 * round the range, so that what was freed is long not used again, and found too. New
 * memory holds NaN, and no number that would be right by chance. */
#ifndef MPA_DEVICE_EMU_MEMORY_H
#define MPA_DEVICE_EMU_MEMORY_H

#include "device/emu/ptx.h"

struct emu_allocation;
struct emu_pinned;

struct emu_memory {
	uint64_t first, range; /* of addresses */
	uint64_t next, used, size;
	int file;
	char *host; /* where the range is for the emulator */
	struct emu_allocation *live;
	struct emu_pinned *pinned;
	struct ptx_shadow *shadow; /* with MPA_FAKE_CUDA=check */
};

/* The device of this number, with so many bytes. */
bool emu_memory_open(struct emu_memory *m, int device, uint64_t bytes);
bool emu_memory_check(struct emu_memory *m); /* from now on; false: no memory */
/* false: there is no room. */
bool emu_memory_new(struct emu_memory *m, uint64_t *at, size_t bytes, bool constant);
bool emu_memory_free(struct emu_memory *m, uint64_t at); /* false: nothing begins there */
void emu_memory_name(struct emu_memory *m, uint64_t at, const char *name);
/* Bytes of the host that stand for an allocation. */
void emu_memory_mirror(struct emu_memory *m, uint64_t at, const void *host, size_t bytes);
/* Where those that hold an address of the host stand for; 0: none do. For handlers, too.
 */
uint64_t emu_memory_mirrored(const struct emu_memory *m, uint64_t host);
/* The allocation that holds an address; false: none does. Signal handlers may ask. */
bool emu_memory_find(const struct emu_memory *m, uint64_t at, struct ptx_extent *x);
/* Where bytes of the device are; NULL: not all in one allocation. */
char *emu_memory_bytes(const struct emu_memory *m, uint64_t at, size_t n);

/* Memory of the host that the device copies from and to by itself. NULL: there is none.
 */
void *emu_pinned_new(struct emu_memory *m, size_t bytes);
bool emu_pinned_free(struct emu_memory *m, void *at); /* false: nothing begins there */
bool emu_is_pinned(const struct emu_memory *m, const void *at, size_t n);
/* All of what holds an address; false: it is not pinned. */
bool emu_pinned_find(const struct emu_memory *m, uint64_t at, struct ptx_extent *x);

#endif
