/* tests/unit/ptx_world.h - memory and modules for tests of PTX: failures end the test */
#ifndef TESTS_UNIT_PTX_WORLD_H
#define TESTS_UNIT_PTX_WORLD_H

#include "device/emu/ptx.h"

#define PTX_HEAD ".version 7.8\n.target sm_80\n.address_size 64\n"

union ptx_word { uint64_t u; double d; float f; };

/* Of the GPU where kernels run (gpu_world.c): 90 is 9.0, 0 is none; else of the interpreter,
 * which takes all. */
struct ptx_hardware {
	bool real;
	int capability;
};
struct ptx_hardware ptx_world_hardware(void);

struct ptx_world;
struct ptx_world *ptx_world_new(void);
void ptx_world_free(struct ptx_world *w);
/* Zeroed memory of the device, and where the host sees it. */
uint64_t ptx_world_array(struct ptx_world *w, const char *name, int64_t bytes);
void *ptx_world_host(struct ptx_world *w, uint64_t at);
void ptx_world_load(struct ptx_world *w, const char *text);
/* Checks launches from here on, on arrays made from here on; what the host has written. */
void ptx_world_check(struct ptx_world *w);
void ptx_world_written(struct ptx_world *w, uint64_t at, int64_t bytes);
/* Dynamic shared memory of the launches from here on. */
void ptx_world_shared(struct ptx_world *w, uint32_t bytes);
/* Blocks and threads along x; parameters of 8 bytes. */
void ptx_world_run(struct ptx_world *w, const char *kernel, int blocks, int threads,
		   const uint64_t *param, int n);
/* The same, and what went wrong. */
struct ptx_fault ptx_world_try(struct ptx_world *w, const char *kernel, int blocks, int threads,
			       const uint64_t *param, int n);
struct ptx_fault ptx_world_load_wrong(struct ptx_world *w, const char *text);

const struct ptx_kernel *ptx_world_kernel(struct ptx_world *w, const char *name);

#endif
