/* driver/link.h - from an object to an executable */
#ifndef DRIVER_LINK_H
#define DRIVER_LINK_H

#include <stdbool.h>

struct air_program;
struct arena;
struct diag;
struct options;

/* The folder that holds libmpart.a: where MPA_RUNTIME_DIR says, beside mpac in a build
 * tree, or where it is installed (whether or not it is there now). */
const char *link_runtime_dir(struct arena *a);

struct link {
	const struct air_program *program; /* says which functions in C are needed */
	const char *object, *output, *runtime_dir; /* object: or a source in C, if `source` */
	bool source;
	int level;           /* at which a source is optimised */
	const char *library; /* what its functions begin with; NULL: an executable */
	const char *name;    /* a library's file, as it will be called */
};
/* Links the object into an executable or a library, with the C compiler, without MPI. */
bool link_executable(const struct options *o, const struct link *l, struct diag *d);
/* Compiles a source in C that the back end has made into an object. */
bool link_object(const struct options *o, const struct link *l, struct diag *d);
/* Makes a shared library of all that is in an archive. */
bool link_archive(const struct options *o, const char *archive, const char *output,
		  struct diag *d);
/* Compiles a source in C, and links it and what the user adds to a library that can be
 * loaded. */
bool link_library(const struct options *o, const struct air_program *p, const char *source,
		  const char *output, struct diag *d);

#endif
