/* array/scalar.h - one value of an element type, and what operations make of it
 *
 * The one place that says in C what the language computes: builders fold constants
 * with it and the evaluator runs on it. Integers are kept wrapped to their type,
 * f32 as the double of equal value. Never sees expressions.
 */
#ifndef ARRAY_SCALAR_H
#define ARRAY_SCALAR_H

#include "array/air.h"
#include "base/format.h"

union scalar {
	int64_t i;                           /* bool and integers */
	double f;                            /* reals */
	double part[2];                      /* complex: real and imaginary */
	const char *text;                    /* str */
};

/* An operation with an argument or more, but LOOKUP and RANDOM. `from` is the type of
 * the last argument, `to` of the result; k is POWI's exponent. */
union scalar scalar_op(enum air_op op, enum elem from, enum elem to,
                       const union scalar *x, int64_t k);
union scalar scalar_cast(enum elem from, enum elem to, union scalar x);
enum format_kind scalar_format(enum elem e);       /* as which it is printed */
bool scalar_equal(enum elem e, union scalar a, union scalar b);      /* bit for bit */

#endif
