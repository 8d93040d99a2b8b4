/* backend/c/loops.c - kernels of the CPU
 *
 * takes: a kernel   gives: static void name(frame, lo, hi), which computes a box of
 * points One loop is around the other, the innermost over contiguous points, which do not
 * depend on each other. Values of reductions go to buffers, which the run time adds up.
 */
#include "backend/c/nest.h"
#include "support/arena.h"

enum { CHUNK = 512 }; /* values of a reduction handed over at once */

static const char *in_buffer(struct c_nest *n, int reduction)
{
	return arena_printf(n->c->arena, "sum%d[i%d - first]", reduction,
			    n->k->n_loops - 1);
}

static const struct c_dialect dialect = {
	.origin = "frame->view[%d].origin",
	.stride = "frame->view[%d].stride[%d]",
	.scalar = "frame->scalar[%d]",
	.load = "%s",
	.reduced = in_buffer,
};

static void open_buffers(struct c_nest *n)
{
	for (int r = 0; r < n->k->n_reductions; r++)
		c_line(n->c, "%s sum%d[%d];", c_memory(n->k->reduction[r]), r, CHUNK);
	if (n->k->n_reductions)
		c_line(n->c, "int64_t place[MPA_MAX_AXES];");
}

static void emit_points(struct c_nest *n, const char *from, const char *to)
{
	int inner = n->k->n_loops - 1;

	c_line(n->c, "MPA_POINTS");
	c_line(n->c, "for (int64_t i%d = %s; i%d < %s; i%d++) /* %s */ {", inner, from,
	       inner, to, inner, c_symbol(n->c, n->k->loop_name[inner]));
	c_level(n, inner);
	c_line(n->c, "}");
}

/* Values of reductions go to buffers, so that their computation vectorises; the run
 * time adds each chunk up in an order that depends on neither threads nor ranks. */
static void emit_chunks(struct c_nest *n)
{
	struct c_code *c = n->c;
	int inner = n->k->n_loops - 1;

	for (int l = 0; l < inner; l++)
		c_line(c, "place[%d] = i%d;", l, l);
	c_line(c, "for (int64_t first = lo[%d]; first < hi[%d]; first += %d) {", inner,
	       inner, CHUNK);
	c_line(c, "const int64_t end = first + %d < hi[%d] ? first + %d : hi[%d];", CHUNK,
	       inner, CHUNK, inner);
	emit_points(n, "first", "end");
	c_line(c, "place[%d] = first;", inner);
	for (int r = 0; r < n->k->n_reductions; r++)
		c_line(c, "mpa_sink_add(frame->sink[%d], sum%d, end - first, place);", r,
		       r);
	c_line(c, "}");
}

static void emit_loops(struct c_nest *n)
{
	struct c_code *c = n->c;
	int inner = n->k->n_loops - 1;

	open_buffers(n);
	for (int l = 0; l < inner; l++) {
		c_line(c, "for (int64_t i%d = lo[%d]; i%d < hi[%d]; i%d++) /* %s */ {", l,
		       l, l, l, l, c_symbol(c, n->k->loop_name[l]));
		c_level(n, l);
	}
	if (n->k->n_reductions)
		emit_chunks(n);
	else
		emit_points(n, arena_printf(c->arena, "lo[%d]", inner),
			    arena_printf(c->arena, "hi[%d]", inner));
	for (int l = 0; l < inner; l++)
		c_line(c, "}");
}

/* An empty box has no point, and what is read before all loops may not be there. */
static void emit_bounds(struct c_nest *n)
{
	for (int l = 0; l < n->k->n_loops; l++) {
		c_line(n->c, "if (lo[%d] >= hi[%d])", l, l);
		c_line(n->c, "\treturn;");
	}
}

void c_kernel(struct c_code *c, const struct kir_kernel *k)
{
	struct c_nest n = c_nest_of(c, &dialect, k);

	c->kernel[k->id] =
		arena_printf(c->arena, "kernel_%d_%s", k->id, c_symbol(c, k->name));
	c_line(c, "%s", "");
	c_place(c, k->span);
	c_line(c,
	       "static void %s(const struct mpa_frame *frame, const int64_t *lo, "
	       "const int64_t *hi)",
	       c->kernel[k->id]);
	c_line(c, "{");
	emit_bounds(&n);
	c_open_views(&n);
	c_level(&n, -1);
	emit_loops(&n);
	c_line(c, "}");
}
