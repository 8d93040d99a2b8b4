/* bench/stream.c - what the memory gives: the best of a few triads, in GB/s
 *
 *	stream DOUBLES      per array; counts two reads and one write each
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 1 << 25;
	double *a = malloc((size_t)n * sizeof *a), *b = malloc((size_t)n * sizeof *b);
	double *c = malloc((size_t)n * sizeof *c), best = 0;

	if (!a || !b || !c)
		return 1;
#pragma omp parallel for
	for (long i = 0; i < n; i++) {
		a[i] = 1;
		b[i] = 2;
		c[i] = 0;
	}
	for (int k = 0; k < 5; k++) {
		double start = now(), rate;

#pragma omp parallel for
		for (long i = 0; i < n; i++)
			c[i] = a[i] + 3 * b[i];
		rate = 24e-9 * (double)n / (now() - start);
		best = rate > best ? rate : best;
		if (c[n / 2] != 7)
			return 1;
	}
	printf("%.2f\n", best);
	free(a);
	free(b);
	free(c);
	return 0;
}
