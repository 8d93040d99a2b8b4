/* backend/llvm/kernel.c - KIR to functions
 *
 * takes: a kernel   gives: void name(frame, lo, hi), which computes a box of points
 * Each value is computed in the outermost loop that gives it all it needs. The
 * innermost loop runs over contiguous points and vectorises: it holds no call but of
 * what is rare, no check, and no address but rows plus the index.
 */
#include "backend/llvm/nest.h"

#include <assert.h>
#include <string.h>

#include <llvm-c/DebugInfo.h>

/* ---- instructions -------------------------------------------------------- */

static LLVMValueRef emit_scalar(struct nest *n, const struct kir_instr *in)
{
	LLVMValueRef i = emit_i64(n->e, in->as.slot), at;

	at = LLVMBuildGEP2(n->e->builder, n->e->i64, n->scalars, &i, 1, "");
	return scalar_load(n->e, in->elem, at);
}

/* On a GPU each point's value is stored. */
static void emit_reduce(struct nest *n, const struct kir_instr *in)
{
	LLVMValueRef to;

	if (!n->device) {
		sink_put(n, in);
		return;
	}
	to = LLVMBuildGEP2(n->e->builder, scalar_memory(n->e, in->elem),
			   n->values[in->as.slot], &n->flat, 1, "");
	scalar_store(n->e, in->elem, n->value[in->arg[0]], to);
}

static LLVMValueRef part_address(struct nest *n, enum elem elem, LLVMValueRef base, int part)
{
	LLVMValueRef i = emit_i64(n->e, part);

	return LLVMBuildGEP2(n->e->builder, scalar_type(n->e, elem_part(elem)), base, &i, 1,
			     "");
}

/* A complex number is two reals in memory, so that loops vectorise. */
static LLVMValueRef emit_load_parts(struct nest *n, const struct kir_instr *in,
				    LLVMValueRef from)
{
	enum elem part = elem_part(in->elem);
	LLVMValueRef value = LLVMGetUndef(scalar_type(n->e, in->elem));

	for (unsigned i = 0; i < 2; i++) {
		LLVMValueRef x =
			scalar_load(n->e, part, part_address(n, in->elem, from, (int)i));

		access_mark(n, in->as.access.view, x);
		value = LLVMBuildInsertValue(n->e->builder, value, x, i, "");
	}
	return value;
}

static void emit_store_parts(struct nest *n, const struct kir_instr *in, LLVMValueRef to)
{
	enum elem part = elem_part(in->elem);
	LLVMBuilderRef b = n->e->builder;

	for (unsigned i = 0; i < 2; i++) {
		LLVMValueRef x =
			LLVMBuildExtractValue(b, n->value[in->arg[0]], i, "");

		scalar_store(n->e, part, x, part_address(n, in->elem, to, (int)i));
		access_mark(n, in->as.access.view,
			    LLVMGetLastInstruction(LLVMGetInsertBlock(b)));
	}
}

/* Loads and stores are marked with their view; the instruction that touches memory is
 * the load before a comparison with 0, or the last one, as scalar_load makes them. */
static LLVMValueRef emit_load(struct nest *n, const struct kir_instr *in, int level)
{
	LLVMValueRef from = access_address(n, &in->as.access, level);
	LLVMValueRef value;

	if (elem_kind(in->elem) == KIND_COMPLEX)
		return emit_load_parts(n, in, from);
	value = scalar_load(n->e, in->elem, from);
	access_mark(n, in->as.access.view,
		    in->elem == ELEM_BOOL ? LLVMGetOperand(value, 0) : value);
	return value;
}

static void emit_store(struct nest *n, const struct kir_instr *in, int level)
{
	LLVMValueRef to = access_address(n, &in->as.access, level);

	if (elem_kind(in->elem) == KIND_COMPLEX) {
		emit_store_parts(n, in, to);
		return;
	}
	scalar_store(n->e, in->elem, n->value[in->arg[0]], to);
	access_mark(n, in->as.access.view,
		    LLVMGetLastInstruction(LLVMGetInsertBlock(n->e->builder)));
}

static LLVMValueRef emit_random(struct nest *n, const struct kir_instr *in)
{
	LLVMValueRef arg[3] = { n->value[in->arg[0]], n->value[in->arg[1]],
				n->value[in->arg[2]] };
	struct emit *e = n->e;

	if (n->device)
		return ptx_random(n, in);
	if (in->as.i)
		return abi_narrow(e, in->elem, abi_call(e, ABI_mpa_random_normal, arg));
	if (in->elem == ELEM_F32)
		return abi_call(e, ABI_mpa_random_uniform_f32, arg);
	return abi_call(e, ABI_mpa_random_uniform, arg);
}

