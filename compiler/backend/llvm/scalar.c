/* backend/llvm/scalar.c - one operation on scalars
 *
 * takes: an elementwise operation of AIR and the values of its arguments
 * gives: its value, by the rules of the language: integers wrap and divide by zero to
 * zero, reals are strict IEEE (no flag is ever set that lets LLVM reorder or fuse),
 * NaN as in NumPy. Everything is straight-line code, so that loops vectorise. Kernels
 * and host code share it. bools are i1 as values and bytes 0 or 1 in memory.
 */
#include "backend/llvm/emit.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

typedef LLVMValueRef lower_fn(struct emit *e, const struct scalar_op *o, const char *name);

/* ---- types and memory ---------------------------------------------------- */

LLVMTypeRef scalar_type(struct emit *e, enum elem elem)
{
	switch (elem) {
	case ELEM_BOOL: return e->i1;
	case ELEM_U8:   return e->i8;
	case ELEM_I32:  return e->i32;
	case ELEM_I64:  return e->i64;
	case ELEM_F32:  return e->f32;
	case ELEM_F64:  return e->f64;
	case ELEM_STR:  return e->ptr;
	default:        assert(!"an element type with code"); return NULL;
	}
}

LLVMTypeRef scalar_memory(struct emit *e, enum elem elem)
{
	return elem == ELEM_BOOL ? e->i8 : scalar_type(e, elem);
}

LLVMValueRef scalar_constant(struct emit *e, enum elem elem, int64_t i, double f)
{
	LLVMTypeRef type = scalar_type(e, elem);

	if (elem_kind(elem) == KIND_REAL)
		return LLVMConstReal(type, f);
	return LLVMConstInt(type, (uint64_t)i, 1);
}

LLVMValueRef scalar_load(struct emit *e, enum elem elem, LLVMValueRef from)
{
	LLVMValueRef x = LLVMBuildLoad2(e->builder, scalar_memory(e, elem), from, "");

	if (elem == ELEM_BOOL)
		return LLVMBuildICmp(e->builder, LLVMIntNE, x, LLVMConstNull(e->i8), "");
	return x;
}

void scalar_store(struct emit *e, enum elem elem, LLVMValueRef value, LLVMValueRef to)
{
	if (elem == ELEM_BOOL)
		value = LLVMBuildZExt(e->builder, value, e->i8, "");
	LLVMBuildStore(e->builder, value, to);
}

/* ---- helpers ------------------------------------------------------------- */

static bool is_real(enum elem elem)
{
	return elem_kind(elem) == KIND_REAL;
}

static bool is_unsigned(enum elem elem)
{
	return elem == ELEM_U8 || elem == ELEM_BOOL;
}

static LLVMValueRef constant(struct emit *e, enum elem elem, int value)
{
	return scalar_constant(e, elem, value, value);
}

static LLVMValueRef call_intrinsic(struct emit *e, const char *name, LLVMTypeRef *type,
                                   unsigned n_types, LLVMValueRef *arg, unsigned n)
{
	unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
	LLVMValueRef f = LLVMGetIntrinsicDeclaration(e->module, id, type, n_types);

	assert(id != 0);
	return LLVMBuildCall2(e->builder, LLVMGlobalGetValueType(f), f, arg, n, "");
}

static LLVMValueRef intrinsic1(struct emit *e, const char *name, LLVMValueRef x)
{
	LLVMTypeRef type = LLVMTypeOf(x);

	return call_intrinsic(e, name, &type, 1, &x, 1);
}

static LLVMValueRef choose(struct emit *e, LLVMValueRef c, LLVMValueRef a, LLVMValueRef b)
{
	return LLVMBuildSelect(e->builder, c, a, b, "");
}

static LLVMValueRef icmp(struct emit *e, LLVMIntPredicate p, LLVMValueRef a, LLVMValueRef b)
{
	return LLVMBuildICmp(e->builder, p, a, b, "");
}

static LLVMValueRef fcmp(struct emit *e, LLVMRealPredicate p, LLVMValueRef a, LLVMValueRef b)
{
	return LLVMBuildFCmp(e->builder, p, a, b, "");
}

/* ---- calls --------------------------------------------------------------- */

