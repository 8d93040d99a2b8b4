/* device/emu/launch.c - the emulated driver: modules, and launches in their turn */
#include <string.h>

#include "base/memory.h"
#include "device/emu/state.h"

enum { MOST_SHARED = 48 << 10, MOST_PARAMS = 4096, MORE_PARAMS = 32764 };
static const int64_t MOST_STEPS = (int64_t)1 << 32; /* of a warp: minutes */

struct emu_module {
	struct ptx_module *ptx;
	struct emu_device *device;
	int most_params; /* bytes that a kernel may take */
};

/* ---- modules --------------------------------------------------------------------- */

static bool find(void *context, uint64_t at, struct ptx_extent *x)
{
	const struct emu_device *d = context;

	return emu_memory_find(&d->memory, at, x);
}

static uint64_t module_alloc(void *context, uint64_t bytes, const char *name,
			     bool constant)
{
	struct emu_device *d = context;
	uint64_t at;

	if (emu_allocate(&at, (size_t)bytes, constant))
		return 0;
	emu_memory_name(&d->memory, at, name);
	ptx_shadow_write(d->memory.shadow, emu_memory_bytes(&d->memory, at, bytes),
			 bytes);
	return at;
}

static void module_free(void *context, uint64_t at)
{
	struct emu_device *d = context;

	emu_memory_free(&d->memory, at);
}

/* PTX alone: what begins as ELF does is code of a real GPU. */
static int check_image(const void *image, int *most_params)
{
	const struct emu_setup *s = &emulated.setup;
	int major = 0, minor = 0, driver;

	if (!memcmp(image, "\177ELF", 4))
		return CUDA_NO_BINARY;
	if (s->wrong == EMU_LOAD)
		return emu_refuse(CUDA_INVALID_IMAGE, "modules are to fail");
	driver = emu_ptx_driver(image, &major, &minor);
	if (driver > s->driver)
		return emu_refuse(CUDA_UNSUPPORTED_PTX,
				  "this is PTX %d.%d, of CUDA %d.%d; the driver is of "
				  "CUDA %d.%d",
				  major, minor, driver / 1000, driver % 1000 / 10,
				  (int)s->driver / 1000, (int)s->driver % 1000 / 10);
	if (s->capability >= 70 && driver >= 12010)
		*most_params = MORE_PARAMS;
	return CUDA_FINE;
}

static int module_load(void **module, const void *image)
{
	const struct ptx_memory memory = { emulated.current, find, module_alloc,
					   module_free };
	struct emu_module *m;
	int most_params = MOST_PARAMS, error = emu_ready();

	if (!error)
		error = check_image(image, &most_params);
	if (error)
		return error;
	m = mem_new(sizeof *m);
	if (!m)
		return CUDA_OUT_OF_MEMORY;
	m->device = emulated.current;
	m->most_params = most_params;
	m->ptx = ptx_load(image, &memory, &emulated.fault);
	if (m->ptx) {
		*module = m;
		return CUDA_FINE;
	}
	error = emulated.fault.code == PTX_NO_MEMORY ? CUDA_OUT_OF_MEMORY
						     : CUDA_INVALID_PTX;
	mem_free(m);
	return error;
}

static int module_unload(void *module)
{
	struct emu_module *m = module;

	if (!m)
		return CUDA_INVALID_VALUE;
	emu_met_all(m->device);
	ptx_unload(m->ptx);
	mem_free(m);
	return CUDA_FINE;
}

/* The assembler of a real driver would have refused these when they were loaded. */
static int function_get(void **function, void *module, const char *name)
{
	const struct emu_module *m = module;
	const struct ptx_kernel *k = ptx_find(m->ptx, name);
	struct ptx_needs needs;

	if (!k)
		return CUDA_NOT_FOUND;
	needs = ptx_needs(k);
	if (needs.params > m->most_params)
		return emu_refuse(CUDA_INVALID_PTX,
				  "%s takes %d bytes of arguments, more than %d", name,
				  needs.params, m->most_params);
	if (needs.shared > MOST_SHARED)
		return emu_refuse(CUDA_INVALID_PTX,
				  "%s has %lld bytes of shared memory, more than %d",
				  name, (long long)needs.shared, MOST_SHARED);
	memcpy(function, &k, sizeof k);
	return CUDA_FINE;
}

