/* backend/llvm/formula.c - elementary functions
 *
 * takes: a formula   gives: an internal function, made when it is first called, that is
 * inlined before loops are vectorised. A formula that another one calls for rare
 * arguments stays a call, behind a branch.
 */
#include "backend/llvm/lower.h"
#include "elementary/elementary.h"

struct making {
	struct emit *e;
	LLVMValueRef function, *value;       /* by instruction */
};

static LLVMValueRef make_function(struct emit *e, const struct formula *f, bool rare);

static void mark(struct emit *e, LLVMValueRef f, bool rare)
{
	static const char *const pure[] = { "nounwind", "willreturn", "memory" };

	LLVMSetLinkage(f, LLVMInternalLinkage);
	for (int i = 0; i < 3; i++)
		LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex,
					emit_attribute(e, pure[i], 0));
	LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex,
				emit_attribute(e, rare ? "noinline" : "alwaysinline", 0));
}

static LLVMValueRef table_entry(struct making *m, const struct formula_instr *in)
{
	struct emit *e = m->e;
	const struct formula_table *t = in->as.table;
	LLVMValueRef global = LLVMGetNamedGlobal(e->module, t->name), address;
	LLVMValueRef *entry;

	if (!global) {
		entry = arena_new_array(e->arena, t->n, LLVMValueRef);
		for (int i = 0; i < t->n; i++)
			entry[i] = LLVMConstReal(e->f64, t->value[i]);
		global = LLVMAddGlobal(e->module, LLVMArrayType(e->f64, (unsigned)t->n),
				       t->name);
		LLVMSetInitializer(global, LLVMConstArray(e->f64, entry, (unsigned)t->n));
		LLVMSetLinkage(global, LLVMPrivateLinkage);
		LLVMSetGlobalConstant(global, 1);
		LLVMSetUnnamedAddress(global, LLVMGlobalUnnamedAddr);
	}
	address = LLVMBuildGEP2(e->builder, e->f64, global, &m->value[in->arg[0]], 1, "");
	return LLVMBuildLoad2(e->builder, e->f64, address, "");
}

/* ---- what is rare, in loops that vectorise ---------------------------------------- */

/* A function that calls f for the lanes of a mask, n at a time: 0 in the others. */
static LLVMValueRef masked_function(struct emit *e, LLVMValueRef f, const char *name, unsigned n)
{
	LLVMTypeRef lanes = LLVMVectorType(e->f64, n);
	LLVMTypeRef parameter[2] = { lanes, LLVMVectorType(e->i1, n) };
	LLVMValueRef made = LLVMAddFunction(e->module, name,
					    LLVMFunctionType(lanes, parameter, 2, 0));
	LLVMValueRef sum = LLVMConstNull(lanes);

	LLVMPositionBuilderAtEnd(e->builder,
				 LLVMAppendBasicBlockInContext(e->context, made, ""));
	for (unsigned i = 0; i < n; i++) {
		LLVMValueRef at = LLVMConstInt(e->i32, i, 0), x, phi;
		LLVMBasicBlockRef here = LLVMGetInsertBlock(e->builder);
		LLVMBasicBlockRef lane = LLVMAppendBasicBlockInContext(e->context, made, "");
		LLVMBasicBlockRef next = LLVMAppendBasicBlockInContext(e->context, made, "");

		x = LLVMBuildExtractElement(e->builder, LLVMGetParam(made, 1), at, "");
		LLVMBuildCondBr(e->builder, x, lane, next);
		LLVMPositionBuilderAtEnd(e->builder, lane);
		x = LLVMBuildExtractElement(e->builder, LLVMGetParam(made, 0), at, "");
		x = LLVMBuildCall2(e->builder, LLVMGlobalGetValueType(f), f, &x, 1, "");
		x = LLVMBuildInsertElement(e->builder, sum, x, at, "");
		LLVMBuildBr(e->builder, next);
		LLVMPositionBuilderAtEnd(e->builder, next);
		phi = LLVMBuildPhi(e->builder, lanes, "");
		LLVMAddIncoming(phi, &sum, &here, 1);
		LLVMAddIncoming(phi, &x, &lane, 1);
		sum = phi;
	}
	LLVMBuildRet(e->builder, sum);
	return made;
}

