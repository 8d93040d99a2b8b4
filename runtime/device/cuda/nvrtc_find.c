/* device/cuda/nvrtc_find.c - which NVRTC: the first that fits the device and its driver
 *
 * Goes through the places in order and takes the first library that opens, is not of a
 * later CUDA than the driver (whose code that would refuse), and can make code for the
 * device or for one before it. Where none fits, the fault tells of the first that did
 * not, and of what to install. */
#include "device/cuda/nvrtc.h"

#include <dlfcn.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/settings.h"

/* ---- where it may be ----------------------------------------------------------- */

enum { MOST_PLACES = 64, PLACE = 1024 };

struct places {
	int n;
	char path[MOST_PLACES][PLACE];
};

static void add_place(struct places *p, const char *path)
{
	if (p->n < MOST_PLACES && strlen(path) < PLACE)
		strcpy(p->path[p->n++], path);
}

/* By version: 13 before 9. */
static int newer_first(const void *a, const void *b)
{
	return strverscmp(*(char *const *)b, *(char *const *)a);
}

static void add_below(struct places *p, const char *root, const char *pattern)
{
	char path[PLACE];
	glob_t found;

	if (!root)
		return;
	snprintf(path, sizeof path, "%s/%s", root, pattern);
	if (glob(path, 0, NULL, &found) == 0) {
		qsort(found.gl_pathv, found.gl_pathc, sizeof *found.gl_pathv,
		      newer_first);
		for (size_t i = 0; i < found.gl_pathc; i++)
			add_place(p, found.gl_pathv[i]);
	}
	globfree(&found);
}

static void find_places(struct places *p)
{
	static const char *const names[] = { "libnvrtc.so.13", "libnvrtc.so.12",
					     "libnvrtc.so.11.2", "libnvrtc.so" };
	static const char toolkit[] = "lib64/libnvrtc.so.[1-9]*",
			  wheel[] = "lib/python3*/site-packages/nvidia/*/lib/"
				    "libnvrtc.so.[1-9]*";
	const char *named = setting_text("MPA_NVRTC"), *home = setting_text("HOME");
	char local[PLACE];

	if (named) {
		add_place(p, named);
		return;
	}
	add_below(p, setting_text("CUDA_HOME"), toolkit);
	add_below(p, setting_text("CUDA_PATH"), toolkit);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		add_place(p, names[i]);
	add_below(p, "/usr/local", "cuda*/lib64/libnvrtc.so.[1-9]*");
	add_below(p, setting_text("VIRTUAL_ENV"), wheel);
	add_below(p, setting_text("CONDA_PREFIX"), "lib/libnvrtc.so.[1-9]*");
	add_below(p, setting_text("CONDA_PREFIX"), wheel);
	if (home && (size_t)snprintf(local, sizeof local, "%s/.local", home) < PLACE)
		add_below(p, local, wheel);
}

/* ---- one library ----------------------------------------------------------------- */

static enum mpa_status fill(struct nvrtc *n, void *library, struct fault *fault)
{
	void *p;

#define ROW(member, symbol, parameters)                                                  \
	p = dlsym(library, symbol);                                                      \
	if (!p)                                                                          \
		return fault_set(fault, MPA_SYSTEM,                                      \
				 "%s lacks %s: it is older than NVRTC 11.2", n->path,    \
				 symbol);                                                \
	memcpy(&n->member, &p, sizeof p);
#include "device/cuda/nvrtc.def"
#undef ROW
	if (n->version(&n->major, &n->minor))
		return fault_set(fault, MPA_SYSTEM, "%s does not tell its version",
				 n->path);
	return MPA_OK;
}

/* The device's architecture, or the last one before it: the driver makes code of its PTX. */
static enum mpa_status choose_target(struct nvrtc *n, const struct nvrtc_device *d,
				     struct fault *fault)
{
	int count = 0, *known, oldest = 0, target = 0;

	if (n->count_targets(&count) || count <= 0)
		count = 0;
	known = mem_new((size_t)(count + 1) * sizeof *known);
	if (!known)
		return fault_set(fault, MPA_MEMORY, "out of memory");
	if (count > 0 && n->targets(known))
		count = 0;
	for (int i = 0; i < count; i++) {
		if (known[i] <= d->capability && known[i] > target)
			target = known[i];
		if (oldest == 0 || known[i] < oldest)
			oldest = known[i];
	}
	mem_free(known);
	snprintf(n->architecture, sizeof n->architecture, "%s_%d",
		 target == d->capability && d->takes_code ? "sm" : "compute", target);
	if (target)
		return MPA_OK;
	return fault_set(fault, MPA_SYSTEM,
			 "the GPU, of capability %d.%d, is too old for NVRTC %d.%d (%s), "
			 "which begins at %d.%d: install an older CUDA toolkit",
			 d->capability / 10, d->capability % 10, n->major, n->minor,
			 n->path, oldest / 10, oldest % 10);
}

static enum mpa_status check_driver(const struct nvrtc *n, const struct nvrtc_device *d,
				    struct fault *fault)
{
	int major = d->driver / 1000;

	if (n->major <= major)
		return MPA_OK;
	return fault_set(fault, MPA_SYSTEM,
			 "NVRTC %d.%d (%s) is too new for the GPU's driver, which is of "
			 "CUDA %d.%d: install a newer driver or NVRTC %d",
			 n->major, n->minor, n->path, major, d->driver % 1000 / 10,
			 major);
}

/* Why not: in fault. Nothing if it is not there at all. */
static enum mpa_status try_place(struct nvrtc *n, const char *path,
				 const struct nvrtc_device *d, struct fault *fault)
{
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	enum mpa_status st;

	if (!library)
		return MPA_FILE;
	snprintf(n->path, sizeof n->path, "%s", path);
	st = fill(n, library, fault);
	if (st == MPA_OK)
		st = check_driver(n, d, fault);
	if (st == MPA_OK)
		st = choose_target(n, d, fault);
	if (st != MPA_OK)
		dlclose(library);
	return st;
}

enum mpa_status nvrtc_open(struct nvrtc *n, const struct nvrtc_device *d,
			   struct fault *fault)
{
	struct places *p = mem_new(sizeof *p);
	struct fault why = { .status = MPA_OK };
	enum mpa_status st = MPA_FILE;
	const char *error;

	if (!p)
		return fault_set(fault, MPA_MEMORY, "out of memory");
	find_places(p);
	for (int i = 0; i < p->n && st != MPA_OK; i++)
		st = try_place(n, p->path[i], d, &why);
	mem_free(p);
	if (st == MPA_OK)
		return MPA_OK;
	if (why.status != MPA_OK)
		return fault_set(fault, why.status, "%s", why.text);
	error = setting_text("MPA_NVRTC") ? dlerror() : NULL;
	return fault_set(fault, MPA_SYSTEM,
			 "no NVRTC here, which compiles kernels for GPUs: install the "
			 "CUDA toolkit, or say in MPA_NVRTC where libnvrtc.so is%s%s%s",
			 error ? " (" : "", error ? error : "", error ? ")" : "");
}
