/* backend/llvm/scalar.c - one operation on scalars
 *
 * takes: an elementwise operation of AIR and the values of its arguments
 * gives: its value, by the rules of the language: integers wrap and divide by zero to
 * zero, reals are strict IEEE (no flag is ever set that lets LLVM reorder or fuse),
 * NaN as in NumPy. Everything is straight-line code, so that loops vectorise. Kernels
 * and host code share it. bools are i1 as values and bytes 0 or 1 in memory.
 */
#include "backend/llvm/lower.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* ---- types and memory ---------------------------------------------------- */

LLVMTypeRef scalar_type(struct emit *e, enum elem elem)
{
	switch (elem) {
	case ELEM_BOOL:
		return e->i1;
	case ELEM_U8:
		return e->i8;
	case ELEM_I32:
		return e->i32;
	case ELEM_I64:
		return e->i64;
	case ELEM_F32:
		return e->f32;
	case ELEM_F64:
		return e->f64;
	case ELEM_C64:
		return LLVMArrayType(e->f32, 2);
	case ELEM_C128:
		return LLVMArrayType(e->f64, 2);
	case ELEM_STR:
		return e->ptr;
	default:
		assert(!"an element type with code");
		return NULL;
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

/* ---- calls --------------------------------------------------------------- */

static LLVMValueRef lower_intrinsic(struct emit *e, const struct scalar_op *o,
				    const char *name)
{
	LLVMTypeRef type = scalar_type(e, o->elem);

	return call_intrinsic(e, name, &type, 1, o->arg, (unsigned)o->n);
}

/* ---- arithmetic ---------------------------------------------------------- */

#define BINARY(name, real_build, int_build)                                              \
	static LLVMValueRef name(struct emit *e, const struct scalar_op *o,              \
				 const char *t)                                          \
	{                                                                                \
		(void)t;                                                                 \
		return is_real(o->elem)                                                  \
			       ? real_build(e->builder, o->arg[0], o->arg[1], "")        \
			       : int_build(e->builder, o->arg[0], o->arg[1], "");        \
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

static LLVMValueRef lower_powi(struct emit *e, const struct scalar_op *o,
			       const char *name)
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
static LLVMValueRef int_pow(struct emit *e, enum elem elem, LLVMValueRef x,
			    LLVMValueRef n)
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
	return is_real(o->elem) ? lower_elementary(e, o, name)
				: int_pow(e, o->elem, o->arg[0], o->arg[1]);
}

static LLVMValueRef lower_extreme(struct emit *e, const struct scalar_op *o,
				  const char *name, LLVMIntPredicate first_wins)
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

static LLVMValueRef lower_sign(struct emit *e, const struct scalar_op *o,
			       const char *name)
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

static LLVMValueRef lower_isnan(struct emit *e, const struct scalar_op *o,
				const char *name)
{
	(void)name;
	return fcmp(e, LLVMRealUNO, o->arg[0], o->arg[0]);
}

static LLVMValueRef lower_isinf(struct emit *e, const struct scalar_op *o,
				const char *name)
{
	(void)name;
	return fcmp(e, LLVMRealOEQ, intrinsic1(e, "llvm.fabs", o->arg[0]),
		    scalar_constant(e, o->from, 0, __builtin_inf()));
}

static LLVMValueRef lower_isfinite(struct emit *e, const struct scalar_op *o,
				   const char *name)
{
	(void)name;
	return fcmp(e, LLVMRealOLT, intrinsic1(e, "llvm.fabs", o->arg[0]),
		    scalar_constant(e, o->from, 0, __builtin_inf()));
}

/* ---- choice and conversion ----------------------------------------------- */

static LLVMValueRef lower_select(struct emit *e, const struct scalar_op *o,
				 const char *name)
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

static LLVMValueRef lower_lookup(struct emit *e, const struct scalar_op *o,
				 const char *name)
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
		r = choose(e, icmp(e, LLVMIntSGE, o->arg[0], emit_i64(e, i - 1)),
			   o->arg[i], r);
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

static LLVMValueRef lower_cast(struct emit *e, const struct scalar_op *o,
			       const char *name)
{
	LLVMValueRef x = o->arg[0];

	(void)name;
	if (o->elem == o->from)
		return x;
	if (is_real(o->elem))
		return to_real(e, o);
	if (o->elem == ELEM_BOOL)
		return is_real(o->from)
			       ? fcmp(e, LLVMRealUNE, x, LLVMConstNull(LLVMTypeOf(x)))
			       : icmp(e, LLVMIntNE, x, LLVMConstNull(LLVMTypeOf(x)));
	if (is_real(o->from))
		return real_to_int(e, o);
	return LLVMBuildIntCast2(e->builder, x, scalar_type(e, o->elem),
				 !is_unsigned(o->from), "");
}

static LLVMValueRef lower_complex(struct emit *e, const struct scalar_op *o,
				  const char *name)
{
	LLVMValueRef pair = LLVMGetUndef(scalar_type(e, o->elem));

	(void)name;
	for (unsigned i = 0; i < 2; i++)
		pair = LLVMBuildInsertValue(e->builder, pair, o->arg[i], i, "");
	return pair;
}

static LLVMValueRef lower_part(struct emit *e, const struct scalar_op *o, const char *name)
{
	(void)name;
	return LLVMBuildExtractValue(e->builder, o->arg[0], o->op == AIR_IMAG, "");
}

/* ---- the table ----------------------------------------------------------- */

static const struct {
	lower_fn *lower;
	const char *name;
} lowering[AIR_OP_COUNT] = {
#define ROW(op, function, name) [AIR_##op] = { function, name },
#include "backend/llvm/lower.def"
#undef ROW
};

LLVMValueRef scalar_emit(struct emit *e, const struct scalar_op *o)
{
	assert(lowering[o->op].lower);
	return lowering[o->op].lower(e, o, lowering[o->op].name);
}
