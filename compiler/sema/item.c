/* compiler/sema/item.c - the prompt: items that are checked one after the other
 *
 * Before an item is checked, all that an item can change of the state is copied; if it
 * has errors, or fails when it runs, the copies are put back. Expressions are never
 * changed, so what was made in vain stays behind without harm.
 */
#include "sema/item.h"

#include <string.h>

#include "sema/live.h"
#include "support/intern.h"

struct kept_family {
	int n_axes, n_base;
};

struct before {
	struct sema state; /* its counts, and all that is set while something is read */
	struct map *modules;
	int n_names;
	struct map_entry *name; /* of the top level */
	int n_vars, n_fields, n_externs, n_families, n_grids, n_axes;
	struct kept_family *family;
	struct air_field **field; /* NULL: no name leads to it */
	struct field_note **note;
};

bool prompt_is_open(const struct sema *s)
{
	return s->before != NULL;
}

bool prompt_is_here(const struct sema *s)
{
	return s->before && s->scope == s->main && !s->call && !s->mask && !s->loop;
}

bool prompt_knows_var(const struct sema *s, const struct air_var *v)
{
	return s->before && v->id < s->before->n_vars;
}

static const struct air_expr *freeze_leaf(void *context, const struct air_expr *e)
{
	struct sema *s = context;
	struct value v;

	if (e->op == AIR_VAR && var_is_mutable(s, e->as.var))
		return var_hold(s, value_scalar(e, e->span),
				sema_name(s, e->as.var->name))
			.as.expr;
	if (e->op != AIR_READ || e->as.read.field->kind != FIELD_DECLARED)
		return e;
	v = value_field_of(s, e->as.read.field, e->span);
	v = stage_new(s, v, sema_name(s, e->as.read.field->name));
	return v.kind == VALUE_ERROR
		       ? e
		       : air_read(s->air, value_field(&v), e->as.read.at, e->span);
}

struct value prompt_freeze(struct sema *s, struct value v)
{
	v.as.expr = expr_rewrite(s, v.as.expr, freeze_leaf, s);
	return v;
}

/* ---- what was -------------------------------------------------------------- */

static struct map *map_copy(struct arena *a, const struct map *m)
{
	struct map *copy = map_new(a, m->keys);

	for (int i = 0; i < m->n; i++)
		map_set(copy, m->entry[i].key, m->entry[i].value);
	return copy;
}

static void keep_fields(struct sema *s, struct before *b)
{
	const struct air_program *p = s->air;

	b->field = arena_new_array(s->scratch, b->n_fields + 1, struct air_field *);
	b->note = arena_new_array(s->scratch, b->n_fields + 1, struct field_note *);
	for (int i = 0; i < b->n_fields; i++) {
		if (!air_keeps_field(p, p->field[i]))
			continue;
		b->field[i] = arena_copy(s->scratch, p->field[i], sizeof *p->field[i]);
		if (i < s->notes.n && s->notes.item[i])
			b->note[i] = arena_copy(s->scratch, s->notes.item[i],
						sizeof *s->notes.item[i]);
	}
}

static void keep_state(struct sema *s)
{
	const struct types *t = &s->air->types;
	const struct map *names = s->main->symbols;
	struct arena *old = s->scratch;
	struct before *b;

	s->scratch = arena_new();
	b = arena_new_object(s->scratch, struct before);
	b->n_vars = s->air->n_vars;
	b->n_fields = s->air->n_fields;
	b->n_externs = s->air->n_externs;
	b->n_families = t->n_families;
	b->n_grids = t->n_grids;
	b->n_axes = t->n_axes;
	b->n_names = names->n;
	b->name = arena_new_array(s->scratch, names->n + 1, struct map_entry);
	if (names->n)
		memcpy(b->name, names->entry, (size_t)names->n * sizeof *names->entry);
	b->modules = map_copy(s->scratch, s->modules);
	b->family = arena_new_array(s->scratch, t->n_families + 1, struct kept_family);
	for (int i = 0; i < t->n_families; i++)
		b->family[i] = (struct kept_family){ t->family[i]->n_axes,
						     t->family[i]->n_base };
	keep_fields(s, b);
	s->before = b;
	b->state = *s;
	s->air->keep = (struct air_keep){ 0 };
	arena_free(old);
}

