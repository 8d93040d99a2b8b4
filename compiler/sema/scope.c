/* compiler/sema/scope.c - names: where they are declared and what they are found as
 *
 * A name is looked up in the blocks around, then in its file, then among the axes
 * of the declared grids, then in the prelude and the built-in names. A function
 * sees of its file what stands above it. Inner blocks do not reuse outer names; a
 * function's own names may be called like anything outside.
 */
#include "sema/checker.h"
#include "support/habit.h"

#include <limits.h>
#include <string.h>

#include "support/intern.h"

static const char *const symbol_texts[] = {
	[SYMBOL_LET] = "a `let`",
	[SYMBOL_VAR] = "a variable",
	[SYMBOL_FIELD] = "a field",
	[SYMBOL_GRID] = "a grid",
	[SYMBOL_PARAM] = "a parameter of the program",
	[SYMBOL_LOOP] = "the variable of a loop",
	[SYMBOL_FUNCTION] = "a function",
	[SYMBOL_MODULE] = "a module",
	[SYMBOL_ARGUMENT] = "a parameter",
	[SYMBOL_VAR_ARGUMENT] = "a `var` parameter",
};

const char *symbol_text(enum symbol_kind kind)
{
	return symbol_texts[kind];
}

struct scope *scope_push(struct sema *s, enum scope_kind kind)
{
	struct scope *scope = arena_new_object(s->arena, struct scope);

	scope->up = s->scope;
	scope->kind = kind;
	scope->symbols = map_new(s->arena, MAP_POINTERS);
	s->scope = scope;
	return scope;
}

void scope_pop(struct sema *s)
{
	s->scope = s->scope->up;
}

struct symbol *scope_find_in(const struct scope *scope, const char *name)
{
	return map_get(scope->symbols, name);
}

/* Is it the text of the program itself, where axes' names are taken? */
static bool at_top_level(const struct sema *s)
{
	const struct scope *scope = s->scope;

	while (scope->kind == SCOPE_BLOCK)
		scope = scope->up;
	return scope == s->main;
}

/* The grid gets a name here. */
void scope_add_family(struct sema *s, const struct family *f)
{
	while (s->homes.n <= f->id)
		vec_push(s->arena, &s->homes, NULL);
	s->homes.item[f->id] = s->scope;
}

/* Has the grid a name here, or at the top level of the program? */
bool scope_sees(const struct sema *s, const struct family *f)
{
	const struct scope *home = f->id < s->homes.n ? s->homes.item[f->id] : NULL;

	if (f->gone)
		return false;
	for (const struct scope *c = s->scope; home && c; c = c->up)
		if (c == home)
			return true;
	return home && home == s->main;
}

static const struct axis *declared_axis(const struct sema *s, const char *name, bool seen)
{
	for (int f = 0; f < s->air->types.n_families; f++) {
		const struct family *family = s->air->types.family[f];

		if (family->gone || (seen && !scope_sees(s, family)))
			continue;
		for (int i = 0; i < family->n_axes; i++)
			if (family->axis[i]->name == name)
				return family->axis[i];
	}
	return NULL;
}

bool scope_axis_known(const struct sema *s, const char *name)
{
	return declared_axis(s, name, false) != NULL;
}

const struct axis *scope_loose_axis(struct sema *s, const char *name)
{
	/* neither step nor size of it is ever known, so that builders keep the nodes */
	struct axis proto = { .name = name, .place = AXIS_OVER, .constant_size = -1 };

	for (int i = 0; i < s->loose->n_axes; i++)
		if (s->loose->axis[i]->name == name)
			return s->loose->axis[i];
	if (s->loose->n_axes == MAX_FAMILY_AXES)
		return NULL;
	return family_add_axis(s->nowhere, s->loose, proto);
}

/* The declaration that a new `name` would hide, among blocks of the same function. */
static struct symbol *hidden_by(const struct sema *s, const char *name)
{
	for (const struct scope *c = s->scope; c && c != s->prelude; c = c->up) {
		struct symbol *found = map_get(c->symbols, name);

		if (found)
			return found;
		if (c->kind != SCOPE_BLOCK)
			break;
	}
	return NULL;
}

static bool name_free(struct sema *s, const char *name, struct span at)
{
	struct symbol *old = prompt_is_here(s) ? NULL : hidden_by(s, name);
	const struct axis *axis = at_top_level(s) ? declared_axis(s, name, true) : NULL;

	if (old) {
		sema_fail(s, old->scope == s->scope ? DIAG_DECLARED_TWICE : DIAG_SHADOWS,
			  at,
			  old->scope == s->scope ? "`%s` is declared twice"
						 : "`%s` is a name of the block around",
			  name);
		sema_note(s, old->span, "`%s` is %s, declared here", name,
			  symbol_text(old->kind));
		sema_hint(s, "Use another name.");
		return false;
	}
	if (axis) {
		sema_fail(s, DIAG_NAME_OF_AXIS, at, "`%s` is the name of an axis of `%s`",
			  name, axis->family->name);
		sema_note(s, axis->span, "the axis is declared here");
		sema_hint(
			s,
			"In field expressions `%s` stands for the index along that axis: "
			"use another name.",
			name);
		return false;
	}
	return true;
}

