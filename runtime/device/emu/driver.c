/* device/emu/driver.c - a CUDA driver without a GPU: PTX, carried out on the CPU
 *
 * Here: devices and contexts. What is put into streams runs as late as CUDA allows
 * (device/emu/streams.h), and without a stream at once; failures of kernels are those of
 * the next call that waits, and of all after it, as CUDA's are. What the environment says
 * is in device/emu/setup.h.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "device/emu/guard.h"
#include "device/emu/state.h"

enum { MULTIPROCESSORS = 8 };

struct emulated emulated;

int emu_ready(void)
{
	int failed = emulated.current ? emulated.current->failed : CUDA_INVALID_CONTEXT;

	if (failed != emulated.fault.code)
		emulated.fault.code = PTX_FINE;
	return emulated.open ? failed : CUDA_NOT_INITIALIZED;
}

int emu_refuse(int error, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(emulated.fault.text, sizeof emulated.fault.text, format, args);
	va_end(args);
	emulated.fault.code = error;
	return error;
}

/* ---- beginning ------------------------------------------------------------------- */

static void on_fault(int number, siginfo_t *info, void *context)
{
	uint64_t at = (uint64_t)(uintptr_t)info->si_addr;

	for (int i = 0; i < EMU_DEVICES; i++)
		if (emulated.device[i].open)
			emu_guard_tell(&emulated.device[i].memory, at);
	emu_guard_pass(&emulated.before, number, info, context);
}

static int init(unsigned flags)
{
	struct emulated *e = &emulated;
	char text[256];

	if (e->open)
		return CUDA_FINE;
	if (flags)
		return CUDA_INVALID_VALUE;
	if (!emu_setup_read(&e->setup, text, sizeof text))
		return emu_refuse(CUDA_INVALID_VALUE, "%s", text);
	if (e->setup.wrong == EMU_NO_DEVICE || e->setup.n_visible == 0)
		return CUDA_NO_DEVICE;
	emu_guard_open(on_fault, &e->before);
	e->open = true;
	return CUDA_FINE;
}

static int version(int *number)
{
	char text[256];

	if (!emulated.open && !emu_setup_read(&emulated.setup, text, sizeof text))
		return emu_refuse(CUDA_INVALID_VALUE, "%s", text);
	*number = (int)emulated.setup.driver;
	return CUDA_FINE;
}

static int error_name(int error, const char **name)
{
	static const struct {
		int number;
		const char *name;
	} names[] = {
#define ROW(member, number, name) { number, name },
#include "device/cuda/result.def"
#undef ROW
	};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (names[i].number == error) {
			*name = names[i].name;
			return CUDA_FINE;
		}
	return CUDA_INVALID_VALUE;
}

/* ---- devices ---------------------------------------------------------------------- */

static int check_device(int device)
{
	if (!emulated.open)
		return CUDA_NOT_INITIALIZED;
	return device >= 0 && device < emulated.setup.n_visible ? CUDA_FINE
								: CUDA_INVALID_DEVICE;
}

static int device_count(int *count)
{
	*count = emulated.setup.n_visible;
	return emulated.open ? CUDA_FINE : CUDA_NOT_INITIALIZED;
}

static int device_get(int *device, int ordinal)
{
	*device = ordinal;
	return check_device(ordinal);
}

static int device_name(char *name, int size, int device)
{
	const struct emu_setup *s = &emulated.setup;

	if (check_device(device))
		return check_device(device);
	if (s->devices == 1)
		snprintf(name, (size_t)size, "emulated GPU");
	else
		snprintf(name, (size_t)size, "emulated GPU %d", s->visible[device]);
	return CUDA_FINE;
}

static int device_bus(char *text, int size, int device)
{
	if (check_device(device))
		return check_device(device);
	snprintf(text, (size_t)size, "0000:%02X:00.0", emulated.setup.visible[device]);
	return CUDA_FINE;
}

static int attribute(int *value, int which, int device)
{
	int64_t capability = emulated.setup.capability;

	if (which == CUDA_MULTIPROCESSORS)
		*value = MULTIPROCESSORS;
	else if (which == CUDA_CAPABILITY_MAJOR)
		*value = (int)(capability / 10);
	else if (which == CUDA_CAPABILITY_MINOR)
		*value = (int)(capability % 10);
	else
		return CUDA_INVALID_VALUE;
	return check_device(device);
}

/* ---- contexts --------------------------------------------------------------------- */

static bool open_device(struct emu_device *d, int device)
{
	const struct emu_setup *s = &emulated.setup;

	if (!emu_memory_open(&d->memory, device, (uint64_t)s->memory) ||
	    (s->check && !emu_memory_check(&d->memory)))
		return false;
	d->order = s->check ? emu_order_new(&d->memory) : NULL;
	if (s->check && !d->order)
		return false;
	d->streams.eager = s->eager;
	d->streams.seed = (uint64_t)s->seed;
	d->open = true;
	return true;
}

static int context_retain(void **context, int device)
{
	struct emu_device *d;

	if (check_device(device))
		return check_device(device);
	d = &emulated.device[device];
	if (!d->open && !open_device(d, device))
		return emu_refuse(CUDA_OUT_OF_MEMORY,
				  "the host has no room for a device of %lld bytes",
				  (long long)emulated.setup.memory);
	*context = d;
	return CUDA_FINE;
}

static int context_set(void *context)
{
	emulated.current = context;
	return emulated.open ? CUDA_FINE : CUDA_NOT_INITIALIZED;
}

static int context_release(int device)
{
	if (check_device(device))
		return check_device(device);
	if (emulated.current == &emulated.device[device])
		emulated.current = NULL;
	return CUDA_FINE;
}

static int synchronize(void)
{
	if (emulated.current)
		emu_met_all(emulated.current);
	return emu_ready();
}

static const char *explain(void)
{
	return emulated.fault.code ? emulated.fault.text : "";
}

void emulated_driver(struct cuda_driver *driver)
{
	*driver = (struct cuda_driver){
		.init = init,
		.version = version,
		.error_name = error_name,
		.device_count = device_count,
		.device_get = device_get,
		.device_name = device_name,
		.device_bus = device_bus,
		.attribute = attribute,
		.context_retain = context_retain,
		.context_release = context_release,
		.context_set = context_set,
		.synchronize = synchronize,
		.explain = explain,
	};
	emu_fill_memory(driver);
	emu_fill_queues(driver);
	emu_fill_launches(driver);
}
