/* device/emu/driver.c - a CUDA driver without a GPU: PTX, carried out on the CPU
 *
 * Fills the table of device/cuda/driver.h. What is put into streams runs as late as CUDA allows (device/emu/streams.h), without a stream at
 * once; failures of kernels are those of the next call that waits, and of all after it, as
 * CUDA's are. Environment: MPA_FAKE_CUDA_CAPABILITY (80), MPA_FAKE_CUDA_MEMORY (bytes),
 * MPA_FAKE_CUDA_ORDER (late; eager; or the seed of a random order).
 */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/settings.h"
#include "device/cuda/driver.h"
#include "device/emu/memory.h"
#include "device/emu/ptx.h"
#include "device/emu/streams.h"

enum { CAPABILITY = 80, MULTIPROCESSORS = 8 };
static const int64_t MOST_STEPS = (int64_t)1 << 32; /* of a warp: minutes */

/* CUDA's functions take no state to work on: theirs is the process's, and so is this. */
static struct emulated {
	bool open, current;
	int failed; /* CUresult of a launch, which stays */
	struct emu_memory memory;
	struct ptx_fault fault;
	struct emu_streams streams;
} emulated;

/* ---- streams --------------------------------------------------------------------- */

static void choose_order(void)
{
	const char *order = setting_text("MPA_FAKE_CUDA_ORDER");
	int64_t seed = 0;

	emulated.streams.eager = order && !strcmp(order, "eager");
	if (setting_int("MPA_FAKE_CUDA_ORDER", &seed))
		emulated.streams.seed = (uint64_t)seed;
}

/* As calls that CUDA has wait for all streams do. */
static void finish_all(void)
{
	emu_streams_finish(&emulated.streams);
}

/* Now, or in its turn. */
static int do_in_stream(void *stream, void (*run)(const void *data), const void *data,
			size_t bytes)
{
	if (!stream) {
		finish_all();
		run(data);
		return CUDA_FINE;
	}
	return emu_stream_put(&emulated.streams, stream, run, data, bytes)
		       ? CUDA_FINE
		       : CUDA_OUT_OF_MEMORY;
}

/* ---- memory -------------------------------------------------------------------- */

/* Whether a call can be carried out; what an earlier one has told is over. */
static int ready(void)
{
	if (!emulated.failed)
		emulated.fault.code = PTX_FINE;
	if (!emulated.open)
		return CUDA_NOT_INITIALIZED;
	return emulated.current ? emulated.failed : CUDA_INVALID_CONTEXT;
}

static int allocate(uint64_t *at, size_t bytes, bool constant)
{
	if (ready())
		return ready();
	if (!bytes)
		return CUDA_INVALID_VALUE;
	return emu_memory_new(&emulated.memory, at, bytes, constant) ? CUDA_FINE
								     : CUDA_OUT_OF_MEMORY;
}

static int mem_alloc(uint64_t *at, size_t bytes)
{
	return allocate(at, bytes, false);
}

static int mem_free_at(uint64_t at)
{
	finish_all();
	return emu_memory_free(&emulated.memory, at) ? ready() : CUDA_INVALID_VALUE;
}

static int mem_info(size_t *available, size_t *total)
{
	*total = (size_t)emulated.memory.size;
	*available = *total - (size_t)emulated.memory.used;
	return ready();
}

static void name_memory(uint64_t at, const char *name)
{
	emu_memory_name(&emulated.memory, at, name);
}

static char *bytes_at(uint64_t at, size_t n)
{
	return emu_memory_bytes(&emulated.memory, at, n);
}

static bool find(void *context, uint64_t at, struct ptx_extent *x)
{
	(void)context;
	return emu_memory_find(&emulated.memory, at, x);
}

static int to_device(uint64_t to, const void *from, size_t n)
{
	char *at = bytes_at(to, n);

	finish_all();
	if (ready())
		return ready();
	if (!at)
		return CUDA_INVALID_VALUE;
	memcpy(at, from, n);
	ptx_shadow_write(emulated.memory.shadow, at, n);
	return CUDA_FINE;
}

static int to_host(void *to, uint64_t from, size_t n)
{
	const char *at = bytes_at(from, n);

	finish_all();
	if (ready())
		return ready();
	if (!at)
		return CUDA_INVALID_VALUE;
	memcpy(to, at, n);
	return CUDA_FINE;
}

/* A copy, or a value for all bytes, in its turn. */
struct transfer {
	char *to;
	const char *from;
	size_t n;
	int value;
};

