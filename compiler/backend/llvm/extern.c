/* backend/llvm/extern.c - functions in C that a program calls
 *
 * takes: `extern fn` of the program   gives: declarations, and calls by the ABI of C: a
 * bool is a _Bool, a str a const char *. They are taken to be pure, so LLVM may call one
 * less often than is written; one that is given texts reads memory.
 */
#include "backend/llvm/lower.h"

static bool takes_text(const struct air_extern *f)
{
	for (int i = 0; i < f->n_params; i++)
		if (f->param[i] == ELEM_STR)
			return true;
	return false;
}

static void mark(struct emit *e, LLVMValueRef f, unsigned at, const char *attribute)
{
	LLVMAddAttributeAtIndex(f, at, emit_attribute(e, attribute, 0));
}

/* Integers narrower than a register come and go widened. */
static void mark_width(struct emit *e, LLVMValueRef f, unsigned at, enum elem elem)
{
	if (elem == ELEM_BOOL || elem == ELEM_U8)
		mark(e, f, at, "zeroext");
	else if (elem == ELEM_I32)
		mark(e, f, at, "signext");
}

static LLVMValueRef declare(struct emit *e, const struct air_extern *f)
{
	LLVMTypeRef parameter[MAX_EXTERN_PARAMS];
	LLVMValueRef made;

	for (int i = 0; i < f->n_params; i++)
		parameter[i] = scalar_type(e, f->param[i]);
	made = LLVMAddFunction(e->module, f->name,
			       LLVMFunctionType(scalar_type(e, f->elem), parameter,
						(unsigned)f->n_params, 0));
	mark(e, made, LLVMAttributeFunctionIndex, "nounwind");
	mark(e, made, LLVMAttributeFunctionIndex, "willreturn");
	if (!takes_text(f))
		mark(e, made, LLVMAttributeFunctionIndex, "memory");
	mark_width(e, made, LLVMAttributeReturnIndex, f->elem);
	for (int i = 0; i < f->n_params; i++)
		mark_width(e, made, (unsigned)i + 1, f->param[i]);
	return made;
}

void extern_declare(struct emit *e)
{
	const struct air_program *p = e->plan->air;

	e->external = arena_new_array(e->arena, p->n_externs + 1, LLVMValueRef);
	for (int i = 0; i < p->n_externs; i++)
		e->external[i] = declare(e, p->external[i]);
}

/* nobuiltin: the function is the one that is linked, whatever its name. */
LLVMValueRef lower_extern(struct emit *e, const struct scalar_op *o, const char *name)
{
	LLVMValueRef f = e->external[o->function->id], call;

	(void)name;
	call = LLVMBuildCall2(e->builder, LLVMGlobalGetValueType(f), f, o->arg,
			      (unsigned)o->n, "");
	LLVMAddCallSiteAttribute(call, LLVMAttributeFunctionIndex,
				 emit_attribute(e, "nobuiltin", 0));
	return call;
}
