/* backend/llvm/ptx.c - the kernels of a program in PTX, by LLVM's back end for NVIDIA's GPUs
 *
 * takes: a plan, and the names that backend/c/cuda.c gives its kernels   gives: one PTX
 * module for drivers from CUDA 11 on, with the same functions: their argument is the
 * structure of 8-byte words that is described there, and threads take points in the same
 * way. It is for where NVRTC is not, or is of a later CUDA than the driver.
 */
#include "backend/llvm/lower.h"
#include "backend/llvm/nest.h"
#include "mpa/program.h"
#include "support/arena.h"
#include "support/diag.h"

#include <string.h>

enum { KERNEL_CALL = 71 }; /* LLVM's number of the calling convention of kernels */

/* A kernel's argument, by words. */
struct device {
	struct nest n;
	LLVMValueRef args, count[MAX_AXES]; /* count: points of each loop */
	int words;
	LLVMValueRef planes, flat;
};

/* ---- the argument ----------------------------------------------------------------- */

static int argument_words(const struct kir_kernel *k)
{
	int words = 2 * k->n_loops + k->n_scalars + k->n_reductions;

	for (int v = 0; v < k->n_views; v++)
		words += 1 + k->view[v].n_axes;
	return words;
}

static LLVMValueRef word_at(struct device *d, int word)
{
	struct emit *e = d->n.e;
	LLVMValueRef i = emit_i64(e, word);

	return LLVMBuildGEP2(e->builder, e->i64, d->args, &i, 1, "");
}

static LLVMValueRef load_word(struct device *d, int word, LLVMTypeRef type, const char *name)
{
	return LLVMBuildLoad2(d->n.e->builder, type, word_at(d, word), name);
}

/* Its pointers lead to memory of the device, not of a block or a thread. */
static LLVMValueRef load_pointer(struct device *d, int word, const char *name)
{
	struct emit *e = d->n.e;
	LLVMTypeRef global = LLVMPointerTypeInContext(e->context, 1);
	LLVMValueRef p = load_word(d, word, e->ptr, name);

	p = LLVMBuildAddrSpaceCast(e->builder, p, global, "");
	return LLVMBuildAddrSpaceCast(e->builder, p, e->ptr, name);
}

static void load_argument(struct device *d)
{
	struct nest *n = &d->n;
	const struct kir_kernel *k = n->k;
	int at = 0;

	for (int l = 0; l < k->n_loops; l++)
		n->lo[l] = load_word(d, at++, n->e->i64, "lo");
	for (int l = 0; l < k->n_loops; l++)
		d->count[l] = load_word(d, at++, n->e->i64, "n");
	for (int l = 0; l < k->n_loops; l++)
		n->hi[l] = LLVMBuildNSWAdd(n->e->builder, n->lo[l], d->count[l], "hi");
	n->view = arena_new_array(n->e->arena, k->n_views + 1, struct nest_view);
	for (int v = 0; v < k->n_views; v++) {
		const struct kir_view *view = &k->view[v];

		n->view[v].origin = load_pointer(d, at++, view->name);
		for (int a = 0; a < view->n_axes; a++, at++)
			n->view[v].stride[a] = a == view->unit_axis
						       ? emit_i64(n->e, 1)
						       : load_word(d, at, n->e->i64, "stride");
	}
	n->scalars = word_at(d, at);
	at += k->n_scalars;
	n->values = arena_new_array(n->e->arena, k->n_reductions + 1, LLVMValueRef);
	for (int r = 0; r < k->n_reductions; r++)
		n->values[r] = load_pointer(d, at++, "values");
}

/* ---- loops -------------------------------------------------------------------------- */

static LLVMValueRef special(struct emit *e, const char *which, char axis)
{
	const char *name =
		arena_printf(e->arena, "llvm.nvvm.read.ptx.sreg.%s.%c", which, axis);

	return LLVMBuildZExt(e->builder, call_intrinsic(e, name, NULL, 0, NULL, 0), e->i64,
			     "");
}

static LLVMValueRef product(struct emit *e, LLVMValueRef a, LLVMValueRef b)
{
	return LLVMBuildNSWMul(e->builder, a, b, "");
}

/* for (i = from; i < to; i += step), which may have no turn. */
struct turns {
	LLVMBasicBlockRef head, after;
	LLVMValueRef i, step;
};

static struct turns turns_open(struct emit *e, LLVMValueRef from, LLVMValueRef to,
			       LLVMValueRef step)
{
	LLVMBasicBlockRef before = LLVMGetInsertBlock(e->builder), body;
	struct turns t = { emit_block(e, "loop"), NULL, NULL, step };

	LLVMBuildBr(e->builder, t.head);
	LLVMPositionBuilderAtEnd(e->builder, t.head);
	t.i = LLVMBuildPhi(e->builder, e->i64, "i");
	LLVMAddIncoming(t.i, &from, &before, 1);
	body = emit_block(e, "turn");
	t.after = emit_block(e, "after");
	LLVMBuildCondBr(e->builder, icmp(e, LLVMIntSLT, t.i, to), body, t.after);
	LLVMPositionBuilderAtEnd(e->builder, body);
	return t;
}

static void turns_close(struct emit *e, const struct turns *t)
{
	LLVMBasicBlockRef here = LLVMGetInsertBlock(e->builder);
	LLVMValueRef next = LLVMBuildNSWAdd(e->builder, t->i, t->step, "");

	LLVMBuildBr(e->builder, t->head);
	LLVMAddIncoming(t->i, &next, &here, 1);
	LLVMPositionBuilderAtEnd(e->builder, t->after);
}

