/* driver/verify.c - mpac verify: is the answer the same on all ways to run a program?
 *
 *	mpac verify heat.mpa --n=100
 *
 * Compiles the program with each back end, and runs it alone with several numbers of
 * threads and on several numbers of ranks and process grids of each MPI that is here, and
 * by the evaluator, each time in a folder of its own, where it finds the files of the
 * current one. What it prints and the files it writes must be the same, bit for bit, as
 * those of the first way.
 */
#include "driver/verify.h"
#include "driver/compare.h"
#include "driver/options.h"
#include "driver/scratch.h"

#include "backend/backend.h"
#include "support/arena.h"
#include "support/diag.h"
#include "support/vec.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define EVALUATOR "evaluator"
#define COMPILES  "/dev/null"                /* where the output of the compiler goes */
#define ERRORS    ".messages"                /* a file of each way's folder, not compared */

enum { PATIENCE = 10 };                      /* seconds that the evaluator gets */
enum { STATUS_LATE = 1000 };                 /* it had not ended by then */

struct way {
	const char *backend, *mpi;           /* mpi: NULL: alone */
	int ranks, threads;
	const char *procs;                   /* or NULL */
};

static const struct way ways[] = {
	{ "llvm", NULL, 1, 1, NULL },        /* with which the others are compared */
	{ "llvm", NULL, 1, 2, NULL },        { "llvm", NULL, 1, 3, NULL },
	{ "c", NULL, 1, 1, NULL },           { "c", NULL, 1, 2, NULL },
	{ "llvm", "mpich", 2, 1, NULL },     { "llvm", "mpich", 3, 1, NULL },
	{ "llvm", "mpich", 4, 1, NULL },     { "llvm", "mpich", 4, 1, "4x1" },
	{ "llvm", "mpich", 4, 1, "1x4" },    { "llvm", "mpich", 4, 2, "2x2" },
	{ "c", "mpich", 4, 1, NULL },        { "llvm", "mpich", 8, 1, NULL },
	{ "llvm", "mpich", 16, 1, NULL },    { "llvm", "openmpi", 2, 1, NULL },
	{ "llvm", "openmpi", 4, 1, NULL },   { EVALUATOR, NULL, 1, 1, NULL },
};
enum { N_WAYS = sizeof ways / sizeof *ways };

struct verify {
	const struct options *o;
	int argc;
	char **argv;                         /* of mpac, from "verify" on */
	struct diag *diag;
	const char *folder;
	int run, differ, failed;
};

struct command {
	struct arena *arena;
	VEC(char *) word;
};

static void add(struct command *c, const char *word)
{
	vec_push(c->arena, &c->word, word ? arena_strdup(c->arena, word) : NULL);
}

/* Its exit status; after so many seconds, if not 0, it is ended. */
static int wait_for(pid_t child, int seconds)
{
	const struct timespec nap = { 0, 5000000 };
	int64_t naps = 0, most = seconds * (int64_t)(1000000000 / nap.tv_nsec);
	int status = 0;
	pid_t ended;

	while ((ended = waitpid(child, &status, seconds ? WNOHANG : 0)) != child) {
		if (ended == 0 && naps++ < most)
			nanosleep(&nap, NULL);
		else if (ended == 0)
			kill(child, SIGKILL);
		else if (errno != EINTR)
			break;
	}
	if (seconds && naps > most)
		return STATUS_LATE;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* In the folder, with what it prints in the file `out` there, and messages in ERRORS unless
 * it compiles; as wait_for. */
static int execute(struct command *c, const char *folder, const char *out, int seconds)
{
	posix_spawn_file_actions_t actions;
	pid_t child;
	int error;

	add(c, NULL);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addchdir_np(&actions, folder);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out,
					 O_WRONLY | O_CREAT | O_TRUNC, 0666);
	if (strcmp(out, COMPILES))
		posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, ERRORS,
						 O_WRONLY | O_CREAT | O_TRUNC, 0666);
	error = posix_spawnp(&child, c->word.item[0], &actions, NULL, c->word.item, environ);
	posix_spawn_file_actions_destroy(&actions);
	return error ? 127 : wait_for(child, seconds);
}

/* ---- folders ----------------------------------------------------------------------- */

static void remove_folder(struct arena *a, const char *path)
{
	DIR *folder = opendir(path);
	struct dirent *entry;

	while (folder && (entry = readdir(folder))) {
		const char *inside = arena_printf(a, "%s/%s", path, entry->d_name);
		struct stat s;

		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		if (lstat(inside, &s) == 0 && S_ISDIR(s.st_mode))
			remove_folder(a, inside);
		else
			unlink(inside);
	}
	if (folder)
		closedir(folder);
	rmdir(path);
}

