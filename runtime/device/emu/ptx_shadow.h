/* device/emu/ptx_shadow.h - what is known of memory when kernels are checked; private to
 * ptx_shadow.c and ptx_check.c
 *
 * Of each byte whether it has been written, and of each unit who touched it in this epoch:
 * a launch, or for shared memory a block. A unit is as narrow as the narrowest access that
 * was met, so bytes that are told apart are checked apart. */
#ifndef MPA_DEVICE_EMU_PTX_SHADOW_H
#define MPA_DEVICE_EMU_PTX_SHADOW_H

#include "device/emu/ptx_module.h"

/* Who touched: block + 1, 0: none did. */
struct ptx_touch {
	uint32_t block;
	uint32_t thread : 11, strong : 1, interval : 20; /* interval: between barriers */
	uint32_t meeting;         /* between those of the warp */
	int instr;
};

/* Of readers and of those that wrote with atomics: the last, one before of another thread
 * of its block, and one of another block. */
enum { PTX_LAST, PTX_BESIDE, PTX_APART, PTX_SEEN };

struct ptx_cell {
	uint32_t epoch;
	struct ptx_touch write, constant;       /* constant: by ld.global.nc */
	struct ptx_touch read[PTX_SEEN], atomic[PTX_SEEN];
};

struct ptx_part {
	struct ptx_part *next;
	uint64_t at, bytes;
	const char *host;
	unsigned char *written;   /* a bit a byte */
	uint32_t epoch;           /* shared memory: what was written in another does not count */
	int unit;                 /* bytes a cell is for: 8, 4, 2 or 1 */
	struct ptx_cell *cell;    /* NULL: not met yet */
};

struct ptx_shadow {
	struct ptx_part *parts;
	struct ptx_part shared;
	uint32_t epoch;
};

/* NULL: there is none. */
struct ptx_part *ptx_part_at(struct ptx_shadow *s, uint64_t at);
/* Cells narrow enough for n bytes at an offset; false: no memory. */
bool ptx_part_narrow(struct ptx_part *p, uint64_t offset, uint64_t n);
bool ptx_part_is_written(const struct ptx_part *p, uint64_t offset, uint64_t n);
void ptx_part_write(struct ptx_part *p, uint64_t offset, uint64_t n);

#endif
