/* backend/llvm/library.c - the functions of a library, for programs in C
 *
 * takes: the tables and the exports of a program   gives: int32_t NAME_open(struct mpa **,
 * const struct mpa_start *), and for each export int32_t NAME_EXPORT(struct mpa *,
 * arguments..., result *), which hand everything to the run time. driver/header.c writes
 * what C is told of them.
 */
#include "backend/llvm/emit.h"

#include <string.h>

static LLVMValueRef make_function(struct emit *e, const char *name, LLVMTypeRef type)
{
	LLVMValueRef f = LLVMAddFunction(
		e->module, arena_printf(e->arena, "%s_%s", e->options->library, name), type);

	LLVMSetVisibility(f, LLVMDefaultVisibility);
	LLVMPositionBuilderAtEnd(e->builder,
				 LLVMAppendBasicBlockInContext(e->context, f, ""));
	return f;
}

static LLVMValueRef runtime_function(struct emit *e, const char *name, LLVMTypeRef type)
{
	LLVMValueRef f = LLVMGetNamedFunction(e->module, name);

	return f ? f : LLVMAddFunction(e->module, name, type);
}

static void emit_open(struct emit *e, LLVMValueRef program)
{
	LLVMTypeRef parameter[3] = { e->ptr, e->ptr, e->ptr };
	LLVMTypeRef inner = LLVMFunctionType(e->i32, parameter, 3, 0);
	LLVMValueRef f = make_function(e, "open", LLVMFunctionType(e->i32, parameter, 2, 0));
	LLVMValueRef arg[3] = { LLVMGetParam(f, 0), program, LLVMGetParam(f, 1) };

	LLVMBuildRet(e->builder,
		     LLVMBuildCall2(e->builder, inner, runtime_function(e, "mpa_open", inner),
				    arg, 3, ""));
}

static LLVMTypeRef export_type(struct emit *e, const struct air_export *x)
{
	LLVMTypeRef parameter[MAX_EXTERN_PARAMS + 2] = { e->ptr };
	unsigned n = 1;

	for (int i = 0; i < x->n_params; i++)
		parameter[n++] = x->param[i].var ? scalar_type(e, x->param[i].var->elem)
						 : e->ptr;
	if (x->result)
		parameter[n++] = e->ptr;
	return LLVMFunctionType(e->i32, parameter, n, 0);
}

/* Narrow integers come widened, as the ABI of C has it. */
static void mark_widths(struct emit *e, LLVMValueRef f, const struct air_export *x)
{
	for (int i = 0; i < x->n_params; i++) {
		enum elem elem = x->param[i].var ? x->param[i].var->elem : ELEM_NONE;
		const char *how = elem == ELEM_BOOL || elem == ELEM_U8 ? "zeroext"
				  : elem == ELEM_I32		       ? "signext"
								       : NULL;

		if (how)
			LLVMAddAttributeAtIndex(f, (unsigned)i + 2,
						emit_attribute(e, how, 0));
	}
}

static void emit_export(struct emit *e, const struct air_export *x, int which)
{
	LLVMTypeRef parameter[4] = { e->ptr, e->i64, e->ptr, e->ptr };
	LLVMTypeRef inner = LLVMFunctionType(e->i32, parameter, 4, 0);
	LLVMValueRef f = make_function(e, x->name, export_type(e, x)), arg[4];
	LLVMValueRef slots = LLVMBuildArrayAlloca(e->builder, e->i64,
						  emit_i64(e, x->n_params + 1), "arguments");

	mark_widths(e, f, x);
	for (int i = 0; i < x->n_params; i++) {
		LLVMValueRef at = emit_i64(e, i), value = LLVMGetParam(f, (unsigned)i + 1);
		LLVMValueRef to = LLVMBuildGEP2(e->builder, e->i64, slots, &at, 1, "");

		if (x->param[i].var)
			scalar_store(e, x->param[i].var->elem, value, to);
		else
			LLVMBuildStore(e->builder, value, to);
	}
	arg[0] = LLVMGetParam(f, 0);
	arg[1] = emit_i64(e, which);
	arg[2] = slots;
	arg[3] = x->result ? LLVMGetParam(f, (unsigned)x->n_params + 1)
			   : LLVMConstNull(e->ptr);
	LLVMBuildRet(e->builder, LLVMBuildCall2(e->builder, inner,
						runtime_function(e, "mpa_call_export", inner),
						arg, 4, ""));
}

void library_emit(struct emit *e, LLVMValueRef program)
{
	const struct air_program *air = e->plan->air;

	if (!e->options->library)
		return;
	emit_open(e, program);
	for (int i = 0; i < air->n_exports; i++)
		emit_export(e, air->export[i], i);
}
