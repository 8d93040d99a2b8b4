/* driver/scratch.c - a folder for files that are needed for a moment */
#include "driver/scratch.h"
#include "driver/interrupt.h"

#include "support/arena.h"
#include "support/diag.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool scratch_do(bool (*work)(void *context, const char *folder), void *context,
		struct arena *a, struct diag *d)
{
	const char *set = getenv("TMPDIR");
	char *folder = arena_printf(a, "%s/mpac-XXXXXX", set && *set ? set : "/tmp");
	sigset_t signals;
	bool fine;

	interrupt_hold(&signals);
	fine = mkdtemp(folder) != NULL;
	if (!fine)
		diag_error(d, DIAG_CANNOT_WRITE, (struct span){ 0 },
			   "cannot make the folder `%s`: %s", folder, strerror(errno));
	if (fine) {
		fine = work(context, folder);
		rmdir(folder);
	}
	interrupt_release(&signals);
	return fine;
}
