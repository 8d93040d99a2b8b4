/* driver/pipeline.c - the one place that knows the order of the stages
 *
 *	text -> AST -> AIR -> plan with kernels -> code -> object -> executable
 *
 * takes: options   gives: the form that --emit names, or messages
 */
#include "config.h"

#include "driver/pipeline.h"
#include "driver/external.h"
#include "driver/header.h"
#include "driver/libraries.h"
#include "driver/link.h"
#include "driver/modules.h"
#include "driver/options.h"
#include "driver/output.h"

#include "array/evaluate.h"
#include "backend/backend.h"
#include "mpa/host.h"
#include "schedule/plan.h"
#include "sema/sema.h"
#include "support/arena.h"
#include "support/diag.h"
#include "support/intern.h"
#include "syntax/parse.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct run {
	struct options *o;
	struct syntax syntax; /* arena, names, diag */
	struct modules modules;
	struct source *source;
	const struct ast *tree;
	struct air_program *air;
	struct plan *plan;
	struct backend_options backend;
	void *code;   /* the back end's ... */
	void *engine; /* ... and what runs it */
	int status; /* once a stage has failed */
};

/* ---- the stages: each says false if it fails ----------------------------- */

static bool wrong(struct run *r, const char *form, const char *complaint)
{
	if (complaint)
		diag_error(r->syntax.diag, DIAG_INTERNAL, (struct span){ 0 },
			   "mpac made a wrong %s: %s", form, complaint);
	return complaint == NULL;
}

static bool stage_read(struct run *r)
{
	r->source = source_read(r->syntax.arena, r->o->file);
	if (!r->source)
		diag_error(r->syntax.diag, DIAG_CANNOT_READ, (struct span){ 0 },
			   "cannot read `%s`: %s", r->o->file, strerror(errno));
	return r->source != NULL;
}

static bool stage_parse(struct run *r)
{
	r->tree = parse_file(&r->syntax, r->source);
	return r->tree && (!r->o->verify || wrong(r, "tree", ast_verify(r->tree)));
}

static bool stage_sema(struct run *r)
{
	struct sema_input in = {
		.arena = r->syntax.arena,
		.names = r->syntax.names,
		.diag = r->syntax.diag,
		.program = r->tree,
		.source = r->source,
		.load = modules_load,
		.context = &r->modules,
		.exports = r->o->emit == EMIT_SHARED ||
			   (r->o->emit <= EMIT_KERNELS && !r->o->evaluate),
		.n_overrides = r->o->override.n,
		.override = r->o->override.item,
	};

	r->air = sema_program(&in);
	/* the command line alone is wrong: no other error */
	if (!r->air &&
	    options_unused(r->o, r->syntax.diag) == diag_errors(r->syntax.diag))
		r->status = 2;
	return r->air && (!r->o->verify || wrong(r, "AIR", air_verify(r->air)));
}

static bool stage_schedule(struct run *r)
{
	r->plan = plan_program(r->air, r->syntax.arena);
	for (int i = 0; r->o->fast && i < r->plan->n_kernels; i++)
		kir_contract(r->plan->kernel[i], r->syntax.arena);
	if (!r->o->verify)
		return true;
	for (int i = 0; i < r->plan->n_kernels; i++)
		if (!wrong(r, "kernel", kir_verify(r->plan->kernel[i])))
			return false;
	return wrong(r, "plan", plan_verify(r->plan));
}

static bool stage_code(struct run *r)
{
	struct backend_cuda *cuda = backend_cuda_of(r->plan, r->syntax.arena);

	cuda->ptx = backend_ptx_of(r->plan, cuda, &r->backend, r->syntax.arena,
				   r->syntax.diag);
	r->backend.cuda = cuda;
	r->code = r->o->backend->begin(r->plan, &r->backend, r->syntax.diag);
	return r->code != NULL;
}

static bool stage_optimise(struct run *r)
{
	return r->o->backend->optimise(r->code);
}

