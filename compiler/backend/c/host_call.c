/* backend/c/host_call.c - what the host asks of the run time
 *
 * takes: statements about grids, arrays, runs, files and texts
 * gives: calls of mpa/abi.h, with the scalars that they take
 */
#include "backend/c/host.h"
#include "support/arena.h"

#include <assert.h>
#include <inttypes.h>

/* ---- grids ----------------------------------------------------------------------- */

/* (hi - lo) / n, or / (n - 1) with nodes; between points of no interval it is 1. */
static void define_axis(struct c_host *h, const struct axis *a)
{
	struct c_code *c = h->c;
	bool index = a->place == AXIS_INDEX;
	const char *size = c_scalar(h, a->size), *lo = index ? "0" : c_scalar(h, a->lo);
	const char *hi = index ? "0" : c_scalar(h, a->hi);

	c_line(c, "mpa_axis_define(s, %s, %d, %s, %s, %s);", c_where(c, a->span), a->id, size,
	       lo, hi);
	c_line(c, "%s = %s;", c_axis(h, a, "size"), size);
	c_line(c, "%s = %s;", c_axis(h, a, "lo"), lo);
	if (index)
		c_line(c, "%s = 1;", c_axis(h, a, "step"));
	else
		c_line(c, "%s = (%s - %s) / (double)sub_i64(%s, %d);", c_axis(h, a, "step"), hi,
		       lo, size, a->place == AXIS_NODES);
}

/* Where its points are is said by those that they are of. */
static void define_slice(struct c_host *h, const struct axis *a)
{
	const char *size = c_scalar(h, a->size), *start = c_scalar(h, a->slice->start);

	c_line(h->c, "mpa_axis_slice(s, %s, %d, %s, %s);", c_where(h->c, a->span), a->id, size,
	       start);
	c_line(h->c, "%s = %s;", c_axis(h, a, "size"), size);
}

/* int64_t list[] = { ... }; the name of the list */
static const char *list_of(struct c_host *h, const struct air_expr *const *x, int n)
{
	const char *name = c_name(h->c, "list");

	c_line(h->c, "int64_t %s[%d];", name, n);
	for (int i = 0; i < n; i++)
		c_line(h->c, "%s[%d] = %s;", name, i, c_scalar(h, x[i]));
	return name;
}

static void define_cuts(struct c_host *h, const struct axis *a, const struct cuts *cuts)
{
	const char *where = c_where(h->c, a->span), *list;

	if (cuts->cost)
		c_line(h->c, "mpa_axis_balance(s, %s, %d, %d);", where, a->id,
		       c_array(h, cuts->cost));
	if (!cuts->n)
		return;
	list = list_of(h, cuts->at, cuts->n);
	c_line(h->c, "mpa_axis_cuts(s, %s, %d, %d, %s);", where, a->id, cuts->n, list);
}

static void define_family(struct c_host *h, const struct family *f)
{
	const char *procs = "0";

	for (int i = 0; i < f->n_base; i++) {
		(f->parent ? define_slice : define_axis)(h, f->axis[i]);
		define_cuts(h, f->axis[i], &f->cuts[i]);
	}
	if (f->n_procs > 0)
		procs = list_of(h, f->procs, f->n_procs);
	c_line(h->c, "mpa_family_define(s, %s, %d, %s);", c_where(h->c, f->span),
	       c_family(h->c, f), procs);
}

void c_grid_stmt(struct c_host *h, const struct air_stmt *s)
{
	if (s->axis)
		define_axis(h, s->axis);
	else
		define_family(h, s->family);
}

/* ---- runs and copies --------------------------------------------------------------- */

static void store_arg(struct c_host *h, int slot, enum elem e, const char *value)
{
	c_line(h->c, "MPA_PUT(&args[%d], %s, %s);", slot, c_memory(e), value);
}

static const char *scalar_value(struct c_host *h, const struct plan_scalar *s)
{
	switch (s->kind) {
	case SCALAR_AXIS_LO:
		return c_axis(h, s->axis, "lo");
	case SCALAR_SEED:
		return "mpa_seed(s)";
	case SCALAR_EXPR:
		break;
	}
	return c_scalar(h, s->expr);
}

