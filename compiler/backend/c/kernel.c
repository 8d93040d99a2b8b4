/* backend/c/kernel.c - KIR to functions
 *
 * takes: a kernel   gives: static void name(frame, lo, hi), which computes a box of points
 * Each value is computed in the outermost loop that gives it all it needs; views do not
 * overlap, and no point of the innermost loop reads what another one writes.
 */
#include "backend/c/emit.h"
#include "support/arena.h"

#include <inttypes.h>
#include <string.h>

enum { CHUNK = 512 };                        /* values of a reduction handed over at once */

struct c_nest {
	struct c_code *c;
	const struct kir_kernel *k;
	const char **value;                  /* by instruction */
	int *level;
};

/* ---- addresses --------------------------------------------------------------- */

/* "i0 + v3 - 2": the index along one axis */
static void add_index(struct c_nest *n, struct strbuf *b, const struct kir_index *x)
{
	size_t start = b->length;

	if (x->loop >= 0 && x->coefficient != 0)
		strbuf_printf(b, "%si%d", x->coefficient < 0 ? "-" : "", x->loop);
	if (x->base >= 0)
		strbuf_printf(b, "%s%s", b->length > start ? " + " : "", n->value[x->base]);
	if (x->offset != 0 && b->length > start)
		strbuf_printf(b, " %c %" PRIu64, x->offset < 0 ? '-' : '+',
			      x->offset < 0 ? -(uint64_t)x->offset : (uint64_t)x->offset);
	else if (b->length == start)
		strbuf_printf(b, "%" PRId64, x->offset);
}

static const char *element(struct c_nest *n, const struct kir_access *a)
{
	const struct kir_view *view = &n->k->view[a->view];
	struct strbuf b = { 0 };
	const char *text;

	strbuf_printf(&b, "a%d[", a->view);
	for (int i = 0; i < view->n_axes; i++) {
		strbuf_puts(&b, i ? " + " : "");
		if (i != view->unit_axis)
			strbuf_putc(&b, '(');
		add_index(n, &b, &a->at[i]);
		if (i != view->unit_axis)
			strbuf_printf(&b, ") * s%d_%d", a->view, i);
	}
	strbuf_puts(&b, view->n_axes ? "]" : "0]");
	text = strbuf_to_arena(&b, n->c->arena);
	strbuf_free(&b);
	return text;
}

/* What is only read is constant, so that the compiler may keep it in registers. */
static void open_views(struct c_nest *n)
{
	for (int v = 0; v < n->k->n_views; v++) {
		const struct kir_view *view = &n->k->view[v];

		c_line(n->c, "%s%s *restrict const a%d = frame->view[%d].origin; /* %s */",
		       view->written ? "" : "const ", c_memory(view->elem), v, v,
		       c_symbol(n->c, view->name));
		for (int i = 0; i < view->n_axes; i++)
			if (i != view->unit_axis)
				c_line(n->c, "const int64_t s%d_%d = frame->view[%d].stride[%d];",
				       v, i, v, i);
	}
}

/* ---- instructions -------------------------------------------------------------- */

static void emit_scalar(struct c_nest *n, int i, const struct kir_instr *in)
{
	const char *name = n->value[i] = c_name(n->c, "t");

	c_line(n->c, "%s %s;", c_memory(in->elem), name);
	c_line(n->c, "memcpy(&%s, &frame->scalar[%d], sizeof %s);", name, in->as.slot, name);
}

static const char *random_text(struct c_nest *n, const struct kir_instr *in)
{
	const char *draw = in->as.i                 ? "mpa_random_normal"
			   : in->elem == ELEM_F32   ? "mpa_random_uniform_f32"
						    : "mpa_random_uniform";

	return arena_printf(n->c->arena, "%s(%s, %s, %s)", draw, n->value[in->arg[0]],
			    n->value[in->arg[1]], n->value[in->arg[2]]);
}

static const char *emit_operation(struct c_nest *n, const struct kir_instr *in)
{
	const char **arg = arena_new_array(n->c->arena, in->n_args + 1, const char *);
	struct c_op o = {
		.op = in->as.air.op,
		.elem = in->elem,
		.from = n->k->instr[in->arg[in->n_args - 1]].elem,
		.n = in->n_args,
		.exponent = in->as.air.exponent,
		.arg = arg,
		.function = in->as.air.function,
	};

	for (int i = 0; i < in->n_args; i++)
		arg[i] = n->value[in->arg[i]];
	return c_operation(n->c, &o);
}