static bool copy_file(const char *from, const char *to)
{
	FILE *in = fopen(from, "rb"), *out = in ? fopen(to, "wb") : NULL;
	char part[65536];
	size_t n;
	bool fine = out != NULL;

	while (fine && (n = fread(part, 1, sizeof part, in)) > 0)
		fine = fwrite(part, 1, n, out) == n;
	if (in)
		fclose(in);
	return out && fclose(out) == 0 && fine;
}

/* Programs replace files, they do not change them: a hard link keeps the original safe. */
static void offer_files(struct arena *a, const char *from, const char *to)
{
	DIR *folder = opendir(from);
	struct dirent *entry;

	while (folder && (entry = readdir(folder))) {
		const char *here = arena_printf(a, "%s/%s", from, entry->d_name);
		const char *there = arena_printf(a, "%s/%s", to, entry->d_name);
		struct stat s;

		if (entry->d_name[0] == '.' || stat(here, &s) || !S_ISREG(s.st_mode))
			continue;
		if (link(here, there))
			copy_file(here, there);
	}
	if (folder)
		closedir(folder);
}

/* ---- one way --------------------------------------------------------------------------- */

static bool is_here(struct arena *a, const char *program)
{
	const char *path = getenv("PATH");

	for (size_t n; path && *path; path += n + (path[n] == ':')) {
		n = strcspn(path, ":");
		if (access(arena_printf(a, "%.*s/%s", (int)n, path, program), X_OK) == 0)
			return true;
	}
	return false;
}

/* NULL: it is not here. Where launchers have no names of their own, there is one. */
static const char *launcher_of(struct arena *a, const char *mpi)
{
	const char *own = arena_printf(a, "mpiexec.%s", mpi);
	bool named = is_here(a, "mpiexec.mpich") || is_here(a, "mpiexec.openmpi");

	if (is_here(a, own))
		return own;
	return !named && !strcmp(mpi, "mpich") && is_here(a, "mpiexec") ? "mpiexec" : NULL;
}

static const char *name_of(struct arena *a, const struct way *w)
{
	const char *threads = w->threads > 1 ? arena_printf(a, ", %d threads", w->threads) : "";
	const char *procs = w->procs ? arena_printf(a, ", --procs=%s", w->procs) : "";

	if (!strcmp(w->backend, EVALUATOR))
		return "the evaluator";
	if (!w->mpi)
		return arena_printf(a, "%s, alone%s", w->backend, threads);
	return arena_printf(a, "%s, %d ranks of %s%s%s", w->backend, w->ranks, w->mpi, threads,
			    procs);
}

static const char *folder_of(const struct verify *v, int way)
{
	return arena_printf(v->o->arena, "%s/way%d", v->folder, way);
}

/* The options of mpac that stand before the program, and then it. */
static void add_words(const struct verify *v, struct command *c,
		      const char *(*as)(struct arena *, const char *))
{
	for (int i = 1; i < v->argc - v->o->n_rest; i++)
		if (strcmp(v->argv[i], "--"))
			add(c, as(c->arena, v->argv[i]));
}

static const char *as_it_is(struct arena *a, const char *word)
{
	(void)a;
	return word;
}

/* A file or folder, also behind -I or -L, as it is to be called from elsewhere. */
static const char *from_root(struct arena *a, const char *word)
{
	bool folder = word[0] == '-' && (word[1] == 'I' || word[1] == 'L');
	const char *path = word + (folder ? 2 : 0);
	char *whole = *path && access(path, F_OK) == 0 ? realpath(path, NULL) : NULL;
	const char *result = word;

	if (whole)
		result = arena_printf(a, "%.*s%s", folder ? 2 : 0, word, whole);
	free(whole);
	return result;
}

static int evaluate(const struct verify *v, int way)
{
	struct command c = { .arena = v->o->arena };

	add(&c, "/proc/self/exe");
	add(&c, "--evaluate");
	add_words(v, &c, from_root);
	for (int i = 0; i < v->o->n_rest; i++)
		add(&c, v->o->rest[i]);
	return execute(&c, folder_of(v, way), "standard output", PATIENCE);
}