/* Threads along an axis of the grid take the points of a loop. */
static struct turns threads_open(struct device *d, int loop, char axis)
{
	struct emit *e = d->n.e;
	LLVMValueRef size = special(e, "ntid", axis), first, step;

	first = LLVMBuildNSWAdd(e->builder, product(e, special(e, "ctaid", axis), size),
				special(e, "tid", axis), "");
	first = LLVMBuildNSWAdd(e->builder, d->n.lo[loop], first, "");
	step = product(e, special(e, "nctaid", axis), size);
	return turns_open(e, first, d->n.hi[loop], step);
}

/* All loops but two are one, from which their indices are taken apart. */
static struct turns planes_open(struct device *d, int loops)
{
	struct emit *e = d->n.e;
	LLVMValueRef planes = d->count[0], rest;
	struct turns t;

	for (int l = 1; l < loops; l++)
		planes = product(e, planes, d->count[l]);
	t = turns_open(e, special(e, "ctaid", 'z'), planes, special(e, "nctaid", 'z'));
	rest = t.i;
	for (int l = loops - 1; l >= 0; l--) {
		LLVMValueRef at = l ? LLVMBuildSRem(e->builder, rest, d->count[l], "") : rest;

		d->n.at[l] = LLVMBuildNSWAdd(e->builder, d->n.lo[l], at, "");
		if (l)
			rest = LLVMBuildSDiv(e->builder, rest, d->count[l], "");
	}
	for (int l = 0; l < loops; l++)
		nest_level(&d->n, l);
	return t;
}

/* Where the values of a point stand: in C order of the box. */
static LLVMValueRef flat_index(struct device *d)
{
	struct emit *e = d->n.e;
	LLVMValueRef flat = NULL;

	for (int l = 0; l < d->n.k->n_loops; l++) {
		LLVMValueRef i = LLVMBuildNSWSub(e->builder, d->n.at[l], d->n.lo[l], "");

		flat = flat ? LLVMBuildNSWAdd(e->builder, product(e, flat, d->count[l]), i, "")
			    : i;
	}
	return flat;
}

static void emit_loops(struct device *d)
{
	struct nest *n = &d->n;
	struct emit *e = n->e;
	int inner = n->k->n_loops - 1;
	struct turns z, y, x;

	if (inner > 1)
		z = planes_open(d, inner - 1);
	if (inner > 0) {
		y = threads_open(d, inner - 1, 'y');
		n->at[inner - 1] = y.i;
		nest_level(n, inner - 1);
	}
	access_rows(n);
	x = threads_open(d, inner, 'x');
	n->at[inner] = x.i;
	if (n->k->n_reductions)
		n->flat = flat_index(d);
	nest_level(n, inner);
	debug_place(e, n->k->span);
	turns_close(e, &x);
	if (inner > 0)
		turns_close(e, &y);
	if (inner > 1)
		turns_close(e, &z);
}

/* ---- kernels ------------------------------------------------------------------------ */

/* Arguments that are too large to be handed over are in memory, and so is theirs. */
static LLVMValueRef declare(struct device *d, const char *name)
{
	struct emit *e = d->n.e;
	LLVMTypeRef parameter = e->ptr;
	LLVMValueRef f;

	f = LLVMAddFunction(e->module, name, LLVMFunctionType(e->nothing, &parameter, 1, 0));
	LLVMSetFunctionCallConv(f, KERNEL_CALL);
	if (d->words <= MPA_CUDA_WORDS) {
		LLVMTypeRef type = LLVMArrayType(e->i64, (unsigned)d->words);

		LLVMAddAttributeAtIndex(
			f, 1,
			LLVMCreateTypeAttribute(e->context,
						LLVMGetEnumAttributeKindForName("byval", 5),
						type));
		LLVMAddAttributeAtIndex(f, 1, emit_attribute(e, "align", 8));
	}
	debug_function(e, f, name, d->n.k->span);
	LLVMPositionBuilderAtEnd(e->builder,
				 LLVMAppendBasicBlockInContext(e->context, f, ""));
	return f;
}

static void emit_kernel(struct emit *e, const struct kir_kernel *k, const char *name)
{
	struct device d = { .n = { .e = e, .k = k, .device = true } };
	struct nest *n = &d.n;

	n->value = arena_new_array(e->arena, k->n_instrs + 1, LLVMValueRef);
	n->level = arena_new_array(e->arena, k->n_instrs + 1, int);
	kir_levels(k, n->level);
	d.words = argument_words(k);
	n->function = declare(&d, name);
	d.args = LLVMGetParam(n->function, 0);
	debug_place(e, k->span);
	load_argument(&d);
	nest_level(n, -1);
	emit_loops(&d);
	LLVMBuildRetVoid(e->builder);
	debug_no_place(e);
}

static void emit_kernels(struct emit *e, const struct backend_cuda *cuda)
{
	const struct plan *p = e->plan;

	for (int i = 0; i < p->n_kernels; i++) {
		const char *name = cuda->kernel[i];

		if (name && !LLVMGetNamedFunction(e->module, name))
			emit_kernel(e, p->kernel[i], name);
	}
}

const char *backend_ptx_of(const struct plan *p, const struct backend_cuda *cuda,
			   const struct backend_options *o, struct arena *a, struct diag *d)
{
	struct backend_options lines = { .program = o->program,
					 .compiler = o->compiler,
					 .level = 2,
					 .debug = true,
					 .verify = o->verify };
	struct emit *e = emit_new_device(p, &lines, d);
	const char *text = NULL;

	if (!e)
		return NULL;
	debug_open(e);
	emit_kernels(e, cuda);
	debug_close(e);
	if ((!o->verify || emit_verify(e, "it was made")) && target_optimise(e))
		text = target_text(e, a);
	emit_free(e);
	return text;
}
