/* base/random.c - Philox 4x32-10 and what is made of its words */
#include "base/random.h"

#include <math.h>

#include "base/elementary.h"

enum { ROUNDS = 10 };

static const uint32_t multiplier[2] = { 0xD2511F53, 0xCD9E8D57 };
static const uint32_t weyl[2] = { 0x9E3779B9, 0xBB67AE85 };

void random_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t word[4])
{
	uint32_t c[4] = { counter[0], counter[1], counter[2], counter[3] };
	uint32_t k[2] = { key[0], key[1] };

	for (int round = 0; round < ROUNDS; round++) {
		uint64_t a = (uint64_t)multiplier[0] * c[0];
		uint64_t b = (uint64_t)multiplier[1] * c[2];

		c[0] = (uint32_t)(b >> 32) ^ c[1] ^ k[0];
		c[1] = (uint32_t)b;
		c[2] = (uint32_t)(a >> 32) ^ c[3] ^ k[1];
		c[3] = (uint32_t)a;
		k[0] += weyl[0];
		k[1] += weyl[1];
	}
	for (int i = 0; i < 4; i++)
		word[i] = c[i];
}

void random_words(int64_t seed, int64_t index, int64_t count, uint32_t word[4])
{
	uint32_t key[2] = { (uint32_t)seed, (uint32_t)((uint64_t)seed >> 32) };
	uint32_t counter[4] = { (uint32_t)index, (uint32_t)((uint64_t)index >> 32),
				(uint32_t)count, (uint32_t)((uint64_t)count >> 32) };

	random_philox(counter, key, word);
}

static double unit(uint32_t high, uint32_t low)
{
	return (double)(((uint64_t)high << 32 | low) >> 11) * 0x1p-53;
}

double random_uniform(int64_t seed, int64_t index, int64_t count)
{
	uint32_t word[4];

	random_words(seed, index, count, word);
	return unit(word[0], word[1]);
}

float random_uniform_f32(int64_t seed, int64_t index, int64_t count)
{
	uint32_t word[4];

	random_words(seed, index, count, word);
	return (float)(word[0] >> 8) * 0x1p-24f;
}

double random_normal(int64_t seed, int64_t index, int64_t count)
{
	uint32_t word[4];
	double u, v;

	random_words(seed, index, count, word);
	u = 1 - unit(word[0], word[1]);
	v = unit(word[2], word[3]);
	return sqrt(-2 * mpa_log(u)) * mpa_cos(2 * 3.14159265358979323846 * v);
}
