/* backend/llvm/llvm.c - the back end that makes native code
 *
 * takes: a plan   gives: an LLVM module with the plan's kernels, its host code, the
 * tables that describe it to the run time, and main; as text, assembly or an object.
 * Modules share nothing, so several may live in one process.
 */
#include "backend/llvm/emit.h"
#include "support/arena.h"
#include "support/diag.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/Analysis.h>

/* ---- small helpers for the other files ----------------------------------- */

void emit_fail(struct emit *e, const char *format, ...)
{
	char text[4096];
	va_list values;

	va_start(values, format);
	vsnprintf(text, sizeof text, format, values);
	va_end(values);
	diag_error(e->diag, DIAG_INTERNAL, (struct span){ 0 }, "%s", text);
}

bool emit_verify(struct emit *e, const char *after)
{
	char *message = NULL;
	bool broken = LLVMVerifyModule(e->module, LLVMReturnStatusAction, &message);

	if (broken)
		emit_fail(e, "LLVM refuses the module after %s: %s", after, message);
	LLVMDisposeMessage(message);
	return !broken;
}

LLVMValueRef emit_i64(struct emit *e, int64_t value)
{
	return LLVMConstInt(e->i64, (uint64_t)value, 1);
}

LLVMValueRef emit_text(struct emit *e, const char *text)
{
	LLVMValueRef global, bytes;

	if (!text)
		return LLVMConstNull(e->ptr);
	global = map_get(e->texts, text);
	if (global)
		return global;
	bytes = LLVMConstStringInContext(e->context, text, (unsigned)strlen(text), 0);
	global = LLVMAddGlobal(e->module, LLVMTypeOf(bytes), "text");
	LLVMSetInitializer(global, bytes);
	LLVMSetLinkage(global, LLVMPrivateLinkage);
	LLVMSetGlobalConstant(global, 1);
	LLVMSetUnnamedAddress(global, LLVMGlobalUnnamedAddr);
	LLVMSetAlignment(global, 1);
	map_set(e->texts, arena_strdup(e->arena, text), global);
	return global;
}

LLVMValueRef emit_where(struct emit *e, struct span at)
{
	struct place place;

	if (!at.source)
		return emit_text(e, e->plan->air->file);
	place = span_place(at);
	return emit_text(e, arena_printf(e->arena, "%s:%d:%d", at.source->name,
					 place.line, place.column));
}

LLVMValueRef emit_alloca(struct emit *e, LLVMTypeRef type, const char *name)
{
	LLVMBasicBlockRef here = LLVMGetInsertBlock(e->builder);
	LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(here));
	LLVMValueRef first = LLVMGetFirstInstruction(entry), slot;

	if (first)
		LLVMPositionBuilderBefore(e->builder, first);
	else
		LLVMPositionBuilderAtEnd(e->builder, entry);
	slot = LLVMBuildAlloca(e->builder, type, name);
	LLVMPositionBuilderAtEnd(e->builder, here);
	return slot;
}

LLVMBasicBlockRef emit_block(struct emit *e, const char *name)
{
	LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInsertBlock(e->builder));

	return LLVMAppendBasicBlockInContext(e->context, function, name ? name : "");
}

LLVMAttributeRef emit_attribute(struct emit *e, const char *name, uint64_t value)
{
	unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));

	/* what LLVM 15 calls memory(none) */
	if (!kind && !strcmp(name, "memory") && value == 0)
		kind = LLVMGetEnumAttributeKindForName("readnone", 8);
	assert(kind);
	return LLVMCreateEnumAttribute(e->context, kind, value);
}

bool emit_is_open(struct emit *e)
{
	return !LLVMGetBasicBlockTerminator(LLVMGetInsertBlock(e->builder));
}

/* ---- the module ---------------------------------------------------------- */

