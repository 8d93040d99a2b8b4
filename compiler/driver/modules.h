/* driver/modules.h - where imported modules come from
 *
 * First those embedded in the compiler, then NAME.mpa beside the file that imports,
 * then in the folders of -I. A module is read once.
 */
#ifndef DRIVER_MODULES_H
#define DRIVER_MODULES_H

#include "sema/sema.h"
#include "support/map.h"
#include "syntax/parse.h"

struct options;

struct modules {
	const struct options *options;
	const struct syntax *syntax;
	struct map *tree; /* by path or "<name>" */
};

/* The `load` of struct sema_input; the context is a struct modules. */
enum sema_found modules_load(void *context, const char *name, const struct source *from,
			     const struct ast **tree);

#endif
