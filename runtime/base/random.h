/* base/random.h - random numbers that are a function of where and when, not of order
 *
 * Philox 4x32-10 (Salmon et al., SC11): a seed, the flat index of a point in written C
 * order and the count of the draw give four words. Pure; shared by the runtime and the
 * compiler's evaluator; kernels compute the same. */
#ifndef MPA_BASE_RANDOM_H
#define MPA_BASE_RANDOM_H

#include <stdint.h>

/* counter and key as published; `word` may be `counter`. */
void random_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t word[4]);

/* Key: the seed, low word first. Counter: index, then count, low words first. */
void random_words(int64_t seed, int64_t index, int64_t count, uint32_t word[4]);

/* In [0, 1): 53 bits of words 0 (high) and 1; in single precision 24 bits of word 0. */
double random_uniform(int64_t seed, int64_t index, int64_t count);
float random_uniform_f32(int64_t seed, int64_t index, int64_t count);

/* sqrt(-2 log(1 - u1)) * cos(2 pi u2) in f64: u1 uniform of words 0 and 1, u2 of 2 and 3. */
double random_normal(int64_t seed, int64_t index, int64_t count);

#endif
