/* backend/llvm/ptx_random.c - random numbers in kernels for GPUs
 *
 * What runtime/base/random.c computes, bit for bit: Philox 4x32-10 (Salmon et al., 2011) of
 * the index and the count, by the seed.
 */
#include "backend/llvm/lower.h"
#include "backend/llvm/nest.h"

enum { ROUNDS = 10 };

static LLVMValueRef word32(struct emit *e, uint32_t value)
{
	return LLVMConstInt(e->i32, value, 0);
}

static LLVMValueRef low(struct emit *e, LLVMValueRef x)
{
	return LLVMBuildTrunc(e->builder, x, e->i32, "");
}

static LLVMValueRef high(struct emit *e, LLVMValueRef x)
{
	return low(e, LLVMBuildLShr(e->builder, x, emit_i64(e, 32), ""));
}

/* All 64 bits of a product. */
static LLVMValueRef wide_product(struct emit *e, uint32_t a, LLVMValueRef b)
{
	return LLVMBuildMul(e->builder, emit_i64(e, a),
			    LLVMBuildZExt(e->builder, b, e->i64, ""), "");
}

static LLVMValueRef mix(struct emit *e, LLVMValueRef a, LLVMValueRef b, LLVMValueRef c)
{
	return LLVMBuildXor(e->builder, LLVMBuildXor(e->builder, a, b, ""), c, "");
}

static void philox(struct emit *e, LLVMValueRef seed, LLVMValueRef index,
		   LLVMValueRef count, LLVMValueRef c[4])
{
	LLVMValueRef k[2] = { low(e, seed), high(e, seed) };

	c[0] = low(e, index);
	c[1] = high(e, index);
	c[2] = low(e, count);
	c[3] = high(e, count);
	for (int round = 0; round < ROUNDS; round++) {
		LLVMValueRef a = wide_product(e, 0xD2511F53, c[0]);
		LLVMValueRef b = wide_product(e, 0xCD9E8D57, c[2]);

		c[0] = mix(e, high(e, b), c[1], k[0]);
		c[1] = low(e, b);
		c[2] = mix(e, high(e, a), c[3], k[1]);
		c[3] = low(e, a);
		k[0] = LLVMBuildAdd(e->builder, k[0], word32(e, 0x9E3779B9), "");
		k[1] = LLVMBuildAdd(e->builder, k[1], word32(e, 0xBB67AE85), "");
	}
}

/* 53 bits, from 0 up to 1. */
static LLVMValueRef unit(struct emit *e, LLVMValueRef most, LLVMValueRef least)
{
	LLVMBuilderRef b = e->builder;
	LLVMValueRef bits = LLVMBuildShl(b, LLVMBuildZExt(b, most, e->i64, ""),
					 emit_i64(e, 32), "");

	bits = LLVMBuildOr(b, bits, LLVMBuildZExt(b, least, e->i64, ""), "");
	bits = LLVMBuildLShr(b, bits, emit_i64(e, 11), "");
	return LLVMBuildFMul(b, LLVMBuildUIToFP(b, bits, e->f64, ""),
			     LLVMConstReal(e->f64, 0x1p-53), "");
}

static LLVMValueRef elementary(struct emit *e, const char *name, LLVMValueRef x)
{
	const struct scalar_op o = { .elem = ELEM_F64, .from = ELEM_F64, .n = 1, .arg = &x };

	return lower_elementary(e, &o, name);
}

static LLVMValueRef normal(struct emit *e, const LLVMValueRef word[4])
{
	LLVMBuilderRef b = e->builder;
	LLVMValueRef u = LLVMBuildFSub(b, LLVMConstReal(e->f64, 1), unit(e, word[0], word[1]), "");
	LLVMValueRef turn = LLVMBuildFMul(b, LLVMConstReal(e->f64, 2 * 3.14159265358979323846),
					  unit(e, word[2], word[3]), "");

	u = LLVMBuildFMul(b, LLVMConstReal(e->f64, -2), elementary(e, "log", u), "");
	return LLVMBuildFMul(b, intrinsic1(e, "llvm.sqrt", u), elementary(e, "cos", turn), "");
}

LLVMValueRef ptx_random(struct nest *n, const struct kir_instr *in)
{
	struct emit *e = n->e;
	LLVMBuilderRef b = e->builder;
	LLVMValueRef word[4], r;

	philox(e, n->value[in->arg[0]], n->value[in->arg[2]], n->value[in->arg[1]], word);
	if (in->as.i)
		return abi_narrow(e, in->elem, normal(e, word));
	if (in->elem != ELEM_F32)
		return unit(e, word[0], word[1]);
	r = LLVMBuildUIToFP(b, LLVMBuildLShr(b, word[0], word32(e, 8), ""), e->f32, "");
	return LLVMBuildFMul(b, r, LLVMConstReal(e->f32, 0x1p-24), "");
}
