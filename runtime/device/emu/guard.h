/* device/emu/guard.h - host code that touches memory of the device is told what it did
 *
 * From when it is opened on, a fault of memory in the range of a device is told on
 * standard error, with the name of the array; then, as after all others, what handled the
 * signal before has its turn. */
#ifndef MPA_DEVICE_EMU_GUARD_H
#define MPA_DEVICE_EMU_GUARD_H

#include <signal.h>

#include "device/emu/memory.h"

/* The handler is the caller's, who knows the devices. */
void emu_guard_open(void (*handler)(int, siginfo_t *, void *), struct sigaction *before);
/* For a handler: tells of an address that is the device's, or of the host and stands for
 * one; then passes the signal on. */
void emu_guard_tell(const struct emu_memory *m, uint64_t at);
void emu_guard_pass(const struct sigaction *before, int signal, siginfo_t *info,
		    void *context);

#endif
