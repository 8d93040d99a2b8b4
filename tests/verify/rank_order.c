/* tests/verify/rank_order.c - sums in the order of ranks and threads
 *
 * Linked with a program it takes the place of exec/exact.c: plain sums, which depend on
 * how the points are divided. mpac verify must see that.
 */
#include <stdlib.h>

#include "exec/exact.h"

#include <string.h>

static double get(const struct exact *x)
{
	double sum;

	memcpy(&sum, x->digit, sizeof sum);
	return sum;
}

static void put(struct exact *x, double sum)
{
	memcpy(x->digit, &sum, sizeof sum);
}

void exact_add(struct exact *x, const double *value, int64_t n)
{
	double sum = get(x);

	for (int64_t i = 0; i < n; i++)
		sum += value[i];
	put(x, sum);
}

void exact_join(struct exact *into, struct exact *other)
{
	put(into, get(into) + get(other));
}

double exact_value(struct exact *x)
{
	return get(x);
}

/* Of GPUs, which are not met here. */
void exact_add_digits(struct exact *x, const int64_t digit[EXACT_DIGITS],
		      int64_t positive_inf, int64_t negative_inf, int64_t nan)
{
	(void)x, (void)digit, (void)positive_inf, (void)negative_inf, (void)nan;
	abort();
}