static LLVMValueRef emit_operation(struct nest *n, const struct kir_instr *in)
{
	LLVMValueRef *arg = arena_new_array(n->e->arena, in->n_args + 1, LLVMValueRef);
	struct scalar_op o = {
		.op = in->as.air.op,
		.elem = in->elem,
		.n = in->n_args,
		.arg = arg,
		.exponent = in->as.air.exponent,
		.function = in->as.air.function,
	};

	for (int i = 0; i < in->n_args; i++)
		arg[i] = n->value[in->arg[i]];
	o.from = n->k->instr[in->arg[in->n_args - 1]].elem;
	return scalar_emit(n->e, &o);
}

static LLVMValueRef emit_instr(struct nest *n, const struct kir_instr *in, int level)
{
	debug_place(n->e, in->span);
	switch (in->op) {
	case KIR_CONST:
		return scalar_constant(n->e, in->elem, in->as.i, in->as.f);
	case KIR_SCALAR:
		return emit_scalar(n, in);
	case KIR_INDEX:
		return n->at[in->as.loop];
	case KIR_LOAD:
		return emit_load(n, in, level);
	case KIR_STORE:
		emit_store(n, in, level);
		return NULL;
	case KIR_REDUCE:
		emit_reduce(n, in);
		return NULL;
	case KIR_RANDOM:
		return emit_random(n, in);
	case KIR_AIR:
		return emit_operation(n, in);
	}
	return NULL;
}

void nest_level(struct nest *n, int level)
{
	for (int i = 0; i < n->k->n_instrs; i++)
		if (n->level[i] == level)
			n->value[i] = emit_instr(n, &n->k->instr[i], level);
}

/* ---- loops --------------------------------------------------------------- */

static LLVMMetadataRef loop_mark(LLVMContextRef c, const char *name, LLVMValueRef what)
{
	LLVMMetadataRef part[2] = { LLVMMDStringInContext2(c, name, strlen(name)) };

	if (what)
		part[1] = LLVMValueAsMetadata(what);
	return LLVMMDNodeInContext2(c, part, what ? 2 : 1);
}

/* Its own first operand: such a node is distinct from all others. */
static LLVMValueRef loop_marks(struct nest *n, bool innermost)
{
	LLVMContextRef c = n->e->context;
	LLVMMetadataRef self = LLVMTemporaryMDNode(c, NULL, 0), part[3], node;
	size_t parts = 2;

	part[0] = self;
	part[1] = loop_mark(c, "llvm.loop.mustprogress", NULL);
	if (innermost && n->group)
		part[parts++] = loop_mark(c, "llvm.loop.parallel_accesses", n->group);
	node = LLVMMDNodeInContext2(c, part, parts);
	LLVMMetadataReplaceAllUsesWith(self, node);
	return LLVMMetadataAsValue(c, node);
}

/* Opens `for (i = from; ...; i++)`; every loop runs at least once. */
static LLVMValueRef loop_open(struct emit *e, LLVMValueRef from, LLVMBasicBlockRef *head,
			      const char *name)
{
	LLVMBasicBlockRef before = LLVMGetInsertBlock(e->builder);
	LLVMValueRef i;

	*head = emit_block(e, name);
	LLVMBuildBr(e->builder, *head);
	LLVMPositionBuilderAtEnd(e->builder, *head);
	i = LLVMBuildPhi(e->builder, e->i64, name);
	LLVMAddIncoming(i, &from, &before, 1);
	return i;
}

/* Closes it: `i + step < to`; step NULL: 1, in a loop over points. */
static void loop_close(struct nest *n, LLVMValueRef i, LLVMBasicBlockRef head,
		       LLVMValueRef step, LLVMValueRef to)
{
	struct emit *e = n->e;
	LLVMBasicBlockRef here = LLVMGetInsertBlock(e->builder),
			  after = emit_block(e, "done");
	LLVMValueRef next =
		LLVMBuildNSWAdd(e->builder, i, step ? step : emit_i64(e, 1), "");
	LLVMValueRef more = LLVMBuildICmp(e->builder, LLVMIntSLT, next, to, "");
	LLVMValueRef branch = LLVMBuildCondBr(e->builder, more, head, after);

	LLVMAddIncoming(i, &next, &here, 1);
	LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(e->context, "llvm.loop", 9),
			loop_marks(n, i == n->at[n->k->n_loops - 1]));
	LLVMPositionBuilderAtEnd(e->builder, after);
}

static void emit_points(struct nest *n, LLVMValueRef from, LLVMValueRef to)
{
	int inner = n->k->n_loops - 1;
	LLVMBasicBlockRef head;

	n->at[inner] = loop_open(n->e, from, &head, n->k->loop_name[inner]);
	nest_level(n, inner);
	debug_place(n->e, n->k->span);
	loop_close(n, n->at[inner], head, NULL, to);
}

