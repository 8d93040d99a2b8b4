/* backend/llvm/ptx_fmod.c - the exact remainder of reals, for GPUs
 *
 * LLVM takes frem for PTX apart into x - trunc(x / y) * y, which is rounded. Here it is what
 * fmod of C is, by a division of the significands as integers, 11 bits at a time.
 */
#include "backend/llvm/lower.h"
#include "backend/llvm/nest.h"

static const uint64_t LARGEST = 0x7fffffffffffffff, INF = 0x7ff0000000000000,
		      SIGN = 0x8000000000000000, ONE = (uint64_t)1 << 52;
enum { STEP = 11, BIAS = 1023, UNIT = 1075 };

/* A number that is not negative, as significand * 2^(exponent - UNIT). */
struct parts {
	LLVMValueRef significand, exponent;
};

static LLVMValueRef word(struct emit *e, uint64_t value)
{
	return LLVMConstInt(e->i64, value, 0);
}

static struct parts take_apart(struct emit *e, LLVMValueRef bits)
{
	LLVMBuilderRef b = e->builder;
	LLVMValueRef exponent = LLVMBuildLShr(b, bits, word(e, 52), "");
	LLVMValueRef fraction = LLVMBuildAnd(b, bits, word(e, ONE - 1), "");
	LLVMValueRef normal = icmp(e, LLVMIntNE, exponent, word(e, 0));

	return (struct parts){ LLVMBuildOr(b, fraction,
					   choose(e, normal, word(e, ONE), word(e, 0)), ""),
			       choose(e, normal, exponent, word(e, 1)) };
}

/* significand * 2^distance modulo the divisor's */
static LLVMValueRef reduce(struct emit *e, LLVMValueRef significand, LLVMValueRef distance,
			   LLVMValueRef divisor)
{
	LLVMBuilderRef b = e->builder;
	LLVMBasicBlockRef before = LLVMGetInsertBlock(b), head = emit_block(e, "loop"),
			  body = emit_block(e, "turn"), after = emit_block(e, "after");
	LLVMValueRef first = LLVMBuildURem(b, significand, divisor, ""), rest, left, step, next;

	LLVMBuildBr(b, head);
	LLVMPositionBuilderAtEnd(b, head);
	rest = LLVMBuildPhi(b, e->i64, "rest");
	left = LLVMBuildPhi(b, e->i64, "left");
	LLVMAddIncoming(rest, &first, &before, 1);
	LLVMAddIncoming(left, &distance, &before, 1);
	LLVMBuildCondBr(b, icmp(e, LLVMIntSGT, left, word(e, 0)), body, after);
	LLVMPositionBuilderAtEnd(b, body);
	step = choose(e, icmp(e, LLVMIntSLT, left, word(e, STEP)), left, word(e, STEP));
	next = LLVMBuildURem(b, LLVMBuildShl(b, rest, step, ""), divisor, "");
	LLVMAddIncoming(rest, &next, &body, 1);
	next = LLVMBuildSub(b, left, step, "");
	LLVMAddIncoming(left, &next, &body, 1);
	LLVMBuildBr(b, head);
	LLVMPositionBuilderAtEnd(b, after);
	return rest;
}

/* x times a power of two, which is a normal number. */
static LLVMValueRef scale(struct emit *e, LLVMValueRef x, LLVMValueRef power)
{
	LLVMBuilderRef b = e->builder;
	LLVMValueRef bits = LLVMBuildShl(b, LLVMBuildAdd(b, power, word(e, BIAS), ""),
					 word(e, 52), "");

	return LLVMBuildFMul(b, x, LLVMBuildBitCast(b, bits, e->f64, ""), "");
}