static void transfer(const void *data)
{
	const struct transfer *t = data;

	if (emulated.failed)
		return;
	if (t->from)
		memcpy(t->to, t->from, t->n);
	else
		memset(t->to, t->value, t->n);
	ptx_shadow_write(emulated.memory.shadow, t->to, t->n); /* if it is there */
}

static int transfer_async(struct transfer t, bool valid, void *stream)
{
	if (ready())
		return ready();
	if (!valid)
		return CUDA_INVALID_VALUE;
	return do_in_stream(stream, transfer, &t, sizeof t);
}

static int to_device_async(uint64_t to, const void *from, size_t n, void *stream)
{
	char *at = bytes_at(to, n);

	return transfer_async((struct transfer){ at, from, n, 0 }, at && from, stream);
}

static int to_host_async(void *to, uint64_t from, size_t n, void *stream)
{
	const char *at = bytes_at(from, n);

	return transfer_async((struct transfer){ to, at, n, 0 }, at && to, stream);
}

static int set_bytes_async(uint64_t at, unsigned char value, size_t n, void *stream)
{
	char *bytes = bytes_at(at, n);

	return transfer_async((struct transfer){ bytes, NULL, n, value }, bytes != NULL,
			      stream);
}

static int host_alloc(void **at, size_t bytes, unsigned flags)
{
	if (ready())
		return ready();
	*at = bytes && !flags ? mem_new(bytes) : NULL;
	return *at ? CUDA_FINE : CUDA_OUT_OF_MEMORY;
}

static int host_free(void *at)
{
	finish_all();
	mem_free(at);
	return ready();
}

/* ---- the device ------------------------------------------------------------------- */

static int init(unsigned flags)
{
	if (emulated.open)
		return CUDA_FINE;
	if (flags || !emu_memory_open(&emulated.memory))
		return CUDA_INVALID_VALUE;
	emulated.open = true;
	choose_order();
	return CUDA_FINE;
}

