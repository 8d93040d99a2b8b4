/* backend/c/tables.c - the constant struct mpa_program, and main
 *
 * takes: a plan   gives: what mpa/program.h declares, as initialisers. A table is a list
 * of its members in the order of the header; the tables it points to stand before it.
 */
#include "backend/c/emit.h"
#include "mpa/program.h"
#include "support/arena.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

_Static_assert((int)MPA_MAX_AXES == (int)MAX_AXES, "both halves have as many axes");

struct table {
	struct c_code *c;
	struct strbuf b;
};

/* ---- numbers --------------------------------------------------------------------- */

static const struct types *types_of(const struct c_code *c)
{
	return &c->plan->air->types;
}

int c_family(const struct c_code *c, const struct family *f)
{
	int i = 0;

	while (types_of(c)->family[i] != f)
		i++;
	return i;
}

int c_grid(const struct c_code *c, const struct grid *g)
{
	int i = 0;

	while (types_of(c)->grid[i] != g)
		i++;
	return i;
}

/* ---- members ---------------------------------------------------------------------- */

static struct table open_table(struct c_code *c)
{
	return (struct table){ .c = c };
}

static void put(struct table *t, const char *value)
{
	strbuf_printf(&t->b, "%s, ", value);
}

static void put_int(struct table *t, int64_t value)
{
	put(t, c_constant(t->c, ELEM_I64, value, 0));
}

static void put_text(struct table *t, const char *text)
{
	put(t, c_text(t->c, text));
}

static void put_where(struct table *t, struct span at)
{
	put(t, c_where(t->c, at));
}

static void put_widths(struct table *t, const int64_t (*width)[2])
{
	for (int i = 0; i < MAX_AXES; i++) {
		put_int(t, width[i][0]);
		put_int(t, width[i][1]);
	}
}

static void end_row(struct table *t)
{
	strbuf_puts(&t->b, "\n\t");
}

/* The name of the finished table; a null pointer if it is empty. */
static const char *close_table(struct table *t, const char *type, const char *kind)
{
	const char *name = "0";

	if (t->b.length) {
		name = c_name(t->c, kind);
		c_line(t->c, "static const %s %s[] = { %s};", type, name, strbuf_text(&t->b));
	}
	strbuf_free(&t->b);
	return name;
}

static const char *array_list(struct c_code *c, struct plan_array *const *array, int n)
{
	struct table t = open_table(c);

	for (int i = 0; i < n; i++)
		put_int(&t, array[i]->id);
	return close_table(&t, "int64_t", "arrays");
}

/* ---- kernels as they are bound ------------------------------------------------------ */

static const char *bound(struct c_code *c, const struct plan_call *call,
			 enum plan_bound what)
{
	struct table t = open_table(c);

	for (int i = 0; i < call->kernel->n_views; i++)
		put_int(&t, plan_bound(call, i, what));
	return close_table(&t, "int64_t", plan_bound_name(what));
}

/* Pointers to lists are made first: c_line must not cut a table in two. */
struct lists { const char *list[PLAN_BOUNDS]; };

static struct lists call_lists(struct c_code *c, const struct plan_call *call)
{
	struct lists lists;

	for (int i = 0; i < PLAN_BOUNDS; i++)
		lists.list[i] = bound(c, call, (enum plan_bound)i);
	return lists;
}

static void put_call(struct table *t, const struct plan_call *call, struct lists lists)
{
	put(t, t->c->kernel[call->kernel->id]);
	put_text(t, call->kernel->name);
	put_int(t, call->kernel->n_loops);
	for (int i = 0; i < MAX_AXES; i++)
		put_int(t, i < call->kernel->n_loops ? call->loop_axis[i] : 0);
	put_int(t, call->kernel->n_views);
	for (int i = 0; i < PLAN_BOUNDS; i++)
		put(t, lists.list[i]);
	put_int(t, call->kernel->n_scalars);
	put_int(t, call->first_arg);
	put_text(t, t->c->options->cuda ? t->c->options->cuda->kernel[call->kernel->id] : NULL);
}

