/* compiler/sema/module.c - files that are imported, and the prelude
 *
 * A module is read once, where it is first imported, in a scope of its own; its
 * statements run there. The prelude's names are found after all others.
 */
#include "sema/checker.h"

#include <string.h>

#include "support/embedded.h"
#include "support/intern.h"
#include "support/strbuf.h"

static void module_read(struct sema *s, struct module *m, const struct ast *tree)
{
	struct scope *outer = s->scope;

	s->scope = NULL;
	m->scope = scope_push(s, SCOPE_MODULE);
	check_statements(s, tree);
	s->scope = outer;
}

/* Does the module have the function, with a comment? Others are its own business. */
static bool is_documented(const struct embedded_module *m, const char *head)
{
	const char *line = strstr(m->text, head);

	while (line && line > m->text && line[-1] != '\n')
		line--;
	return line && strncmp(line, "##", 2) == 0;
}

/* The import that makes a name of the library known, or NULL. */
const char *module_import_of(struct sema *s, const char *name)
{
	const char *head = arena_printf(s->arena, "\nfn %s(", name);

	for (const struct embedded_module *m = stdlib_modules; m->name; m++) {
		if (!strcmp(m->name, name))
			return arena_printf(s->arena, "import %s", name);
		if (is_documented(m, head))
			return arena_printf(s->arena, "from %s import %s", m->name, name);
	}
	return NULL;
}

/* What may be meant by the name of a module that there is not. */
static void hint_modules(struct sema *s, const char *name)
{
	enum { MOST = 64 };
	const char *all[MOST], *nearest;
	struct strbuf list = { 0 };
	int n = 0;

	for (const struct embedded_module *m = stdlib_modules; m->name && n < MOST; m++) {
		if (!strcmp(m->name, "prelude"))
			continue;
		strbuf_printf(&list, "%s`%s`", n ? ", " : "", m->name);
		all[n++] = m->name;
	}
	nearest = diag_nearest(name, all, n);
	if (nearest)
		sema_hint(s, "Did you mean `%s`?", nearest);
	else
		sema_hint(s,
			  "A module is `%s.mpa` beside this file, or one of the library: "
			  "%s.",
			  name, strbuf_text(&list));
	strbuf_free(&list);
}

static struct module *module_load(struct sema *s, const struct ast *name)
{
	struct module *m = map_get(s->modules, name->text);
	const struct ast *tree = NULL;
	enum sema_found found;

	if (m && m->loading) {
		sema_fail(s, DIAG_BAD_IMPORT, name->span,
			  "`%s` imports itself, through others", name->text);
		return NULL;
	}
	if (m)
		return m->scope ? m : NULL;
	m = arena_new_object(s->arena, struct module);
	m->name = name->text;
	map_set(s->modules, m->name, m);
	found = s->in->load(s->in->context, name->text, name->span.source, &tree);
	if (found == SEMA_ABSENT) {
		sema_fail(s, DIAG_BAD_IMPORT, name->span, "there is no module `%s`",
			  name->text);
		hint_modules(s, name->text);
	}
	if (found != SEMA_FOUND)
		return NULL;
	m->loading = true;
	module_read(s, m, tree);
	m->loading = false;
	return m;
}

static bool at_top(struct sema *s, const struct ast *a)
{
	if (s->scope->kind == SCOPE_MODULE)
		return true;
	sema_fail(s, DIAG_BAD_PLACE, a->span, "`import` stands at the top of a file");
	return false;
}

void check_import(struct sema *s, const struct ast *a)
{
	struct value v = { .kind = VALUE_MODULE, .span = a->child[0]->span };

	if (!at_top(s, a))
		return;
	v.as.module = module_load(s, a->child[0]);
	scope_add(s, a->child[0], SYMBOL_MODULE, v.as.module ? v : value_error());
}

void check_from(struct sema *s, const struct ast *a)
{
	const struct ast *names = a->child[1];
	struct module *m;

	if (!at_top(s, a))
		return;
	m = module_load(s, a->child[0]);
	for (int i = 0; i < names->n_children; i++) {
		const struct ast *name = names->child[i];
		struct symbol *symbol = m ? scope_find_in(m->scope, name->text) : NULL;

		if (m && !symbol) {
			const char *all[256];
			int n = 0;

			for (; n < m->scope->symbols->n && n < 256; n++)
				all[n] = m->scope->symbols->entry[n].key;
			sema_fail(s, DIAG_UNKNOWN_NAME, name->span,
				  "the module `%s` has no `%s`", m->name, name->text);
			if (diag_nearest(name->text, all, n))
				sema_hint(s, "Did you mean `%s`?",
					  diag_nearest(name->text, all, n));
		}
		scope_add(s, name, symbol ? symbol->kind : SYMBOL_LET,
			  symbol ? symbol->value : value_error());
	}
}

/* The prelude, before the program; false: it has errors. */
bool module_prelude(struct sema *s)
{
	struct module prelude = { .name = "prelude" };
	const struct ast *tree = NULL;

	if (s->in->load(s->in->context, "prelude", NULL, &tree) != SEMA_FOUND)
		return false;
	module_read(s, &prelude, tree);
	s->prelude = prelude.scope;
	return !diag_errors(s->diag);
}