static void emit_instr(struct c_nest *n, int i)
{
	const struct kir_instr *in = &n->k->instr[i];
	struct c_code *c = n->c;

	c_place(c, in->span);
	switch (in->op) {
	case KIR_CONST:
		n->value[i] = c_constant(c, in->elem, in->as.i, in->as.f);
		break;
	case KIR_SCALAR:
		emit_scalar(n, i, in);
		break;
	case KIR_INDEX:
		n->value[i] = arena_printf(c->arena, "i%d", in->as.loop);
		break;
	case KIR_LOAD:
		n->value[i] = c_value(c, in->elem, element(n, &in->as.access));
		break;
	case KIR_STORE:
		c_line(c, "%s = %s;", element(n, &in->as.access), n->value[in->arg[0]]);
		break;
	case KIR_REDUCE:
		c_line(c, "sum%d[i%d - first] = %s;", in->as.slot, n->k->n_loops - 1,
		       n->value[in->arg[0]]);
		break;
	case KIR_RANDOM:
		n->value[i] = c_value(c, in->elem, random_text(n, in));
		break;
	case KIR_AIR:
		n->value[i] = emit_operation(n, in);
		break;
	}
}

static void emit_level(struct c_nest *n, int level)
{
	for (int i = 0; i < n->k->n_instrs; i++)
		if (n->level[i] == level)
			emit_instr(n, i);
}

/* ---- loops ------------------------------------------------------------------------ */

static void emit_points(struct c_nest *n, const char *from, const char *to)
{
	int inner = n->k->n_loops - 1;

	c_line(n->c, "MPA_POINTS");
	c_line(n->c, "for (int64_t i%d = %s; i%d < %s; i%d++) /* %s */ {", inner, from, inner,
	       to, inner, c_symbol(n->c, n->k->loop_name[inner]));
	emit_level(n, inner);
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
	c_line(c, "for (int64_t first = lo[%d]; first < hi[%d]; first += %d) {", inner, inner,
	       CHUNK);
	c_line(c, "const int64_t end = first + %d < hi[%d] ? first + %d : hi[%d];", CHUNK,
	       inner, CHUNK, inner);
	emit_points(n, "first", "end");
	c_line(c, "place[%d] = first;", inner);
	for (int r = 0; r < n->k->n_reductions; r++)
		c_line(c, "mpa_sink_add(frame->sink[%d], sum%d, end - first, place);", r, r);
	c_line(c, "}");
}

static void emit_loops(struct c_nest *n)
{
	struct c_code *c = n->c;
	int inner = n->k->n_loops - 1;

	for (int l = 0; l < inner; l++) {
		c_line(c, "for (int64_t i%d = lo[%d]; i%d < hi[%d]; i%d++) /* %s */ {", l, l,
		       l, l, l, c_symbol(c, n->k->loop_name[l]));
		emit_level(n, l);
	}
	if (n->k->n_reductions)
		emit_chunks(n);
	else
		emit_points(n, arena_printf(c->arena, "lo[%d]", inner),
			    arena_printf(c->arena, "hi[%d]", inner));
	for (int l = 0; l < inner; l++)
		c_line(c, "}");
}

/* ---- the function ------------------------------------------------------------------ */

static void open_buffers(struct c_nest *n)
{
	for (int r = 0; r < n->k->n_reductions; r++)
		c_line(n->c, "%s sum%d[%d];", c_memory(n->k->reduction[r]), r, CHUNK);
	if (n->k->n_reductions)
		c_line(n->c, "int64_t place[MPA_MAX_AXES];");
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
	struct c_nest n = { .c = c, .k = k };

	n.value = arena_new_array(c->arena, k->n_instrs + 1, const char *);
	n.level = arena_new_array(c->arena, k->n_instrs + 1, int);
	kir_levels(k, n.level);
	c->kernel[k->id] = arena_printf(c->arena, "kernel_%d_%s", k->id, c_symbol(c, k->name));
	c_line(c, "%s", "");
	c_place(c, k->span);
	c_line(c, "static void %s(const struct mpa_frame *frame, const int64_t *lo, "
		  "const int64_t *hi)", c->kernel[k->id]);
	c_line(c, "{");
	emit_bounds(&n);
	open_views(&n);
	open_buffers(&n);
	emit_level(&n, -1);
	emit_loops(&n);
	c_line(c, "}");
}
