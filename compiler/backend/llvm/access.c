/* backend/llvm/access.c - where the elements of views are
 *
 * takes: accesses of KIR and the frame that the host passes
 * gives: addresses. Origins and strides are loaded once; what no innermost loop changes
 * is computed once a row, and equal rows are one value, so that a stencil costs one
 * pointer per row it reads. Views do not overlap: each gets a scope of its own, and no
 * point reads what another one writes: accesses are in a group that loops call parallel,
 * so that no loop needs a check at run time. Indices are 64-bit and do not wrap.
 */
#include "backend/llvm/nest.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include <llvm-c/IRReader.h>

/* ---- views --------------------------------------------------------------- */

static LLVMValueRef load_at(struct emit *e, LLVMTypeRef type, LLVMValueRef base,
			    int index, const char *name)
{
	LLVMValueRef i = emit_i64(e, index);
	LLVMValueRef address = LLVMBuildGEP2(e->builder, type, base, &i, 1, "");

	return LLVMBuildLoad2(e->builder, type, address, name);
}

static LLVMValueRef scope_new(struct emit *e, const char *name, LLVMMetadataRef domain)
{
	LLVMMetadataRef part[2] = {
		LLVMMDStringInContext2(e->context, name, strlen(name)), domain
	};

	return LLVMMetadataAsValue(e->context, LLVMMDNodeInContext2(e->context, part, 2));
}

static LLVMValueRef scope_list(struct emit *e, LLVMValueRef *scope, int n)
{
	LLVMMetadataRef *part = arena_new_array(e->arena, n + 1, LLVMMetadataRef);

	for (int i = 0; i < n; i++)
		part[i] = LLVMValueAsMetadata(scope[i]);
	return LLVMMetadataAsValue(e->context,
				   LLVMMDNodeInContext2(e->context, part, (size_t)n));
}

/* One scope a view, and one for the buffers of reductions. */
static void make_scopes(struct nest *n)
{
	struct emit *e = n->e;
	int count = n->k->n_views + 1, rest;
	LLVMMetadataRef name =
		LLVMMDStringInContext2(e->context, n->k->name, strlen(n->k->name));
	LLVMMetadataRef domain = LLVMMDNodeInContext2(e->context, &name, 1);
	LLVMValueRef *scope = arena_new_array(e->arena, count, LLVMValueRef);
	LLVMValueRef *other = arena_new_array(e->arena, count, LLVMValueRef);

	for (int i = 0; i < count; i++)
		scope[i] = scope_new(e, arena_printf(e->arena, "%s.%d", n->k->name, i),
				     domain);
	for (int i = 0; i < count; i++) {
		rest = 0;
		for (int j = 0; j < count; j++)
			if (j != i)
				other[rest++] = scope[j];
		if (i < n->k->n_views) {
			n->view[i].scope = scope_list(e, &scope[i], 1);
			n->view[i].others = scope_list(e, other, rest);
		} else {
			n->sink_scope = scope_list(e, &scope[i], 1);
			n->sink_others = scope_list(e, other, rest);
		}
	}
}

/* A group of accesses is a distinct empty node, which only the reader of IR makes. */
static void make_group(struct nest *n)
{
	static const char text[] = "!group = !{!0}\n!0 = distinct !{}\n";
	LLVMMemoryBufferRef buffer =
		LLVMCreateMemoryBufferWithMemoryRangeCopy(text, sizeof text - 1, "group");
	LLVMModuleRef module;
	char *message;

	if (LLVMParseIRInContext(n->e->context, buffer, &module, &message)) {
		emit_fail(n->e, "LLVM: %s", message);
		LLVMDisposeMessage(message);
		return;
	}
	LLVMGetNamedMetadataOperands(module, "group", &n->group);
	LLVMDisposeModule(module);
}

/* struct mpa_view is a pointer and MAX_AXES strides, all of 8 bytes. */
void access_views(struct nest *n, LLVMValueRef frame)
{
	struct emit *e = n->e;
	LLVMValueRef views = load_at(e, e->ptr, frame, 0, "views");

	n->view = arena_new_array(e->arena, n->k->n_views + 1, struct nest_view);
	for (int v = 0; v < n->k->n_views; v++) {
		const struct kir_view *view = &n->k->view[v];
		int base = v * (1 + MAX_AXES);

		n->view[v].origin = load_at(e, e->ptr, views, base, view->name);
		for (int a = 0; a < view->n_axes; a++)
			n->view[v].stride[a] = a == view->unit_axis
						       ? emit_i64(e, 1)
						       : load_at(e, e->i64, views,
								 base + 1 + a, "stride");
	}
	make_scopes(n);
	make_group(n);
}

static void mark(struct nest *n, LLVMValueRef instruction, LLVMValueRef scope,
		 LLVMValueRef others)
{
	struct emit *e = n->e;

	if (n->group)
		LLVMSetMetadata(
			instruction,
			LLVMGetMDKindIDInContext(e->context, "llvm.access.group", 17),
			n->group);
	LLVMSetMetadata(instruction,
			LLVMGetMDKindIDInContext(e->context, "alias.scope", 11), scope);
	LLVMSetMetadata(instruction, LLVMGetMDKindIDInContext(e->context, "noalias", 7),
			others);
}

/* On a GPU what is only read goes by the cache for that. */
static void mark_read(struct nest *n, int view, LLVMValueRef instruction)
{
	LLVMContextRef c = n->e->context;

	if (!n->k->view[view].written)
		LLVMSetMetadata(instruction,
				LLVMGetMDKindIDInContext(c, "invariant.load", 14),
				LLVMMetadataAsValue(c, LLVMMDNodeInContext2(c, NULL, 0)));
}

