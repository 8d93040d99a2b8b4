/* device/cuda/driver.h - CUDA's driver through a table of functions
 *
 * A program links no CUDA: the table is filled by opening libcuda.so.1 when a GPU is
 * asked for, or by the emulated driver (device/emu), which carries PTX out on the CPU.
 * Types of CUDA are declared here as far as they are needed: devices are ints, addresses
 * of the device 64-bit integers, contexts, modules and functions pointers. */
#ifndef MPA_DEVICE_CUDA_DRIVER_H
#define MPA_DEVICE_CUDA_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct cuda_driver {
#define ROW(member, symbol, parameters) int(*member) parameters;
#include "device/cuda/driver.def"
#undef ROW
	/* Of the emulated driver alone, else NULL: the message of the last failure, and a
	 * name for the memory at an address, in messages. */
	const char *(*explain)(void);
	void (*name_memory)(uint64_t at, const char *name);
};

enum cuda_attribute {
	CUDA_MULTIPROCESSORS = 16,
	CUDA_CAPABILITY_MAJOR = 75,
	CUDA_CAPABILITY_MINOR = 76,
};

enum cuda_result {
	CUDA_FINE = 0,
	CUDA_INVALID_VALUE = 1,
	CUDA_OUT_OF_MEMORY = 2,
	CUDA_NOT_INITIALIZED = 3,
	CUDA_NO_DEVICE = 100,
	CUDA_INVALID_DEVICE = 101,
	CUDA_INVALID_CONTEXT = 201,
	CUDA_NO_BINARY = 209, /* the image is for another architecture */
	CUDA_INVALID_PTX = 218,
	CUDA_NOT_FOUND = 500,
};

/* libcuda, or with MPA_FAKE_CUDA (which is not 0) the emulated driver. */
enum mpa_status cuda_driver_open(struct cuda_driver *driver, struct fault *fault);
/* device/emu */
void emulated_driver(struct cuda_driver *driver);

#endif
