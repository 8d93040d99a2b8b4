/* backend/c/host_value.c - scalars of the host, and where they live
 *
 * takes: scalar expressions of AIR   gives: their values, where the text stands
 * Equal parts of one expression are one object in AIR and one value here.
 */
#include "backend/c/host.h"
#include "support/arena.h"

#include <assert.h>

enum { CELL_BYTES = 16, CELLS_OF_AXIS = 3 };

/* ---- variables ----------------------------------------------------------------- */

static bool in_session(const struct c_host *h)
{
	return h->c->options->library || h->c->options->resident;
}

const char *c_var(struct c_host *h, const struct air_var *v)
{
	return arena_printf(h->c->arena, in_session(h) ? "(*v%d_%s)" : "v%d_%s", v->id,
			    c_symbol(h->c, v->name));
}

const char *c_axis(struct c_host *h, const struct axis *a, const char *what)
{
	return arena_printf(h->c->arena, in_session(h) ? "(*%s%d)" : "%s%d", what, a->id);
}

static void slots_on_stack(struct c_host *h)
{
	const struct air_program *air = h->c->plan->air;

	for (int i = 0; i < air->n_vars; i++)
		c_line(h->c, "%s v%d_%s = { 0 };", c_elem(air->var[i]->elem), i,
		       c_symbol(h->c, air->var[i]->name));
	for (int i = 0; i < air->types.n_axes; i++)
		c_line(h->c, "int64_t size%d = 0; double lo%d = 0, step%d = 0;", i, i, i);
}

static void slots_in_session(struct c_host *h)
{
	const struct air_program *air = h->c->plan->air;

	c_line(h->c, "char *const vars = mpa_cells(s, 0, %d);", air->n_vars);
	c_line(h->c, "char *const axes = mpa_cells(s, 1, %d);",
	       air->types.n_axes * CELLS_OF_AXIS);
	for (int i = 0; i < air->n_vars; i++)
		c_line(h->c, "%s *const v%d_%s = (void *)(vars + %d);",
		       c_elem(air->var[i]->elem), i, c_symbol(h->c, air->var[i]->name),
		       i * CELL_BYTES);
	for (int i = 0; i < air->types.n_axes; i++) {
		int at = i * CELLS_OF_AXIS * CELL_BYTES;

		c_line(h->c, "int64_t *const size%d = (void *)(axes + %d);", i, at);
		c_line(h->c, "double *const lo%d = (void *)(axes + %d);", i, at + CELL_BYTES);
		c_line(h->c, "double *const step%d = (void *)(axes + %d);", i,
		       at + 2 * CELL_BYTES);
	}
}

void c_slots(struct c_host *h)
{
	if (in_session(h))
		slots_in_session(h);
	else
		slots_on_stack(h);
}

/* ---- values ---------------------------------------------------------------------- */

static const char *value_of(struct c_host *h, const struct air_expr *x);

static const char *constant(struct c_host *h, const struct air_expr *x)
{
	if (x->elem == ELEM_STR)
		return c_text(h->c, x->as.text);
	if (elem_kind(x->elem) == KIND_REAL)
		return c_constant(h->c, x->elem, 0, x->as.f);
	return c_constant(h->c, x->elem, x->as.i, 0);
}

static const char *operation(struct c_host *h, const struct air_expr *x)
{
	const char **arg = arena_new_array(h->c->arena, x->n_args + 1, const char *);
	struct c_op o = { .op = x->op, .elem = x->elem, .n = x->n_args, .arg = arg };

	for (int i = 0; i < x->n_args; i++)
		arg[i] = value_of(h, x->arg[i]);
	o.from = x->n_args ? x->arg[x->n_args - 1]->elem : ELEM_NONE;
	if (x->op == AIR_POWI)
		o.exponent = (int)x->as.i;
	if (x->op == AIR_EXTERN)
		o.function = x->as.function;
	return c_operation(h->c, &o);
}

static const char *make(struct c_host *h, const struct air_expr *x)
{
	switch (x->op) {
	case AIR_CONST:
		return constant(h, x);
	case AIR_VAR:
		return c_value(h->c, x->elem, c_var(h, x->as.var));
	case AIR_SIZE:
		return c_value(h->c, x->elem,
			       arena_printf(h->c->arena, "%s + %d",
					    c_axis(h, x->as.at.axis, "size"), x->as.at.ext));
	case AIR_STEP:
		return c_value(h->c, x->elem, c_axis(h, x->as.at.axis, "step"));
	default:
		return operation(h, x);
	}
}

static const char *value_of(struct c_host *h, const struct air_expr *x)
{
	assert(x->id >= 0 && x->id < h->c->plan->air->n_exprs);
	if (h->stamp[x->id] != h->now) {
		h->value[x->id] = make(h, x);
		h->stamp[x->id] = h->now;
	}
	return h->value[x->id];
}

const char *c_scalar(struct c_host *h, const struct air_expr *x)
{
	h->now++;
	return value_of(h, x);
}

void c_set(struct c_host *h, const struct air_var *v, const char *value)
{
	c_line(h->c, "%s = %s;", c_var(h, v), value);
}

int c_array(struct c_host *h, const struct air_field *f)
{
	assert(h->c->plan->of_field[f->id]);
	return h->c->plan->of_field[f->id]->id;
}
