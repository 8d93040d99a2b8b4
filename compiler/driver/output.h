/* driver/output.h - files that appear under their name only when they are complete
 *
 *	struct output out;
 *	if (output_open(&out, path, a, diag)) { ... out.file ...; output_close(&out,
 *fine); }
 */
#ifndef DRIVER_OUTPUT_H
#define DRIVER_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "driver/interrupt.h"

struct arena;
struct diag;

struct output {
	FILE *file;
	const char *path, *temporary; /* the same for what is not a regular file */
	struct diag *diag;
	sigset_t signals;             /* that wait while a temporary file is there: before */
};

/* NULL as path: standard output. */
bool output_open(struct output *o, const char *path, struct arena *a, struct diag *d);
/* Gives the file its name if all went well and nobody has interrupted, else removes it;
 * is it there now? */
bool output_close(struct output *o, bool fine);

#endif