static const struct stage {
	const char *name;
	bool (*run)(struct run *r);
	enum form until; /* the last form that does without it */
} stages[] = {
	{ "read", stage_read, -1 },
	{ "parse", stage_parse, -1 },
	{ "check", stage_sema, EMIT_AST },
	{ "schedule", stage_schedule, EMIT_AIR },
	{ "code", stage_code, EMIT_KERNELS },
	{ "optimise", stage_optimise, EMIT_KERNELS },
};

/* ---- the end: the form that was asked for -------------------------------- */

static bool write_ptx(struct run *r, FILE *out)
{
	const char *ptx = r->backend.cuda->ptx;

	if (!ptx) {
		diag_error(r->syntax.diag, DIAG_CANNOT_WRITE, (struct span){ 0 },
			   "the LLVM that mpac was built with makes no PTX");
		return false;
	}
	return fputs(ptx, out) >= 0;
}

static bool write_form(struct run *r, FILE *out)
{
	switch (r->o->emit) {
	case EMIT_AST:
		ast_print(out, r->tree);
		return true;
	case EMIT_AIR:
		air_print(r->air, out);
		return true;
	case EMIT_PLAN:
		plan_print(r->plan, out);
		return true;
	case EMIT_KERNELS:
		for (int i = 0; i < r->plan->n_kernels; i++)
			kir_print(r->plan->kernel[i], out);
		return true;
	case EMIT_C:
		return r->o->backend->write(r->code, FORM_SOURCE, out);
	case EMIT_CUDA:
		return r->o->backend->write(r->code, FORM_CUDA, out);
	case EMIT_PTX:
		return write_ptx(r, out);
	case EMIT_LLVM:
		return r->o->backend->write(r->code, FORM_LLVM, out);
	case EMIT_ASM:
		return r->o->backend->write(r->code, FORM_ASSEMBLY, out);
	default:
		return r->o->backend->write(
			r->code, r->o->backend->source ? FORM_SOURCE : FORM_OBJECT, out);
	}
}

/* heat.mpa -> heat.o, heat; other names keep theirs and gain .out. */
static const char *default_output(struct run *r)
{
	const char *slash = strrchr(r->o->file, '/'),
		   *name = slash ? slash + 1 : r->o->file;
	const char *suffix = form_info[r->o->emit].suffix, *dot = strrchr(name, '.');

	if (!suffix)
		return NULL;
	if (r->o->emit == EMIT_SHARED)
		return arena_printf(r->syntax.arena, "lib%s%s", r->backend.program, suffix);
	if (!dot || dot == name || strcmp(dot, ".mpa"))
		return arena_printf(r->syntax.arena, "%s%s", name,
				    *suffix ? suffix : ".out");
	return arena_printf(r->syntax.arena, "%.*s%s", (int)(dot - name), name, suffix);
}

static bool write_file(struct run *r, const char *path)
{
	struct output out;

	return output_open(&out, path, r->syntax.arena, r->syntax.diag) &&
	       output_close(&out, write_form(r, out.file));
}

static bool is_source(struct run *r, const char *path)
{
	struct stat a, b;

	if (!path || stat(path, &a) || stat(r->o->file, &b) || a.st_dev != b.st_dev ||
	    a.st_ino != b.st_ino)
		return false;
	diag_error(r->syntax.diag, DIAG_CANNOT_WRITE, (struct span){ 0 },
		   "`%s` is the program itself: it is not written over", path);
	return true;
}

/* heat.h, beside the library. */
static bool write_header(struct run *r, const char *library)
{
	const char *slash = strrchr(library, '/');
	const char *path = arena_printf(r->syntax.arena, "%.*s%s.h",
					slash ? (int)(slash + 1 - library) : 0, library,
					r->backend.library);
	struct output out;

	if (!header_is_ours(path)) {
		diag_error(r->syntax.diag, DIAG_CANNOT_WRITE, (struct span){ 0 },
			   "`%s` was not made by mpac: it is not written over", path);
		return false;
	}
	if (is_source(r, path) || !output_open(&out, path, r->syntax.arena, r->syntax.diag))
		return false;
	header_write(r->air, r->backend.library, r->backend.compiler, out.file);
	return output_close(&out, true);
}