/* ---- and is again ------------------------------------------------------------ */

/* Grids are listed in the order of their numbers. */
static void cut_grids(struct family *f, int n)
{
	struct grid **g = &f->grids;

	while (*g && (*g)->id < n)
		g = &(*g)->next;
	*g = NULL;
}

static void restore_types(struct sema *s, const struct before *b)
{
	struct types *t = &s->air->types;

	for (int i = 0; i < b->n_families; i++) {
		t->family[i]->n_axes = b->family[i].n_axes;
		t->family[i]->n_base = b->family[i].n_base;
		cut_grids(t->family[i], b->n_grids);
	}
	t->n_families = b->n_families;
	t->n_grids = b->n_grids;
	t->n_axes = b->n_axes;
}

static void restore_fields(struct sema *s, const struct before *b)
{
	for (int i = 0; i < b->n_fields; i++) {
		if (b->field[i])
			*s->air->field[i] = *b->field[i];
		if (b->note[i])
			*s->notes.item[i] = *b->note[i];
	}
}

static void set_keep(struct sema *s, struct live live)
{
	s->air->keep = (struct air_keep){ live.n_vars, live.n_fields, live.var,
					  live.field };
}

void sema_revert(struct sema *s)
{
	struct before *b = s->before;

	restore_types(s, b);
	restore_fields(s, b);
	*s = b->state;
	s->before = b;
	s->modules = map_copy(s->arena, b->modules);
	s->main->symbols = map_new(s->arena, MAP_POINTERS);
	for (int i = 0; i < b->n_names; i++)
		map_set(s->main->symbols, b->name[i].key, b->name[i].value);
	s->air->n_vars = b->n_vars;
	s->air->n_fields = b->n_fields;
	s->air->n_externs = b->n_externs;
	set_keep(s, live_of(s));
}

/* ---- what no name leads to -------------------------------------------------- */

/* Numbers below which all are kept: families stay while an axis or a grid of theirs does. */
struct kept {
	int families, axes, grids;
};

static void keep_below(struct kept *k, const struct family *f)
{
	if (f->id >= k->families)
		k->families = f->id + 1;
	for (int a = 0; a < f->n_axes; a++)
		if (f->axis[a]->id >= k->axes)
			k->axes = f->axis[a]->id + 1;
	for (const struct grid *g = f->grids; g; g = g->next)
		if (g->id >= k->grids)
			k->grids = g->id + 1;
}

static bool keeps_part(const struct kept *k, const struct family *f)
{
	for (int a = 0; a < f->n_axes; a++)
		if (f->axis[a]->id < k->axes)
			return true;
	for (const struct grid *g = f->grids; g; g = g->next)
		if (g->id < k->grids)
			return true;
	return false;
}

static void give_up_types(struct sema *s, const struct live *live)
{
	struct types *t = &s->air->types;
	struct kept k = { 0 };

	for (int i = 0; i < t->n_families; i++) {
		t->family[i]->gone = !live->family[i];
		if (!t->family[i]->gone)
			keep_below(&k, t->family[i]);
	}
	for (int i = k.families; i < t->n_families; i++)
		if (keeps_part(&k, t->family[i])) {
			keep_below(&k, t->family[i]);
			i = k.families - 1;
		}
	t->n_families = k.families;
	if (s->homes.n > k.families)
		s->homes.n = k.families;
	t->n_axes = k.axes;
	t->n_grids = k.grids;
}

static bool is_there(const struct grid *g, const struct types *t)
{
	return !g->family->gone && g->family->id < t->n_families;
}

