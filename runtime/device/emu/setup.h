/* device/emu/setup.h - what the environment says of the emulated devices */
#ifndef MPA_DEVICE_EMU_SETUP_H
#define MPA_DEVICE_EMU_SETUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { EMU_DEVICES = 16 };

/* What goes wrong on purpose. */
enum emu_wrong { EMU_NOTHING, EMU_ALLOC, EMU_LOAD, EMU_LAUNCH, EMU_NO_DEVICE };

struct emu_setup {
	int64_t devices, capability, driver, memory;
	int n_visible, visible[EMU_DEVICES]; /* CUDA_VISIBLE_DEVICES */
	bool check;                          /* MPA_FAKE_CUDA=check */
	bool eager;                          /* nothing in a stream is kept waiting */
	int64_t seed;                        /* of the order between streams; 0: none */
	enum emu_wrong wrong;
	int64_t which; /* allocation or launch goes wrong, from 1 on */
};

/* false: a variable says nothing that makes sense; text: which, and what it may say. */
bool emu_setup_read(struct emu_setup *s, char *text, size_t size);
/* The CUDA, as cuDriverGetVersion numbers them, that came with the version of PTX that
 * a text is written in; 0: the text does not say. */
int emu_ptx_driver(const char *text, int *major, int *minor);

#endif