/* Compilers of C take the square of the length of a function, or more. */
static int source_level(const struct run *r)
{
	return plan_has_large_kernel(r->plan) && r->o->level > 1 ? 1 : r->o->level;
}

/* The object, or the source in C, goes beside the executable's temporary name, and away
 * again. */
static bool write_linked(struct run *r, const char *path)
{
	bool (*link)(const struct options *, const struct link *, struct diag *) =
		r->o->emit == EMIT_OBJ ? link_object : link_executable;
	struct output out;
	const char *object;
	bool fine;

	if (!output_open(&out, path, r->syntax.arena, r->syntax.diag))
		return false;
	object = arena_printf(r->syntax.arena, "%s.%s", out.temporary,
			      r->o->backend->source ? "c" : "o");
	fine = write_file(r, object) &&
	       link(r->o,
		    &(struct link){ .program = r->air,
				    .object = object,
				    .source = r->o->backend->source,
				    .level = source_level(r),
				    .output = out.temporary,
				    .runtime_dir = r->backend.runtime_dir,
				    .library = r->backend.library,
				    .name = path },
		    r->syntax.diag) &&
	       (!r->backend.library || write_header(r, path));
	unlink(object);
	return output_close(&out, fine);
}

static bool no_executable(struct run *r)
{
	diag_error(r->syntax.diag, DIAG_CANNOT_WRITE, (struct span){ 0 },
		   "what is compiled by the C compiler or linked cannot be written to "
		   "standard output");
	return false;
}

static bool stage_write(struct run *r)
{
	const char *path = r->o->output ? r->o->output : default_output(r);

	if (r->o->output && !strcmp(path, "-"))
		path = NULL;
	if (is_source(r, path))
		return false;
	if (r->o->backend != &backend_null &&
	    (r->o->emit >= EMIT_EXE || (r->o->emit == EMIT_OBJ && r->o->backend->source)))
		return path ? write_linked(r, path) : no_executable(r);
	return r->o->backend == &backend_null && r->o->emit > EMIT_KERNELS
		       ? true
		       : write_file(r, path);
}

/* ---- messages ------------------------------------------------------------- */

static bool colours(const struct options *o)
{
	const char *terminal = getenv("TERM"), *none = getenv("NO_COLOR");

	if (o->colour != COLOUR_AUTO)
		return o->colour == COLOUR_ALWAYS;
	return isatty(STDERR_FILENO) && !(none && *none) && terminal &&
	       strcmp(terminal, "dumb");
}

/* Once, by rank 0, which the others let speak first: launchers end all ranks when one
 * has failed. */
static void print_messages(const struct run *r)
{
	const struct timespec while_rank_0_tells = { 1, 0 };

	if (mpa_announced_rank() == 0 || !r->o->run)
		diag_print(r->syntax.diag, stderr, colours(r->o));
	else if (diag_errors(r->syntax.diag))
		nanosleep(&while_rank_0_tells, NULL);
}

/* ---- or a run in this process --------------------------------------------- */

/* What follows the program may set constant parameters as well as others. */
static void offer_rest(struct options *o)
{
	for (int i = 0; o->run && i < o->n_rest; i++) {
		const char *name = o->rest[i] + 2, *value = strchr(o->rest[i], '=');

		if (strncmp(o->rest[i], "--", 2) || !value)
			continue;
		vec_push(o->arena, &o->override,
			 (struct sema_override){
				 arena_strndup(o->arena, name, (size_t)(value - name)),
				 value + 1, true, false });
	}
}

static bool was_taken(const struct options *o, const char *word)
{
	const char *value = strchr(word, '=');

	for (int i = 0; value && i < o->override.n; i++)
		if (o->override.item[i].value == value + 1)
			return o->override.item[i].used;
	return false;
}