static LLVMValueRef lower_intrinsic(struct emit *e, const struct scalar_op *o, const char *name)
{
	LLVMTypeRef type = scalar_type(e, o->elem);

	return call_intrinsic(e, name, &type, 1, o->arg, (unsigned)o->n);
}

static LLVMValueRef library_function(struct emit *e, const char *name, LLVMTypeRef type, int n)
{
	LLVMTypeRef parameter[3] = { type, type, type };
	LLVMValueRef f = LLVMGetNamedFunction(e->module, name);

	assert(n <= 3);
	if (f)
		return f;
	f = LLVMAddFunction(e->module, name, LLVMFunctionType(type, parameter, (unsigned)n, 0));
	LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, emit_attribute(e, "nounwind", 0));
	LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex,
	                        emit_attribute(e, "willreturn", 0));
	LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, emit_attribute(e, "memory", 0));
	return f;
}

/* nobuiltin: LLVM must not know what the function does, or it would fold it with
 * another library or replace pow by exp2. That it reads no memory it may know. */
static LLVMValueRef lower_library(struct emit *e, const struct scalar_op *o, const char *name)
{
	char single[32];
	LLVMValueRef f, call;

	if (o->elem == ELEM_F32) {
		snprintf(single, sizeof single, "%sf", name);
		name = single;
	}
	f = library_function(e, name, scalar_type(e, o->elem), o->n);
	call = LLVMBuildCall2(e->builder, LLVMGlobalGetValueType(f), f, o->arg,
	                      (unsigned)o->n, "");
	LLVMAddCallSiteAttribute(call, LLVMAttributeFunctionIndex,
	                         emit_attribute(e, "nobuiltin", 0));
	return call;
}

/* ---- arithmetic ---------------------------------------------------------- */

#define BINARY(name, real_build, int_build)                                                \
	static LLVMValueRef name(struct emit *e, const struct scalar_op *o, const char *t) \
	{                                                                                  \
		(void)t;                                                                   \
		return is_real(o->elem) ? real_build(e->builder, o->arg[0], o->arg[1], "") \
		                        : int_build(e->builder, o->arg[0], o->arg[1], ""); \
	}
BINARY(lower_add, LLVMBuildFAdd, LLVMBuildAdd)
BINARY(lower_sub, LLVMBuildFSub, LLVMBuildSub)
BINARY(lower_mul, LLVMBuildFMul, LLVMBuildMul)

static LLVMValueRef lower_div(struct emit *e, const struct scalar_op *o, const char *name)
{
	(void)name;
	assert(is_real(o->elem));
	return LLVMBuildFDiv(e->builder, o->arg[0], o->arg[1], "");
}

static LLVMValueRef lower_and(struct emit *e, const struct scalar_op *o, const char *name)
{
	(void)name;
	return LLVMBuildAnd(e->builder, o->arg[0], o->arg[1], "");
}

static LLVMValueRef lower_or(struct emit *e, const struct scalar_op *o, const char *name)
{
	(void)name;
	return LLVMBuildOr(e->builder, o->arg[0], o->arg[1], "");
}

static LLVMValueRef lower_neg(struct emit *e, const struct scalar_op *o, const char *name)
{
	(void)name;
	return is_real(o->elem) ? LLVMBuildFNeg(e->builder, o->arg[0], "")
	                        : LLVMBuildNeg(e->builder, o->arg[0], "");
}

static LLVMValueRef lower_not(struct emit *e, const struct scalar_op *o, const char *name)
{
	(void)name;
	return LLVMBuildNot(e->builder, o->arg[0], "");
}

/* Does x - y*floor(x/y) need another y: the signs of remainder and divisor differ? */
static LLVMValueRef real_adjusts(struct emit *e, LLVMValueRef mod, LLVMValueRef b)
{
	LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(b));
	LLVMValueRef differ = LLVMBuildXor(e->builder, fcmp(e, LLVMRealOLT, b, zero),
	                                   fcmp(e, LLVMRealOLT, mod, zero), "");

	return LLVMBuildAnd(e->builder, fcmp(e, LLVMRealUNE, mod, zero), differ, "");
}

static LLVMValueRef copysign_zero(struct emit *e, LLVMValueRef sign)
{
	LLVMTypeRef type = LLVMTypeOf(sign);
	LLVMValueRef arg[2] = { LLVMConstNull(type), sign };

	return call_intrinsic(e, "llvm.copysign", &type, 1, arg, 2);
}

