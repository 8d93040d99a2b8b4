/* driver/modules.c - where imported modules come from
 *
 * takes: the name in an `import` and who imports   gives: the module's tree
 */
#include "driver/modules.h"
#include "driver/options.h"
#include "support/arena.h"
#include "support/diag.h"
#include "support/embedded.h"
#include "support/intern.h"

#include <errno.h>
#include <string.h>

/* Trees are kept under the names that messages give their sources. */
static enum sema_found keep(struct modules *m, const struct source *source,
			    const struct ast **tree)
{
	*tree = parse_file(m->syntax, source);
	if (!*tree)
		return SEMA_BROKEN;
	map_set(m->tree, source->name, (void *)*tree);
	return SEMA_FOUND;
}

static enum sema_found load_embedded(struct modules *m, const char *name,
				     const struct ast **tree)
{
	struct arena *a = m->syntax->arena;
	const char *label = arena_printf(a, "<%s>", name);
	struct source *source;

	*tree = map_get(m->tree, label);
	if (*tree)
		return SEMA_FOUND;
	for (const struct embedded_module *e = stdlib_modules; e->name; e++) {
		if (strcmp(e->name, name))
			continue;
		source = source_new(a, label, e->text, strlen(e->text));
		source->library = true;
		return keep(m, source, tree);
	}
	return SEMA_ABSENT;
}

static enum sema_found load_file(struct modules *m, const char *path,
				 const struct ast **tree)
{
	struct source *source;

	*tree = map_get(m->tree, path);
	if (*tree)
		return SEMA_FOUND;
	source = source_read(m->syntax->arena, path);
	if (source)
		return keep(m, source, tree);
	if (errno == ENOENT || errno == ENOTDIR)
		return SEMA_ABSENT;
	diag_error(m->syntax->diag, DIAG_CANNOT_READ, (struct span){ 0 },
		   "cannot read `%s`: %s", path, strerror(errno));
	return SEMA_BROKEN;
}

/* NAME.mpa in the folder of `from`. */
static const char *beside(struct arena *a, const struct source *from, const char *name)
{
	const char *slash = strrchr(from->name, '/');
	int folder = slash ? (int)(slash - from->name) + 1 : 0;

	return arena_printf(a, "%.*s%s.mpa", folder, from->name, name);
}

enum sema_found modules_load(void *context, const char *name, const struct source *from,
			     const struct ast **tree)
{
	struct modules *m = context;
	struct arena *a = m->syntax->arena;
	enum sema_found found = load_embedded(m, name, tree);

	if (found == SEMA_ABSENT && from && from->name[0] != '<')
		found = load_file(m, beside(a, from, name), tree);
	for (int i = 0; found == SEMA_ABSENT && i < m->options->include.n; i++)
		found = load_file(
			m,
			arena_printf(a, "%s/%s.mpa", m->options->include.item[i], name),
			tree);
	return found;
}
