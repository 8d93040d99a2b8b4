/* driver/link.c - from an object to an executable
 *
 * takes: an object, what the user adds, the runtime's archive   gives: an executable
 * The system's C compiler links. MPI is not linked: the runtime opens it when a program
 * is started under a launcher.
 */
#include "config.h"

#include "driver/link.h"
#include "driver/options.h"
#include "array/air.h"
#include "support/arena.h"
#include "support/diag.h"
#include "support/strbuf.h"
#include "support/vec.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* how the C compiler is told which processor to make code for */
#if defined __x86_64__ || defined __i386__
#define MPA_CPU_FLAG "-march"
#else
#define MPA_CPU_FLAG "-mcpu"
#endif

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

/* All that comes out of the pipe. */
static const char *read_all(struct arena *a, int from)
{
	struct strbuf all = { 0 };
	char part[4096];
	const char *text;
	ssize_t n;

	while ((n = read(from, part, sizeof part)) > 0 || (n < 0 && errno == EINTR))
		strbuf_add(&all, part, n > 0 ? (size_t)n : 0);
	text = strbuf_to_arena(&all, a);
	strbuf_free(&all);
	return text;
}

/* Starts the words with standard error going into a pipe; its other end, or -1. */
static int start(struct words *w, pid_t *child, int *error)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t how; /* Ctrl-C ends it, though mpac waits */
	sigset_t none;
	int ends[2];

	*error = pipe(ends) == 0 ? 0 : errno;
	if (*error)
		return -1;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
	posix_spawn_file_actions_addclose(&actions, ends[0]);
	posix_spawn_file_actions_addclose(&actions, ends[1]);
	posix_spawnattr_init(&how);
	sigemptyset(&none);
	posix_spawnattr_setsigmask(&how, &none);
	posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK);
	*error = posix_spawnp(child, w->word.item[0], &actions, &how, w->word.item,
			      environ);
	posix_spawnattr_destroy(&how);
	posix_spawn_file_actions_destroy(&actions);
	close(ends[1]);
	if (!*error)
		return ends[0];
	close(ends[0]);
	return -1;
}

/* A line that says that something is undefined, and names it. */
static bool says_undefined(const char *text, const char *name)
{
	size_t length = strlen(name);

	for (const char *at = strstr(text, "undefined"); at; at = strstr(at + 1, "undefined")) {
		const char *end = at + strcspn(at, "\n"), *found = at;

		while ((found = strstr(found, name)) && found < end) {
			if (strchr(" '`\"", found[-1]) && strchr(" '`\"\n", found[length]))
				return true;
			found++;
		}
	}
	return false;
}

/* Functions in C that are missing are errors of the program; the rest of what the linker
 * said is shown as it is. */
static void explain(const struct words *w, const struct air_program *p, const char *said,
		    struct diag *d)
{
	bool found = false;

	for (int i = 0; i < p->n_externs; i++) {
		const struct air_extern *f = p->external[i];

		if (!says_undefined(said, f->name))
			continue;
		diag_error(d, DIAG_NO_FUNCTION, f->span,
			   "no object or library that is linked has the function `%s`",
			   f->name);
		diag_hint(d, "Put its object file or archive on the command line of mpac, "
			     "or name its library with -l.");
		found = true;
	}
	if (found)
		return;
	fputs(said, stderr);
	diag_error(d, DIAG_CANNOT_LINK, (struct span){ 0 }, "linking with `%s` failed",
		   w->word.item[0]);
}

static bool run(struct words *w, const struct air_program *p, struct diag *d)
{
	const char *said;
	pid_t child;
	int status, error, from;

	vec_push(w->arena, &w->word, NULL);
	from = start(w, &child, &error);
	if (from < 0) {
		diag_error(d, DIAG_CANNOT_LINK, (struct span){ 0 },
			   "cannot start `%s` to link: %s", w->word.item[0],
			   strerror(error));
		diag_hint(d, "Install a C compiler, or name one with --cc.");
		return false;
	}
	said = read_all(w->arena, from);
	close(from);
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		continue;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
		fputs(said, stderr);
		return true;
	}
	explain(w, p, said, d);
	return false;
}

bool link_library(const struct options *o, const struct air_program *p, const char *source,
		  const char *output, struct diag *d)
{
	struct words w = { .arena = o->arena };

	add_words(&w, linker(o));
	add_words(&w, "-shared -fPIC -w -Wl,-z,defs -o");
	add_word(&w, output);
	add_word(&w, source);
	for (int i = 0; i < o->link.n; i++)
		add_word(&w, o->link.item[i]);
	add_word(&w, "-lm");
	return run(&w, p, d);
}

