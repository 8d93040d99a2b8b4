/* kernel/equal.c - kernels that compute the same
 *
 * takes: two kernels   gives: whether one can stand for the other: the same loops, views,
 * slots and instructions. Names and places in the source are for people and do not count.
 */
#include "kernel/kir.h"

#include "support/arena.h"

#include <stdlib.h>
#include <string.h>

static bool index_equal(const struct kir_index *a, const struct kir_index *b)
{
	return a->loop == b->loop && a->coefficient == b->coefficient &&
	       a->offset == b->offset && a->base == b->base;
}

static bool access_equal(const struct kir_kernel *k, const struct kir_access *a,
			 const struct kir_access *b)
{
	if (a->view != b->view)
		return false;
	for (int i = 0; i < k->view[a->view].n_axes; i++)
		if (!index_equal(&a->at[i], &b->at[i]))
			return false;
	return true;
}

/* Bit for bit: -0 is not 0, and a NaN is itself. */
static bool constant_equal(const struct kir_instr *a, const struct kir_instr *b)
{
	return elem_kind(a->elem) == KIND_REAL ? !memcmp(&a->as.f, &b->as.f, sizeof a->as.f)
					       : a->as.i == b->as.i;
}

static bool operation_equal(const struct kir_kernel *k, const struct kir_instr *a,
			    const struct kir_instr *b)
{
	switch (a->op) {
	case KIR_CONST:
		return constant_equal(a, b);
	case KIR_SCALAR:
	case KIR_REDUCE:
		return a->as.slot == b->as.slot;
	case KIR_INDEX:
		return a->as.loop == b->as.loop;
	case KIR_LOAD:
	case KIR_STORE:
		return access_equal(k, &a->as.access, &b->as.access);
	case KIR_RANDOM:
		return a->as.i == b->as.i;
	case KIR_AIR:
		return a->as.air.op == b->as.air.op &&
		       a->as.air.exponent == b->as.air.exponent &&
		       a->as.air.function == b->as.air.function;
	}
	return false;
}

static bool instr_equal(const struct kir_kernel *k, const struct kir_instr *a,
			const struct kir_instr *b)
{
	if (a->op != b->op || a->elem != b->elem || a->n_args != b->n_args)
		return false;
	for (int i = 0; i < a->n_args; i++)
		if (a->arg[i] != b->arg[i])
			return false;
	return operation_equal(k, a, b);
}

static bool view_equal(const struct kir_view *a, const struct kir_view *b)
{
	return a->elem == b->elem && a->n_axes == b->n_axes &&
	       a->unit_axis == b->unit_axis && a->read == b->read &&
	       a->written == b->written;
}

static bool elems_equal(const enum elem *a, const enum elem *b, int n)
{
	for (int i = 0; i < n; i++)
		if (a[i] != b[i])
			return false;
	return true;
}

bool kir_equal(const struct kir_kernel *a, const struct kir_kernel *b)
{
	if (a->n_loops != b->n_loops || a->n_views != b->n_views ||
	    a->n_scalars != b->n_scalars || a->n_reductions != b->n_reductions ||
	    a->n_instrs != b->n_instrs ||
	    !elems_equal(a->scalar, b->scalar, a->n_scalars) ||
	    !elems_equal(a->reduction, b->reduction, a->n_reductions))
		return false;
	for (int i = 0; i < a->n_views; i++)
		if (!view_equal(&a->view[i], &b->view[i]))
			return false;
	for (int i = 0; i < a->n_instrs; i++)
		if (!instr_equal(a, &a->instr[i], &b->instr[i]))
			return false;
	return true;
}

/* Of equal kernels the same. */
static uint64_t hash_of(const struct kir_kernel *k)
{
	uint64_t h = (uint64_t)k->n_loops << 32 ^ (uint64_t)k->n_views;

	for (int i = 0; i < k->n_instrs; i++) {
		const struct kir_instr *in = &k->instr[i];

		h = h * 0x9e3779b97f4a7c15 + (uint64_t)in->op + ((uint64_t)in->elem << 8) +
		    (in->n_args ? (uint64_t)in->arg[0] << 16 : 0);
		if (in->op == KIR_AIR)
			h += (uint64_t)in->as.air.op << 32;
	}
	return h ^ h >> 29;
}

void kir_share(struct kir_kernel *const *kernel, int n, int *first)
{
	size_t room = 16;
	int *slot;

	while (room < 2 * (size_t)n)
		room *= 2;
	slot = xmalloc(room * sizeof *slot);
	for (size_t i = 0; i < room; i++)
		slot[i] = -1;
	for (int i = 0; i < n; i++) {
		size_t at = hash_of(kernel[i]) & (room - 1);

		while (slot[at] >= 0 && !kir_equal(kernel[slot[at]], kernel[i]))
			at = (at + 1) & (room - 1);
		if (slot[at] < 0)
			slot[at] = i;
		first[i] = slot[at];
	}
	free(slot);
}
