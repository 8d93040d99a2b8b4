/* driver/link.c - from an object to an executable
 *
 * takes: an object, what the user adds, the runtime's archive   gives: an executable
 * The system's C compiler links. MPI is not linked: the runtime opens it when a program
 * is started under a launcher.
 */
#include "config.h"

#include "driver/link.h"
#include "driver/options.h"
#include "support/arena.h"
#include "support/diag.h"
#include "support/vec.h"

#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char archive[] = "libmpart.a";

static bool holds_runtime(struct arena *a, const char *folder)
{
	return folder && access(arena_printf(a, "%s/%s", folder, archive), R_OK) == 0;
}

static const char *own_folder(struct arena *a)
{
	char path[4096];
	ssize_t n = readlink("/proc/self/exe", path, sizeof path);
	const char *slash = n > 0 ? memrchr(path, '/', (size_t)n) : NULL;

	return slash ? arena_strndup(a, path, (size_t)(slash - path)) : NULL;
}

const char *link_runtime_dir(struct arena *a)
{
	const char *set = getenv("MPA_RUNTIME_DIR"), *own = own_folder(a);
	const char *moved = own ? arena_printf(a, "%s/../lib/mpac", own) : NULL;

	if (set && *set)
		return set;
	if (holds_runtime(a, own))
		return own;
	return !holds_runtime(a, MPA_PKGLIBDIR) && holds_runtime(a, moved)
		       ? moved
		       : MPA_PKGLIBDIR;
}

struct words {
	struct arena *arena;
	VEC(char *) word;
};

/* Adds the words of a text that blanks divide. */
static void add_words(struct words *w, const char *text)
{
	while (*(text += strspn(text, " "))) {
		size_t length = strcspn(text, " ");

		vec_push(w->arena, &w->word, arena_strndup(w->arena, text, length));
		text += length;
	}
}

static void add_word(struct words *w, const char *text)
{
	vec_push(w->arena, &w->word, arena_strdup(w->arena, text));
}

static const char *linker(const struct options *o)
{
	const char *set = getenv("MPA_CC");

	if (o->linker)
		return o->linker;
	return set && *set ? set : MPA_CC;
}

static bool run(struct words *w, struct diag *d)
{
	pid_t child;
	int status, error;

	vec_push(w->arena, &w->word, NULL);
	error = posix_spawnp(&child, w->word.item[0], NULL, NULL, w->word.item, environ);
	if (error) {
		diag_error(d, DIAG_CANNOT_LINK, (struct span){ 0 },
			   "cannot start `%s` to link: %s", w->word.item[0],
			   strerror(error));
		diag_hint(d, "Install a C compiler, or name one with --cc.");
		return false;
	}
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		continue;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return true;
	diag_error(d, DIAG_CANNOT_LINK, (struct span){ 0 }, "linking with `%s` failed",
		   w->word.item[0]);
	return false;
}

bool link_executable(const struct options *o, const char *object, const char *output,
		     const char *runtime_dir, struct diag *d)
{
	struct words w = { .arena = o->arena };

	if (!holds_runtime(o->arena, runtime_dir)) {
		diag_error(d, DIAG_CANNOT_LINK, (struct span){ 0 },
			   "there is no %s in `%s`", archive, runtime_dir);
		diag_hint(
			d,
			"Install mpac with `make install`, or set MPA_RUNTIME_DIR to the "
			"folder it was built in.");
		return false;
	}
	add_words(&w, linker(o));
	add_word(&w, "-o");
	add_word(&w, output);
	add_word(&w, object);
	for (int i = 0; i < o->link.n; i++)
		add_word(&w, o->link.item[i]);
	add_word(&w, arena_printf(o->arena, "%s/%s", runtime_dir, archive));
	add_words(&w, MPA_RUNTIME_LDFLAGS);
	add_words(&w, "-lm -lpthread -ldl");
	return run(&w, d);
}
