/* backend/llvm/tables.c - the constant struct mpa_program, and main
 *
 * takes: a plan   gives: what mpa/program.h declares, as constants. All members are of
 * 8 bytes, so a table is written member by member, in the order of the header, into a
 * row of words; structures inside structures simply follow.
 */
#include "backend/llvm/tables.h"
#include "mpa/program.h"
#include "support/vec.h"

#include <assert.h>
#include <string.h>

_Static_assert((int)MPA_MAX_AXES == (int)MAX_AXES, "both halves have as many axes");
_Static_assert((int)MPA_STR == (int)ELEM_STR, "both halves number the element types");

struct words {
	struct emit *e;
	VEC(LLVMValueRef) word;
};

/* ---- numbers ------------------------------------------------------------- */

static const struct types *types_of(const struct emit *e)
{
	return &e->plan->air->types;
}

int tables_family(const struct emit *e, const struct family *f)
{
	int i = 0;

	while (types_of(e)->family[i] != f)
		i++;
	return i;
}

int tables_grid(const struct emit *e, const struct grid *g)
{
	int i = 0;

	while (types_of(e)->grid[i] != g)
		i++;
	return i;
}

int tables_axis(const struct emit *e, const struct axis *a)
{
	(void)e;
	return a->id;
}

/* ---- words --------------------------------------------------------------- */

static struct words open_table(struct emit *e)
{
	return (struct words){ .e = e };
}

static void put(struct words *w, LLVMValueRef value)
{
	vec_push(w->e->arena, &w->word, value);
}

static void put_int(struct words *w, int64_t value)
{
	put(w, emit_i64(w->e, value));
}

static void put_text(struct words *w, const char *text)
{
	put(w, emit_text(w->e, text));
}

static void put_where(struct words *w, struct span at)
{
	put(w, emit_where(w->e, at));
}

static void put_widths(struct words *w, const int64_t (*width)[2])
{
	for (int i = 0; i < MAX_AXES; i++) {
		put_int(w, width[i][0]);
		put_int(w, width[i][1]);
	}
}

/* A pointer to the finished table; to nothing if it is empty. */
static LLVMValueRef close_table(struct words *w, const char *name)
{
	LLVMValueRef global, init;

	if (!w->word.n)
		return LLVMConstNull(w->e->ptr);
	init = LLVMConstStructInContext(w->e->context, w->word.item, (unsigned)w->word.n,
					0);
	global = LLVMAddGlobal(w->e->module, LLVMTypeOf(init), name);
	LLVMSetInitializer(global, init);
	LLVMSetLinkage(global, LLVMInternalLinkage);
	LLVMSetGlobalConstant(global, 1);
	LLVMSetAlignment(global, 8);
	return global;
}

static LLVMValueRef array_list(struct emit *e, struct plan_array *const *array, int n)
{
	struct words w = open_table(e);

	for (int i = 0; i < n; i++)
		put_int(&w, array[i]->id);
	return close_table(&w, "arrays");
}

/* ---- kernels as they are bound ------------------------------------------- */

static LLVMValueRef bound(struct emit *e, const struct plan_call *c, enum plan_bound what)
{
	struct words w = open_table(e);

	for (int i = 0; i < c->kernel->n_views; i++)
		put_int(&w, plan_bound(c, i, what));
	return close_table(&w, plan_bound_name(what));
}

static void put_call(struct words *w, const struct plan_call *c)
{
	struct emit *e = w->e;

	put(w, e->kernel[c->kernel->id]);
	put_text(w, c->kernel->name);
	put_int(w, c->kernel->n_loops);
	for (int i = 0; i < MAX_AXES; i++)
		put_int(w, i < c->kernel->n_loops ? c->loop_axis[i] : 0);
	put_int(w, c->kernel->n_views);
	for (int i = 0; i < PLAN_BOUNDS; i++)
		put(w, bound(e, c, (enum plan_bound)i));
	put_int(w, c->kernel->n_scalars);
	put_int(w, c->first_arg);
	put_text(w, e->options->cuda ? e->options->cuda->kernel[c->kernel->id] : NULL);
}

