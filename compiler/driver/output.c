/* driver/output.c - files that appear under their name only when they are complete
 *
 * They are written beside it under another name and renamed at the end. What exists
 * and is no regular file (/dev/null, a pipe) is written to directly.
 */
#include "driver/output.h"
#include "support/arena.h"
#include "support/diag.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool cannot_write(const struct output *o)
{
	diag_error(o->diag, DIAG_CANNOT_WRITE, (struct span){ 0 },
		   "cannot write `%s`: %s", o->path, strerror(errno));
	return false;
}

static bool is_special(const char *path)
{
	struct stat s;

	return stat(path, &s) == 0 && !S_ISREG(s.st_mode) && !S_ISDIR(s.st_mode);
}

/* mkstemp makes files that only their owner may read. */
static void usual_mode(int file)
{
	mode_t mask = umask(0);

	umask(mask);
	(void)!fchmod(file, 0666 & ~mask);
}

static FILE *open_temporary(struct output *o, struct arena *a)
{
	char *name = arena_printf(a, "%s.XXXXXX", o->path);
	int file;

	interrupt_hold(&o->signals);
	file = mkstemp(name);
	if (file < 0) {
		interrupt_release(&o->signals);
		return NULL;
	}
	o->temporary = name;
	usual_mode(file);
	return fdopen(file, "w");
}

static bool is_folder(const char *path)
{
	struct stat s;

	return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

bool output_open(struct output *o, const char *path, struct arena *a, struct diag *d)
{
	*o = (struct output){ .path = path ? path : "standard output", .diag = d };
	o->temporary = o->path;
	if (!path) {
		o->file = stdout;
		return true;
	}
	if (is_folder(path))
		errno = EISDIR;
	else
		o->file = is_special(path) ? fopen(path, "w") : open_temporary(o, a);
	return o->file || cannot_write(o);
}

bool output_close(struct output *o, bool fine)
{
	bool written = !ferror(o->file);

	if (o->file == stdout ? fflush(stdout) : fclose(o->file))
		written = false;
	if (fine && !written)
		fine = cannot_write(o);
	if (o->temporary == o->path)
		return fine;
	if (interrupt_waits())
		fine = false;
	else if (fine && rename(o->temporary, o->path))
		fine = cannot_write(o);
	if (!fine)
		unlink(o->temporary);
	interrupt_release(&o->signals);
	return fine;
}