static void store_call(struct c_host *h, const struct plan_call *call)
{
	for (int i = 0; i < call->kernel->n_scalars; i++)
		store_arg(h, call->first_arg + i, call->kernel->scalar[i],
			  scalar_value(h, &call->scalar[i]));
}

/* Bounds, in the order of the axes of g, from this slot on. */
static void store_region(struct c_host *h, const struct grid *g, const struct air_region *r,
			 int slot)
{
	for (int i = 0; i < g->n_axes; i++, slot += 2) {
		const struct air_slice *s = &r->axis[i];

		if (s->part == PART_ALL)
			continue;
		if (s->lo)
			store_arg(h, slot, ELEM_I64, c_scalar(h, s->lo));
		if (s->hi)
			store_arg(h, slot + 1, ELEM_I64, c_scalar(h, s->hi));
	}
}

static void take_results(struct c_host *h, const struct plan_run *r)
{
	for (int i = 0; i < r->n_results; i++) {
		const struct air_var *v = r->result[i].var;
		bool real = elem_kind(v->elem) == KIND_REAL;

		if (elem_kind(v->elem) == KIND_COMPLEX)
			c_line(h->c, "mpa_result_c(s, %d, %d, &%s);", r->id, i, c_var(h, v));
		else
			c_set(h, v,
			      c_narrow(h->c, v->elem,
				       arena_printf(h->c->arena, "mpa_result_%s(s, %d, %d)",
						    real ? "d" : "i", r->id, i)));
	}
}

void c_run(struct c_host *h, const struct plan_run *r)
{
	const struct plan_call *const *call;
	int n = plan_calls(h->c->plan, r, h->c->arena, &call);

	for (int i = 0; i < n; i++)
		store_call(h, call[i]);
	store_region(h, r->grid, &r->region, r->first_region_arg);
	c_line(h->c, "mpa_run(s, %d); /* %s */", r->id, c_symbol(h->c, r->call.kernel->name));
	take_results(h, r);
}

void c_copy(struct c_host *h, const struct plan_copy *copy)
{
	const struct grid *to = copy->air->to->grid;

	store_region(h, to, &copy->air->to_region, copy->first_arg);
	store_region(h, copy->air->from->grid, &copy->air->from_region,
		     copy->first_arg + 2 * to->n_axes);
	c_line(h->c, "mpa_copy(s, %s, %d);", c_where(h->c, copy->span), copy->id);
}

void c_element(struct c_host *h, const struct air_stmt *s)
{
	struct c_code *c = h->c;
	const char *index = list_of(h, s->index, s->field->grid->n_axes);
	const char *where = c_where(c, s->span);
	bool real = elem_kind(s->var->elem) == KIND_REAL;

	if (elem_kind(s->var->elem) == KIND_COMPLEX)
		c_line(c, "mpa_element_c(s, %s, %d, %s, &%s);", where, c_array(h, s->field),
		       index, c_var(h, s->var));
	else
		c_set(h, s->var,
		      c_narrow(c, s->var->elem,
			       arena_printf(c->arena, "mpa_element_%s(s, %s, %d, %s)",
					    real ? "d" : "i", where, c_array(h, s->field),
					    index)));
}

/* ---- texts ---------------------------------------------------------------------------- */

static void put_scalar(struct c_host *h, const struct air_piece *p)
{
	struct c_code *c = h->c;
	enum elem e = p->value->elem;
	const char *value = c_scalar(h, p->value);
	const char *format = p->format && *p->format ? c_text(c, p->format) : "0";

	if (elem_kind(e) == KIND_COMPLEX)
		c_line(c, "mpa_out_c(s, %s.re, %s.im, %d, %s);", value, value,
		       e == ELEM_C64, format);
	else
		c_line(c, "mpa_out_%s(s, %s, %s);",
		       e == ELEM_BOOL  ? "b"
		       : e == ELEM_F32 ? "f"
		       : e == ELEM_F64 ? "d"
		       : e == ELEM_STR ? "s"
				       : "i",
		       value, format);
}

void c_pieces(struct c_host *h, const struct air_text *t)
{
	c_line(h->c, "mpa_out_begin(s);");
	for (int i = 0; i < t->n; i++) {
		const struct air_piece *p = &t->piece[i];

		if (p->kind == PIECE_TEXT)
			c_line(h->c, "mpa_out_text(s, %s);", c_text(h->c, p->text));
		else if (p->kind == PIECE_SCALAR)
			put_scalar(h, p);
		else
			c_line(h->c, "mpa_out_array(s, %d);", c_array(h, p->field));
	}
}

