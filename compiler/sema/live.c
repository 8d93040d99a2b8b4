/* compiler/sema/live.c - what the names at the prompt lead to
 *
 * takes: the scopes of the prompt and of imported files   gives: flags of the variables,
 * fields and families that can still be reached from there
 */
#include "sema/live.h"

#include "array/walk.h"

struct search {
	struct sema *s;
	struct live *live;
	struct map *scopes; /* seen */
	VEC(const struct air_field *) fields; /* found, and not looked into */
};

static void see_value(struct search *w, const struct value *v);

static void see_expr(struct search *w, const struct air_expr *e);

static void see_field(struct search *w, const struct air_field *f)
{
	if (w->live->field[f->id])
		return;
	w->live->field[f->id] = true;
	vec_push(w->s->scratch, &w->fields, f);
}

static void see_family(struct search *w, const struct family *f);

static void see_axis(struct search *w, const struct axis *a)
{
	see_expr(w, a->size);
	see_expr(w, a->lo);
	see_expr(w, a->hi);
	for (const struct axis_slice *from = a->slice; from; from = from->from) {
		see_family(w, from->axis->family);
		see_expr(w, from->start);
		if (from->from == from)
			break;
	}
}

static void see_family(struct search *w, const struct family *f)
{
	/* that of names of axes alone has a number, but is none of the program's */
	if (f == w->s->loose || w->live->family[f->id])
		return;
	w->live->family[f->id] = true;
	if (f->parent)
		see_family(w, f->parent);
	for (int i = 0; i < f->n_axes; i++)
		see_axis(w, f->axis[i]);
	for (int i = 0; i < f->n_procs; i++)
		see_expr(w, f->procs[i]);
	for (int i = 0; i < f->n_base && i < MAX_AXES; i++) {
		for (int k = 0; k < f->cuts[i].n; k++)
			see_expr(w, f->cuts[i].at[k]);
		if (f->cuts[i].cost)
			see_field(w, f->cuts[i].cost);
	}
}

static void see_expr(struct search *w, const struct air_expr *e)
{
	struct air_walk walk;

	if (!e)
		return;
	walk = air_walk_of(e);
	for (int i = 0; i < walk.n; i++) {
		const struct air_expr *x = walk.node[i];

		if (x->grid)
			see_family(w, x->grid->family);
		if (x->op == AIR_VAR)
			w->live->var[x->as.var->id] = true;
		if (x->op == AIR_READ)
			see_field(w, x->as.read.field);
		if (x->op == AIR_INDEX || x->op == AIR_COORD || x->op == AIR_SIZE ||
		    x->op == AIR_STEP)
			see_family(w, x->as.at.axis->family);
	}
	air_walk_free(&walk);
}

static void see_scope(struct search *w, const struct scope *scope)
{
	for (; scope && scope != w->s->prelude; scope = scope->up) {
		if (!map_set(w->scopes, scope, (void *)scope))
			return;
		for (int i = 0; i < scope->symbols->n; i++) {
			const struct symbol *symbol = scope->symbols->entry[i].value;

			see_value(w, &symbol->value);
		}
	}
}

static void see_value(struct search *w, const struct value *v)
{
	for (const struct claim *c = v->claims; c; c = c->next) {
		see_family(w, c->axis->family);
		if (c->field)
			see_field(w, c->field);
	}
	switch (v->kind) {
	case VALUE_EXPR:
		see_expr(w, v->as.expr);
		break;
	case VALUE_AXIS:
		see_family(w, v->as.axis->family);
		break;
	case VALUE_GRID:
		see_family(w, v->as.grid->family);
		break;
	case VALUE_LIST:
	case VALUE_TUPLE:
		for (int i = 0; i < v->as.list.n; i++)
			see_value(w, &v->as.list.item[i]);
		break;
	case VALUE_FUNCTION:
		see_scope(w, v->as.function->scope);
		break;
	case VALUE_MODULE:
		see_scope(w, v->as.module->scope);
		break;
	default:
		break;
	}
}

static void see_fields(struct search *w)
{
	while (w->fields.n) {
		const struct air_field *f = vec_pop(&w->fields);

		see_family(w, f->grid->family);
		for (int a = 0; a < f->grid->n_axes; a++)
			for (int side = 0; side < 2; side++)
				see_expr(w, f->ghost[a][side].value);
	}
}

struct live live_of(struct sema *s)
{
	const struct air_program *p = s->air;
	struct live live = {
		.n_vars = p->n_vars,
		.n_fields = p->n_fields,
		.var = arena_new_array(s->scratch, p->n_vars + 1, bool),
		.field = arena_new_array(s->scratch, p->n_fields + 1, bool),
		.family = arena_new_array(s->scratch, p->types.n_families + 1, bool),
	};
	struct search w = { .s = s, .live = &live };

	w.scopes = map_new(s->scratch, MAP_POINTERS);
	see_scope(&w, s->main);
	for (int i = 0; i < s->modules->n; i++) {
		const struct module *m = s->modules->entry[i].value;

		see_scope(&w, m->scope);
	}
	see_fields(&w);
	return live;
}
