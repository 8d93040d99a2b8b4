/* device/emu/memory.h - memory of the emulated device
 *
 * It has addresses that the host cannot touch: they lie in a range without access, and the
 * bytes elsewhere. They go round the range, so that what was freed is long not used again,
 * and found. New memory holds NaN, and no number that would be right by chance. */
#ifndef MPA_DEVICE_EMU_MEMORY_H
#define MPA_DEVICE_EMU_MEMORY_H

#include "device/emu/ptx.h"

struct allocation;

struct emu_memory {
	uint64_t next, used, size; /* size: MPA_FAKE_CUDA_MEMORY, bytes */
	struct allocation *live;
	struct ptx_shadow *shadow; /* with MPA_FAKE_CUDA=check */
};

bool emu_memory_open(struct emu_memory *m);
/* false: there is no room. */
bool emu_memory_new(struct emu_memory *m, uint64_t *at, size_t bytes, bool constant);
bool emu_memory_free(struct emu_memory *m, uint64_t at); /* false: nothing begins there */
void emu_memory_name(struct emu_memory *m, uint64_t at, const char *name);
/* The allocation that holds an address; false: none does. */
bool emu_memory_find(const struct emu_memory *m, uint64_t at, struct ptx_extent *x);
/* Where bytes of the device are; NULL: not all in one allocation. */
char *emu_memory_bytes(const struct emu_memory *m, uint64_t at, size_t n);

#endif
