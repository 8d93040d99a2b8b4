/* backend/llvm/host_run.c - runs of kernels and copies, as the host starts them
 *
 * takes: a run of the plan   gives: stores of all scalars that its kernel, its region
 * and the walls of what it needs take, the call, and its results in variables.
 */
#include "backend/llvm/host.h"
#include "backend/llvm/tables.h"

static LLVMValueRef scalar_value(struct host *h, const struct plan_scalar *s)
{
	switch (s->kind) {
	case SCALAR_AXIS_LO:
		return LLVMBuildLoad2(h->e->builder, h->e->f64,
				      h->axis[tables_axis(h->e, s->axis)].lo, "lo");
	case SCALAR_SEED:
		return host_call(h, ABI_mpa_seed, NULL, NULL, NULL);
	case SCALAR_EXPR:
		break;
	}
	return host_value(h, s->expr);
}

static void store_arg(struct host *h, int slot, enum elem elem, LLVMValueRef value)
{
	LLVMValueRef i = emit_i64(h->e, slot);

	scalar_store(h->e, elem, value,
		     LLVMBuildGEP2(h->e->builder, h->e->i64, h->args, &i, 1, ""));
}

static void store_call(struct host *h, const struct plan_call *c)
{
	for (int i = 0; i < c->kernel->n_scalars; i++)
		store_arg(h, c->first_arg + i, c->kernel->scalar[i],
			  scalar_value(h, &c->scalar[i]));
}

/* Bounds, in the order of the axes of g, from this slot on. */
static void store_region(struct host *h, const struct grid *g, const struct air_region *r,
			 int slot)
{
	for (int i = 0; i < g->n_axes; i++, slot += 2) {
		const struct air_slice *s = &r->axis[i];

		if (s->part == PART_ALL)
			continue;
		if (s->lo)
			store_arg(h, slot, ELEM_I64, host_value(h, s->lo));
		if (s->hi)
			store_arg(h, slot + 1, ELEM_I64, host_value(h, s->hi));
	}
}

static void take_results(struct host *h, const struct plan_run *r)
{
	for (int i = 0; i < r->n_results; i++) {
		const struct air_var *v = r->result[i].var;
		bool real = elem_kind(v->elem) == KIND_REAL;
		LLVMValueRef value;

		if (elem_kind(v->elem) == KIND_COMPLEX) {
			value = host_slots(h, 2);
			host_call(h, ABI_mpa_result_c, emit_i64(h->e, r->id),
				  emit_i64(h->e, i), value);
			host_set(h, v, scalar_load(h->e, v->elem, value));
			continue;
		}
		value =
			host_call(h, real ? ABI_mpa_result_d : ABI_mpa_result_i,
				  emit_i64(h->e, r->id), emit_i64(h->e, i), NULL);

		host_set(h, v, abi_narrow(h->e, v->elem, value));
	}
}

void host_run(struct host *h, const struct plan_run *r)
{
	const struct plan_call *const *call;
	int n = plan_calls(h->e->plan, r, h->e->arena, &call);

	for (int i = 0; i < n; i++)
		store_call(h, call[i]);
	store_region(h, r->grid, &r->region, r->first_region_arg);
	host_call(h, ABI_mpa_run, emit_i64(h->e, r->id), NULL, NULL);
	take_results(h, r);
}

void host_copy(struct host *h, const struct plan_copy *c)
{
	const struct grid *to = c->air->to->grid;

	store_region(h, to, &c->air->to_region, c->first_arg);
	store_region(h, c->air->from->grid, &c->air->from_region,
		     c->first_arg + 2 * to->n_axes);
	host_call(h, ABI_mpa_copy, emit_where(h->e, c->span), emit_i64(h->e, c->id),
		  NULL);
}
