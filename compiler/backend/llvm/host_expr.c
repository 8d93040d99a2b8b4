/* backend/llvm/host_expr.c - scalars of the host
 *
 * takes: scalar expressions of AIR   gives: their values, where the builder stands
 * Equal parts of one expression are one object in AIR and one value here.
 */
#include "backend/llvm/host.h"
#include "backend/llvm/tables.h"

#include <assert.h>

static LLVMValueRef value_of(struct host *h, const struct air_expr *x);

static LLVMValueRef load_axis(struct host *h, const struct air_expr *x)
{
	struct host_axis *a = &h->axis[tables_axis(h->e, x->as.at.axis)];

	LLVMValueRef size;

	if (x->op == AIR_SIZE) {
		size = LLVMBuildLoad2(h->e->builder, h->e->i64, a->size, "size");
		return LLVMBuildAdd(h->e->builder, size, emit_i64(h->e, x->as.at.ext), "");
	}
	return LLVMBuildLoad2(h->e->builder, h->e->f64, a->step, "step");
}

static LLVMValueRef constant(struct host *h, const struct air_expr *x)
{
	if (x->elem == ELEM_STR)
		return emit_text(h->e, x->as.text);
	if (elem_kind(x->elem) == KIND_REAL)
		return scalar_constant(h->e, x->elem, 0, x->as.f);
	return scalar_constant(h->e, x->elem, x->as.i, 0);
}

static LLVMValueRef operation(struct host *h, const struct air_expr *x)
{
	LLVMValueRef *arg = arena_new_array(h->e->arena, x->n_args + 1, LLVMValueRef);
	struct scalar_op o = { .op = x->op, .elem = x->elem, .n = x->n_args, .arg = arg };

	for (int i = 0; i < x->n_args; i++)
		arg[i] = value_of(h, x->arg[i]);
	o.from = x->n_args ? x->arg[x->n_args - 1]->elem : ELEM_NONE;
	if (x->op == AIR_POWI)
		o.exponent = (int)x->as.i;
	if (x->op == AIR_EXTERN)
		o.function = x->as.function;
	return scalar_emit(h->e, &o);
}

LLVMValueRef host_var(struct host *h, const struct air_var *v)
{
	return LLVMBuildLoad2(h->e->builder, scalar_type(h->e, v->elem), host_slot(h, v),
			      v->name);
}

static LLVMValueRef make(struct host *h, const struct air_expr *x)
{
	switch (x->op) {
	case AIR_CONST:
		return constant(h, x);
	case AIR_VAR:
		return host_var(h, x->as.var);
	case AIR_SIZE:
	case AIR_STEP:
		return load_axis(h, x);
	default:
		return operation(h, x);
	}
}

static LLVMValueRef value_of(struct host *h, const struct air_expr *x)
{
	assert(x->id >= 0 && x->id < h->e->plan->air->n_exprs);
	if (h->stamp[x->id] != h->now) {
		h->value[x->id] = make(h, x);
		h->stamp[x->id] = h->now;
	}
	return h->value[x->id];
}

LLVMValueRef host_value(struct host *h, const struct air_expr *x)
{
	h->now++;
	return value_of(h, x);
}

void host_set(struct host *h, const struct air_var *v, LLVMValueRef value)
{
	LLVMBuildStore(h->e->builder, value, host_slot(h, v));
}

LLVMValueRef host_call(struct host *h, enum abi function, LLVMValueRef a, LLVMValueRef b,
		       LLVMValueRef c)
{
	LLVMValueRef arg[] = { h->session, a, b, c };

	return abi_call(h->e, function, arg);
}

LLVMValueRef host_slots(struct host *h, int n)
{
	return emit_alloca(h->e, LLVMArrayType(h->e->i64, (unsigned)n), "slots");
}

void host_fill(struct host *h, LLVMValueRef slots, int i, LLVMValueRef value)
{
	LLVMValueRef index = emit_i64(h->e, i);

	LLVMBuildStore(h->e->builder, value,
		       LLVMBuildGEP2(h->e->builder, h->e->i64, slots, &index, 1, ""));
}
