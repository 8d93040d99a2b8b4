/* backend/llvm/host_slots.c - where the scalars of the host live
 *
 * takes: the variables and axes of a program   gives: the address of each
 * They live on the stack of `body`; those of a resident program in the session, under
 * the same numbers in each program that goes on from it, and so do those of a library,
 * whose functions share them.
 */
#include "backend/llvm/host.h"
#include "backend/llvm/tables.h"

enum { CELL_BYTES = 16, CELLS_OF_AXIS = 3 };
enum cells { CELLS_VARS, CELLS_AXES };

static LLVMValueRef make_slot(struct host *h, LLVMTypeRef type, const char *name)
{
	LLVMValueRef slot = LLVMBuildAlloca(h->e->builder, type, name);

	LLVMBuildStore(h->e->builder, LLVMConstNull(type), slot);
	return slot;
}

static void slots_on_stack(struct host *h)
{
	const struct air_program *air = h->e->plan->air;

	for (int i = 0; i < air->n_vars; i++) {
		const struct air_var *v = air->var[i];

		h->var[i] = make_slot(h, scalar_type(h->e, v->elem), v->name);
		debug_variable(h->e, h->var[i], v);
	}
	for (int i = 0; i < air->types.n_axes; i++) {
		h->axis[i].size = make_slot(h, h->e->i64, "size");
		h->axis[i].lo = make_slot(h, h->e->f64, "lo");
		h->axis[i].step = make_slot(h, h->e->f64, "step");
	}
}

static LLVMValueRef ask_cells(struct host *h, enum cells kind, int n)
{
	return host_call(h, ABI_mpa_cells, emit_i64(h->e, kind), emit_i64(h->e, n), NULL);
}

static LLVMValueRef cell(struct host *h, LLVMValueRef cells, int i, const char *name)
{
	LLVMValueRef at = emit_i64(h->e, (int64_t)i * CELL_BYTES);

	return LLVMBuildGEP2(h->e->builder, h->e->i8, cells, &at, 1, name);
}

static void slots_in_session(struct host *h)
{
	const struct air_program *air = h->e->plan->air;
	LLVMValueRef axes = ask_cells(h, CELLS_AXES, air->types.n_axes * CELLS_OF_AXIS);

	h->cells = ask_cells(h, CELLS_VARS, air->n_vars);
	for (int i = 0; i < air->types.n_axes; i++) {
		h->axis[i].size = cell(h, axes, CELLS_OF_AXIS * i, "size");
		h->axis[i].lo = cell(h, axes, CELLS_OF_AXIS * i + 1, "lo");
		h->axis[i].step = cell(h, axes, CELLS_OF_AXIS * i + 2, "step");
	}
}

LLVMValueRef host_slot(struct host *h, const struct air_var *v)
{
	return h->cells ? cell(h, h->cells, v->id, v->name) : h->var[v->id];
}

void host_make_slots(struct host *h)
{
	const struct air_program *air = h->e->plan->air;

	h->var = arena_new_array(h->e->arena, air->n_vars + 1, LLVMValueRef);
	h->axis = arena_new_array(h->e->arena, air->types.n_axes + 1, struct host_axis);
	if (h->e->options->resident || h->e->options->library)
		slots_in_session(h);
	else
		slots_on_stack(h);
}
