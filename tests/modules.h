/* tests/modules.h - the library as tests of the front end import it */
#ifndef TESTS_MODULES_H
#define TESTS_MODULES_H

#include "sema/sema.h"
#include "support/embedded.h"
#include "syntax/parse.h"

#include <string.h>

/* A sema_input's load; its context is a struct syntax. */
static enum sema_found modules_find(void *context, const char *name,
				    const struct source *from, const struct ast **tree)
{
	const struct syntax *syntax = context;

	(void)from;
	for (const struct embedded_module *m = stdlib_modules; m->name; m++) {
		if (strcmp(m->name, name) != 0)
			continue;
		*tree = parse_file(syntax, source_new(syntax->arena, name, m->text,
						      strlen(m->text)));
		return *tree ? SEMA_FOUND : SEMA_BROKEN;
	}
	return SEMA_ABSENT;
}

#endif
