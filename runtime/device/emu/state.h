/* device/emu/state.h - the emulated driver, as its files see it
 *
 * CUDA's functions take no state to work on: theirs is the process's, and so is this.
 * Each file fills its part of the table of device/cuda/driver.h. */
#ifndef MPA_DEVICE_EMU_STATE_H
#define MPA_DEVICE_EMU_STATE_H

#include <signal.h>

#include "device/cuda/driver.h"
#include "device/emu/memory.h"
#include "device/emu/order.h"
#include "device/emu/ptx.h"
#include "device/emu/setup.h"
#include "device/emu/streams.h"

/* With its one context. */
struct emu_device {
	struct emu_memory memory;
	struct emu_streams streams;
	struct emu_order *order; /* with MPA_FAKE_CUDA=check, else NULL */
	bool open;
	int failed; /* CUresult of a launch, which stays */
};

struct emulated {
	bool open;
	struct emu_setup setup;
	struct emu_device device[EMU_DEVICES]; /* by the driver's numbers */
	struct emu_device *current;
	int64_t allocations, launches; /* so far */
	struct ptx_fault fault;        /* the last one; code 0: it has been told */
	struct sigaction before;       /* of SIGSEGV */
};

extern struct emulated emulated;

/* Whether a call can be carried out: CUDA_FINE. What an earlier one has told is over. */
int emu_ready(void);
/* The text that goes with an error that is returned now. */
int emu_refuse(int error, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* CUDA_FINE, or an injected fault. */
int emu_allocate(uint64_t *at, size_t bytes, bool constant);
/* What is put into a stream now, for checks; label: for messages. */
struct emu_when emu_when(void *stream, const char *label);
/* The host has waited for a stream, or for all. */
void emu_met(void *stream);
void emu_met_all(struct emu_device *d);
/* In its turn; without a stream, once all others are done, now. */
int emu_do(void *stream, void (*run)(const void *data), const void *data, size_t bytes);

void emu_fill_memory(struct cuda_driver *driver);   /* copy.c */
void emu_fill_queues(struct cuda_driver *driver);   /* queue.c */
void emu_fill_launches(struct cuda_driver *driver); /* launch.c */

#endif