/* Tells the vectoriser of these functions, in the words of LLVM's vector function ABI. */
static void offer_lanes(struct emit *e, LLVMValueRef call, LLVMValueRef f)
{
	static const unsigned widths[] = { 2, 4, 8, 16 };
	const char *name = LLVMGetValueName(f), *all = "";

	for (int i = 0; i < 4; i++) {
		const char *wide = arena_printf(e->arena, "%s.%u", name, widths[i]);

		if (!LLVMGetNamedFunction(e->module, wide)) {
			LLVMBasicBlockRef here = LLVMGetInsertBlock(e->builder);

			vec_push(e->arena, &e->lanes,
				 masked_function(e, f, wide, widths[i]));
			mark(e, e->lanes.item[e->lanes.n - 1], true);
			LLVMPositionBuilderAtEnd(e->builder, here);
		}
		all = arena_printf(e->arena, "%s%s_ZGV_LLVM_M%uv_%s(%s)", all, i ? "," : "",
				   widths[i], name, wide);
	}
	LLVMAddCallSiteAttribute(call, LLVMAttributeFunctionIndex,
				 LLVMCreateStringAttribute(
					 e->context, "vector-function-abi-variant", 27, all,
					 (unsigned)strlen(all)));
}

static LLVMValueRef rare_call(struct making *m, const struct formula_instr *in)
{
	struct emit *e = m->e;
	LLVMValueRef callee = make_function(e, in->as.callee, true), arg[2], r, called;
	LLVMBasicBlockRef here = LLVMGetInsertBlock(e->builder);
	LLVMBasicBlockRef rare = LLVMAppendBasicBlockInContext(e->context, m->function, "rare");
	LLVMBasicBlockRef after = LLVMAppendBasicBlockInContext(e->context, m->function, "");
	LLVMValueRef zero = LLVMConstNull(e->f64);

	LLVMBuildCondBr(e->builder, m->value[in->arg[0]], rare, after);
	LLVMPositionBuilderAtEnd(e->builder, rare);
	for (int i = 1; i < in->n_args; i++)
		arg[i - 1] = m->value[in->arg[i]];
	called = LLVMBuildCall2(e->builder, LLVMGlobalGetValueType(callee), callee, arg,
				(unsigned)in->n_args - 1, "");
	if (in->n_args == 2 && !e->device)
		offer_lanes(e, called, callee);
	LLVMBuildBr(e->builder, after);
	LLVMPositionBuilderAtEnd(e->builder, after);
	r = LLVMBuildPhi(e->builder, e->f64, "");
	LLVMAddIncoming(r, &zero, &here, 1);
	LLVMAddIncoming(r, &called, &rare, 1);
	return r;
}

static LLVMValueRef shift(struct making *m, const struct formula_instr *in)
{
	LLVMBuilderRef b = m->e->builder;
	LLVMValueRef x = m->value[in->arg[0]], by = LLVMConstInt(m->e->i64, in->as.i, 0);

	switch (in->op) {
	case FORMULA_SHL:
		return LLVMBuildShl(b, x, by, "");
	case FORMULA_SHR:
		return LLVMBuildLShr(b, x, by, "");
	default:
		return LLVMBuildAShr(b, x, by, "");
	}
}

static LLVMValueRef real_operation(struct making *m, enum formula_op op, LLVMValueRef *x)
{
	struct emit *e = m->e;
	LLVMBuilderRef b = e->builder;

	switch (op) {
	case FORMULA_ADD:
		return LLVMBuildFAdd(b, x[0], x[1], "");
	case FORMULA_SUB:
		return LLVMBuildFSub(b, x[0], x[1], "");
	case FORMULA_MUL:
		return LLVMBuildFMul(b, x[0], x[1], "");
	case FORMULA_DIV:
		return LLVMBuildFDiv(b, x[0], x[1], "");
	case FORMULA_FMA:
		return call_intrinsic(e, "llvm.fma", &e->f64, 1, x, 3);
	case FORMULA_SQRT:
		return intrinsic1(e, "llvm.sqrt", x[0]);
	case FORMULA_NEG:
		return LLVMBuildFNeg(b, x[0], "");
	case FORMULA_ABS:
		return intrinsic1(e, "llvm.fabs", x[0]);
	case FORMULA_RINT:
		return intrinsic1(e, "llvm.rint", x[0]);
	case FORMULA_LT:
		return fcmp(e, LLVMRealOLT, x[0], x[1]);
	case FORMULA_LE:
		return fcmp(e, LLVMRealOLE, x[0], x[1]);
	case FORMULA_EQ:
		return fcmp(e, LLVMRealOEQ, x[0], x[1]);
	default:
		assert(op == FORMULA_BITS);
		return LLVMBuildBitCast(b, x[0], e->i64, "");
	}
}

