/* driver/scratch.h - a folder for files that are needed for a moment */
#ifndef DRIVER_SCRATCH_H
#define DRIVER_SCRATCH_H

#include <stdbool.h>

struct arena;
struct diag;

/* Does the work in a new folder of TMPDIR, which the work leaves empty and which goes
 * away, also when mpac is interrupted meanwhile. False: the work said so, or there is no
 * such folder, which is told. */
bool scratch_do(bool (*work)(void *context, const char *folder), void *context,
		struct arena *a, struct diag *d);

#endif