static LLVMValueRef wall_table(struct emit *e, const struct plan_wall *wall)
{
	struct words w = open_table(e);

	if (!wall)
		return LLVMConstNull(e->ptr);
	put_call(&w, &wall->call);
	put_int(&w, wall->mirrors);
	put_int(&w, wall->n_fields);
	put(&w, array_list(e, wall->field, wall->n_fields));
	return close_table(&w, "wall");
}

/* ---- grids and arrays ---------------------------------------------------- */

static LLVMValueRef param_table(struct emit *e)
{
	const struct air_program *air = e->plan->air;
	struct words w = open_table(e);

	for (int i = 0; i < air->n_params; i++) {
		put_text(&w, air->param[i].var->name);
		put_int(&w, air->param[i].var->elem);
		put_text(&w, air->param[i].text ? air->param[i].text : "");
		put_text(&w, air->param[i].shown ? air->param[i].shown : "");
	}
	return close_table(&w, "params");
}

static const struct axis **axes_by_number(struct emit *e)
{
	const struct types *t = types_of(e);
	const struct axis **axis =
		arena_new_array(e->arena, t->n_axes + 1, const struct axis *);

	for (int f = 0; f < t->n_families; f++)
		for (int i = 0; i < t->family[f]->n_axes; i++)
			axis[t->family[f]->axis[i]->id] = t->family[f]->axis[i];
	return axis;
}

static LLVMValueRef axis_table(struct emit *e)
{
	const struct axis **axis = axes_by_number(e);
	struct words w = open_table(e);

	for (int i = 0; i < types_of(e)->n_axes; i++) {
		assert(axis[i]);
		put_text(&w, axis[i]->name);
		put_int(&w, tables_family(e, axis[i]->family));
		put_int(&w, axis[i]->periodic);
		put_int(&w, axis[i]->local);
		put_int(&w, axis[i]->place);
		put_int(&w, axis[i]->slice ? 1 + axis[i]->slice->axis->id : 0);
		put_int(&w, axis[i]->slice ? axis[i]->slice->step : 0);
	}
	return close_table(&w, "axes");
}

static LLVMValueRef family_table(struct emit *e)
{
	const struct types *t = types_of(e);
	struct words w = open_table(e);

	for (int k = 0; k < t->n_families; k++) {
		const struct family *f = t->family[k];

		put_text(&w, f->name);
		put_where(&w, f->span);
		put_int(&w, f->n_base);
		for (int i = 0; i < MAX_AXES; i++)
			put_int(&w, i < f->n_base ? tables_axis(e, f->axis[i]) : 0);
		for (int i = 0; i < MAX_AXES; i++)
			put_int(&w, i < f->n_base && family_may_cut(f, i));
		put_int(&w, f->n_procs > 0);
		put_int(&w, f->parent ? 1 + tables_family(e, f->parent) : 0);
	}
	return close_table(&w, "families");
}

static LLVMValueRef grid_table(struct emit *e)
{
	const struct types *t = types_of(e);
	struct words w = open_table(e);

	for (int k = 0; k < t->n_grids; k++) {
		const struct grid *g = t->grid[k];

		put_text(&w, g->name);
		put_int(&w, tables_family(e, g->family));
		put_int(&w, g->n_axes);
		for (int i = 0; i < MAX_AXES; i++)
			put_int(&w, i < g->n_axes ? tables_axis(e, g->axis[i]) : 0);
		for (int i = 0; i < MAX_AXES; i++)
			put_int(&w, i < g->n_axes ? grid_longer(g, g->axis[i]) : 0);
	}
	return close_table(&w, "grids");
}

static LLVMValueRef array_table(struct emit *e)
{
	struct words w = open_table(e);

	for (int k = 0; k < e->plan->n_arrays; k++) {
		const struct plan_array *a = e->plan->array[k];

		put_text(&w, a->field->name);
		put_where(&w, a->field->span);
		put_int(&w, a->field->elem);
		put_int(&w, tables_grid(e, a->field->grid));
		put_int(&w, a->field->kind == FIELD_STAGE);
		put_int(&w, a->second);
		put_widths(&w, a->halo);
		put_widths(&w, a->grown);
		for (int i = 0; i < MAX_AXES; i++)
			for (int side = 0; side < 2; side++)
				put(&w, wall_table(e, a->wall[i][side]));
	}
	return close_table(&w, "array_infos");
}

