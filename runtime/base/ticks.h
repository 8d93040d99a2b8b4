/* base/ticks.h - round numbers along an axis, and how they are written */
#ifndef MPA_BASE_TICKS_H
#define MPA_BASE_TICKS_H

enum { TICKS_MOST = 16, TICK_LABEL = 24 };

struct ticks {
	int n;
	double at[TICKS_MOST];
	char label[TICKS_MOST][TICK_LABEL];
};

/* At most about `wanted` multiples of 1, 2 or 5 times a power of ten in lo..hi, in order.
 */
struct ticks ticks_between(double lo, double hi, int wanted);

#endif
