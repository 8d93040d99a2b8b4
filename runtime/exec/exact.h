/* exec/exact.h - sums of doubles without any rounding but the last
 *
 * A fixed-point number wide enough for every double, in digits of 32 bits that are kept
 * in 64 (Neal, "Fast exact summation using small and large superaccumulators", 2015).
 * Adding is associative, so the order of values, threads and ranks does not matter. */
#ifndef MPA_EXEC_EXACT_H
#define MPA_EXEC_EXACT_H

#include <stdint.h>

/* Loops over vectors, compiled for what the processor has. */
#if defined __x86_64__ && defined __gnu_linux__ && !defined __SANITIZE_ADDRESS__
#define VECTOR_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define VECTOR_CLONES
#endif

enum { EXACT_DIGITS = 67, EXACT_LANES = 8 };

/* Sums in progress: multiples of two units that are still exact as doubles, of values
 * below 2^(top - 1022). */
struct exact_running {
	double high[EXACT_LANES], low[EXACT_LANES];
	double big[2];   /* what rounds to multiples of these units */
	int64_t top;     /* the largest exponent, as IEEE 754 has it; 0: none yet */
	int64_t added;   /* values a lane */
	int64_t passed;  /* over: blocks for which this is not tried */
};

struct exact {
	int64_t digit[EXACT_DIGITS]; /* digit i counts 2^(32 i - 1074) */
	int64_t pending;             /* additions since carries were passed on */
	int64_t positive_inf, negative_inf, nan; /* how many were added */
	struct exact_running running;
};

void exact_add(struct exact *x, const double *value, int64_t n);
/* x += what the digits say, with the same meaning as its own, of less than 2^62 each. */
void exact_add_digits(struct exact *x, const int64_t digit[EXACT_DIGITS],
		      int64_t positive_inf, int64_t negative_inf, int64_t nan);
/* into += other; both are left with their carries passed on. */
void exact_join(struct exact *into, struct exact *other);
/* The nearest double, ties to even; NaN of both infinities. */
double exact_value(struct exact *x);

#endif
