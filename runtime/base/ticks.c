/* base/ticks.c - round numbers along an axis, and how they are written */
#include "base/ticks.h"

#include <math.h>
#include <stdio.h>

/* The smallest round step that makes no more than `wanted` parts. */
static double round_step(double width, int wanted, int *exponent)
{
	static const double round[] = { 1, 2, 5, 10 };
	double least = width / wanted, power;
	int k = 0;

	*exponent = (int)floor(log10(least));
	power = pow(10, *exponent);
	while (k < 3 && round[k] * power < least * (1 - 1e-9))
		k++;
	if (k == 3)
		++*exponent;
	return round[k] * power;
}

/* With as many decimals as tell neighbours apart. */
static void label_write(char *label, double value, double most, int exponent)
{
	int digits = (int)floor(log10(most)) - exponent;

	if (value == 0)
		snprintf(label, TICK_LABEL, "0");
	else if (most >= 1e6 || most < 1e-3)
		snprintf(label, TICK_LABEL, "%.*e",
			 digits < 0    ? 0
			 : digits > 15 ? 15
				       : digits,
			 value);
	else
		snprintf(label, TICK_LABEL, "%.*f", exponent < 0 ? -exponent : 0, value);
}

struct ticks ticks_between(double lo, double hi, int wanted)
{
	struct ticks t = { 0 };
	double width = hi - lo, most = fabs(lo) > fabs(hi) ? fabs(lo) : fabs(hi), step, k;
	int exponent;

	if (!(width > 0) || !isfinite(width) || width < most * 1e-12)
		return t;
	step = round_step(width, wanted, &exponent);
	for (k = ceil(lo / step - 1e-9); t.n < TICKS_MOST; k++) {
		double at = k * step;

		if (at > hi + 1e-9 * step)
			break;
		t.at[t.n] = at;
		label_write(t.label[t.n], at, most, exponent);
		t.n++;
	}
	return t;
}