/* The points of a row, a chunk at a time. */
static void emit_chunks(struct nest *n, LLVMValueRef chunk)
{
	struct emit *e = n->e;
	int inner = n->k->n_loops - 1;
	LLVMBasicBlockRef head;
	LLVMValueRef end, beyond;

	n->first = loop_open(e, n->lo[inner], &head, "chunk");
	end = LLVMBuildNSWAdd(e->builder, n->first, chunk, "");
	beyond = LLVMBuildICmp(e->builder, LLVMIntSGT, end, n->hi[inner], "");
	end = LLVMBuildSelect(e->builder, beyond, n->hi[inner], end, "end");
	if (n->chunk)
		prefetch_chunk(n, n->first);
	emit_points(n, n->first, end);
	if (n->k->n_reductions)
		sink_flush(n, end);
	loop_close(n, n->first, head, chunk, n->hi[inner]);
}

static void emit_row(struct nest *n)
{
	int inner = n->k->n_loops - 1;

	access_rows(n);
	if (n->k->n_reductions) {
		sink_row(n);
		emit_chunks(n, n->chunk ? n->chunk : emit_i64(n->e, SINK_CHUNK));
	} else if (n->chunk) {
		emit_chunks(n, n->chunk);
	} else {
		emit_points(n, n->lo[inner], n->hi[inner]);
	}
}

static void emit_loops(struct nest *n)
{
	int inner = n->k->n_loops - 1;

	for (int l = 0; l < inner; l++) {
		n->at[l] = loop_open(n->e, n->lo[l], &n->head[l], n->k->loop_name[l]);
		nest_level(n, l);
	}
	debug_place(n->e, n->k->span);
	emit_row(n);
	for (int l = inner - 1; l >= 0; l--)
		loop_close(n, n->at[l], n->head[l], NULL, n->hi[l]);
}

static LLVMValueRef load_scalars(struct nest *n)
{
	struct emit *e = n->e;
	LLVMValueRef second = emit_i64(e, 1), at;

	at = LLVMBuildGEP2(e->builder, e->ptr, LLVMGetParam(n->function, 0), &second, 1, "");
	return LLVMBuildLoad2(e->builder, e->ptr, at, "scalars");
}

/* ---- the function -------------------------------------------------------- */

static LLVMValueRef load_bound(struct nest *n, int parameter, int loop)
{
	struct emit *e = n->e;
	LLVMValueRef i = emit_i64(e, loop);
	LLVMValueRef from =
		LLVMBuildGEP2(e->builder, e->i64,
			      LLVMGetParam(n->function, (unsigned)parameter), &i, 1, "");

	return LLVMBuildLoad2(e->builder, e->i64, from, parameter == 1 ? "lo" : "hi");
}

/* Loads the bounds and returns at once if a loop is empty. */
static void emit_bounds(struct nest *n)
{
	struct emit *e = n->e;
	LLVMBasicBlockRef some, none = emit_block(e, "none");

	for (int l = 0; l < n->k->n_loops; l++) {
		n->lo[l] = load_bound(n, 1, l);
		n->hi[l] = load_bound(n, 2, l);
		some = emit_block(e, "some");
		LLVMBuildCondBr(
			e->builder,
			LLVMBuildICmp(e->builder, LLVMIntSLT, n->lo[l], n->hi[l], ""),
			some, none);
		LLVMPositionBuilderAtEnd(e->builder, some);
	}
	some = LLVMGetInsertBlock(e->builder);
	LLVMPositionBuilderAtEnd(e->builder, none);
	LLVMBuildRetVoid(e->builder);
	LLVMPositionBuilderAtEnd(e->builder, some);
}

static LLVMValueRef declare(struct nest *n)
{
	struct emit *e = n->e;
	LLVMTypeRef parameter[3] = { e->ptr, e->ptr, e->ptr };
	LLVMValueRef f = LLVMAddFunction(e->module, n->k->name,
					 LLVMFunctionType(e->nothing, parameter, 3, 0));

	LLVMSetLinkage(f, LLVMInternalLinkage);
	target_prepare_function(e, f);
	debug_function(e, f, n->k->name, n->k->span);
	LLVMPositionBuilderAtEnd(e->builder,
				 LLVMAppendBasicBlockInContext(e->context, f, ""));
	return f;
}

LLVMValueRef kernel_emit(struct emit *e, const struct kir_kernel *k)
{
	struct nest n = { .e = e, .k = k };

	assert(k->n_loops >= 1);
	n.value = arena_new_array(e->arena, k->n_instrs + 1, LLVMValueRef);
	n.level = arena_new_array(e->arena, k->n_instrs + 1, int);
	kir_levels(k, n.level);
	n.function = declare(&n);
	debug_place(e, k->span);
	emit_bounds(&n);
	access_views(&n, LLVMGetParam(n.function, 0));
	n.scalars = load_scalars(&n);
	sink_open(&n, LLVMGetParam(n.function, 0));
	prefetch_open(&n);
	nest_level(&n, -1);
	emit_loops(&n);
	debug_place(e, k->span);
	LLVMBuildRetVoid(e->builder);
	debug_no_place(e);
	return n.function;
}
