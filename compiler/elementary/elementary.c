/* elementary/elementary.c - the table of elementary functions */
#include "elementary/elementary.h"

#include <string.h>

#define ROW(id, name, n_args) void name##_formula(struct formula *f);
#include "elementary/elementary.def"
#undef ROW

static const struct {
	const char *name;
	int n_args;
	void (*build)(struct formula *f);
} functions[] = {
#define ROW(id, name, n_args) { #name, n_args, name##_formula },
#include "elementary/elementary.def"
#undef ROW
};

const char *elementary_name(enum elementary e)
{
	return functions[e].name;
}

enum elementary elementary_named(const char *name)
{
	int e = 0;

	while (e < ELEMENTARY_COUNT && strcmp(functions[e].name, name) != 0)
		e++;
	return e;
}

struct formula *elementary_formula(struct arena *a, enum elementary e)
{
	struct formula *f = formula_new(a, functions[e].name, functions[e].n_args);

	functions[e].build(f);
	return f;
}