static const char *wall_table(struct c_code *c, const struct plan_wall *wall)
{
	struct table t = open_table(c);

	if (!wall)
		return "0";
	put_call(&t, &wall->call, call_lists(c, &wall->call));
	put_int(&t, wall->mirrors);
	put_int(&t, wall->n_fields);
	put(&t, array_list(c, wall->field, wall->n_fields));
	return close_table(&t, "struct mpa_wall", "wall");
}

/* ---- grids and arrays ----------------------------------------------------------------- */

static const char *param_table(struct c_code *c)
{
	const struct air_program *air = c->plan->air;
	struct table t = open_table(c);

	for (int i = 0; i < air->n_params; i++) {
		put_text(&t, air->param[i].var->name);
		put_int(&t, air->param[i].var->elem);
		put_text(&t, air->param[i].text ? air->param[i].text : "");
		put_text(&t, air->param[i].shown ? air->param[i].shown : "");
		end_row(&t);
	}
	return close_table(&t, "struct mpa_param_info", "params");
}

static const struct axis **axes_by_number(struct c_code *c)
{
	const struct types *types = types_of(c);
	const struct axis **axis =
		arena_new_array(c->arena, types->n_axes + 1, const struct axis *);

	for (int f = 0; f < types->n_families; f++)
		for (int i = 0; i < types->family[f]->n_axes; i++)
			axis[types->family[f]->axis[i]->id] = types->family[f]->axis[i];
	return axis;
}

static const char *axis_table(struct c_code *c)
{
	const struct axis **axis = axes_by_number(c);
	struct table t = open_table(c);

	for (int i = 0; i < types_of(c)->n_axes; i++) {
		put_text(&t, axis[i]->name);
		put_int(&t, c_family(c, axis[i]->family));
		put_int(&t, axis[i]->periodic);
		put_int(&t, axis[i]->local);
		put_int(&t, axis[i]->place);
		put_int(&t, axis[i]->slice ? 1 + axis[i]->slice->axis->id : 0);
		put_int(&t, axis[i]->slice ? axis[i]->slice->step : 0);
		end_row(&t);
	}
	return close_table(&t, "struct mpa_axis_info", "axes");
}

static const char *family_table(struct c_code *c)
{
	struct table t = open_table(c);

	for (int k = 0; k < types_of(c)->n_families; k++) {
		const struct family *f = types_of(c)->family[k];

		put_text(&t, f->name);
		put_where(&t, f->span);
		put_int(&t, f->n_base);
		for (int i = 0; i < MAX_AXES; i++)
			put_int(&t, i < f->n_base ? f->axis[i]->id : 0);
		for (int i = 0; i < MAX_AXES; i++)
			put_int(&t, i < f->n_base && family_may_cut(f, i));
		put_int(&t, f->n_procs > 0);
		put_int(&t, f->parent ? 1 + c_family(c, f->parent) : 0);
		end_row(&t);
	}
	return close_table(&t, "struct mpa_family_info", "families");
}

static const char *grid_table(struct c_code *c)
{
	struct table t = open_table(c);

	for (int k = 0; k < types_of(c)->n_grids; k++) {
		const struct grid *g = types_of(c)->grid[k];

		put_text(&t, g->name);
		put_int(&t, c_family(c, g->family));
		put_int(&t, g->n_axes);
		for (int i = 0; i < MAX_AXES; i++)
			put_int(&t, i < g->n_axes ? g->axis[i]->id : 0);
		for (int i = 0; i < MAX_AXES; i++)
			put_int(&t, i < g->n_axes ? grid_longer(g, g->axis[i]) : 0);
		end_row(&t);
	}
	return close_table(&t, "struct mpa_grid_info", "grids");
}

