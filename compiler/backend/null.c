/* backend/null.c - the back end that makes nothing, and the list of all
 *
 * It shows that whatever comes before a back end needs none.
 */
#include "backend/backend.h"

#include <stddef.h>

static const char nothing = 0;

static void *null_begin(const struct plan *p, const struct backend_options *o,
			struct diag *d)
{
	(void)p, (void)o, (void)d;
	return (void *)&nothing;
}

static bool null_optimise(void *self)
{
	(void)self;
	return true;
}

static bool null_write(void *self, enum backend_form form, FILE *out)
{
	(void)self, (void)form, (void)out;
	return true;
}

static void null_end(void *self)
{
	(void)self;
}

const struct backend backend_null = {
	.name = "null",
	.help = "make no code: only check the program",
	.begin = null_begin,
	.optimise = null_optimise,
	.write = null_write,
	.end = null_end,
};

const struct backend *const backends[] = { &backend_llvm, &backend_c, &backend_null,
					  NULL };
