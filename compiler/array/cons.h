/* array/cons.h - each expression once: private to this folder */
#ifndef ARRAY_CONS_H
#define ARRAY_CONS_H

#include "array/scalar.h"

struct air_table *table_new(struct arena *a);
/* The one expression equal to e, which is copied with its arguments if it is new. */
const struct air_expr *expr_of(struct air_program *p, const struct air_expr *e);
union scalar constant_value(const struct air_expr *e);   /* of a CONST */

#endif
