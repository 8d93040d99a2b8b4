/* driver/item.c - one item of the prompt: from its tree to its effects
 *
 *	tree -> AIR -> plan -> code, loaded -> run, in the session of the run time
 *
 * takes: a tree   gives: effects, and names that stay; or a message, and nothing stays
 * Every rank compiles the same; whether that went well they agree on before they run.
 */
#include "config.h"

#include "driver/session.h"

#include "schedule/plan.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool wrong(struct repl *r, const char *form, const char *complaint)
{
	if (complaint)
		diag_error(r->syntax.diag, DIAG_INTERNAL, (struct span){ 0 },
			   "mpac made a wrong %s: %s", form, complaint);
	return complaint == NULL;
}

void item_tell(struct repl *r)
{
	const char *terminal = getenv("TERM"), *none = getenv("NO_COLOR");
	bool colours = isatty(STDERR_FILENO) && !(none && *none) && terminal &&
		       strcmp(terminal, "dumb");

	if (r->o->colour != COLOUR_AUTO)
		colours = r->o->colour == COLOUR_ALWAYS;
	if (repl_speaks(r)) {
		fflush(stdout);
		diag_print(r->syntax.diag, stderr, colours);
	}
	diag_clear(r->syntax.diag);
}

bool item_open(struct repl *r)
{
	sema_close(r->sema);
	r->sema = sema_open(&r->input);
	r->plan = NULL;
	return r->sema != NULL;
}

/* ---- stages ---------------------------------------------------------------- */

static bool check_distance(struct repl *r, const struct plan *p)
{
	const struct plan_array *a = r->plan ? plan_too_far(p, r->plan) : NULL;

	if (!a)
		return true;
	diag_error(r->syntax.diag, DIAG_NOT_IMPLEMENTED, a->field->span,
		   "reading `%s` this far beyond its walls, at the prompt, is not "
		   "implemented yet",
		   a->field->name);
	diag_hint(r->syntax.diag,
		  "Its values beyond walls were computed when it was defined: read it on "
		  "the same line.");
	return false;
}

static struct plan *make_plan(struct repl *r, struct air_program *air)
{
	static const struct plan none = { .n_arrays = 0 };
	struct plan *p;

	if (r->o->verify && !wrong(r, "AIR", air_verify(air)))
		return NULL;
	p = plan_program_after(air, r->syntax.arena, r->plan ? r->plan : &none);
	for (int i = 0; r->o->fast && i < p->n_kernels; i++)
		kir_contract(p->kernel[i], r->syntax.arena);
	for (int i = 0; r->o->verify && i < p->n_kernels; i++)
		if (!wrong(r, "kernel", kir_verify(p->kernel[i])))
			return NULL;
	if (r->o->verify && !wrong(r, "plan", plan_verify(p)))
		return NULL;
	return check_distance(r, p) ? p : NULL;
}

static const struct backend_cuda *device_code(struct repl *r, const struct plan *p)
{
	struct arena *a = r->syntax.arena;
	struct backend_cuda *cuda = backend_cuda_of(p, a);

	cuda->ptx = backend_ptx_of(p, cuda, &r->backend, a, r->syntax.diag);
	return cuda;
}

/* Optimised code of the plan, NULL: told. */
static void *make_code(struct repl *r, const struct backend *b, const struct plan *p)
{
	void *code;

	r->backend.symbol = arena_printf(r->syntax.arena, "mpa_item_%d", r->items++);
	r->backend.level = effort_of(r, p);
	r->backend.cuda = r->run && mpa_host_on_gpu(r->run) ? device_code(r, p) : NULL;
	code = b->begin(p, &r->backend, r->syntax.diag);
	if (code && !b->optimise(code)) {
		b->end(code);
		return NULL;
	}
	return code;
}

static const struct mpa_program *make_program(struct repl *r, const struct plan *p)
{
	const struct mpa_program *program;
	void *code = make_code(r, r->o->backend, p);

	if (!code)
		return NULL;
	program = r->o->backend->load(r->engine, code);
	r->o->backend->end(code);
	return program;
}