/* ---- launches --------------------------------------------------------------------- */

/* A launch in its turn, and its parameters as they were. */
struct turn {
	struct ptx_launch launch;
	struct emu_device *device;
	struct emu_when when;
	bool fails;
	uint64_t params[];
};

static bool is_in_order(void *context, const struct ptx_access *a, char *text,
			size_t size)
{
	const struct turn *t = context;
	struct emu_touched touched = { a->at, a->bytes, a->writes };

	return emu_order_touch(t->device->order, &t->when, &touched, text, size);
}

static void run_turn(const void *data)
{
	const struct turn *t = data;
	struct emu_device *d = t->device;
	struct ptx_launch l = t->launch;

	l.shadow = d->memory.shadow;
	l.touch = d->order ? is_in_order : NULL;
	l.context = (void *)t;

	if (d->failed)
		return;
	if (t->fails)
		d->failed = emu_refuse(CUDA_LAUNCH_FAILED, "launch %lld is to fail",
				       (long long)emulated.setup.which);
	else if (!ptx_run(&l, t->params, &emulated.fault))
		d->failed = emulated.fault.code;
}

static int check_shape(const struct ptx_launch *l, const struct ptx_needs *needs)
{
	const uint32_t *grid = l->grid, *block = l->block;
	uint64_t threads = (uint64_t)block[0] * block[1] * block[2];

	if (!grid[0] || !grid[1] || !grid[2] || grid[0] > INT32_MAX || grid[1] > 65535 ||
	    grid[2] > 65535)
		return emu_refuse(CUDA_INVALID_VALUE, "a grid of %u, %u, %u blocks",
				  grid[0], grid[1], grid[2]);
	if (!threads || block[0] > 1024 || block[1] > 1024 || block[2] > 64 ||
	    threads > 1024)
		return emu_refuse(CUDA_INVALID_VALUE, "a block of %u, %u, %u threads",
				  block[0], block[1], block[2]);
	if (needs->most_threads && threads > (uint64_t)needs->most_threads)
		return emu_refuse(CUDA_INVALID_VALUE,
				  "a block of %d threads, and the kernel takes %d",
				  (int)threads, needs->most_threads);
	if (needs->shared + l->shared > MOST_SHARED)
		return emu_refuse(CUDA_INVALID_VALUE,
				  "%lld bytes of shared memory, more than %d",
				  (long long)(needs->shared + l->shared), MOST_SHARED);
	return CUDA_FINE;
}

static int put_turn(const struct ptx_launch *l, size_t params, void *stream)
{
	const struct emu_setup *s = &emulated.setup;
	size_t bytes = sizeof(struct turn) + params;
	struct turn *turn = mem_new(bytes);
	int error;

	if (!turn)
		return CUDA_OUT_OF_MEMORY;
	turn->launch = *l;
	turn->device = emulated.current;
	turn->fails = ++emulated.launches == s->which && s->wrong == EMU_LAUNCH;
	turn->when = emu_when(stream, ptx_name(l->kernel));
	ptx_take_params(l, turn->params);
	error = emu_do(stream, run_turn, turn, bytes);
	mem_free(turn);
	return error;
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
	struct ptx_needs needs;
	int error = emu_ready();

	if (error)
		return error;
	if (!function || extra)
		return CUDA_INVALID_VALUE;
	needs = ptx_needs(l.kernel);
	error = check_shape(&l, &needs);
	return error ? error : put_turn(&l, (size_t)needs.params, stream);
}

void emu_fill_launches(struct cuda_driver *driver)
{
	driver->module_load = module_load;
	driver->module_unload = module_unload;
	driver->function_get = function_get;
	driver->launch = launch;
}
