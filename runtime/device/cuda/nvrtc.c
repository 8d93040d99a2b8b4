/* device/cuda/nvrtc.c - NVIDIA's compiler of CUDA C, opened when kernels are needed */
#include "device/cuda/nvrtc.h"

#include <dlfcn.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/settings.h"
#include "device/cuda/cache.h"

/* ---- where it is ------------------------------------------------------------- */

static void *open_path(const char *path)
{
	return dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
}

/* The newest that a pattern finds below a folder. */
static void *open_below(const char *root, const char *pattern)
{
	char path[1024];
	glob_t found;
	void *library = NULL;

	if (!root)
		return NULL;
	snprintf(path, sizeof path, "%s/%s", root, pattern);
	if (glob(path, 0, NULL, &found) == 0)
		for (size_t i = found.gl_pathc; i-- > 0 && !library;)
			library = open_path(found.gl_pathv[i]);
	globfree(&found);
	return library;
}

static void *open_library(void)
{
	static const char *const names[] = { "libnvrtc.so.13", "libnvrtc.so.12",
					     "libnvrtc.so.11.2", "libnvrtc.so" };
	static const char wheel[] =
		"lib/python3*/site-packages/nvidia/*/lib/libnvrtc.so.[1-9]*";
	const char *named = setting_text("MPA_NVRTC");
	void *library;

	if (named)
		return open_path(named);
	library = open_below(setting_text("CUDA_HOME"), "lib64/libnvrtc.so.[1-9]*");
	if (!library)
		library =
			open_below(setting_text("CUDA_PATH"), "lib64/libnvrtc.so.[1-9]*");
	for (size_t i = 0; i < sizeof names / sizeof *names && !library; i++)
		library = open_path(names[i]);
	if (!library)
		library = open_below("/usr/local", "cuda*/lib64/libnvrtc.so.[1-9]*");
	if (!library)
		library = open_below(setting_text("VIRTUAL_ENV"), wheel);
	if (!library)
		library = open_below(setting_text("CONDA_PREFIX"), wheel);
	return library;
}

enum mpa_status nvrtc_open(struct nvrtc *n, struct fault *fault)
{
	void *library = open_library(), *p;

	if (!library)
		return fault_set(fault, MPA_SYSTEM,
				 "no NVRTC here, which compiles kernels for GPUs: "
				 "install the CUDA "
				 "toolkit, or say in MPA_NVRTC where libnvrtc.so is");
#define ROW(member, symbol, parameters)                                                  \
	p = dlsym(library, symbol);                                                      \
	if (!p)                                                                          \
		return fault_set(fault, MPA_SYSTEM,                                      \
				 "NVRTC lacks %s: it is older than 11.1", symbol);       \
	memcpy(&n->member, &p, sizeof p);
#include "device/cuda/nvrtc.def"
#undef ROW
	n->version(&n->major, &n->minor);
	return MPA_OK;
}

/* ---- a compilation ----------------------------------------------------------------- */

/* A text or code of the program, NULL if there is none. */
static char *take(void *program, int (*size_of)(void *, size_t *),
		  int (*get)(void *, char *), size_t *bytes)
{
	char *data;

	*bytes = 0;
	if (size_of(program, bytes) || *bytes == 0)
		return NULL;
	data = mem_new(*bytes + 1);
	if (data && get(program, data)) {
		mem_free(data);
		data = NULL;
	}
	return data;
}

static enum mpa_status complain(const struct nvrtc *n, void *program, struct fault *fault)
{
	size_t bytes;
	char *log = take(program, n->log_size, n->log, &bytes);

	fault_set(fault, MPA_SYSTEM, "NVRTC %d.%d refuses the kernels: %s", n->major,
		  n->minor, log ? log : "it does not say why");
	mem_free(log);
	return MPA_SYSTEM;
}

static enum mpa_status make(const struct nvrtc *n, const char *text,
			    const char *const *option, int options,
			    struct nvrtc_code *code, struct fault *fault)
{
	enum mpa_status st = MPA_OK;
	size_t bytes;
	void *program;

	if (n->create(&program, text, "kernels.cu", 0, NULL, NULL))
		return fault_set(fault, MPA_SYSTEM, "NVRTC cannot begin");
	if (n->compile(program, options, option)) {
		st = complain(n, program, fault);
	} else {
		code->ptx = take(program, n->ptx_size, n->ptx, &bytes);
		code->cubin = take(program, n->cubin_size, n->cubin, &code->cubin_bytes);
		if (!code->ptx)
			st = fault_set(fault, MPA_MEMORY, "out of memory for kernels");
	}
	n->destroy(&program);
	return st;
}

enum mpa_status nvrtc_compile(const struct nvrtc *n, const char *text,
			      const char *architecture, struct nvrtc_code *code,
			      struct fault *fault)
{
	char target[64], version[32], *part[2];
	const char *key[] = { text,
			      version,
			      target,
			      "--fmad=false",
			      "--generate-line-info",
			      "-default-device",
			      "--std=c++17" };
	enum { KEYS = sizeof key / sizeof *key };
	struct cache_entry entry;
	size_t bytes[2];
	enum mpa_status st = MPA_OK;

	memset(code, 0, sizeof *code);
	snprintf(target, sizeof target, "--gpu-architecture=%s", architecture);
	snprintf(version, sizeof version, "NVRTC %d.%d", n->major, n->minor);
	cache_open(&entry, key, KEYS);
	if (cache_read(&entry, part, bytes)) {
		code->ptx = part[0];
		code->cubin = bytes[1] ? part[1] : NULL;
		code->cubin_bytes = bytes[1];
		if (!code->cubin)
			mem_free(part[1]);
	} else {
		st = make(n, text, key + 2, KEYS - 2, code, fault);
		if (st == MPA_OK)
			cache_write(&entry,
				    (const char *const[]){
					    code->ptx, code->cubin ? code->cubin : "" },
				    (size_t[]){ strlen(code->ptx), code->cubin_bytes });
	}
	cache_close(&entry);
	return st;
}

void nvrtc_free(struct nvrtc_code *code)
{
	mem_free(code->ptx);
	mem_free(code->cubin);
	memset(code, 0, sizeof *code);
}
