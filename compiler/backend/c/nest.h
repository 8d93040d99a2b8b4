/* backend/c/nest.h - a kernel while it is made
 *
 * What C and CUDA C have in common is in kernel.c: views, addresses, instructions. Where
 * loops run, where arguments stand and what becomes of the values of reductions is the
 * dialect's: loops.c for C, cuda.c for CUDA C.
 */
#ifndef BACKEND_C_NEST_H
#define BACKEND_C_NEST_H

#include "backend/c/emit.h"

struct c_nest;

struct c_dialect {                           /* texts with what is to be put there */
	const char *origin, *stride;         /* of view %d; along its axis %d */
	const char *scalar;                  /* the 8 bytes of slot %d */
	const char *load;                    /* of an element %s that no point writes */
	const char *(*reduced)(struct c_nest *n, int reduction);   /* where a value goes */
};

struct c_nest {
	struct c_code *c;
	const struct c_dialect *dialect;
	const struct kir_kernel *k;
	const char **value;                  /* by instruction */
	int *level;
};

struct c_nest c_nest_of(struct c_code *c, const struct c_dialect *d,
			const struct kir_kernel *k);
void c_open_views(struct c_nest *n);
void c_level(struct c_nest *n, int level);   /* the instructions of one level */

#endif