/* As NumPy computes it, operation by operation. */
static LLVMValueRef real_floordiv(struct emit *e, enum elem elem, LLVMValueRef a, LLVMValueRef b)
{
	LLVMBuilderRef l = e->builder;
	LLVMValueRef zero = constant(e, elem, 0), one = constant(e, elem, 1);
	LLVMValueRef half = scalar_constant(e, elem, 0, 0.5);
	LLVMValueRef mod = LLVMBuildFRem(l, a, b, ""), quotient = LLVMBuildFDiv(l, a, b, "");
	LLVMValueRef div = LLVMBuildFDiv(l, LLVMBuildFSub(l, a, mod, ""), b, "");
	LLVMValueRef whole, above, result;

	div = choose(e, real_adjusts(e, mod, b), LLVMBuildFSub(l, div, one, ""), div);
	whole = intrinsic1(e, "llvm.floor", div);
	above = fcmp(e, LLVMRealOGT, LLVMBuildFSub(l, div, whole, ""), half);
	whole = choose(e, above, LLVMBuildFAdd(l, whole, one, ""), whole);
	result = choose(e, fcmp(e, LLVMRealOEQ, div, zero), copysign_zero(e, quotient), whole);
	return choose(e, fcmp(e, LLVMRealOEQ, b, zero), quotient, result);
}

static LLVMValueRef real_mod(struct emit *e, enum elem elem, LLVMValueRef a, LLVMValueRef b)
{
	LLVMBuilderRef l = e->builder;
	LLVMValueRef zero = constant(e, elem, 0), mod = LLVMBuildFRem(l, a, b, "");
	LLVMValueRef result = choose(e, real_adjusts(e, mod, b),
	                             LLVMBuildFAdd(l, mod, b, ""), mod);
	LLVMValueRef is_zero = fcmp(e, LLVMRealOEQ, mod, zero);

	result = choose(e, is_zero, copysign_zero(e, b), result);
	return choose(e, fcmp(e, LLVMRealOEQ, b, zero), mod, result);
}

/* A divisor with which the machine neither traps nor overflows: 0 becomes 1, and so
 * does -1 under the least integer, whose quotient wraps to itself. */
static LLVMValueRef safe_divisor(struct emit *e, enum elem elem, LLVMValueRef a, LLVMValueRef b)
{
	LLVMTypeRef type = LLVMTypeOf(a);
	LLVMValueRef unsafe = icmp(e, LLVMIntEQ, b, LLVMConstNull(type));

	if (!is_unsigned(elem)) {
		uint64_t least = 1ull << (LLVMGetIntTypeWidth(type) - 1);
		LLVMValueRef overflows = LLVMBuildAnd(
			e->builder, icmp(e, LLVMIntEQ, a, LLVMConstInt(type, least, 0)),
			icmp(e, LLVMIntEQ, b, LLVMConstAllOnes(type)), "");

		unsafe = LLVMBuildOr(e->builder, unsafe, overflows, "");
	}
	return choose(e, unsafe, constant(e, elem, 1), b);
}

static LLVMValueRef int_adjusts(struct emit *e, LLVMValueRef rest, LLVMValueRef b)
{
	LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(b));
	LLVMValueRef signs = LLVMBuildXor(e->builder, rest, b, "");

	return LLVMBuildAnd(e->builder, icmp(e, LLVMIntNE, rest, zero),
	                    icmp(e, LLVMIntSLT, signs, zero), "");
}

static LLVMValueRef int_floordiv(struct emit *e, enum elem elem, LLVMValueRef a, LLVMValueRef b)
{
	LLVMBuilderRef l = e->builder;
	LLVMValueRef d = safe_divisor(e, elem, a, b), q, r, zero = constant(e, elem, 0);

	if (is_unsigned(elem)) {
		q = LLVMBuildUDiv(l, a, d, "");
	} else {
		q = LLVMBuildSDiv(l, a, d, "");
		r = LLVMBuildSRem(l, a, d, "");
		q = choose(e, int_adjusts(e, r, d),
		           LLVMBuildSub(l, q, constant(e, elem, 1), ""), q);
	}
	return choose(e, icmp(e, LLVMIntEQ, b, zero), zero, q);
}