static const char *array_table(struct c_code *c)
{
	struct table t = open_table(c);

	for (int k = 0; k < c->plan->n_arrays; k++) {
		const struct plan_array *a = c->plan->array[k];

		put_text(&t, a->field->name);
		put_where(&t, a->field->span);
		put_int(&t, a->field->elem);
		put_int(&t, c_grid(c, a->field->grid));
		put_int(&t, a->field->kind == FIELD_STAGE);
		put_int(&t, a->second);
		put_widths(&t, a->halo);
		put_widths(&t, a->grown);
		for (int i = 0; i < MAX_AXES; i++)
			for (int side = 0; side < 2; side++)
				put(&t, wall_table(c, a->wall[i][side]));
		end_row(&t);
	}
	return close_table(&t, "struct mpa_array_info", "array_infos");
}

/* ---- runs --------------------------------------------------------------------------------- */

static const char *need_table(struct c_code *c, const struct plan_run *r)
{
	struct table t = open_table(c);

	for (int i = 0; i < r->n_needs; i++) {
		put_int(&t, r->need[i].array->id);
		put_widths(&t, r->need[i].width);
		put_int(&t, r->need[i].diagonal);
	}
	return close_table(&t, "struct mpa_need", "needs");
}

static const char *swap_table(struct c_code *c, const struct plan_run *r)
{
	struct table t = open_table(c);

	for (int i = 0; i < r->n_swaps; i++) {
		put_int(&t, r->swap[i][0]->id);
		put_int(&t, r->swap[i][1]->id);
	}
	return close_table(&t, "int64_t", "swaps");
}

static const char *result_table(struct c_code *c, const struct plan_run *r)
{
	struct table t = open_table(c);

	for (int i = 0; i < r->n_results; i++) {
		put_int(&t, r->result[i].reduction);
		put_int(&t, r->call.kernel->reduction[i]);
	}
	return close_table(&t, "struct mpa_result", "results");
}

static void put_region(struct table *t, const struct air_region *r)
{
	for (int i = 0; i < MAX_AXES; i++) {
		put_int(t, r->axis[i].part);
		put_int(t, r->axis[i].lo != NULL);
		put_int(t, r->axis[i].hi != NULL);
		put_int(t, r->axis[i].part == PART_RANGE ? r->axis[i].step : 1);
	}
}

static void put_run(struct table *t, const struct plan_run *r)
{
	struct c_code *c = t->c;

	put_where(t, r->span);
	put_call(t, &r->call, call_lists(c, &r->call));
	put_int(t, c_grid(c, r->grid));
	put_region(t, &r->region);
	put_int(t, r->first_region_arg);
	put_widths(t, r->grow);
	put_int(t, r->n_needs);
	put(t, need_table(c, r));
	put_widths(t, r->margin);
	put_int(t, r->n_commits);
	put(t, array_list(c, r->commit, r->n_commits));
	put_int(t, r->n_swaps);
	strbuf_printf(&t->b, "(const int64_t (*)[2])%s, ", swap_table(c, r));
	put_int(t, r->n_changed);
	put(t, array_list(c, r->changed, r->n_changed));
	put_int(t, r->n_results);
	put(t, result_table(c, r));
	end_row(t);
}

static const char *run_table(struct c_code *c)
{
	struct table t = open_table(c);

	for (int i = 0; i < c->plan->n_runs; i++)
		put_run(&t, c->plan->run[i]);
	return close_table(&t, "struct mpa_run_info", "runs");
}

static const char *copy_table(struct c_code *c)
{
	struct table t = open_table(c);

	for (int i = 0; i < c->plan->n_copies; i++) {
		const struct plan_copy *copy = c->plan->copy[i];

		put_where(&t, copy->span);
		put_int(&t, c->plan->of_field[copy->air->to->id]->id);
		put_int(&t, c->plan->of_field[copy->air->from->id]->id);
		put_region(&t, &copy->air->to_region);
		put_region(&t, &copy->air->from_region);
		for (int a = 0; a < MAX_AXES; a++)
			put_int(&t, a < copy->air->to->grid->n_axes ? copy->air->pair[a] : -1);
		put_int(&t, copy->first_arg);
		end_row(&t);
	}
	return close_table(&t, "struct mpa_copy_info", "copies");
}

