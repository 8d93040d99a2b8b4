/* C: what the arithmetic below, and code made by mpac, is written in. Must be compiled
 * without contraction of a * b + c. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define MPA_FN static inline
#define MPA_ALONE restrict
#define MPA_TABLE static const
#define MPA_ALIGNED(bytes)
/* The points of the loop that follows do not depend on each other. */
#define MPA_POINTS _Pragma("GCC ivdep")
/* A product that is rounded: GCC 12 fuses some with sums, whatever it is told. */
#if defined __has_builtin && !defined MPA_PRODUCT
#if __has_builtin(__builtin_assoc_barrier)
#define MPA_PRODUCT(x) __builtin_assoc_barrier(x)
#endif
#endif
#ifndef MPA_PRODUCT
#define MPA_PRODUCT(x) (x)
#endif

/* a value's own bytes, to where 8 or more are for it */
#define MPA_PUT(to, type, value)                                                         \
	do {                                                                             \
		const type put_ = (value);                                               \
		memcpy((to), &put_, sizeof put_);                                        \
	} while (0)

