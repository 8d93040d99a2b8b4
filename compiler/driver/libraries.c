/* driver/libraries.c - what would be linked, for programs that run inside mpac
 *
 * takes: the words for the linker   gives: objects in the engine, libraries in
 * the process, where code that the engine loads finds them
 */
#include "driver/libraries.h"
#include "driver/link.h"
#include "driver/options.h"
#include "driver/scratch.h"

#include "backend/backend.h"
#include "support/arena.h"
#include "support/diag.h"

#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

static bool ends_in(const char *word, const char *end)
{
	size_t n = strlen(word), m = strlen(end);

	return n > m && !strcmp(word + n - m, end);
}

static bool open_library(const char *path)
{
	return dlopen(path, RTLD_NOW | RTLD_GLOBAL) != NULL;
}

static bool refuse(struct diag *d, const char *what)
{
	const char *why = dlerror();

	diag_error(d, DIAG_CANNOT_LINK, (struct span){ 0 }, "cannot load `%s`: %s", what,
		   why ? why : "there is no such library");
	return false;
}

struct archive {
	const struct options *o;
	const char *path;
	struct diag *d;
};

static bool load_in(void *context, const char *folder)
{
	const struct archive *a = context;
	const char *library = arena_printf(a->o->arena, "%s/archive.so", folder);
	bool fine = link_archive(a->o, a->path, library, a->d) &&
		    (open_library(library) || refuse(a->d, a->path));

	unlink(library);
	return fine;
}

/* As a shared library, so its objects must be position-independent. */
static bool load_archive(const struct options *o, const char *path, struct diag *d)
{
	struct archive a = { o, path, d };

	return scratch_do(load_in, &a, o->arena, d);
}

/* -lNAME: in the folders of -L, then where the system has libraries. What is a script
 * for the linker there, as libm.so, has its number behind it. */
static bool load_named(const struct options *o, const char *name, struct diag *d)
{
	for (int i = 0; i < o->link.n; i++) {
		const char *folder = o->link.item[i] + 2, *path;

		if (strncmp(o->link.item[i], "-L", 2))
			continue;
		path = arena_printf(o->arena, "%s/lib%s.so", folder, name);
		if (access(path, R_OK) == 0)
			return open_library(path) || refuse(d, path);
		path = arena_printf(o->arena, "%s/lib%s.a", folder, name);
		if (access(path, R_OK) == 0)
			return load_archive(o, path, d);
	}
	return open_library(arena_printf(o->arena, "lib%s.so", name)) ||
	       open_library(arena_printf(o->arena, "lib%s.so.6", name)) ||
	       refuse(d, arena_printf(o->arena, "lib%s.so", name));
}

bool libraries_load(const struct options *o, void *engine, struct diag *d)
{
	bool fine = true;

	for (int i = 0; i < o->link.n && fine; i++) {
		const char *word = o->link.item[i];

		if (!strncmp(word, "-L", 2))
			continue;
		if (!strncmp(word, "-l", 2))
			fine = load_named(o, word + 2, d);
		else if (ends_in(word, ".so"))
			fine = open_library(strchr(word, '/') ? word
							      : arena_printf(o->arena, "./%s", word)) ||
			       refuse(d, word);
		else if (ends_in(word, ".a"))
			fine = load_archive(o, word, d);
		else
			fine = o->backend->add(engine, word);
	}
	return fine;
}