/* Does not return when all goes well: the program ends the process. */
static bool stage_run(struct run *r)
{
	const struct backend *b = r->o->backend;
	char **argv = arena_new_array(r->syntax.arena, r->o->n_rest + 2, char *);
	const struct mpa_program *program;
	int argc = 1;

	if (!b->open) {
		diag_error(r->syntax.diag, DIAG_BAD_OPTION, (struct span){ 0 },
			   "the back end `%s` cannot run programs", b->name);
		return false;
	}
	r->engine = b->open(r->syntax.diag);
	program = r->engine && libraries_load(r->o, r->engine, r->syntax.diag)
			  ? b->load(r->engine, r->code)
			  : NULL;
	if (!program)
		return false;
	argv[0] = (char *)r->o->file;
	for (int i = 0; i < r->o->n_rest; i++)
		if (!was_taken(r->o, r->o->rest[i]))
			argv[argc++] = r->o->rest[i];
	print_messages(r);
	r->status = mpa_main(argc, argv, program);
	return true;
}

/* ---- one compilation ----------------------------------------------------- */

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool run_stage(struct run *r, const char *name, bool (*stage)(struct run *))
{
	double start = now();
	bool fine = stage(r) && !diag_errors(r->syntax.diag);

	if (r->o->time)
		fprintf(stderr, "%-10s %8.1f ms\n", name, 1e3 * (now() - start));
	return fine;
}

static bool run_stages(struct run *r)
{
	int last = r->o->evaluate ? EMIT_AIR : (int)r->o->emit;

	for (size_t i = 0; i < sizeof stages / sizeof *stages; i++)
		if (last > (int)stages[i].until &&
		    !run_stage(r, stages[i].name, stages[i].run))
			return false;
	if (r->o->run)
		return run_stage(r, "run", stage_run);
	if (!r->o->evaluate)
		return run_stage(r, "write", stage_write);
	if (!external_load(r->o, r->air, r->syntax.diag))
		return false;
	r->status = air_evaluate(r->air, r->o->n_rest, r->o->rest, stdout);
	return true;
}

/* What a program calls itself: its file's name without folder and .mpa. */
static const char *program_name(struct run *r)
{
	const char *slash = strrchr(r->o->file, '/'),
		   *name = slash ? slash + 1 : r->o->file;
	const char *dot = strrchr(name, '.');

	return arena_strndup(r->syntax.arena, name,
			     dot && dot > name ? (size_t)(dot - name) : strlen(name));
}

/* The program's name as one of C. */
static const char *library_name(struct run *r)
{
	char *name = arena_strdup(r->syntax.arena, r->backend.program);

	for (char *c = name; *c; c++)
		if (!isalnum((unsigned char)*c) || (unsigned char)*c > 127)
			*c = '_';
	return isdigit((unsigned char)*name) ? arena_printf(r->syntax.arena, "_%s", name)
					     : name;
}

static void prepare(struct run *r)
{
	r->backend = (struct backend_options){
		.program = program_name(r),
		.compiler = "mpac " PACKAGE_VERSION,
		.arithmetic = options_arithmetic(r->o),
		.runtime_dir = link_runtime_dir(r->syntax.arena),
		.cpu = r->o->cpu,
		.level = r->o->level,
		.debug = r->o->debug,
		.verify = r->o->verify,
		.symbol = r->o->run ? "mpa_program" : NULL,
	};
	if (r->o->emit == EMIT_C || r->o->emit == EMIT_CUDA)
		r->o->backend = &backend_c;
	if (r->o->emit == EMIT_SHARED)
		r->backend.library = library_name(r);
	r->modules =
		(struct modules){ r->o, &r->syntax, map_new(r->syntax.arena, MAP_TEXTS) };
}

int pipeline_run(struct options *o)
{
	struct run r = { .o = o, .syntax = { arena_new(), intern_new(), diag_new() } };
	bool fine;

	o->verify |= MPA_VERIFY;
	offer_rest(o);
	prepare(&r);
	fine = run_stages(&r);
	print_messages(&r);
	if (r.engine)
		o->backend->close(r.engine);
	if (r.code)
		o->backend->end(r.code);
	diag_free(r.syntax.diag);
	intern_free(r.syntax.names);
	arena_free(r.syntax.arena);
	return fine || r.status ? r.status : 1;
}
