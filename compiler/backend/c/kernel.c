/* backend/c/kernel.c - KIR to statements
 *
 * takes: a kernel and a dialect   gives: the instructions of each loop of it
 * Each value is computed in the outermost loop that gives it all it needs; views do not
 * overlap, and no point of the innermost loop reads what another one writes.
 */
#include "backend/c/nest.h"
#include "support/arena.h"

#include <inttypes.h>
#include <string.h>

/* ---- addresses --------------------------------------------------------------- */

/* "i0 + v3 - 2": the index along one axis */
static void add_index(struct c_nest *n, struct strbuf *b, const struct kir_index *x)
{
	size_t start = b->length;

	if (x->loop >= 0 && x->coefficient != 0)
		strbuf_printf(b, "%si%d", x->coefficient < 0 ? "-" : "", x->loop);
	if (x->base >= 0)
		strbuf_printf(b, "%s%s", b->length > start ? " + " : "",
			      n->value[x->base]);
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
void c_open_views(struct c_nest *n)
{
	for (int v = 0; v < n->k->n_views; v++) {
		const struct kir_view *view = &n->k->view[v];
		const char *type =
			arena_printf(n->c->arena, "%s%s *", view->written ? "" : "const ",
				     c_memory(view->elem));

		c_line(n->c, "%sMPA_ALONE const a%d = (%s)%s; /* %s */", type, v, type,
		       arena_printf(n->c->arena, n->dialect->origin, v),
		       c_symbol(n->c, view->name));
		for (int i = 0; i < view->n_axes; i++)
			if (i != view->unit_axis)
				c_line(n->c, "const int64_t s%d_%d = %s;", v, i,
				       arena_printf(n->c->arena, n->dialect->stride, v,
						    i));
	}
}

/* ---- instructions -------------------------------------------------------------- */

static void emit_scalar(struct c_nest *n, int i, const struct kir_instr *in)
{
	const char *name = n->value[i] = c_name(n->c, "t");

	c_line(n->c, "%s %s;", c_memory(in->elem), name);
	c_line(n->c, "memcpy(&%s, &%s, sizeof %s);", name,
	       arena_printf(n->c->arena, n->dialect->scalar, in->as.slot), name);
}

static const char *random_text(struct c_nest *n, const struct kir_instr *in)
{
	const char *draw = in->as.i               ? "mpa_random_normal"
			   : in->elem == ELEM_F32 ? "mpa_random_uniform_f32"
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

static const char *load_text(struct c_nest *n, const struct kir_access *a)
{
	const char *at = element(n, a);
	const struct kir_view *v = &n->k->view[a->view];

	return v->written || elem_kind(v->elem) == KIND_COMPLEX
		       ? at
		       : arena_printf(n->c->arena, n->dialect->load, at);
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
		n->value[i] = c_value(c, in->elem, load_text(n, &in->as.access));
		break;
	case KIR_STORE:
		c_line(c, "%s = %s;", element(n, &in->as.access), n->value[in->arg[0]]);
		break;
	case KIR_REDUCE:
		c_line(c, "%s = %s;", n->dialect->reduced(n, in->as.slot),
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

void c_level(struct c_nest *n, int level)
{
	for (int i = 0; i < n->k->n_instrs; i++)
		if (n->level[i] == level)
			emit_instr(n, i);
}

/* ---- a kernel --------------------------------------------------------------------- */

struct c_nest c_nest_of(struct c_code *c, const struct c_dialect *d,
			const struct kir_kernel *k)
{
	struct c_nest n = { .c = c, .dialect = d, .k = k };

	n.value = arena_new_array(c->arena, k->n_instrs + 1, const char *);
	n.level = arena_new_array(c->arena, k->n_instrs + 1, int);
	kir_levels(k, n.level);
	return n;
}
