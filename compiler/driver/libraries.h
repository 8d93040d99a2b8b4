/* driver/libraries.h - what would be linked, for programs that run inside mpac */
#ifndef DRIVER_LIBRARIES_H
#define DRIVER_LIBRARIES_H

#include <stdbool.h>

struct diag;
struct options;

/* Objects and shared libraries of the command line; false: told. */
bool libraries_load(const struct options *o, void *engine, struct diag *d);

#endif