/* ---- runs ---------------------------------------------------------------- */

static LLVMValueRef need_table(struct emit *e, const struct plan_run *r)
{
	struct words w = open_table(e);

	for (int i = 0; i < r->n_needs; i++) {
		put_int(&w, r->need[i].array->id);
		put_widths(&w, r->need[i].width);
		put_int(&w, r->need[i].diagonal);
	}
	return close_table(&w, "needs");
}

static LLVMValueRef swap_table(struct emit *e, const struct plan_run *r)
{
	struct words w = open_table(e);

	for (int i = 0; i < r->n_swaps; i++) {
		put_int(&w, r->swap[i][0]->id);
		put_int(&w, r->swap[i][1]->id);
	}
	return close_table(&w, "swaps");
}

static LLVMValueRef result_table(struct emit *e, const struct plan_run *r)
{
	struct words w = open_table(e);

	for (int i = 0; i < r->n_results; i++) {
		put_int(&w, r->result[i].reduction);
		put_int(&w, r->call.kernel->reduction[i]);
	}
	return close_table(&w, "results");
}

static void put_region(struct words *w, const struct air_region *r)
{
	for (int i = 0; i < MAX_AXES; i++) {
		put_int(w, r->axis[i].part);
		put_int(w, r->axis[i].lo != NULL);
		put_int(w, r->axis[i].hi != NULL);
		put_int(w, r->axis[i].part == PART_RANGE ? r->axis[i].step : 1);
	}
}

static void put_run(struct words *w, const struct plan_run *r)
{
	struct emit *e = w->e;

	put_where(w, r->span);
	put_call(w, &r->call);
	put_int(w, tables_grid(e, r->grid));
	put_region(w, &r->region);
	put_int(w, r->first_region_arg);
	put_widths(w, r->grow);
	put_int(w, r->n_needs);
	put(w, need_table(e, r));
	put_widths(w, r->margin);
	put_int(w, r->n_commits);
	put(w, array_list(e, r->commit, r->n_commits));
	put_int(w, r->n_swaps);
	put(w, swap_table(e, r));
	put_int(w, r->n_changed);
	put(w, array_list(e, r->changed, r->n_changed));
	put_int(w, r->n_results);
	put(w, result_table(e, r));
}

static LLVMValueRef run_table(struct emit *e)
{
	struct words w = open_table(e);

	for (int i = 0; i < e->plan->n_runs; i++)
		put_run(&w, e->plan->run[i]);
	return close_table(&w, "runs");
}

static LLVMValueRef copy_table(struct emit *e)
{
	struct words w = open_table(e);

	for (int i = 0; i < e->plan->n_copies; i++) {
		const struct plan_copy *c = e->plan->copy[i];

		put_where(&w, c->span);
		put_int(&w, e->plan->of_field[c->air->to->id]->id);
		put_int(&w, e->plan->of_field[c->air->from->id]->id);
		put_region(&w, &c->air->to_region);
		put_region(&w, &c->air->from_region);
		for (int a = 0; a < MAX_AXES; a++)
			put_int(&w, a < c->air->to->grid->n_axes ? c->air->pair[a] : -1);
		put_int(&w, c->first_arg);
	}
	return close_table(&w, "copies");
}

/* ---- for programs in C --------------------------------------------------- */

static LLVMValueRef name_table(struct emit *e)
{
	const struct plan *p = e->plan;
	struct words w = open_table(e);

	for (int i = 0; i < p->air->n_names; i++) {
		put_text(&w, p->air->name[i]->name);
		put_int(&w, p->of_field[p->air->name[i]->id]->id);
	}
	return close_table(&w, "names");
}

