/* array/complex.h - operations with complex arguments, over their parts
 *
 * Private to this folder but for complex_takes: build.c calls it wherever an argument or
 * the result is complex.
 */
#ifndef ARRAY_COMPLEX_H
#define ARRAY_COMPLEX_H

#include "array/air.h"

/* May the operation have complex arguments? */
bool complex_takes(enum air_op op);
const struct air_expr *complex_op(struct air_program *p, enum air_op op, enum elem e,
                                  const struct air_expr *const *arg, int n, struct span span);
const struct air_expr *complex_powi(struct air_program *p, const struct air_expr *e,
                                    int exponent, struct span span);

#endif
