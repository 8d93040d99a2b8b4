/* backend/llvm/abi.c - calls to the run time
 *
 * Names, results and parameters come from mpa/abi.def; a function is declared in the
 * module when it is first called.
 */
#include "backend/llvm/emit.h"

#include <assert.h>
#include <string.h>

static const struct {
	const char *name, *result, *parameters;
} functions[ABI_COUNT] = {
#define ROW(name, result, parameters) { #name, #result, #parameters },
#include "mpa/abi.def"
#undef ROW
};

static LLVMTypeRef type_of(struct emit *e, char letter)
{
	switch (letter) {
	case 'i':
		return e->i64;
	case 'd':
		return e->f64;
	case 'f':
		return e->f32;
	case 'p':
		return e->ptr;
	default:
		assert(letter == 'v');
		return e->nothing;
	}
}

static LLVMValueRef declare(struct emit *e, enum abi function)
{
	const char *p = functions[function].parameters;
	unsigned n = 0;
	LLVMTypeRef parameter[8];
	LLVMValueRef f;

	/* a lone v says that there are none */
	for (; p[n] && p[n] != 'v'; n++) {
		assert(n < sizeof parameter / sizeof *parameter);
		parameter[n] = type_of(e, p[n]);
	}
	f = LLVMAddFunction(e->module, functions[function].name,
			    LLVMFunctionType(type_of(e, functions[function].result[0]),
					     parameter, n, 0));
	LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex,
				emit_attribute(e, "nounwind", 0));
	if (!strncmp(functions[function].name, "mpa_random_", 11) && p[0] != 'p')
		LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex,
					emit_attribute(e, "memory", 0));
	return f;
}

LLVMValueRef abi_call(struct emit *e, enum abi function, LLVMValueRef *arg)
{
	LLVMTypeRef type;

	if (!e->abi[function])
		e->abi[function] = declare(e, function);
	type = LLVMGlobalGetValueType(e->abi[function]);
	return LLVMBuildCall2(e->builder, type, e->abi[function], arg,
			      LLVMCountParamTypes(type), "");
}

LLVMValueRef abi_widen(struct emit *e, enum elem elem, LLVMValueRef value)
{
	if (elem == ELEM_F32)
		return LLVMBuildFPExt(e->builder, value, e->f64, "");
	if (elem == ELEM_BOOL || elem == ELEM_U8)
		return LLVMBuildZExt(e->builder, value, e->i64, "");
	if (elem == ELEM_I32)
		return LLVMBuildSExt(e->builder, value, e->i64, "");
	return value;
}

LLVMValueRef abi_narrow(struct emit *e, enum elem elem, LLVMValueRef value)
{
	if (elem == ELEM_F32)
		return LLVMBuildFPTrunc(e->builder, value, e->f32, "");
	if (elem == ELEM_BOOL)
		return LLVMBuildICmp(e->builder, LLVMIntNE, value, emit_i64(e, 0), "");
	if (elem == ELEM_U8 || elem == ELEM_I32)
		return LLVMBuildTrunc(e->builder, value, scalar_type(e, elem), "");
	return value;
}
