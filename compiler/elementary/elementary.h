/* elementary/elementary.h - the elementary functions, as formulas
 *
 * Each is within 1 ulp of the exact value (2 ulp: gamma) over the whole range of f64,
 * with IEEE 754's results for infinities, NaN and signed zeros. f32 functions are these,
 * rounded once more.
 */
#ifndef ELEMENTARY_ELEMENTARY_H
#define ELEMENTARY_ELEMENTARY_H

#include "elementary/formula.h"

enum elementary {
#define ROW(id, name, n_args) ELEMENTARY_##id,
#include "elementary/elementary.def"
#undef ROW
	ELEMENTARY_COUNT
};

const char *elementary_name(enum elementary e);                 /* "exp" */
enum elementary elementary_named(const char *name);            /* ELEMENTARY_COUNT: none */
struct formula *elementary_formula(struct arena *a, enum elementary e);

#endif