/* By 0 the divisor is 1, so the remainder is the 0 that is wanted. */
static LLVMValueRef int_mod(struct emit *e, enum elem elem, LLVMValueRef a, LLVMValueRef b)
{
	LLVMBuilderRef l = e->builder;
	LLVMValueRef d = safe_divisor(e, elem, a, b), r;

	if (is_unsigned(elem))
		return LLVMBuildURem(l, a, d, "");
	r = LLVMBuildSRem(l, a, d, "");
	return choose(e, int_adjusts(e, r, d), LLVMBuildAdd(l, r, d, ""), r);
}

static LLVMValueRef lower_floordiv(struct emit *e, const struct scalar_op *o, const char *name)
{
	(void)name;
	return is_real(o->elem) ? real_floordiv(e, o->elem, o->arg[0], o->arg[1])
	                        : int_floordiv(e, o->elem, o->arg[0], o->arg[1]);
}

static LLVMValueRef lower_mod(struct emit *e, const struct scalar_op *o, const char *name)
{
	(void)name;
	return is_real(o->elem) ? real_mod(e, o->elem, o->arg[0], o->arg[1])
	                        : int_mod(e, o->elem, o->arg[0], o->arg[1]);
}

static LLVMValueRef lower_powi(struct emit *e, const struct scalar_op *o, const char *name)
{
	LLVMValueRef x = o->arg[0], r = x;
	LLVMValueRef (*times)(LLVMBuilderRef, LLVMValueRef, LLVMValueRef, const char *) =
		is_real(o->elem) ? LLVMBuildFMul : LLVMBuildMul;
	int bit = 6;

	(void)name;
	assert(o->exponent >= 0 && o->exponent <= 64);
	if (o->exponent == 0)
		return constant(e, o->elem, 1);
	while (!(o->exponent >> bit & 1))
		bit--;
	while (--bit >= 0) {
		r = times(e->builder, r, r, "");
		if (o->exponent >> bit & 1)
			r = times(e->builder, r, x, "");
	}
	return r;
}

/* Powers of integers wrap, so any order of squaring gives the same: all bits of the
 * exponent are gone through without a branch. */
static LLVMValueRef int_pow(struct emit *e, enum elem elem, LLVMValueRef x, LLVMValueRef n)
{
	LLVMBuilderRef l = e->builder;
	LLVMTypeRef type = LLVMTypeOf(x);
	LLVMValueRef zero = LLVMConstNull(type), one = constant(e, elem, 1), r = one, odd;
	unsigned bits = LLVMGetIntTypeWidth(type);

	for (unsigned bit = 0; bit < bits - !is_unsigned(elem); bit++) {
		odd = LLVMBuildAnd(l, n, LLVMConstInt(type, 1ull << bit, 0), "");
		odd = icmp(e, LLVMIntNE, odd, zero);
		r = LLVMBuildMul(l, r, choose(e, odd, x, one), "");
		x = LLVMBuildMul(l, x, x, "");
	}
	if (is_unsigned(elem))
		return r;
	return choose(e, icmp(e, LLVMIntSLT, n, zero), zero, r);
}

static LLVMValueRef lower_pow(struct emit *e, const struct scalar_op *o, const char *name)
{
	return is_real(o->elem) ? lower_library(e, o, name)
	                        : int_pow(e, o->elem, o->arg[0], o->arg[1]);
}

static LLVMValueRef lower_extreme(struct emit *e, const struct scalar_op *o, const char *name,
                                  LLVMIntPredicate first_wins)
{
	if (is_real(o->elem))
		return lower_intrinsic(e, o, name);
	return choose(e, icmp(e, first_wins, o->arg[0], o->arg[1]), o->arg[0], o->arg[1]);
}

static LLVMValueRef lower_min(struct emit *e, const struct scalar_op *o, const char *name)
{
	return lower_extreme(e, o, name, is_unsigned(o->elem) ? LLVMIntULT : LLVMIntSLT);
}

static LLVMValueRef lower_max(struct emit *e, const struct scalar_op *o, const char *name)
{
	return lower_extreme(e, o, name, is_unsigned(o->elem) ? LLVMIntUGT : LLVMIntSGT);
}

