/* device/emu/driver.c - a CUDA driver without a GPU: PTX, carried out on the CPU
 *
 * Fills the table of device/cuda/driver.h. Memory of the device has addresses that the
 * host cannot touch: they lie in a range without access, and the bytes elsewhere. They
 * go round the range, so that what was freed is long not used again, and found. Launches
 * run at once, their failures are those of the next call that waits, and of all after it, as
 * CUDA's are. Environment: MPA_FAKE_CUDA_CAPABILITY (80), MPA_FAKE_CUDA_MEMORY (bytes).
 */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "base/memory.h"
#include "base/settings.h"
#include "device/cuda/driver.h"
#include "device/emu/ptx.h"

enum { ALIGN = 256, GAP = 4096, ROUNDS = 8, CAPABILITY = 80, MULTIPROCESSORS = 8 };
static const uint64_t FIRST = 0x200000000000u;
static const uint64_t RANGE = (uint64_t)64 << 30;
static const int64_t MEMORY = (int64_t)8 << 30;
static const int64_t MOST_STEPS = (int64_t)1 << 32; /* of a warp: minutes */

struct allocation {
	struct allocation *next;
	uint64_t at, bytes;
	char *host;
	bool constant;
	char name[64];
};

/* CUDA's functions take no state to work on: theirs is the process's, and so is this. */
static struct emulated {
	bool open, current;
	int failed; /* CUresult of a launch, which stays */
	uint64_t next, used;
	struct allocation *live;
	struct ptx_fault fault;
} emulated;

/* ---- memory -------------------------------------------------------------------- */

static bool find(void *context, uint64_t at, struct ptx_extent *x)
{
	const struct allocation *a = emulated.live;

	(void)context;
	while (a && at - a->at >= a->bytes)
		a = a->next;
	if (!a)
		return false;
	*x = (struct ptx_extent){ .at = a->at,
				  .bytes = a->bytes,
				  .host = a->host,
				  .name = *a->name ? a->name : NULL,
				  .constant = a->constant };
	return true;
}

/* Whether a call can be carried out; what an earlier one has told is over. */
static int ready(void)
{
	if (!emulated.failed)
		emulated.fault.code = PTX_FINE;
	if (!emulated.open)
		return CUDA_NOT_INITIALIZED;
	return emulated.current ? emulated.failed : CUDA_INVALID_CONTEXT;
}

static int64_t memory_size(void)
{
	int64_t bytes = MEMORY;

	setting_int("MPA_FAKE_CUDA_MEMORY", &bytes);
	return bytes;
}

/* Of addresses: some times what the device holds. */
static uint64_t range_size(void)
{
	uint64_t bytes = ROUNDS * (uint64_t)memory_size();

	return bytes < RANGE ? bytes : RANGE;
}

/* The first allocation in use that leaves no room at an address; NULL: there is none. */
static const struct allocation *in_the_way(uint64_t at, uint64_t bytes)
{
	const struct allocation *a = emulated.live;

	while (a && (at + bytes + GAP <= a->at || a->at + a->bytes + GAP <= at))
		a = a->next;
	return a;
}

/* An address for so many bytes, from the last one on; 0: the range is full. */
static uint64_t place(uint64_t bytes)
{
	uint64_t at = emulated.next;

	for (int round = 0; round < 2; round++, at = FIRST)
		while (at + bytes + GAP <= FIRST + range_size()) {
			const struct allocation *a = in_the_way(at, bytes);

			if (!a)
				return at;
			at = (a->at + a->bytes + GAP + ALIGN - 1) / ALIGN * ALIGN;
		}
	return 0;
}

static int allocate(uint64_t *at, size_t bytes, bool constant)
{
	struct allocation *a;

	if (ready())
		return ready();
	if (!bytes)
		return CUDA_INVALID_VALUE;
	if (emulated.used + bytes > (uint64_t)memory_size())
		return CUDA_OUT_OF_MEMORY;
	a = mem_new(sizeof *a);
	if (!a)
		return CUDA_OUT_OF_MEMORY;
	a->at = place(bytes);
	a->host = a->at ? mem_new(bytes) : NULL;
	if (!a->host) {
		mem_free(a);
		return CUDA_OUT_OF_MEMORY;
	}
	/* NaN, and no number that would be right by chance */
	memset(a->host, 0xff, bytes);
	*at = a->at;
	a->constant = constant;
	a->bytes = bytes;
	a->next = emulated.live;
	emulated.live = a;
	emulated.used += bytes;
	emulated.next = (a->at + bytes + GAP + ALIGN - 1) / ALIGN * ALIGN;
	return CUDA_FINE;
}

