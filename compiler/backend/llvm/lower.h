/* backend/llvm/lower.h - what the files that make operations share
 *
 * lower.def names the function that makes each operation; `name` is the third entry of
 * its row.
 */
#ifndef BACKEND_LLVM_LOWER_H
#define BACKEND_LLVM_LOWER_H

#include "backend/llvm/emit.h"

#include <assert.h>
#include <string.h>

typedef LLVMValueRef lower_fn(struct emit *e, const struct scalar_op *o, const char *name);

/* divide.c, extern.c, formula.c; all others are in scalar.c */
lower_fn lower_floordiv, lower_mod, lower_extern, lower_elementary;

static inline bool is_real(enum elem elem)
{
	return elem_kind(elem) == KIND_REAL;
}

static inline bool is_unsigned(enum elem elem)
{
	return elem == ELEM_U8 || elem == ELEM_BOOL;
}

static inline LLVMValueRef constant(struct emit *e, enum elem elem, int value)
{
	return scalar_constant(e, elem, value, value);
}

/* ptx_fmod.c: fmod of C, of two f64 or f32 */
LLVMValueRef ptx_fmod(struct emit *e, LLVMValueRef x, LLVMValueRef y);

static inline LLVMValueRef call_intrinsic(struct emit *e, const char *name, LLVMTypeRef *type,
				   unsigned n_types, LLVMValueRef *arg, unsigned n)
{
	unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
	LLVMValueRef f = LLVMGetIntrinsicDeclaration(e->module, id, type, n_types);

	assert(id != 0);
	return LLVMBuildCall2(e->builder, LLVMGlobalGetValueType(f), f, arg, n, "");
}

static inline LLVMValueRef intrinsic1(struct emit *e, const char *name, LLVMValueRef x)
{
	LLVMTypeRef type = LLVMTypeOf(x);

	return call_intrinsic(e, name, &type, 1, &x, 1);
}

static inline LLVMValueRef choose(struct emit *e, LLVMValueRef c, LLVMValueRef a, LLVMValueRef b)
{
	return LLVMBuildSelect(e->builder, c, a, b, "");
}

static inline LLVMValueRef icmp(struct emit *e, LLVMIntPredicate p, LLVMValueRef a,
			 LLVMValueRef b)
{
	return LLVMBuildICmp(e->builder, p, a, b, "");
}

static inline LLVMValueRef fcmp(struct emit *e, LLVMRealPredicate p, LLVMValueRef a,
			 LLVMValueRef b)
{
	return LLVMBuildFCmp(e->builder, p, a, b, "");
}

#endif