static int version(int *number)
{
	*number = 13000;
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

static int device_count(int *count)
{
	*count = 1;
	return emulated.open ? CUDA_FINE : CUDA_NOT_INITIALIZED;
}

static int device_get(int *device, int ordinal)
{
	*device = ordinal;
	return ordinal == 0 ? CUDA_FINE : CUDA_INVALID_DEVICE;
}

static int device_name(char *name, int size, int device)
{
	snprintf(name, (size_t)size, "emulated GPU");
	return device == 0 ? CUDA_FINE : CUDA_INVALID_DEVICE;
}

static int attribute(int *value, int which, int device)
{
	int64_t capability = CAPABILITY;

	setting_int("MPA_FAKE_CUDA_CAPABILITY", &capability);
	if (which == CUDA_MULTIPROCESSORS)
		*value = MULTIPROCESSORS;
	else if (which == CUDA_CAPABILITY_MAJOR)
		*value = (int)(capability / 10);
	else if (which == CUDA_CAPABILITY_MINOR)
		*value = (int)(capability % 10);
	else
		return CUDA_INVALID_VALUE;
	return device == 0 ? CUDA_FINE : CUDA_INVALID_DEVICE;
}

static int context_retain(void **context, int device)
{
	*context = &emulated;
	return device == 0 ? CUDA_FINE : CUDA_INVALID_DEVICE;
}

static int context_set(void *context)
{
	emulated.current = context != NULL;
	return CUDA_FINE;
}

static int context_release(int device)
{
	emulated.current = false;
	return device == 0 ? CUDA_FINE : CUDA_INVALID_DEVICE;
}

static int synchronize(void)
{
	finish_all();
	return ready();
}

static int stream_create(void **stream, unsigned flags, int priority)
{
	(void)priority;
	if (ready())
		return ready();
	*stream = flags ? NULL : emu_stream_new(&emulated.streams);
	return *stream ? CUDA_FINE : CUDA_INVALID_VALUE;
}

static int stream_destroy(void *stream)
{
	emu_stream_free(&emulated.streams, stream);
	return ready();
}

static int event_create(void **event, unsigned flags)
{
	(void)flags; /* of time */
	if (ready())
		return ready();
	*event = emu_event_new();
	return *event ? CUDA_FINE : CUDA_OUT_OF_MEMORY;
}

static int event_destroy(void *event)
{
	finish_all();
	emu_event_free(event);
	return ready();
}

static int event_record(void *event, void *stream)
{
	if (ready())
		return ready();
	return emu_event_record(&emulated.streams, event, stream) ? CUDA_FINE
								  : CUDA_OUT_OF_MEMORY;
}

static int stream_wait(void *stream, void *event, unsigned flags)
{
	if (ready() || flags)
		return ready() ? ready() : CUDA_INVALID_VALUE;
	return emu_stream_wait(&emulated.streams, stream, event) ? CUDA_FINE
								 : CUDA_OUT_OF_MEMORY;
}

static int event_synchronize(void *event)
{
	emu_event_finish(&emulated.streams, event);
	return ready();
}

/* ---- modules and launches --------------------------------------------------------- */

static uint64_t module_alloc(void *context, uint64_t bytes, const char *name,
			     bool constant)
{
	uint64_t at;

	(void)context;
	if (allocate(&at, (size_t)bytes, constant))
		return 0;
	name_memory(at, name);
	ptx_shadow_write(emulated.memory.shadow, bytes_at(at, (size_t)bytes), bytes);
	return at;
}

static void module_free(void *context, uint64_t at)
{
	(void)context;
	mem_free_at(at);
}

/* PTX alone: what begins as ELF does is code of a real GPU. */
static int module_load(void **module, const void *image)
{
	const struct ptx_memory memory = { NULL, find, module_alloc, module_free };

	if (ready())
		return ready();
	if (!memcmp(image, "\177ELF", 4))
		return CUDA_NO_BINARY;
	*module = ptx_load(image, &memory, &emulated.fault);
	return *module ? CUDA_FINE : CUDA_INVALID_PTX;
}

static int module_unload(void *module)
{
	finish_all();
	ptx_unload(module);
	return CUDA_FINE;
}

static int function_get(void **function, void *module, const char *name)
{
	const struct ptx_kernel *k = ptx_find(module, name);

	memcpy(function, &k, sizeof k);
	return k ? CUDA_FINE : CUDA_NOT_FOUND;
}

/* A launch in its turn, and its parameters as they were. */
struct turn {
	struct ptx_launch launch;
	uint64_t params[];
};

static void run_turn(const void *data)
{
	const struct turn *t = data;

	if (!emulated.failed && !ptx_run(&t->launch, t->params, &emulated.fault))
		emulated.failed = emulated.fault.code;
}

static bool is_possible(const struct ptx_launch *l)
{
	const uint32_t *grid = l->grid, *block = l->block;

	return grid[0] && grid[1] && grid[2] && grid[1] <= 65535 && grid[2] <= 65535 &&
	       block[0] && block[1] && block[2] && block[0] <= 1024 &&
	       block[1] <= 1024 && block[2] <= 64 &&
	       (uint64_t)block[0] * block[1] * block[2] <= 1024;
}

static int launch(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
		  unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
		  void *stream, void **params, void **extra)
{
	struct ptx_launch l = { .kernel = function,
				.grid = { grid_x, grid_y, grid_z },
				.block = { block_x, block_y, block_z },
				.shared = shared,
				.param = (const void *const *)params,
				.steps = MOST_STEPS,
				.shadow = emulated.memory.shadow };
	size_t bytes = sizeof(struct turn) + (size_t)ptx_needs(l.kernel).params;
	struct turn *turn;
	int error;

	if (ready())
		return ready();
	if (extra || !is_possible(&l))
		return CUDA_INVALID_VALUE;
	turn = mem_new(bytes);
	if (!turn)
		return CUDA_OUT_OF_MEMORY;
	turn->launch = l;
	ptx_take_params(&l, turn->params);
	error = do_in_stream(stream, run_turn, turn, bytes);
	mem_free(turn);
	return error;
}

static const char *explain(void)
{
	return emulated.fault.code ? emulated.fault.text : "";
}

static void *alias(uint64_t at)
{
	struct ptx_extent x;

	if (!find(NULL, at, &x))
		return NULL;
	/* what others write there is not seen */
	ptx_shadow_write(emulated.memory.shadow, x.host, x.bytes);
	return x.host + (at - x.at);
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
		.attribute = attribute,
		.context_retain = context_retain,
		.context_release = context_release,
		.context_set = context_set,
		.synchronize = synchronize,
		.mem_info = mem_info,
		.mem_alloc = mem_alloc,
		.mem_free = mem_free_at,
		.to_device = to_device,
		.to_host = to_host,
		.to_device_async = to_device_async,
		.to_host_async = to_host_async,
		.set_bytes_async = set_bytes_async,
		.stream_create = stream_create,
		.stream_destroy = stream_destroy,
		.stream_wait = stream_wait,
		.event_create = event_create,
		.event_destroy = event_destroy,
		.event_record = event_record,
		.event_synchronize = event_synchronize,
		.host_alloc = host_alloc,
		.host_free = host_free,
		.module_load = module_load,
		.module_unload = module_unload,
		.function_get = function_get,
		.launch = launch,
		.explain = explain,
		.name_memory = name_memory,
		.alias = alias,
	};
}