/* ---- the run ---------------------------------------------------------------- */

/* Gives storage back that no name leads to; r->plan says which. */
static void forget(struct repl *r, const struct types *t)
{
	int n = r->plan ? r->plan->n_arrays : 0;
	struct mpa_extent used = { t->n_axes, t->n_families, t->n_grids, n };

	for (int i = 0; i < n; i++)
		if (r->plan->array[i]->id != i || r->plan->array[i]->gone)
			mpa_host_forget(r->run, i);
	mpa_host_cut(r->run, &used);
}

static bool run(struct repl *r, struct air_program *air, struct plan *p,
		const struct mpa_program *program)
{
	int status;
	enum mpa_end end = mpa_host_run(r->run, program, &status);

	if (end == MPA_END_DONE) {
		sema_accept(r->sema);
		plan_keep(p);
		r->plan = p;
	} else {
		sema_revert(r->sema);
	}
	if (end == MPA_END_EXITED) {
		r->done = true;
		r->status = status;
	}
	forget(r, &air->types);
	return end != MPA_END_FAILED;
}

/* A rank that went well tells of those that did not. */
static bool agree(struct repl *r, bool mine)
{
	bool all = mpa_host_all(r->run, mine);

	if (mine && !all && repl_speaks(r))
		fprintf(stderr, "error: this cannot be compiled on every rank\n");
	return all;
}

bool item_run(struct repl *r, const struct ast *tree)
{
	struct air_program *air = sema_item(r->sema, tree);
	struct plan *p = air ? make_plan(r, air) : NULL;
	const struct mpa_program *program = p ? make_program(r, p) : NULL;
	bool fine = agree(r, program && !diag_errors(r->syntax.diag));

	item_tell(r);
	if (fine)
		return run(r, air, p, program);
	if (air)
		sema_revert(r->sema);
	return false;
}

/* ---- or a form of it --------------------------------------------------------- */

static void print_code(struct repl *r, const struct plan *p, enum form form)
{
	static const enum backend_form forms[] = { [EMIT_C] = FORM_SOURCE,
						   [EMIT_CUDA] = FORM_CUDA,
						   [EMIT_LLVM] = FORM_LLVM,
						   [EMIT_ASM] = FORM_ASSEMBLY };
	const struct backend *b = form == EMIT_C || form == EMIT_CUDA ? &backend_c : r->o->backend;
	void *code = make_code(r, b, p);

	if (!code)
		return;
	b->write(code, forms[form], stdout);
	b->end(code);
}

static void print_ptx(struct repl *r, const struct plan *p)
{
	const char *ptx = device_code(r, p)->ptx;

	if (ptx)
		fputs(ptx, stdout);
	else
		diag_error(r->syntax.diag, DIAG_CANNOT_WRITE, (struct span){ 0 },
			   "the LLVM that mpac was built with makes no PTX");
}

static void print_form(struct repl *r, struct air_program *air, enum form form)
{
	struct plan *p;

	if (form == EMIT_AIR) {
		air_print(air, stdout);
		return;
	}
	p = make_plan(r, air);
	if (!p)
		return;
	if (form == EMIT_PTX)
		print_ptx(r, p);
	else if (form == EMIT_PLAN)
		plan_print(p, stdout);
	else if (form == EMIT_KERNELS)
		for (int i = 0; i < p->n_kernels; i++)
			kir_print(p->kernel[i], stdout);
	else
		print_code(r, p, form);
}

bool item_emit(struct repl *r, const struct ast *tree, enum form form)
{
	struct air_program *air;
	bool fine;

	if (form == EMIT_AST) {
		if (repl_speaks(r))
			ast_print(stdout, tree);
		return true;
	}
	air = sema_item(r->sema, tree);
	if (air && repl_speaks(r))
		print_form(r, air, form);
	fine = !diag_errors(r->syntax.diag);
	item_tell(r);
	if (air)
		sema_revert(r->sema);
	return fine;
}
