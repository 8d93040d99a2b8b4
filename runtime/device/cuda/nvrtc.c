/* device/cuda/nvrtc.c - kernels in CUDA C to PTX and code, by NVRTC or from the cache
 *
 * What was compiled before for the same text, architecture, options and version of NVRTC
 * is taken from files. */
#include "device/cuda/nvrtc.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "device/cuda/cache.h"

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

/* The log from its first error on, without warnings before that and blanks behind. */
static const char *first_error(char *log)
{
	char *line = log, *error = strstr(log, "rror");
	size_t n = strlen(log);

	while (n > 0 && strchr(" \n", log[n - 1]))
		log[--n] = '\0';
	if (!error)
		return log;
	for (char *p = log; p < error; p++)
		if (*p == '\n')
			line = p + 1;
	return line;
}

static enum mpa_status complain(const struct nvrtc *n, void *program, struct fault *fault)
{
	size_t bytes;
	char *log = take(program, n->log_size, n->log, &bytes);

	fault_set(fault, MPA_SYSTEM, "NVRTC %d.%d (%s) refuses the kernels for %s: %.700s",
		  n->major, n->minor, n->path, n->architecture,
		  log && *log ? first_error(log) : "it does not say why");
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
			      struct nvrtc_code *code, struct fault *fault)
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
	snprintf(target, sizeof target, "--gpu-architecture=%s",
		 n->architecture);
	snprintf(version, sizeof version, "NVRTC %d.%d", n->major, n->minor);
	cache_open(&entry, key, KEYS);
	if (cache_read(&entry, part, bytes)) {
		code->cached = true;
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