struct symbol *scope_add(struct sema *s, const struct ast *name, enum symbol_kind kind,
			 struct value value)
{
	struct symbol *symbol = arena_new_object(s->arena, struct symbol);

	symbol->name = name->text;
	symbol->kind = kind;
	symbol->value = value;
	symbol->span = name->span;
	symbol->order = s->order++;
	symbol->scope = s->scope;
	if (name_free(s, name->text, name->span))
		map_set(s->scope->symbols, symbol->name, symbol);
	return symbol;
}

/* A new grid's axis must not be called like something at the top level. */
void scope_check_axis(struct sema *s, const char *name, struct span at)
{
	struct symbol *old = map_get(s->main->symbols, name);

	if (!at_top_level(s) || !old)
		return;
	sema_fail(s, DIAG_NAME_OF_AXIS, at, "the axis `%s` is called like %s", name,
		  symbol_text(old->kind));
	sema_note(s, old->span, "`%s` is declared here", name);
	sema_hint(s,
		  "In field expressions `%s` would stand for the index along the axis: "
		  "rename one of the two.",
		  name);
}

static struct symbol *find(const struct sema *s, const char *name, bool below)
{
	int limit = INT_MAX;

	for (const struct scope *c = s->scope; c; c = c->up) {
		struct symbol *found = map_get(c->symbols, name);

		if (found && (below || found->order < limit ||
			      (c == s->main && prompt_is_open(s))))
			return found;
		if (c->kind == SCOPE_FUNCTION && c->limit < limit)
			limit = c->limit;
	}
	return NULL;
}

/* Of the blocks and files around; not the prelude's. */
struct symbol *scope_find(const struct sema *s, const char *name)
{
	return find(s, name, false);
}

struct names {
	int n, room;
	const char **item;
};

static void add_symbols(struct sema *s, const struct scope *scope, struct names *list)
{
	for (; scope; scope = scope->up)
		for (int i = 0; i < scope->symbols->n; i++)
			vec_push(s->arena, list, scope->symbols->entry[i].key);
}

static const char *nearest(struct sema *s, const char *name)
{
	static const char *const walls[] = { "edge", "symmetric", "reflect",
					     "antisymmetric", "computed" };
	int n_walls = s->wall ? sizeof walls / sizeof *walls : 0;
	VEC(const char *) list = { 0 };
	struct names all = { 0 };

	add_symbols(s, s->scope, &all);
	if (s->prelude)
		add_symbols(s, s->prelude, &all);
	for (int i = 0; i < all.n; i++)
		vec_push(s->arena, &list, all.item[i]);
	for (int f = 0; f < s->air->types.n_families; f++)
		for (int i = 0; i < s->air->types.family[f]->n_axes; i++)
			vec_push(s->arena, &list, s->air->types.family[f]->axis[i]->name);
	for (int i = 0; i < s->builtins->n; i++)
		vec_push(s->arena, &list, s->builtins->entry[i].key);
	for (int i = 0; i < n_walls; i++)
		vec_push(s->arena, &list, walls[i]);
	return diag_nearest(name, list.item, list.n);
}

static const struct ast *names_it(const struct ast *a, const char *name)
{
	const struct ast *names = a->n_children ? a->child[0] : NULL;

	if (a->kind < AST_PARAM || a->kind > AST_EXTERN || a->kind == AST_BOUNDARY)
		return NULL;
	for (int i = 0; ast_is(names, AST_NAMES) && i < names->n_children; i++)
		if (names->child[i]->text == name)
			return names->child[i];
	return ast_is(names, AST_NAME) && names->text == name ? names : NULL;
}

/* The declaration of the name further down in the program. */
static const struct ast *declared_below(const struct sema *s, const char *name)
{
	const struct ast *program = s->in->program, *found = NULL;

	for (int i = 0; i < program->n_children && !found; i++)
		found = names_it(program->child[i], name);
	return found;
}

static bool unknown_yet(struct sema *s, const char *name, struct span at)
{
	struct symbol *later = find(s, name, true);
	const struct ast *below = declared_below(s, name);

	if (later) {
		sema_fail(s, DIAG_UNKNOWN_NAME, at,
			  "`%s` is declared below this function", name);
		sema_note(s, later->span, "it is declared here");
		sema_hint(s,
			  "A function sees what stands above it: move one of the two, or "
			  "pass `%s` as an argument.",
			  name);
		return true;
	}
	if (below && below->span.source == at.source && below->span.begin >= at.end) {
		sema_fail(s, DIAG_UNKNOWN_NAME, at, "`%s` is used before it is declared",
			  name);
		sema_note(s, below->span, "it is declared here");
		return true;
	}
	return false;
}

/* True if there was something to say beyond that. */
bool scope_unknown(struct sema *s, const char *name, struct span at)
{
	const char *habit = habit_hint(HABIT_NAME, name), *near = nearest(s, name);
	const char *import = module_import_of(s, name);

	if (unknown_yet(s, name, at))
		return true;
	sema_fail(s, DIAG_UNKNOWN_NAME, at, "there is no `%s` here", name);
	if (habit)
		sema_hint(s, "%s", habit);
	else if (import)
		sema_hint(s, "The library has it: `%s` at the top of the file.", import);
	else if (near)
		sema_hint(s, "Did you mean `%s`?", near);
	return habit || import || near;
}