static LLVMValueRef lower_abs(struct emit *e, const struct scalar_op *o, const char *name)
{
	LLVMValueRef zero;

	if (is_real(o->elem))
		return lower_intrinsic(e, o, name);
	if (is_unsigned(o->elem))
		return o->arg[0];
	zero = constant(e, o->elem, 0);
	return choose(e, icmp(e, LLVMIntSLT, o->arg[0], zero),
	              LLVMBuildNeg(e->builder, o->arg[0], ""), o->arg[0]);
}

static LLVMValueRef real_sign(struct emit *e, enum elem elem, LLVMValueRef x)
{
	LLVMValueRef zero = constant(e, elem, 0), r = zero;

	r = choose(e, fcmp(e, LLVMRealOLT, x, zero), constant(e, elem, -1), r);
	r = choose(e, fcmp(e, LLVMRealOGT, x, zero), constant(e, elem, 1), r);
	return choose(e, fcmp(e, LLVMRealUNO, x, x), x, r);
}

static LLVMValueRef lower_sign(struct emit *e, const struct scalar_op *o, const char *name)
{
	LLVMValueRef x = o->arg[0], zero = constant(e, o->elem, 0), r;

	(void)name;
	if (is_real(o->elem))
		return real_sign(e, o->elem, x);
	r = choose(e, icmp(e, LLVMIntNE, x, zero), constant(e, o->elem, 1), zero);
	if (is_unsigned(o->elem))
		return r;
	return choose(e, icmp(e, LLVMIntSLT, x, zero), constant(e, o->elem, -1), r);
}

/* ---- questions ----------------------------------------------------------- */

static LLVMValueRef texts_equal(struct emit *e, LLVMValueRef *arg)
{
	LLVMValueRef r = abi_call(e, ABI_mpa_text_equal, arg);

	return icmp(e, LLVMIntNE, r, emit_i64(e, 0));
}

static LLVMValueRef lower_eq(struct emit *e, const struct scalar_op *o, const char *name)
{
	(void)name;
	if (o->from == ELEM_STR)
		return texts_equal(e, o->arg);
	return is_real(o->from) ? fcmp(e, LLVMRealOEQ, o->arg[0], o->arg[1])
	                        : icmp(e, LLVMIntEQ, o->arg[0], o->arg[1]);
}

static LLVMValueRef lower_ne(struct emit *e, const struct scalar_op *o, const char *name)
{
	(void)name;
	if (o->from == ELEM_STR)
		return LLVMBuildNot(e->builder, texts_equal(e, o->arg), "");
	return is_real(o->from) ? fcmp(e, LLVMRealUNE, o->arg[0], o->arg[1])
	                        : icmp(e, LLVMIntNE, o->arg[0], o->arg[1]);
}

static LLVMValueRef lower_lt(struct emit *e, const struct scalar_op *o, const char *name)
{
	(void)name;
	return is_real(o->from) ? fcmp(e, LLVMRealOLT, o->arg[0], o->arg[1])
	                        : icmp(e, is_unsigned(o->from) ? LLVMIntULT : LLVMIntSLT,
	                               o->arg[0], o->arg[1]);
}

static LLVMValueRef lower_le(struct emit *e, const struct scalar_op *o, const char *name)
{
	(void)name;
	return is_real(o->from) ? fcmp(e, LLVMRealOLE, o->arg[0], o->arg[1])
	                        : icmp(e, is_unsigned(o->from) ? LLVMIntULE : LLVMIntSLE,
	                               o->arg[0], o->arg[1]);
}

static LLVMValueRef lower_isnan(struct emit *e, const struct scalar_op *o, const char *name)
{
	(void)name;
	return fcmp(e, LLVMRealUNO, o->arg[0], o->arg[0]);
}

static LLVMValueRef lower_isinf(struct emit *e, const struct scalar_op *o, const char *name)
{
	(void)name;
	return fcmp(e, LLVMRealOEQ, intrinsic1(e, "llvm.fabs", o->arg[0]),
	            scalar_constant(e, o->from, 0, __builtin_inf()));
}

static LLVMValueRef lower_isfinite(struct emit *e, const struct scalar_op *o, const char *name)
{
	(void)name;
	return fcmp(e, LLVMRealOLT, intrinsic1(e, "llvm.fabs", o->arg[0]),
	            scalar_constant(e, o->from, 0, __builtin_inf()));
}

/* ---- choice and conversion ----------------------------------------------- */