/* Warnings, as of a loop that cannot be vectorised, are none of the user's business. */
static void on_message(LLVMDiagnosticInfoRef info, void *context)
{
	struct emit *e = context;
	char *text;

	if (LLVMGetDiagInfoSeverity(info) != LLVMDSError)
		return;
	text = LLVMGetDiagInfoDescription(info);
	emit_fail(e, "LLVM: %s", text);
	LLVMDisposeMessage(text);
}

static void open_types(struct emit *e)
{
	e->i1 = LLVMInt1TypeInContext(e->context);
	e->i8 = LLVMInt8TypeInContext(e->context);
	e->i32 = LLVMInt32TypeInContext(e->context);
	e->i64 = LLVMInt64TypeInContext(e->context);
	e->f32 = LLVMFloatTypeInContext(e->context);
	e->f64 = LLVMDoubleTypeInContext(e->context);
	e->ptr = LLVMPointerTypeInContext(e->context, 0);
	e->nothing = LLVMVoidTypeInContext(e->context);
}

static struct emit *emit_begin(const struct plan *p, const struct backend_options *o,
			       struct diag *d, bool (*open)(struct emit *e))
{
	struct emit *e = xmalloc(sizeof *e);

	*e = (struct emit){ .plan = p, .options = o, .diag = d, .arena = arena_new() };
	e->context = LLVMContextCreate();
	LLVMContextSetDiagnosticHandler(e->context, on_message, e);
	e->module = LLVMModuleCreateWithNameInContext(o->program, e->context);
	e->builder = LLVMCreateBuilderInContext(e->context);
	e->texts = map_new(e->arena, MAP_TEXTS);
	open_types(e);
	if (!open(e)) {
		emit_free(e);
		return NULL;
	}
	return e;
}

struct emit *emit_new(const struct plan *p, const struct backend_options *o,
		      struct diag *d)
{
	return emit_begin(p, o, d, target_open);
}

struct emit *emit_new_device(const struct plan *p, const struct backend_options *o,
			     struct diag *d)
{
	return emit_begin(p, o, d, target_open_device);
}

void emit_free(struct emit *e)
{
	LLVMDisposeBuilder(e->builder);
	LLVMDisposeModule(e->module);
	if (e->machine)
		LLVMDisposeTargetMachine(e->machine);
	LLVMContextDispose(e->context);
	arena_free(e->arena);
	free(e);
}

/* ---- the back end -------------------------------------------------------- */

static void llvm_end(void *self)
{
	emit_free(self);
}

/* Kernels that compute the same share their code, as those of a function that was
 * expanded many times; under a debugger each has lines of its own. */
static void emit_kernels(struct emit *e)
{
	const struct plan *p = e->plan;
	int *first = arena_new_array(e->arena, p->n_kernels + 1, int);

	e->kernel = arena_new_array(e->arena, p->n_kernels + 1, LLVMValueRef);
	kir_share(p->kernel, p->n_kernels, first);
	for (int i = 0; i < p->n_kernels; i++)
		e->kernel[i] = first[i] < i && !e->options->debug
				       ? e->kernel[first[i]]
				       : kernel_emit(e, p->kernel[i]);
}

static void *llvm_begin(const struct plan *p, const struct backend_options *o,
			struct diag *d)
{
	struct emit *e = emit_new(p, o, d);

	if (!e)
		return NULL;
	debug_open(e);
	extern_declare(e);
	emit_kernels(e);
	host_emit(e);
	library_emit(e, tables_emit(e));
	formula_keep(e);
	debug_close(e);
	if (o->verify && !emit_verify(e, "it was made")) {
		llvm_end(e);
		return NULL;
	}
	return e;
}

static bool llvm_optimise(void *self)
{
	return target_optimise(self);
}

static bool llvm_write(void *self, enum backend_form form, FILE *out)
{
	return target_write(self, form, out);
}

const struct backend backend_llvm = {
	.name = "llvm",
	.help = "make native code with LLVM",
	.begin = llvm_begin,
	.optimise = llvm_optimise,
	.write = llvm_write,
	.end = llvm_end,
	.open = jit_open,
	.load = jit_load,
	.add = jit_add,
	.close = jit_close,
};
