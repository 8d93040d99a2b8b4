/* backend/llvm/divide.c - the operations // and %
 *
 * takes: dividend and divisor   gives: floored quotient and remainder, as Python and
 * NumPy have them, without a branch and without a trap: of integers by 0 both are 0.
 */
#include "backend/llvm/lower.h"

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

static LLVMValueRef real_rest(struct emit *e, LLVMValueRef a, LLVMValueRef b)
{
	return e->device ? ptx_fmod(e, a, b) : LLVMBuildFRem(e->builder, a, b, "");
}

/* As NumPy computes it, operation by operation. */
static LLVMValueRef real_floordiv(struct emit *e, enum elem elem, LLVMValueRef a,
				  LLVMValueRef b)
{
	LLVMBuilderRef l = e->builder;
	LLVMValueRef zero = constant(e, elem, 0), one = constant(e, elem, 1);
	LLVMValueRef half = scalar_constant(e, elem, 0, 0.5);
	LLVMValueRef mod = real_rest(e, a, b),
		     quotient = LLVMBuildFDiv(l, a, b, "");
	LLVMValueRef div = LLVMBuildFDiv(l, LLVMBuildFSub(l, a, mod, ""), b, "");
	LLVMValueRef whole, above, result;

	div = choose(e, real_adjusts(e, mod, b), LLVMBuildFSub(l, div, one, ""), div);
	whole = intrinsic1(e, "llvm.floor", div);
	above = fcmp(e, LLVMRealOGT, LLVMBuildFSub(l, div, whole, ""), half);
	whole = choose(e, above, LLVMBuildFAdd(l, whole, one, ""), whole);
	result = choose(e, fcmp(e, LLVMRealOEQ, div, zero), copysign_zero(e, quotient),
			whole);
	return choose(e, fcmp(e, LLVMRealOEQ, b, zero), quotient, result);
}

static LLVMValueRef real_mod(struct emit *e, enum elem elem, LLVMValueRef a,
			     LLVMValueRef b)
{
	LLVMBuilderRef l = e->builder;
	LLVMValueRef zero = constant(e, elem, 0), mod = real_rest(e, a, b);
	LLVMValueRef result =
		choose(e, real_adjusts(e, mod, b), LLVMBuildFAdd(l, mod, b, ""), mod);
	LLVMValueRef is_zero = fcmp(e, LLVMRealOEQ, mod, zero);

	result = choose(e, is_zero, copysign_zero(e, b), result);
	return choose(e, fcmp(e, LLVMRealOEQ, b, zero), mod, result);
}

/* A divisor with which the machine neither traps nor overflows: 0 becomes 1, and so
 * does -1 under the least integer, whose quotient wraps to itself. */
static LLVMValueRef safe_divisor(struct emit *e, enum elem elem, LLVMValueRef a,
				 LLVMValueRef b)
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

static LLVMValueRef int_floordiv(struct emit *e, enum elem elem, LLVMValueRef a,
				 LLVMValueRef b)
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
static LLVMValueRef int_mod(struct emit *e, enum elem elem, LLVMValueRef a,
			    LLVMValueRef b)
{
	LLVMBuilderRef l = e->builder;
	LLVMValueRef d = safe_divisor(e, elem, a, b), r;

	if (is_unsigned(elem))
		return LLVMBuildURem(l, a, d, "");
	r = LLVMBuildSRem(l, a, d, "");
	return choose(e, int_adjusts(e, r, d), LLVMBuildAdd(l, r, d, ""), r);
}

LLVMValueRef lower_floordiv(struct emit *e, const struct scalar_op *o,
				   const char *name)
{
	(void)name;
	return is_real(o->elem) ? real_floordiv(e, o->elem, o->arg[0], o->arg[1])
				: int_floordiv(e, o->elem, o->arg[0], o->arg[1]);
}

LLVMValueRef lower_mod(struct emit *e, const struct scalar_op *o, const char *name)
{
	(void)name;
	return is_real(o->elem) ? real_mod(e, o->elem, o->arg[0], o->arg[1])
				: int_mod(e, o->elem, o->arg[0], o->arg[1]);
}