/* ---- for programs in C --------------------------------------------------------------------- */

static const char *name_table(struct c_code *c)
{
	const struct plan *p = c->plan;
	struct table t = open_table(c);

	for (int i = 0; i < p->air->n_names; i++) {
		put_text(&t, p->air->name[i]->name);
		put_int(&t, p->of_field[p->air->name[i]->id]->id);
	}
	return close_table(&t, "struct mpa_name_info", "names");
}

static const char *entry_table(struct c_code *c, const struct air_export *x)
{
	struct table t = open_table(c);

	for (int i = 0; i < x->n_entries; i++) {
		struct table array = open_table(c);

		for (int k = 0; k < x->n_fields; k++)
			put_int(&array, c->plan->of_field[x->entry[i]->field[k]->id]->id);
		put(&t, close_table(&array, "int64_t", "fields"));
		put(&t, c->entry[x->entry[i]->id]);
	}
	return close_table(&t, "struct mpa_entry_info", "entries");
}

static const char *parameters_table(struct c_code *c, const struct air_export *x)
{
	struct table t = open_table(c);

	for (int i = 0; i < x->n_params; i++)
		put_int(&t, x->param[i].var ? (int)x->param[i].var->elem : 0);
	return close_table(&t, "int64_t", "parameters");
}

static const char *export_table(struct c_code *c)
{
	const struct air_program *air = c->plan->air;
	struct table t = open_table(c);

	for (int i = 0; i < air->n_exports; i++) {
		const struct air_export *x = air->export[i];

		put_text(&t, x->name);
		put_int(&t, x->n_params);
		put(&t, parameters_table(c, x));
		put_int(&t, x->result ? (int)x->result->elem : 0);
		put_int(&t, x->n_entries);
		put(&t, entry_table(c, x));
		end_row(&t);
	}
	return close_table(&t, "struct mpa_export_info", "exports");
}

/* ---- the program ---------------------------------------------------------------------------- */

static void put_numbers(struct table *t)
{
	const struct plan *p = t->c->plan;

	put_int(t, p->air->n_params);
	put_int(t, types_of(t->c)->n_axes);
	put_int(t, types_of(t->c)->n_families);
	put_int(t, types_of(t->c)->n_grids);
	put_int(t, p->n_arrays);
	put_int(t, p->n_runs);
	put_int(t, p->n_copies);
	put_int(t, p->n_args);
	end_row(t);
}

void c_tables(struct c_code *c)
{
	const struct air_program *air = c->plan->air;
	struct table t = open_table(c);

	c_line(c, "%s", "");
	put_int(&t, MPA_ABI_VERSION);
	put_text(&t, c->options->program);
	put_text(&t, air->file);
	put_text(&t, air->doc ? air->doc : "");
	put_text(&t, c->options->compiler);
	put_text(&t, c->options->arithmetic);
	put_text(&t, c->options->runtime_dir);
	end_row(&t);
	put_numbers(&t);
	put(&t, param_table(c));
	put(&t, axis_table(c));
	put(&t, family_table(c));
	put(&t, grid_table(c));
	put(&t, array_table(c));
	put(&t, run_table(c));
	put(&t, copy_table(c));
	put_text(&t, c->options->cuda ? c->options->cuda->text : NULL);
	put_text(&t, c->options->cuda ? c->options->cuda->ptx : NULL);
	end_row(&t);
	put(&t, "body");
	put_int(&t, air->n_names);
	put(&t, name_table(c));
	put_int(&t, air->n_exports);
	put(&t, export_table(c));
	c_line(c, "static const struct mpa_program mpa_program_table = { %s};",
	       strbuf_text(&t.b));
	strbuf_free(&t.b);
	if (c->options->library)
		return;
	c_line(c, "%s", "");
	c_line(c, "int main(int argc, char **argv)");
	c_line(c, "{");
	c_line(c, "return mpa_main(argc, argv, &mpa_program_table);");
	c_line(c, "}");
}
