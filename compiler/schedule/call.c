/* schedule/call.c - a finished kernel gets its name and is bound to arrays
 *
 * Views become buffers of stored fields, slots become scalars of the plan, and the call
 * gets its stretch in the program's table of arguments.
 */
#include <assert.h>
#include <ctype.h>
#include <string.h>
#include "kernel/maker.h"
#include "schedule/draft.h"
#include "support/strbuf.h"

/* The program's name as the beginning of a symbol. */
static void symbol_stem(struct strbuf *b, const char *file)
{
	const char *slash = strrchr(file, '/'), *c = slash ? slash + 1 : file;

	if (!isalpha((unsigned char)*c))
		strbuf_putc(b, 'k');
	for (; *c && *c != '.'; c++)
		strbuf_putc(b, isalnum((unsigned char)*c) && *c > 0 ? *c : '_');
}

static void symbol_add(struct strbuf *b, const char *text)
{
	for (; *text; text++)
		strbuf_putc(b, isalnum((unsigned char)*text) && *text > 0 ? *text : '_');
}

/* "heat_12", "heat_12_u_x_lo"; a number follows where that is taken. */
const char *kernel_name(struct sched *s, struct span span, const char *suffix)
{
	struct strbuf b = { 0 };
	const char *name, *stem;

	symbol_stem(&b, s->air->file ? s->air->file : "kernel");
	strbuf_printf(&b, "_%d", span.source ? span_place(span).line : 0);
	symbol_add(&b, suffix);
	stem = name = strbuf_to_arena(&b, s->arena);
	strbuf_free(&b);
	for (int i = 2; map_get(s->names, name); i++)
		name = arena_printf(s->arena, "%s__%d", stem, i);
	map_set(s->names, name, (void *)name);
	return name;
}

static struct plan_scalar scalar_of(const struct kir_slot *slot)
{
	struct plan_scalar x = { .kind = SCALAR_EXPR, .expr = slot->expr, .axis = slot->axis };

	if (slot->kind == SLOT_AXIS_LO)
		x.kind = SCALAR_AXIS_LO;
	else if (slot->kind == SLOT_SEED)
		x.kind = SCALAR_SEED;
	return x;
}

static void bind_views(struct sched *s, struct plan_call *c, const struct kir_maker *m)
{
	c->bind = arena_new_array(s->arena, (size_t)m->view.n + 1, struct plan_bind);
	for (int v = 0; v < m->view.n; v++) {
		const struct kir_source *from = &m->source.item[v];

		c->bind[v].array = s->plan->of_field[from->field->id];
		c->bind[v].buffer = from->second ? BUFFER_SECOND : BUFFER_CURRENT;
		assert(c->bind[v].array);
		if (from->second)
			c->bind[v].array->second = true;
	}
}

static void kernel_keep(struct sched *s, struct kir_kernel *k)
{
	struct plan *p = s->plan;
	struct kir_kernel **old = p->kernel;

	if (!(p->n_kernels & (p->n_kernels - 1))) {
		p->kernel = arena_new_array(s->arena, 2 * (size_t)p->n_kernels + 1,
		                            struct kir_kernel *);
		if (p->n_kernels)
			memcpy(p->kernel, old, (size_t)p->n_kernels * sizeof *old);
	}
	k->id = p->n_kernels;
	p->kernel[p->n_kernels++] = k;
}

void call_finish(struct sched *s, struct plan_call *c, struct kir_maker *m, const char *name,
                 struct span span)
{
	c->kernel = kir_maker_end(m, name, span);
	kernel_keep(s, c->kernel);
	memcpy(c->loop_axis, m->loop_axis, sizeof c->loop_axis);
	bind_views(s, c, m);
	c->scalar = arena_new_array(s->arena, (size_t)m->slot.n + 1, struct plan_scalar);
	for (int i = 0; i < m->slot.n; i++)
		c->scalar[i] = scalar_of(&m->slot.item[i]);
	c->first_arg = s->plan->n_args;
	s->plan->n_args += m->slot.n;
}

int plan_bound(const struct plan_call *c, int view, enum plan_bound what)
{
	switch (what) {
	case PLAN_SECOND:
		return c->bind[view].buffer == BUFFER_SECOND;
	case PLAN_WRITTEN:
		return c->kernel->view[view].written;
	default:
		return c->bind[view].array->id;
	}
}

const char *plan_bound_name(enum plan_bound what)
{
	static const char *const name[] = { "array", "second", "written" };

	return name[what];
}