static LLVMValueRef word_operation(struct making *m, enum formula_op op, LLVMValueRef *x)
{
	struct emit *e = m->e;
	LLVMBuilderRef b = e->builder;

	switch (op) {
	case FORMULA_DOUBLE:
		return LLVMBuildBitCast(b, x[0], e->f64, "");
	case FORMULA_IADD:
		return LLVMBuildAdd(b, x[0], x[1], "");
	case FORMULA_ISUB:
		return LLVMBuildSub(b, x[0], x[1], "");
	case FORMULA_IMUL:
		return LLVMBuildMul(b, x[0], x[1], "");
	case FORMULA_IAND:
	case FORMULA_AND:
		return LLVMBuildAnd(b, x[0], x[1], "");
	case FORMULA_IOR:
	case FORMULA_OR:
		return LLVMBuildOr(b, x[0], x[1], "");
	case FORMULA_IXOR:
		return LLVMBuildXor(b, x[0], x[1], "");
	case FORMULA_ILT:
		return icmp(e, LLVMIntSLT, x[0], x[1]);
	case FORMULA_IEQ:
		return icmp(e, LLVMIntEQ, x[0], x[1]);
	case FORMULA_NOT:
		return LLVMBuildNot(b, x[0], "");
	default:
		assert(op == FORMULA_SELECT || op == FORMULA_ISELECT);
		return choose(e, x[0], x[1], x[2]);
	}
}

static LLVMValueRef make_instr(struct making *m, const struct formula_instr *in)
{
	LLVMValueRef x[FORMULA_ARGS];

	for (int i = 0; i < in->n_args; i++)
		x[i] = m->value[in->arg[i]];
	switch (in->op) {
	case FORMULA_ARG:
		return LLVMGetParam(m->function, (unsigned)in->as.i);
	case FORMULA_CONST:
		return LLVMConstReal(m->e->f64, in->as.d);
	case FORMULA_WORD:
		return LLVMConstInt(m->e->i64, in->as.i, 0);
	case FORMULA_TABLE:
		return table_entry(m, in);
	case FORMULA_RARE:
		return rare_call(m, in);
	case FORMULA_SHL:
	case FORMULA_SHR:
	case FORMULA_SAR:
		return shift(m, in);
	default:
		return (in->op <= FORMULA_BITS ? real_operation : word_operation)(m, in->op, x);
	}
}

static LLVMValueRef make_function(struct emit *e, const struct formula *f, bool rare)
{
	const char *name = arena_printf(e->arena, "mpa.%s%s", f->name, rare ? ".rare" : "");
	LLVMValueRef made = LLVMGetNamedFunction(e->module, name);
	LLVMTypeRef parameter[FORMULA_ARGS] = { e->f64, e->f64, e->f64 };
	LLVMBasicBlockRef here = LLVMGetInsertBlock(e->builder);
	LLVMMetadataRef place = LLVMGetCurrentDebugLocation2(e->builder);
	struct making m = { .e = e };

	if (made)
		return made;
	made = m.function = LLVMAddFunction(
		e->module, name, LLVMFunctionType(e->f64, parameter, (unsigned)f->n_args, 0));
	mark(e, made, rare);
	m.value = arena_new_array(e->arena, f->n_instrs + 1, LLVMValueRef);
	LLVMSetCurrentDebugLocation2(e->builder, NULL);
	LLVMPositionBuilderAtEnd(e->builder,
				 LLVMAppendBasicBlockInContext(e->context, made, ""));
	for (int i = 0; i < f->n_instrs; i++)
		m.value[i] = make_instr(&m, &f->instr[i]);
	LLVMBuildRet(e->builder, m.value[f->result]);
	LLVMPositionBuilderAtEnd(e->builder, here);
	LLVMSetCurrentDebugLocation2(e->builder, place);
	return made;
}

/* Of f32 it is the function of the wider number, rounded once more. */
LLVMValueRef lower_elementary(struct emit *e, const struct scalar_op *o, const char *name)
{
	LLVMValueRef f, arg[FORMULA_ARGS], r;
	enum elementary which = elementary_named(name);

	f = make_function(e, elementary_formula(e->arena, which), false);
	for (int i = 0; i < o->n; i++)
		arg[i] = o->elem == ELEM_F32 ? LLVMBuildFPExt(e->builder, o->arg[i], e->f64, "")
					     : o->arg[i];
	r = LLVMBuildCall2(e->builder, LLVMGlobalGetValueType(f), f, arg, (unsigned)o->n, "");
	return o->elem == ELEM_F32 ? LLVMBuildFPTrunc(e->builder, r, e->f32, "") : r;
}

/* Nobody calls the functions of lanes before loops are vectorised: they must be there. */
void formula_keep(struct emit *e)
{
	LLVMValueRef used, list;

	if (!e->lanes.n)
		return;
	list = LLVMConstArray(e->ptr, e->lanes.item, (unsigned)e->lanes.n);
	used = LLVMAddGlobal(e->module, LLVMTypeOf(list), "llvm.compiler.used");
	LLVMSetInitializer(used, list);
	LLVMSetLinkage(used, LLVMAppendingLinkage);
	LLVMSetSection(used, "llvm.metadata");
}
