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
	/* Of the emulated driver alone, else NULL: the message of the last failure; a name
	 * for the memory at an address, in messages. */
	const char *(*explain)(void);
	void (*name_memory)(uint64_t at, const char *name);
	/* Memory of the host that the host must not touch while what is at an address holds. */
	void (*mirror)(uint64_t at, const void *host, size_t bytes);
	/* Where the host may touch the bytes at an address all the same: what MPI is given. */
	void *(*alias)(uint64_t at);
};

enum cuda_attribute {
	CUDA_MULTIPROCESSORS = 16,
	CUDA_CAPABILITY_MAJOR = 75,
	CUDA_CAPABILITY_MINOR = 76,
};

enum { CUDA_EVENT_WITHOUT_TIME = 2, CUDA_POINTER_KIND = 2, CUDA_OF_DEVICE = 2 };

enum cuda_result {
#define ROW(member, number, name) CUDA_##member = number,
#include "device/cuda/result.def"
#undef ROW
};

/* libcuda, or with MPA_FAKE_CUDA (which is not 0) the emulated driver. */
enum mpa_status cuda_driver_open(struct cuda_driver *driver, struct fault *fault);
/* device/emu */
void emulated_driver(struct cuda_driver *driver);

#endif
