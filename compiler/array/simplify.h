/* array/simplify.h - simplification of one operation; private to this folder */
#ifndef ARRAY_SIMPLIFY_H
#define ARRAY_SIMPLIFY_H

#include "array/air.h"

/* An argument that says all that e says, perhaps on fewer axes, or NULL. */
const struct air_expr *expr_simpler(const struct air_expr *e);

#endif
