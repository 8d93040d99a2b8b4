/* tests/unit/exact.c - sums against GNU MPFR, rounded once
 *
 * Random values of several kinds, added in pieces of random lengths to a few
 * accumulators that are joined at the end in any order. A sum of mpfr_sum in more bits
 * than there are between the largest and the least double is exact.
 */
#include "config.h"
#include "exec/exact.h"
#include "random.h"
#include "unit.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

#ifdef HAVE_MPFR
#include <mpfr.h>

enum { MOST = 5000, ROUNDS = 150, PARTS = 4, BITS = 2300 };

static double uniform(uint64_t *state)
{
	return (double)(random_next(state) >> 11) * 0x1p-53;
}

static double any_exponent(uint64_t *state, int lo, int hi)
{
	double x =
		ldexp(1 + uniform(state), lo + (int)(random_next(state) % (uint64_t)(hi - lo)));

	return random_next(state) & 1 ? x : -x;
}

static double narrow(uint64_t *state, int i, int n)
{
	(void)i;
	(void)n;
	return uniform(state);
}

static double tails(uint64_t *state, int i, int n)
{
	double x = 60.0 * i / n - 30;

	return uniform(state) * exp(-x * x);
}

static double whole_range(uint64_t *state, int i, int n)
{
	(void)i;
	(void)n;
	return any_exponent(state, -1080, 1010);
}

static double subnormal(uint64_t *state, int i, int n)
{
	(void)i;
	(void)n;
	return any_exponent(state, -1080, -1015);
}

/* sums of parts overflow, the whole does not always */
static double large(uint64_t *state, int i, int n)
{
	return i < n / 2 ? DBL_MAX * uniform(state) : -DBL_MAX * uniform(state);
}

/* what is left of these is far below each of them */
static double cancelling(uint64_t *state, int i, int n)
{
	double x = (i % (n / 2 + 1) + 1) * 1e15 / 7;

	return i < n / 2 ? x : (i < 2 * (n / 2) ? -x : uniform(state));
}

static double integers(uint64_t *state, int i, int n)
{
	(void)i;
	(void)n;
	return (double)(int64_t)(random_next(state) % 2001) - 1000;
}

/* half of a unit of the last place, and what tips the scale */
static double ties(uint64_t *state, int i, int n)
{
	(void)n;
	return i == 0            ? 1
	       : i == 1          ? 0x1p-53
	       : random_next(state) % 3 ? 0
				 : any_exponent(state, -1070, -60);
}

static const struct kind {
	const char *name;
	double (*value)(uint64_t *state, int i, int n);
} kind[] = {
	{ "narrow", narrow },
	{ "tails", tails },
	{ "whole range", whole_range },
	{ "large", large },
	{ "cancelling", cancelling },
	{ "subnormal", subnormal },
	{ "ties", ties },
	{ "integers", integers },
};
enum { KINDS = sizeof kind / sizeof *kind };

static double by_mpfr(const double *value, int n)
{
	static mpfr_t one[MOST];
	mpfr_ptr pointer[MOST];
	mpfr_t sum;
	double result;

	for (int i = 0; i < n; i++) {
		mpfr_init2(one[i], 53);
		mpfr_set_d(one[i], value[i], MPFR_RNDN);
		pointer[i] = one[i];
	}
	mpfr_init2(sum, BITS);
	mpfr_sum(sum, pointer, (unsigned long)n, MPFR_RNDN);
	result = mpfr_get_d(sum, MPFR_RNDN);
	mpfr_clear(sum);
	for (int i = 0; i < n; i++)
		mpfr_clear(one[i]);
	return result;
}

static double in_parts(const double *value, int n, uint64_t *state)
{
	struct exact part[PARTS];
	int first = (int)(random_next(state) % PARTS);

	memset(part, 0, sizeof part);
	for (int at = 0; at < n;) {
		int many = 1 + (int)(random_next(state) % 2500);

		many = many < n - at ? many : n - at;
		exact_add(&part[random_next(state) % PARTS], value + at, many);
		at += many;
	}
	for (int k = 1; k < PARTS; k++)
		exact_join(&part[first], &part[(first + k) % PARTS]);
	return exact_value(&part[first]);
}

START_TEST(sums_are_rounded_once)
{
	const struct kind *k = &kind[_i];
	uint64_t state = 88172645463325252u + (uint64_t)_i;
	static double value[MOST];

	for (int round = 0; round < ROUNDS; round++) {
		int n = 1 + (int)(random_next(&state) % (round % 2 ? MOST : 60));
		double want, got;

		for (int i = 0; i < n; i++)
			value[i] = k->value(&state, i, n);
		want = by_mpfr(value, n);
		got = in_parts(value, n, &state);
		ck_assert_msg(got == want, "%s, round %d, %d values: %a, not %a", k->name,
			      round, n, got, want);
	}
}
END_TEST

static Suite *exact_suite(void)
{
	Suite *s = suite_create("exact");
	TCase *c = tcase_create("against MPFR");

	tcase_set_timeout(c, 120);
	tcase_add_loop_test(c, sums_are_rounded_once, 0, KINDS);
	suite_add_tcase(s, c);
	return s;
}

UNIT_MAIN(exact_suite)
#else
int main(void)
{
	printf("1..0 # SKIP GNU MPFR is not here\n");
	return 0;
}
#endif
