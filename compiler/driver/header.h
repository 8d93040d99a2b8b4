/* driver/header.h - what C is told of a library: heat.h */
#ifndef DRIVER_HEADER_H
#define DRIVER_HEADER_H

#include <stdbool.h>
#include <stdio.h>

#include "types/types.h"

struct air_program;

/* The type in C of a scalar. */
const char *c_type(enum elem e);
/* Is there no such file, or one that header_write has written? */
bool header_is_ours(const char *path);
/* The declarations of NAME_open and NAME_EXPORT, with their documentation. */
void header_write(const struct air_program *p, const char *name, const char *compiler,
		  FILE *out);

#endif
