/* device/cuda/driver.c - the real driver, opened when it is asked for */
#include "device/cuda/driver.h"

#include <dlfcn.h>
#include <string.h>

#include "base/settings.h"

static enum mpa_status fill(struct cuda_driver *d, void *library, struct fault *fault)
{
	void *p;

#define ROW(member, symbol, parameters)                                                  \
	p = dlsym(library, symbol);                                                      \
	if (!p)                                                                          \
		return fault_set(fault, MPA_SYSTEM,                                      \
				 "the CUDA driver lacks %s: it is older than CUDA 11",   \
				 symbol);                                                \
	memcpy(&d->member, &p, sizeof p);
#include "device/cuda/driver.def"
#undef ROW
	return MPA_OK;
}

enum mpa_status cuda_driver_open(struct cuda_driver *d, struct fault *fault)
{
	const char *fake = setting_text("MPA_FAKE_CUDA");
	void *library;

	memset(d, 0, sizeof *d);
	if (fake && strcmp(fake, "0")) {
		emulated_driver(d);
		return MPA_OK;
	}
	library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
	if (!library)
		return fault_set(
			fault, MPA_SYSTEM,
			"no GPU of CUDA here: there is no libcuda.so.1 (MPA_FAKE_CUDA=1 "
			"emulates one, slowly)");
	return fill(d, library, fault);
}
