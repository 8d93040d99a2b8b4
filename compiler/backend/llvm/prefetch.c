/* backend/llvm/prefetch.c - asking for memory ahead of its use
 *
 * takes: the rows of a kernel   gives: requests, a chunk of points at a time
 * One sweep over arrays larger than the caches is bound by memory, and the processor's
 * own prefetching keeps too little in flight: each chunk of the innermost loop first
 * asks for what lies AHEAD bytes further on in the rows that nothing has touched yet:
 * of what is read, the last row of each plane; of what is written, all. Small boxes of
 * points run in one chunk and ask for nothing. Where values are reduced, each chunk is
 * added up before the next begins, so requests must go further ahead to be in time.
 */
#include "backend/llvm/nest.h"

enum { LINE = 64, AHEAD = 2048, AHEAD_OF_SUMS = 8192, STREAMS_MAX = 24 };
enum { LARGE = 4 << 20 }; /* bytes of a box that no near cache holds */

static const struct kir_view *view_of(const struct nest *n, const struct kir_access *a)
{
	return &n->k->view[a->view];
}

static bool runs_along(const struct nest *n, const struct kir_access *a)
{
	int unit = view_of(n, a)->unit_axis;

	return unit >= 0 && a->at[unit].loop == n->k->n_loops - 1 &&
	       a->at[unit].coefficient > 0;
}

/* Of two rows of one view: does b come later in memory along what loops drive? Rows of
 * other components, at other constants, are not compared: 0. */
static int order_of(const struct nest *n, const struct kir_access *a,
		    const struct kir_access *b)
{
	int order = 0;

	if (a->view != b->view)
		return 0;
	for (int i = 0; i < view_of(n, a)->n_axes; i++) {
		const struct kir_index *x = &a->at[i], *y = &b->at[i];

		if (x->loop != y->loop || x->coefficient != y->coefficient ||
		    x->base != y->base)
			return 0;
		if (x->offset == y->offset || i == view_of(n, a)->unit_axis)
			continue;
		if (x->loop < 0 || x->coefficient == 0)
			return 0;
		if (!order)
			order = (y->offset > x->offset) == (x->coefficient > 0) ? 1 : -1;
	}
	return order;
}

static bool is_stream(const struct nest *n, int row)
{
	if (!runs_along(n, n->row[row].access))
		return false;
	for (int i = 0; i < n->n_rows; i++)
		if (order_of(n, n->row[row].access, n->row[i].access) > 0)
			return false;
	return true;
}

static int row_bytes(const struct nest *n, int row)
{
	return elem_bytes(view_of(n, n->row[row].access)->elem);
}

/* A view of fewer axes than the loops comes again and again: it is in a cache. */
static bool is_large(const struct nest *n, int row)
{
	return view_of(n, n->row[row].access)->n_axes == n->k->n_loops;
}

void prefetch_open(struct nest *n)
{
	struct emit *e = n->e;
	LLVMValueRef points = emit_i64(e, 1), large, whole;
	int bytes = 0;

	n->chunk = NULL;
	if (n->k->n_loops < 2 && !n->k->n_reductions)
		return;
	for (int v = 0; v < n->k->n_views; v++)
		bytes += n->k->view[v].n_axes == n->k->n_loops
				 ? elem_bytes(n->k->view[v].elem)
				 : 0;
	if (!bytes)
		return;
	for (int l = 0; l < n->k->n_loops; l++)
		points = LLVMBuildMul(e->builder, points,
				      LLVMBuildSub(e->builder, n->hi[l], n->lo[l], ""),
				      "");
	large = LLVMBuildICmp(e->builder, LLVMIntSGT, points, emit_i64(e, LARGE / bytes),
			      "");
	n->large = large;
	whole = n->k->n_reductions ? emit_i64(e, SINK_CHUNK)
				   : LLVMBuildSub(e->builder, n->hi[n->k->n_loops - 1],
						  n->lo[n->k->n_loops - 1], "");
	n->chunk = LLVMBuildSelect(e->builder, large, emit_i64(e, PREFETCH_CHUNK), whole,
				   "chunk");
}

static void ask(struct nest *n, int row, LLVMValueRef first, int bytes)
{
	struct emit *e = n->e;
	const struct kir_view *view = view_of(n, n->row[row].access);
	LLVMValueRef by = emit_i64(e, bytes / elem_bytes(view->elem)), address, arg[4];
	unsigned id = LLVMLookupIntrinsicID("llvm.prefetch", 13);
	LLVMValueRef f = LLVMGetIntrinsicDeclaration(e->module, id, &e->ptr, 1);

	by = LLVMBuildNSWAdd(e->builder, first, by, "");
	address = LLVMBuildGEP2(e->builder, scalar_memory(e, view->elem),
				n->row[row].address, &by, 1, "");
	arg[0] = address;
	arg[1] = LLVMConstInt(e->i32, view->written, 0);
	arg[2] = LLVMConstInt(e->i32, 3, 0); /* into the nearest cache */
	arg[3] = LLVMConstInt(e->i32, 1, 0); /* data */
	LLVMBuildCall2(e->builder, LLVMGlobalGetValueType(f), f, arg, 4, "");
}

void prefetch_chunk(struct nest *n, LLVMValueRef first)
{
	struct emit *e = n->e;
	LLVMBasicBlockRef some = emit_block(e, "ahead"), after = emit_block(e, "near");
	int streams = 0, ahead = n->k->n_reductions ? AHEAD_OF_SUMS : AHEAD;

	LLVMBuildCondBr(e->builder, n->large, some, after);
	LLVMPositionBuilderAtEnd(e->builder, some);
	for (int r = 0; r < n->n_rows && streams < STREAMS_MAX; r++) {
		if (!is_large(n, r) || !is_stream(n, r))
			continue;
		streams++;
		for (int at = 0; at < PREFETCH_CHUNK * row_bytes(n, r); at += LINE)
			ask(n, r, first, ahead + at);
	}
	LLVMBuildBr(e->builder, after);
	LLVMPositionBuilderAtEnd(e->builder, after);
}