/* Of x that is not below y, both finite, y not 0; their bits without signs. */
static LLVMValueRef divide_long(struct emit *e, LLVMValueRef x, LLVMValueRef y)
{
	LLVMBuilderRef b = e->builder;
	struct parts of_x = take_apart(e, x), of_y = take_apart(e, y);
	LLVMValueRef distance = LLVMBuildSub(b, of_x.exponent, of_y.exponent, "");
	LLVMValueRef rest = reduce(e, of_x.significand, distance, of_y.significand);
	LLVMValueRef power = LLVMBuildSub(b, of_y.exponent, word(e, UNIT), "");
	LLVMValueRef half = LLVMBuildAShr(b, power, word(e, 1), "");

	/* in two steps, both exact: the power may be beyond the least normal number */
	rest = scale(e, LLVMBuildUIToFP(b, rest, e->f64, ""), half);
	return scale(e, rest, LLVMBuildSub(b, power, half, ""));
}

static void make_body(struct emit *e, LLVMValueRef f)
{
	LLVMBuilderRef b = e->builder;
	LLVMValueRef x = LLVMGetParam(f, 0), y = LLVMGetParam(f, 1), bits, sign, product, r;
	LLVMValueRef size[2], less, none;
	LLVMBasicBlockRef at_once, by_parts;

	LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(e->context, f, ""));
	at_once = emit_block(e, "once");
	by_parts = emit_block(e, "parts");
	bits = LLVMBuildBitCast(b, x, e->i64, "");
	sign = LLVMBuildAnd(b, bits, word(e, SIGN), "");
	size[0] = LLVMBuildAnd(b, bits, word(e, LARGEST), "");
	size[1] = LLVMBuildAnd(b, LLVMBuildBitCast(b, y, e->i64, ""), word(e, LARGEST), "");
	none = LLVMBuildOr(b, icmp(e, LLVMIntUGE, size[0], word(e, INF)),
			   icmp(e, LLVMIntEQ, size[1], word(e, 0)), "");
	none = LLVMBuildOr(b, none, icmp(e, LLVMIntUGT, size[1], word(e, INF)), "");
	less = icmp(e, LLVMIntULT, size[0], size[1]);
	LLVMBuildCondBr(b, LLVMBuildOr(b, none, less, ""), at_once, by_parts);
	LLVMPositionBuilderAtEnd(b, at_once);
	product = LLVMBuildFMul(b, x, y, "");
	LLVMBuildRet(b, choose(e, none, LLVMBuildFDiv(b, product, product, ""), x));
	LLVMPositionBuilderAtEnd(b, by_parts);
	r = LLVMBuildBitCast(b, divide_long(e, size[0], size[1]), e->i64, "");
	LLVMBuildRet(b, LLVMBuildBitCast(b, LLVMBuildOr(b, r, sign, ""), e->f64, ""));
}

static LLVMValueRef function(struct emit *e)
{
	LLVMValueRef f = LLVMGetNamedFunction(e->module, "mpa.fmod");
	LLVMTypeRef parameter[2] = { e->f64, e->f64 };
	LLVMBasicBlockRef here = LLVMGetInsertBlock(e->builder);
	LLVMMetadataRef place = LLVMGetCurrentDebugLocation2(e->builder);

	if (f)
		return f;
	f = LLVMAddFunction(e->module, "mpa.fmod", LLVMFunctionType(e->f64, parameter, 2, 0));
	LLVMSetLinkage(f, LLVMInternalLinkage);
	LLVMSetCurrentDebugLocation2(e->builder, NULL);
	make_body(e, f);
	LLVMPositionBuilderAtEnd(e->builder, here);
	LLVMSetCurrentDebugLocation2(e->builder, place);
	return f;
}

LLVMValueRef ptx_fmod(struct emit *e, LLVMValueRef x, LLVMValueRef y)
{
	LLVMValueRef f = function(e), arg[2] = { x, y }, r;
	LLVMTypeRef type = LLVMTypeOf(x);

	for (int i = 0; i < 2; i++)
		arg[i] = LLVMBuildFPCast(e->builder, arg[i], e->f64, "");
	r = LLVMBuildCall2(e->builder, LLVMGlobalGetValueType(f), f, arg, 2, "");
	return LLVMBuildFPCast(e->builder, r, type, "");
}