static int run_way(const struct verify *v, int way)
{
	struct command c = { .arena = v->o->arena };
	const struct way *w = &ways[way];

	mkdir(folder_of(v, way), 0777);
	offer_files(c.arena, ".", folder_of(v, way));
	if (!strcmp(w->backend, EVALUATOR))
		return evaluate(v, way);
	if (w->mpi) {
		add(&c, launcher_of(c.arena, w->mpi));
		if (!strcmp(w->mpi, "openmpi"))
			add(&c, "--oversubscribe");
		if (!strcmp(w->mpi, "openmpi") && geteuid() == 0)
			add(&c, "--allow-run-as-root");
		add(&c, "-n");
		add(&c, arena_printf(c.arena, "%d", w->ranks));
	}
	add(&c, arena_printf(c.arena, "%s/%s.exe", v->folder, w->backend));
	add(&c, arena_printf(c.arena, "--threads=%d", w->threads));
	if (w->procs)
		add(&c, arena_printf(c.arena, "--procs=%s", w->procs));
	for (int i = 0; i < v->o->n_rest; i++)
		add(&c, v->o->rest[i]);
	return execute(&c, folder_of(v, way), "standard output", 0);
}

/* Every file of the folder of one way, compared with that of another; how many differ. */
static int compare_folders(const struct verify *v, int from, int with)
{
	struct arena *a = v->o->arena;
	DIR *folder = opendir(folder_of(v, from));
	struct dirent *entry;
	int differ = 0;

	while (folder && (entry = readdir(folder))) {
		const char *one = arena_printf(a, "%s/%s", folder_of(v, from), entry->d_name);
		const char *two = arena_printf(a, "%s/%s", folder_of(v, with), entry->d_name);
		const char *how;

		if (entry->d_name[0] == '.')
			continue;
		how = access(two, F_OK) ? "is missing" : compare_files(one, two, a);
		if (!how)
			continue;
		printf("    %s: %s\n", entry->d_name, how);
		differ++;
	}
	if (folder)
		closedir(folder);
	return differ;
}

static void show_file(const char *path)
{
	FILE *in = fopen(path, "r");
	char line[1024];

	while (in && fgets(line, sizeof line, in))
		printf("    %s", line);
	if (in)
		fclose(in);
}

static void try_way(struct verify *v, int way)
{
	struct arena *a = v->o->arena;
	const char *name = name_of(a, &ways[way]);
	int status;

	if (ways[way].mpi && !launcher_of(a, ways[way].mpi))
		return;
	if (!strcmp(ways[way].backend, EVALUATOR) && v->o->fast) {
		printf("%-48s left out: it is strict, --fast is not\n", name);
		return;
	}
	status = run_way(v, way);
	if (status == STATUS_LATE) {
		printf("%-48s left out: slow, not at its end after %d s\n", name, PATIENCE);
		return;
	}
	if (status) {
		printf("%-48s ends with status %d\n", name, status);
		show_file(arena_printf(a, "%s/" ERRORS, folder_of(v, way)));
		v->failed++;
		return;
	}
	v->run++;
	if (way == 0) {
		printf("%-48s the first\n", name);
		return;
	}
	printf("%-48s ", name);
	fflush(stdout);
	status = compare_folders(v, 0, way);
	if (!status)
		puts("the same");
	else
		printf("    of `%s`, but of `%s`\n", name_of(a, &ways[0]), name);
	v->differ += status > 0;
	remove_folder(a, folder_of(v, way));
}

/* ---- all of them --------------------------------------------------------------------------- */

static bool compile(const struct verify *v, const char *backend)
{
	struct command c = { .arena = v->o->arena };
	char here[4096];

	add(&c, "/proc/self/exe");
	add(&c, arena_printf(c.arena, "--backend=%s", backend));
	add_words(v, &c, as_it_is);
	add(&c, "-o");
	add(&c, arena_printf(c.arena, "%s/%s.exe", v->folder, backend));
	return getcwd(here, sizeof here) && execute(&c, here, COMPILES, 0) == 0;
}

static bool verify_in(void *context, const char *folder)
{
	struct verify *v = context;
	bool fine;

	v->folder = folder;
	fine = compile(v, "llvm") && compile(v, "c");
	for (int i = 0; i < N_WAYS && fine; i++) {
		try_way(v, i);
		fine = i > 0 || !v->failed; /* nothing to compare with */
	}
	remove_folder(v->o->arena, folder);
	return fine;
}

int verify_run(const struct options *o, int argc, char **argv)
{
	struct diag *d = diag_new();
	struct verify v = { .o = o, .argc = argc, .argv = argv, .diag = d };
	bool fine = scratch_do(verify_in, &v, o->arena, d);

	diag_print(d, stderr, false);
	diag_free(d);
	if (v.run)
		printf("%d ways to run it, %d differ, %d failed\n", v.run + v.failed, v.differ,
		       v.failed);
	return fine && !v.differ && !v.failed ? 0 : 1;
}