bool link_archive(const struct options *o, const char *path, const char *output,
		  struct diag *d)
{
	static const struct air_program nothing = { .n_externs = 0 };
	struct words w = { .arena = o->arena };

	add_words(&w, linker(o));
	add_words(&w, "-shared -o");
	add_word(&w, output);
	add_word(&w, "-Wl,--whole-archive");
	add_word(&w, path);
	add_word(&w, "-Wl,--no-whole-archive");
	add_word(&w, "-lm");
	return run(&w, &nothing, d);
}

/* Of a library only the functions for C are seen from outside: several of them, and the
 * run time in each, do not meet. */
static bool write_symbols(const struct link *l, const char *path)
{
	FILE *out = fopen(path, "w");

	if (!out)
		return false;
	fprintf(out, "{ global: mpa_*; %s_open;", l->library);
	for (int i = 0; i < l->program->n_exports; i++)
		fprintf(out, " %s_%s;", l->library, l->program->export[i]->name);
	fputs(" local: *; };\n", out);
	return fclose(out) == 0;
}

static void add_library_words(struct words *w, const struct link *l, const char *symbols)
{
	const char *slash = strrchr(l->name, '/');

	add_words(w, "-shared -Wl,-z,defs -Wl,-Bsymbolic");
	add_word(w, arena_printf(w->arena, "-Wl,-soname,%s", slash ? slash + 1 : l->name));
	add_word(w, arena_printf(w->arena, "-Wl,--version-script=%s", symbols));
}

/* Strict: no contraction of a * b + c, and nothing that -ffast-math stands for. That errno
 * does not matter takes no bit away; -fno-trapping-math would: with it GCC makes trunc(x),
 * which may be -0, of (double)(long)x. */
static void add_compiler_words(struct words *w, const struct options *o, int level,
			       bool shared)
{
	add_words(w, "-std=gnu11 -w -ffp-contract=off -fno-math-errno");
	add_word(w, arena_printf(o->arena, "-O%d", level));
	add_word(w, arena_printf(o->arena, MPA_CPU_FLAG "=%s", o->cpu ? o->cpu : "native"));
	if (o->debug)
		add_word(w, "-g");
	if (shared)
		add_word(w, "-fPIC");
}

bool link_object(const struct options *o, const struct link *l, struct diag *d)
{
	struct words w = { .arena = o->arena };

	add_words(&w, linker(o));
	add_compiler_words(&w, o, l->level, true);
	add_words(&w, "-c -o");
	add_word(&w, l->output);
	add_word(&w, l->object);
	return run(&w, l->program, d);
}

bool link_executable(const struct options *o, const struct link *l, struct diag *d)
{
	struct words w = { .arena = o->arena };
	const char *symbols = arena_printf(o->arena, "%s.map", l->output);
	bool fine;

	if (!holds_runtime(o->arena, l->runtime_dir)) {
		diag_error(d, DIAG_CANNOT_LINK, (struct span){ 0 },
			   "there is no %s in `%s`", archive, l->runtime_dir);
		diag_hint(
			d,
			"Install mpac with `make install`, or set MPA_RUNTIME_DIR to the "
			"folder it was built in.");
		return false;
	}
	add_words(&w, linker(o));
	if (l->library && !write_symbols(l, symbols)) {
		diag_error(d, DIAG_CANNOT_WRITE, (struct span){ 0 }, "cannot write `%s`: %s",
			   symbols, strerror(errno));
		return false;
	}
	if (l->source)
		add_compiler_words(&w, o, l->level, l->library);
	if (l->library)
		add_library_words(&w, l, symbols);
	add_word(&w, "-o");
	add_word(&w, l->output);
	add_word(&w, l->object);
	for (int i = 0; i < o->link.n; i++)
		add_word(&w, o->link.item[i]);
	if (l->library) /* also what the program itself does not call */
		add_word(&w, "-Wl,--whole-archive");
	add_word(&w, arena_printf(o->arena, "%s/%s", l->runtime_dir, archive));
	if (l->library)
		add_word(&w, "-Wl,--no-whole-archive");
	add_words(&w, MPA_RUNTIME_LDFLAGS);
	add_words(&w, "-lm -lpthread -ldl");
	fine = run(&w, l->program, d);
	if (l->library)
		unlink(symbols);
	return fine;
}
