/* compiler/support/nearest.c - "did you mean"
 *
 * Distance counts insertions, deletions, replacements and swaps of neighbouring
 * bytes (optimal string alignment). Near is at most a
 * third of the word, or one.
 */
#include "support/diag.h"

#include <string.h>

enum { LONGEST = 64 };

static int smaller(int a, int b)
{
	return a < b ? a : b;
}

static int distance(const char *a, const char *b)
{
	int n = (int)strlen(a), m = (int)strlen(b);
	int row[3][LONGEST + 1];

	for (int j = 0; j <= m; j++)
		row[0][j] = j;
	for (int i = 1; i <= n; i++) {
		int *now = row[i % 3], *last = row[(i + 2) % 3], *older = row[(i + 1) % 3];

		now[0] = i;
		for (int j = 1; j <= m; j++) {
			now[j] = smaller(last[j - 1] + (a[i - 1] != b[j - 1]),
			                 1 + smaller(last[j], now[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				now[j] = smaller(now[j], older[j - 2] + 1);
		}
	}
	return row[n % 3][m];
}

const char *diag_nearest(const char *word, const char *const *candidates, int n)
{
	const char *best = NULL;
	int least = (int)strlen(word) / 3 + 1;

	if (strlen(word) > LONGEST)
		return NULL;
	if (least < 2)
		least = 2;              /* one slip in the shortest words too */
	for (int i = 0; i < n; i++) {
		const char *c = candidates[i];
		int far;

		if (strlen(c) > LONGEST)
			continue;
		far = distance(word, c);
		if (far < least && far < (int)strlen(c)) {
			least = far;
			best = c;
		}
	}
	return best;
}