/* ---- files ---------------------------------------------------------------------------- */

/* A scalar; without a value: one that is to be loaded. */
static void put_item(struct c_host *h, const char *name, const struct air_item *item)
{
	struct c_code *c = h->c;
	enum elem e = item->var ? item->var->elem : item->value->elem;
	const char *value = item->value ? c_scalar(h, item->value) : NULL;

	if (e == ELEM_STR)
		c_line(c, "mpa_file_s(s, %s, %s);", name, value ? value : "0");
	else if (elem_kind(e) == KIND_COMPLEX && value)
		c_line(c, "mpa_file_c(s, %s, %d, %s.re, %s.im);", name, e, value, value);
	else if (elem_kind(e) == KIND_COMPLEX)
		c_line(c, "mpa_file_c(s, %s, %d, 0, 0);", name, e);
	else
		c_line(c, "mpa_file_%s(s, %s, %d, %s);",
		       elem_kind(e) == KIND_REAL ? "d" : "i", name, e, value ? value : "0");
}

static void put_field(struct c_host *h, const char *name, const struct air_item *item)
{
	c_line(h->c, "mpa_file_array(s, %s, %d);", name, c_array(h, item->field));
	for (int i = 0; i < item->field->grid->n_axes; i++) {
		const char *first;

		if (!item->first[i])
			continue;
		first = c_scalar(h, item->first[i]);
		c_line(h->c, "mpa_file_axis(s, %d, %s, %s);", i, first,
		       c_scalar(h, item->step[i]));
	}
}

static void put_items(struct c_host *h, const struct air_stmt *s)
{
	c_line(h->c, "mpa_file_begin(s);");
	for (int i = 0; i < s->n_items; i++) {
		const char *name = c_scalar(h, s->item[i].name);

		(s->item[i].field ? put_field : put_item)(h, name, &s->item[i]);
	}
}

static void take_complex(struct c_host *h, const struct air_var *v, int item)
{
	const char *parts = c_name(h->c, "parts");

	c_line(h->c, "double %s[2];", parts);
	c_line(h->c, "mpa_loaded_c(s, %d, %s);", item, parts);
	c_line(h->c, "%s = (%s){ %s[0], %s[1] };", c_var(h, v), c_elem(v->elem), parts, parts);
}

static void take_loaded(struct c_host *h, const struct air_stmt *s)
{
	for (int i = 0; i < s->n_items; i++) {
		const struct air_var *v = s->item[i].var;

		if (!v)
			continue;
		if (elem_kind(v->elem) == KIND_COMPLEX)
			take_complex(h, v, i);
		else
			c_set(h, v,
			      c_narrow(h->c, v->elem,
				       arena_printf(h->c->arena, "mpa_loaded_%s(s, %d)",
						    v->elem == ELEM_STR               ? "s"
						    : elem_kind(v->elem) == KIND_REAL ? "d"
										      : "i",
						    i)));
	}
}

void c_file(struct c_host *h, const struct air_stmt *s)
{
	struct c_code *c = h->c;
	const char *where = c_where(c, s->span), *file = c_scalar(h, s->value), *name;

	switch (s->kind) {
	case STMT_SAVE:
		put_items(h, s);
		c_line(c, "mpa_save(s, %s, %s);", where, file);
		break;
	case STMT_PLOT:
		put_items(h, s);
		c_line(c, "mpa_plot(s, %s, %s);", where, file);
		break;
	case STMT_LOAD:
		put_items(h, s);
		c_line(c, "mpa_load(s, %s, %s, %d);", where, file, s->only);
		take_loaded(h, s);
		break;
	case STMT_SHAPE:
		name = c_scalar(h, s->item[0].name);
		c_line(c, "%s = (%s)mpa_shape(s, %s, %s, %s, %s);", c_var(h, s->var),
		       c_elem(s->var->elem), where, file, name, c_scalar(h, s->from));
		break;
	default:
		assert(s->kind == STMT_EXISTS);
		c_line(c, "%s = mpa_exists(s, %s) != 0;", c_var(h, s->var), file);
	}
}