static LLVMValueRef lower_select(struct emit *e, const struct scalar_op *o, const char *name)
{
	(void)name;
	return choose(e, o->arg[0], o->arg[1], o->arg[2]);
}

/* A table of constants stands in memory. */
static LLVMValueRef constant_table(struct emit *e, const struct scalar_op *o)
{
	LLVMTypeRef type = scalar_memory(e, o->elem);
	unsigned n = (unsigned)o->n - 1;
	LLVMValueRef global, list = LLVMConstArray(type, o->arg + 1, n);

	global = LLVMAddGlobal(e->module, LLVMTypeOf(list), "table");
	LLVMSetInitializer(global, list);
	LLVMSetLinkage(global, LLVMPrivateLinkage);
	LLVMSetGlobalConstant(global, 1);
	LLVMSetUnnamedAddress(global, LLVMGlobalUnnamedAddr);
	return global;
}

static bool all_constant(const struct scalar_op *o)
{
	for (int i = 1; i < o->n; i++)
		if (!LLVMIsConstant(o->arg[i]))
			return false;
	return o->elem != ELEM_BOOL && o->elem != ELEM_STR;
}

static LLVMValueRef clamp_index(struct emit *e, LLVMValueRef index, int n)
{
	LLVMValueRef last = emit_i64(e, n - 1), zero = emit_i64(e, 0);

	index = choose(e, icmp(e, LLVMIntSLT, index, zero), zero, index);
	return choose(e, icmp(e, LLVMIntSGT, index, last), last, index);
}

static LLVMValueRef lower_lookup(struct emit *e, const struct scalar_op *o, const char *name)
{
	LLVMValueRef r, index;

	(void)name;
	assert(o->n >= 2);
	if (o->n > 5 && all_constant(o)) {
		index = clamp_index(e, o->arg[0], o->n - 1);
		return scalar_load(e, o->elem,
		                   LLVMBuildGEP2(e->builder, scalar_memory(e, o->elem),
		                                 constant_table(e, o), &index, 1, ""));
	}
	r = o->arg[1];
	for (int i = 2; i < o->n; i++)
		r = choose(e, icmp(e, LLVMIntSGE, o->arg[0], emit_i64(e, i - 1)), o->arg[i], r);
	return r;
}

static LLVMValueRef real_to_int(struct emit *e, const struct scalar_op *o)
{
	LLVMTypeRef type[2] = { scalar_type(e, o->elem), LLVMTypeOf(o->arg[0]) };
	const char *name = is_unsigned(o->elem) ? "llvm.fptoui.sat" : "llvm.fptosi.sat";

	return call_intrinsic(e, name, type, 2, o->arg, 1);
}

static LLVMValueRef to_real(struct emit *e, const struct scalar_op *o)
{
	LLVMTypeRef type = scalar_type(e, o->elem);

	if (is_real(o->from))
		return LLVMBuildFPCast(e->builder, o->arg[0], type, "");
	return is_unsigned(o->from) ? LLVMBuildUIToFP(e->builder, o->arg[0], type, "")
	                            : LLVMBuildSIToFP(e->builder, o->arg[0], type, "");
}

static LLVMValueRef lower_cast(struct emit *e, const struct scalar_op *o, const char *name)
{
	LLVMValueRef x = o->arg[0];

	(void)name;
	if (o->elem == o->from)
		return x;
	if (is_real(o->elem))
		return to_real(e, o);
	if (o->elem == ELEM_BOOL)
		return is_real(o->from) ? fcmp(e, LLVMRealUNE, x, LLVMConstNull(LLVMTypeOf(x)))
		                        : icmp(e, LLVMIntNE, x, LLVMConstNull(LLVMTypeOf(x)));
	if (is_real(o->from))
		return real_to_int(e, o);
	return LLVMBuildIntCast2(e->builder, x, scalar_type(e, o->elem),
	                         !is_unsigned(o->from), "");
}

/* ---- the table ----------------------------------------------------------- */

static const struct { lower_fn *lower; const char *name; } lowering[AIR_OP_COUNT] = {
#define ROW(op, function, name) [AIR_##op] = { function, name },
#include "backend/llvm/lower.def"
#undef ROW
};

LLVMValueRef scalar_emit(struct emit *e, const struct scalar_op *o)
{
	assert(lowering[o->op].lower);
	return lowering[o->op].lower(e, o, lowering[o->op].name);
}
