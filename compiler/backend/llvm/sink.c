/* backend/llvm/sink.c - the values of reductions
 *
 * A kernel that reduces runs its innermost loop in chunks: values go to a buffer on the
 * stack, so that their computation vectorises, and the run time adds each chunk up, in
 * an order that does not depend on threads or ranks.
 */
#include "backend/llvm/nest.h"

static LLVMValueRef element(struct emit *e, LLVMTypeRef type, LLVMValueRef base,
			    LLVMValueRef index)
{
	return LLVMBuildGEP2(e->builder, type, base, &index, 1, "");
}

void sink_open(struct nest *n, LLVMValueRef frame)
{
	struct emit *e = n->e;
	LLVMValueRef sinks;

	if (!n->k->n_reductions)
		return;
	n->sink = arena_new_array(e->arena, n->k->n_reductions, LLVMValueRef);
	n->buffer = arena_new_array(e->arena, n->k->n_reductions, LLVMValueRef);
	sinks = LLVMBuildLoad2(e->builder, e->ptr,
			       element(e, e->ptr, frame, emit_i64(e, 2)), "sinks");
	for (int r = 0; r < n->k->n_reductions; r++) {
		LLVMTypeRef type = scalar_memory(e, n->k->reduction[r]);

		n->sink[r] =
			LLVMBuildLoad2(e->builder, e->ptr,
				       element(e, e->ptr, sinks, emit_i64(e, r)), "sink");
		n->buffer[r] = emit_alloca(e, LLVMArrayType(type, SINK_CHUNK), "values");
		LLVMSetAlignment(n->buffer[r], 64);
	}
	n->place = emit_alloca(e, LLVMArrayType(e->i64, MAX_AXES), "place");
}

void sink_row(struct nest *n)
{
	struct emit *e = n->e;

	for (int l = 0; n->k->n_reductions && l < n->k->n_loops - 1; l++)
		LLVMBuildStore(e->builder, n->at[l],
			       element(e, e->i64, n->place, emit_i64(e, l)));
}

void sink_put(struct nest *n, const struct kir_instr *in)
{
	struct emit *e = n->e;
	int r = in->as.slot;
	LLVMValueRef i =
		LLVMBuildNSWSub(e->builder, n->at[n->k->n_loops - 1], n->first, "");

	scalar_store(e, n->k->reduction[r], n->value[in->arg[0]],
		     element(e, scalar_memory(e, n->k->reduction[r]), n->buffer[r], i));
	access_mark_buffer(n, LLVMGetLastInstruction(LLVMGetInsertBlock(e->builder)));
}

void sink_flush(struct nest *n, LLVMValueRef end)
{
	struct emit *e = n->e;
	LLVMValueRef count = LLVMBuildNSWSub(e->builder, end, n->first, "");

	LLVMBuildStore(e->builder, n->first,
		       element(e, e->i64, n->place, emit_i64(e, n->k->n_loops - 1)));
	for (int r = 0; r < n->k->n_reductions; r++) {
		LLVMValueRef arg[] = { n->sink[r], n->buffer[r], count, n->place };

		abi_call(e, ABI_mpa_sink_add, arg);
	}
}