/* What is remembered of grids and fields, to be used once more. */
static void give_up_memories(struct sema *s)
{
	const struct types *t = &s->air->types;
	int n_arrays = 0;

	for (int i = 0; i < s->arrays.n; i++)
		if (is_there(s->arrays.item[i].grid, t))
			s->arrays.item[n_arrays++] = s->arrays.item[i];
	s->arrays.n = n_arrays;
	s->slicings.n = 0;
	for (int i = 0; i < s->notes.n; i++)
		if (s->notes.item[i])
			s->notes.item[i]->origin = NULL;
}

static int last_flag(const bool *flag, int n)
{
	while (n > 0 && !flag[n - 1])
		n--;
	return n;
}

void sema_accept(struct sema *s)
{
	struct live live = live_of(s);

	give_up_types(s, &live);
	give_up_memories(s);
	s->air->n_vars = last_flag(live.var, live.n_vars);
	s->air->n_fields = last_flag(live.field, live.n_fields);
	set_keep(s, live);
}

/* ---- items ------------------------------------------------------------------ */

void sema_close(struct sema *s)
{
	if (s)
		arena_free(s->scratch);
}

struct sema *sema_open(const struct sema_input *in)
{
	struct sema *s = arena_new_object(in->arena, struct sema);

	sema_begin(s, in);
	if (!module_prelude(s))
		return NULL;
	s->main = scope_push(s, SCOPE_MODULE);
	keep_state(s);
	return s;
}

static void begin_item(struct sema *s)
{
	struct air_program *p = s->air;

	p->body = (struct air_block){ 0 };
	p->n_params = 0;
	s->block = &p->body;
	s->slicings.n = 0; /* other items may have another body at the same place */
	s->changes++;
	keep_state(s);
	p->known = (struct air_known){ p->n_vars, p->n_fields, p->types.n_axes };
}

struct air_program *sema_item(struct sema *s, const struct ast *tree)
{
	begin_item(s);
	check_statements(s, tree);
	if (diag_errors(s->diag)) {
		sema_revert(s);
		return NULL;
	}
	sema_drop_loose_grids(s);
	set_keep(s, live_of(s));
	return s->air;
}

const char *sema_type(struct sema *s, const struct ast *tree)
{
	const struct ast *item = tree->n_children == 1 ? tree->child[0] : NULL;
	const char *text = NULL;
	struct value v;

	begin_item(s);
	if (!ast_is(item, AST_EVAL)) {
		sema_fail(s, DIAG_UNEXPECTED, tree->span, "this is no expression");
	} else {
		v = eval_whole(s, item->child[0]);
		if (v.kind != VALUE_ERROR)
			text = prompt_text(s, &v);
	}
	sema_revert(s);
	return diag_errors(s->diag) ? NULL : text;
}

static void names_of(struct sema *s, const struct map *m, bool is_main,
		     void (*fn)(void *context, const char *name, const char *text),
		     void *context)
{
	for (int i = 0; i < m->n; i++) {
		const struct symbol *symbol = m->entry[i].value;

		fn(context, m->entry[i].key,
		   is_main ? prompt_text(s, &symbol->value) : NULL);
	}
}

void sema_names(struct sema *s, bool all,
		void (*fn)(void *context, const char *name, const char *text),
		void *context)
{
	names_of(s, s->main->symbols, true, fn, context);
	if (!all)
		return;
	for (const struct scope *c = s->prelude; c; c = c->up)
		names_of(s, c->symbols, false, fn, context);
	for (int i = 0; i < s->builtins->n; i++)
		fn(context, s->builtins->entry[i].key, NULL);
	for (int f = 0; f < s->air->types.n_families; f++)
		for (int i = 0; i < s->air->types.family[f]->n_axes; i++)
			if (!s->air->types.family[f]->gone)
				fn(context, s->air->types.family[f]->axis[i]->name, NULL);
}
