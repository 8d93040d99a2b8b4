/* driver/external.h - functions in C inside mpac, for programs that it carries out itself */
#ifndef DRIVER_EXTERNAL_H
#define DRIVER_EXTERNAL_H

#include <stdbool.h>

struct air_program;
struct diag;
struct options;

/* Loads what `extern fn` names from the objects and libraries of the command line, and
 * sets air_extern.call. They stay loaded. */
bool external_load(const struct options *o, struct air_program *p, struct diag *d);

#endif