void access_mark(struct nest *n, int view, LLVMValueRef instruction)
{
	if (n->device) {
		mark_read(n, view, instruction);
		return;
	}
	mark(n, instruction, n->view[view].scope, n->view[view].others);
}

void access_mark_buffer(struct nest *n, LLVMValueRef instruction)
{
	mark(n, instruction, n->sink_scope, n->sink_others);
}

/* ---- addresses ----------------------------------------------------------- */

static bool driven_by(const struct kir_index *x, int loop)
{
	return x->loop == loop && x->coefficient != 0;
}

static LLVMValueRef add(struct emit *e, LLVMValueRef a, LLVMValueRef b)
{
	return a ? LLVMBuildNSWAdd(e->builder, a, b, "") : b;
}

/* The index along one axis; without the part of the loop `but`. NULL: 0. */
static LLVMValueRef index_of(struct nest *n, const struct kir_index *x, int but)
{
	struct emit *e = n->e;
	LLVMValueRef i = NULL;

	if (x->loop >= 0 && x->coefficient != 0 && x->loop != but)
		i = x->coefficient > 0 ? n->at[x->loop]
				       : LLVMBuildNSWNeg(e->builder, n->at[x->loop], "");
	if (x->base >= 0)
		i = add(e, i, n->value[x->base]);
	if (x->offset != 0)
		i = add(e, i, emit_i64(e, x->offset));
	return i;
}

static LLVMValueRef times_stride(struct nest *n, const struct kir_access *a, int axis,
				 LLVMValueRef i)
{
	if (axis == n->k->view[a->view].unit_axis)
		return i;
	return LLVMBuildNSWMul(n->e->builder, i, n->view[a->view].stride[axis], "");
}

/* Offsets along a unit axis that the innermost loop drives stay out of the row, so that
 * u[x-1] and u[x+1] share it. */
static bool stays_out(const struct nest *n, const struct kir_access *a, int axis,
		      int inner)
{
	return axis == n->k->view[a->view].unit_axis && driven_by(&a->at[axis], inner);
}

static LLVMValueRef move(struct nest *n, const struct kir_access *a, LLVMValueRef base,
			 LLVMValueRef by)
{
	struct emit *e = n->e;
	LLVMTypeRef type = scalar_memory(e, n->k->view[a->view].elem);

	return by ? LLVMBuildGEP2(e->builder, type, base, &by, 1, "") : base;
}

/* The address for index 0 along what the loop `inner` drives. */
static LLVMValueRef row_address(struct nest *n, const struct kir_access *a, int inner)
{
	LLVMValueRef sum = NULL;

	for (int i = 0; i < n->k->view[a->view].n_axes; i++) {
		LLVMValueRef x = NULL;

		if (!stays_out(n, a, i, inner))
			x = index_of(n, &a->at[i], inner);
		if (x)
			sum = add(n->e, sum, times_stride(n, a, i, x));
	}
	return move(n, a, n->view[a->view].origin, sum);
}

static bool same_row(const struct nest *n, const struct kir_access *a,
		     const struct kir_access *b, int inner)
{
	if (a->view != b->view)
		return false;
	for (int i = 0; i < n->k->view[a->view].n_axes; i++) {
		const struct kir_index *x = &a->at[i], *y = &b->at[i];

		if (stays_out(n, a, i, inner) && stays_out(n, b, i, inner))
			continue;
		if (x->loop != y->loop || x->coefficient != y->coefficient ||
		    x->offset != y->offset || x->base != y->base)
			return false;
	}
	return true;
}

static LLVMValueRef find_row(const struct nest *n, const struct kir_access *a, int inner)
{
	for (int i = 0; i < n->n_rows; i++)
		if (same_row(n, n->row[i].access, a, inner))
			return n->row[i].address;
	return NULL;
}

void access_rows(struct nest *n)
{
	int inner = n->k->n_loops - 1;

	n->row = arena_new_array(n->e->arena, n->k->n_instrs + 1, struct nest_row);
	for (int i = 0; i < n->k->n_instrs; i++) {
		const struct kir_instr *in = &n->k->instr[i];
		const struct kir_access *a = &in->as.access;

		if ((in->op != KIR_LOAD && in->op != KIR_STORE) || n->level[i] != inner ||
		    find_row(n, a, inner))
			continue;
		n->row[n->n_rows] = (struct nest_row){ a, row_address(n, a, inner) };
		n->n_rows++;
	}
}

/* What the innermost loop adds to a row. */
static LLVMValueRef inner_offset(struct nest *n, const struct kir_access *a, int inner)
{
	LLVMValueRef sum = NULL;

	for (int i = 0; i < n->k->view[a->view].n_axes; i++) {
		struct kir_index x = a->at[i];

		if (!driven_by(&x, inner))
			continue;
		if (!stays_out(n, a, i, inner)) {
			x.offset = 0; /* in the row */
			x.base = -1;
		}
		sum = add(n->e, sum, times_stride(n, a, i, index_of(n, &x, -1)));
	}
	return sum;
}

LLVMValueRef access_address(struct nest *n, const struct kir_access *a, int level)
{
	int inner = n->k->n_loops - 1;
	LLVMValueRef row;

	if (level < inner || inner < 0)
		return row_address(n, a, -1);
	row = find_row(n, a, inner);
	assert(row);
	return move(n, a, row, inner_offset(n, a, inner));
}
