/* driver/link.h - from an object to an executable */
#ifndef DRIVER_LINK_H
#define DRIVER_LINK_H

#include <stdbool.h>

struct arena;
struct diag;
struct options;

/* The folder that holds libmpart.a: where MPA_RUNTIME_DIR says, beside mpac in a build
 * tree, or where it is installed (whether or not it is there now). */
const char *link_runtime_dir(struct arena *a);

/* Links `object` into the executable `output`, with the C compiler and without MPI. */
bool link_executable(const struct options *o, const char *object, const char *output,
		     const char *runtime_dir, struct diag *d);

#endif