static int mem_alloc(uint64_t *at, size_t bytes)
{
	return allocate(at, bytes, false);
}

static int mem_free_at(uint64_t at)
{
	struct allocation **a = &emulated.live, *gone;

	while (*a && (*a)->at != at)
		a = &(*a)->next;
	gone = *a;
	if (!gone)
		return CUDA_INVALID_VALUE;
	*a = gone->next;
	emulated.used -= gone->bytes;
	mem_free(gone->host);
	mem_free(gone);
	return ready();
}

static int mem_info(size_t *available, size_t *total)
{
	*total = (size_t)memory_size();
	*available = *total - (size_t)emulated.used;
	return ready();
}

static void name_memory(uint64_t at, const char *name)
{
	for (struct allocation *a = emulated.live; a; a = a->next)
		if (a->at == at)
			snprintf(a->name, sizeof a->name, "%s", name);
}

/* Where bytes of the device are; NULL: not all in one allocation. */
static char *bytes_at(uint64_t at, size_t n)
{
	struct ptx_extent x;

	if (!find(NULL, at, &x) || n > x.bytes - (at - x.at))
		return NULL;
	return x.host + (at - x.at);
}

static int to_device(uint64_t to, const void *from, size_t n)
{
	char *at = bytes_at(to, n);

	if (ready())
		return ready();
	if (!at)
		return CUDA_INVALID_VALUE;
	memcpy(at, from, n);
	return CUDA_FINE;
}

static int to_host(void *to, uint64_t from, size_t n)
{
	const char *at = bytes_at(from, n);

	if (ready())
		return ready();
	if (!at)
		return CUDA_INVALID_VALUE;
	memcpy(to, at, n);
	return CUDA_FINE;
}

static int set_bytes_async(uint64_t at, unsigned char value, size_t n, void *stream)
{
	char *bytes = bytes_at(at, n);

	if (ready())
		return ready();
	if (!bytes || stream)
		return CUDA_INVALID_VALUE;
	memset(bytes, value, n);
	return CUDA_FINE;
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
	mem_free(at);
	return ready();
}

/* ---- the device ------------------------------------------------------------------- */

static int init(unsigned flags)
{
	void *range;

	if (emulated.open)
		return CUDA_FINE;
	range = mmap((void *)FIRST, RANGE, PROT_NONE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE,
		     -1, 0);
	if (flags || range != (void *)FIRST)
		return CUDA_INVALID_VALUE;
	emulated.next = FIRST;
	emulated.open = true;
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
		{ CUDA_INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE" },
		{ CUDA_OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY" },
		{ CUDA_NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED" },
		{ CUDA_INVALID_DEVICE, "CUDA_ERROR_INVALID_DEVICE" },
		{ CUDA_INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT" },
		{ CUDA_NO_BINARY, "CUDA_ERROR_NO_BINARY_FOR_GPU" },
		{ CUDA_INVALID_PTX, "CUDA_ERROR_INVALID_PTX" },
		{ CUDA_NOT_FOUND, "CUDA_ERROR_NOT_FOUND" },
		{ PTX_ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS" },
		{ PTX_TIMEOUT, "CUDA_ERROR_LAUNCH_TIMEOUT" },
		{ PTX_ASSERT, "CUDA_ERROR_ASSERT" },
		{ PTX_MISALIGNED, "CUDA_ERROR_MISALIGNED_ADDRESS" },
		{ PTX_ILLEGAL, "CUDA_ERROR_ILLEGAL_INSTRUCTION" },
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
	ptx_unload(module);
	return CUDA_FINE;
}

static int function_get(void **function, void *module, const char *name)
{
	const struct ptx_kernel *k = ptx_find(module, name);

	memcpy(function, &k, sizeof k);
	return k ? CUDA_FINE : CUDA_NOT_FOUND;
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
				.steps = MOST_STEPS };

	if (ready())
		return ready();
	if (stream || extra || !grid_x || !grid_y || !grid_z || grid_y > 65535 ||
	    grid_z > 65535 || !block_x || !block_y || !block_z || block_x > 1024 ||
	    block_y > 1024 || block_z > 64 || block_x * block_y * block_z > 1024)
		return CUDA_INVALID_VALUE;
	if (!ptx_run(&l, &emulated.fault))
		emulated.failed = emulated.fault.code;
	return CUDA_FINE;
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
		.set_bytes_async = set_bytes_async,
		.host_alloc = host_alloc,
		.host_free = host_free,
		.module_load = module_load,
		.module_unload = module_unload,
		.function_get = function_get,
		.launch = launch,
		.explain = explain,
		.name_memory = name_memory,
	};
}
