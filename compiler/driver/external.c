/* driver/external.c - functions in C inside mpac, for programs that it carries out itself
 *
 * takes: a program, the words for the linker   gives: the functions, ready to be called
 * A function of any type is called by a piece of C made for it, which takes its arguments
 * as the evaluator holds them. The C compiler links these with the user's objects and
 * libraries to a library, which is loaded.
 */
#include "driver/external.h"
#include "driver/header.h"
#include "driver/link.h"
#include "driver/scratch.h"
#include "driver/options.h"

#include "array/air.h"
#include "support/diag.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The member of the evaluator's scalar that holds such a value. */
static char member(enum elem e)
{
	return elem_kind(e) == KIND_REAL ? 'f' : e == ELEM_STR ? 't' : 'i';
}

/* The function's name may be a word of C, so it stands in a text. */
static void write_caller(const struct air_extern *f, FILE *out)
{
	fprintf(out, "extern %s target%d(", c_type(f->elem), f->id);
	for (int i = 0; i < f->n_params; i++)
		fprintf(out, "%s%s", i ? ", " : "", c_type(f->param[i]));
	fprintf(out, "%s) __asm__(\"%s\");\n", f->n_params ? "" : "void", f->name);
	fprintf(out, "void mpac_call%d(const union scalar *a, union scalar *r)\n{\n", f->id);
	fprintf(out, "\tr->%c = target%d(", member(f->elem), f->id);
	for (int i = 0; i < f->n_params; i++)
		fprintf(out, "%sa[%d].%c", i ? ", " : "", i, member(f->param[i]));
	fputs(");\n}\n", out);
}

static bool write_callers(const struct air_program *p, const char *path)
{
	FILE *out = fopen(path, "w");

	if (!out)
		return false;
	fputs("#include <stdint.h>\n"
	      "union scalar { int64_t i; double f, part[2]; const char *t; };\n",
	      out);
	for (int i = 0; i < p->n_externs; i++)
		write_caller(p->external[i], out);
	return fclose(out) == 0;
}

static bool find_callers(struct air_program *p, const char *path, struct diag *d)
{
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);

	if (!library) {
		diag_error(d, DIAG_CANNOT_LINK, (struct span){ 0 },
			   "functions in C cannot be loaded: %s", dlerror());
		return false;
	}
	for (int i = 0; i < p->n_externs; i++) {
		char name[32];
		void *found;

		snprintf(name, sizeof name, "mpac_call%d", i);
		found = dlsym(library, name);
		memcpy(&p->external[i]->call, &found, sizeof found);
	}
	return true;
}

struct loading {
	const struct options *o;
	struct air_program *p;
	struct diag *d;
};

static bool load_in(void *context, const char *folder)
{
	const struct loading *l = context;
	const char *source = arena_printf(l->o->arena, "%s/callers.c", folder);
	const char *library = arena_printf(l->o->arena, "%s/callers.so", folder);
	bool fine = write_callers(l->p, source);

	if (!fine)
		diag_error(l->d, DIAG_CANNOT_WRITE, (struct span){ 0 },
			   "cannot write `%s`: %s", source, strerror(errno));
	fine = fine && link_library(l->o, l->p, source, library, l->d) &&
	       find_callers(l->p, library, l->d);
	unlink(source);
	unlink(library);
	return fine;
}

bool external_load(const struct options *o, struct air_program *p, struct diag *d)
{
	struct loading l = { o, p, d };

	return !p->n_externs || scratch_do(load_in, &l, o->arena, d);
}