static LLVMValueRef entry_table(struct emit *e, const struct air_export *x)
{
	struct words w = open_table(e);

	for (int i = 0; i < x->n_entries; i++) {
		struct words array = open_table(e);

		for (int k = 0; k < x->n_fields; k++)
			put_int(&array, e->plan->of_field[x->entry[i]->field[k]->id]->id);
		put(&w, close_table(&array, "fields"));
		put(&w, e->entry[x->entry[i]->id]);
	}
	return close_table(&w, "entries");
}

static LLVMValueRef parameters_table(struct emit *e, const struct air_export *x)
{
	struct words w = open_table(e);

	for (int i = 0; i < x->n_params; i++)
		put_int(&w, x->param[i].var ? (int)x->param[i].var->elem : 0);
	return close_table(&w, "parameters");
}

static LLVMValueRef export_table(struct emit *e)
{
	const struct air_program *air = e->plan->air;
	struct words w = open_table(e);

	for (int i = 0; i < air->n_exports; i++) {
		const struct air_export *x = air->export[i];

		put_text(&w, x->name);
		put_int(&w, x->n_params);
		put(&w, parameters_table(e, x));
		put_int(&w, x->result ? (int)x->result->elem : 0);
		put_int(&w, x->n_entries);
		put(&w, entry_table(e, x));
	}
	return close_table(&w, "exports");
}

/* ---- the program --------------------------------------------------------- */

static LLVMValueRef program_table(struct emit *e)
{
	const struct plan *p = e->plan;
	struct words w = open_table(e);

	put_int(&w, MPA_ABI_VERSION);
	put_text(&w, e->options->program);
	put_text(&w, p->air->file);
	put_text(&w, p->air->doc ? p->air->doc : "");
	put_text(&w, e->options->compiler);
	put_text(&w, e->options->arithmetic);
	put_text(&w, e->options->runtime_dir);
	put_int(&w, p->air->n_params);
	put_int(&w, types_of(e)->n_axes);
	put_int(&w, types_of(e)->n_families);
	put_int(&w, types_of(e)->n_grids);
	put_int(&w, p->n_arrays);
	put_int(&w, p->n_runs);
	put_int(&w, p->n_copies);
	put_int(&w, p->n_args);
	put(&w, param_table(e));
	put(&w, axis_table(e));
	put(&w, family_table(e));
	put(&w, grid_table(e));
	put(&w, array_table(e));
	put(&w, run_table(e));
	put(&w, copy_table(e));
	put_text(&w, e->options->cuda ? e->options->cuda->text : NULL);
	put_text(&w, e->options->cuda ? e->options->cuda->ptx : NULL);
	put(&w, e->body);
	put_int(&w, p->air->n_names);
	put(&w, name_table(e));
	put_int(&w, p->air->n_exports);
	put(&w, export_table(e));
	assert((size_t)w.word.n * 8 == sizeof(struct mpa_program));
	return close_table(&w, "program");
}

static void emit_main(struct emit *e, LLVMValueRef program)
{
	LLVMTypeRef parameter[3] = { e->i32, e->ptr, e->ptr }, type;
	LLVMValueRef f, start, arg[3], status;

	type = LLVMFunctionType(e->i32, parameter, 3, 0);
	start = LLVMAddFunction(e->module, "mpa_main", type);
	f = LLVMAddFunction(e->module, "main", LLVMFunctionType(e->i32, parameter, 2, 0));
	LLVMPositionBuilderAtEnd(e->builder,
				 LLVMAppendBasicBlockInContext(e->context, f, ""));
	arg[0] = LLVMGetParam(f, 0);
	arg[1] = LLVMGetParam(f, 1);
	arg[2] = program;
	status = LLVMBuildCall2(e->builder, type, start, arg, 3, "");
	LLVMBuildRet(e->builder, status);
}

LLVMValueRef tables_emit(struct emit *e)
{
	LLVMValueRef program = program_table(e);

	if (e->options->library)
		return program;
	if (!e->options->symbol) {
		emit_main(e, program);
		return program;
	}
	LLVMSetValueName2(program, e->options->symbol, strlen(e->options->symbol));
	LLVMSetLinkage(program, LLVMExternalLinkage);
	return program;
}
