/* exec/options_value.c - values of parameters as text, and names that are nearly right
 *
 * Numbers are written as in the language: 12, 1_000, 0xff, 1.5e-3; inf and nan too. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/parse.h"
#include "exec/options.h"

enum { LONGEST = 64 };

/* Without the underscores between digits; false if one stands elsewhere. */
static bool plain_digits(const char *text, char *plain)
{
	size_t n = 0;

	for (const char *c = text; *c; c++) {
		if (*c == ' ' || *c == '\t' || n == LONGEST - 1)
			return false;
		if (*c != '_') {
			plain[n++] = *c;
			continue;
		}
		if (c == text || !strchr("0123456789abcdefABCDEF", c[-1]) ||
		    c[1] == '_' || !c[1])
			return false;
	}
	plain[n] = 0;
	return n > 0;
}

bool integer_parse(const char *text, int64_t *value)
{
	char plain[LONGEST], *end;
	const char *digits = plain;
	bool hex;
	long long n;

	if (!plain_digits(text, plain))
		return false;
	if (*digits == '-' || *digits == '+')
		digits++;
	hex = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
	errno = 0;
	n = strtoll(plain, &end, hex ? 16 : 10);
	if (*end || end == plain || errno)
		return false;
	*value = n;
	return true;
}

static bool real_parse(const char *text, double *value)
{
	char plain[LONGEST], *end;

	if (!plain_digits(text, plain))
		return false;
	errno = 0;
	*value = strtod(plain, &end);
	return !*end && end != plain && !(errno == ERANGE && isinf(*value));
}

/* Rounded once, so not by way of double. */
static bool single_parse(const char *text, float *value)
{
	char plain[LONGEST], *end;

	if (!plain_digits(text, plain))
		return false;
	errno = 0;
	*value = strtof(plain, &end);
	return !*end && end != plain && !(errno == ERANGE && isinf(*value));
}

static bool bool_parse(const char *text, int64_t *value)
{
	static const char *const word[2][4] = { { "false", "no", "off", "0" },
						{ "true", "yes", "on", "1" } };

	for (int truth = 0; truth < 2; truth++)
		for (int i = 0; i < 4; i++)
			if (strcasecmp(text, word[truth][i]) == 0) {
				*value = truth;
				return true;
			}
	return false;
}

static bool narrow_parse(const char *text, int64_t lo, int64_t hi, int64_t *value)
{
	int64_t n;

	if (!integer_parse(text, &n) || n < lo || n > hi)
		return false;
	*value = n;
	return true;
}

/* Without underscores between digits, as other numbers. */
static bool complex_value(const char *text, bool narrow, int64_t value[2])
{
	char plain[LONGEST];
	double part[2];
	float single[2];

	if (!plain_digits(text, plain) || !complex_parse(plain, narrow, part))
		return false;
	single[0] = (float)part[0];
	single[1] = (float)part[1];
	if (narrow)
		memcpy(value, single, sizeof single);
	else
		memcpy(value, part, sizeof part);
	return true;
}

bool value_parse(enum mpa_elem elem, const char *text, int64_t value[2])
{
	double real;
	float single;

	switch (elem) {
	case MPA_BOOL:
		return bool_parse(text, value);
	case MPA_U8:
		return narrow_parse(text, 0, UINT8_MAX, value);
	case MPA_I32:
		return narrow_parse(text, INT32_MIN, INT32_MAX, value);
	case MPA_I64:
		return integer_parse(text, value);
	case MPA_F32:
		if (!single_parse(text, &single))
			return false;
		*value = 0;
		memcpy(value, &single, sizeof single);
		return true;
	case MPA_F64:
		if (!real_parse(text, &real))
			return false;
		memcpy(value, &real, sizeof real);
		return true;
	case MPA_C64:
	case MPA_C128:
		return complex_value(text, elem == MPA_C64, value);
	case MPA_STR:
		memcpy(value, &text, sizeof text);
		return true;
	default:
		return false;
	}
}

const char *value_kind(enum mpa_elem elem)
{
	switch (elem) {
	case MPA_BOOL:
		return "true or false";
	case MPA_U8:
		return "an integer from 0 to 255";
	case MPA_I32:
		return "a 32-bit integer";
	case MPA_I64:
		return "an integer";
	case MPA_F32:
		return "a number that f32 can hold";
	case MPA_F64:
		return "a number";
	case MPA_C64:
	case MPA_C128:
		return "a number as 1.5, 2i or 1-2i";
	default:
		return "a text";
	}
}

static int smaller(int a, int b)
{
	return a < b ? a : b;
}

/* Insertions, deletions, replacements and swaps of neighbours that lead from a to b. */
static int edit_distance(const char *a, const char *b)
{
	int n = (int)strlen(a), m = (int)strlen(b);
	int row[3][LONGEST + 1];

	if (n > LONGEST || m > LONGEST)
		return LONGEST;
	for (int j = 0; j <= m; j++)
		row[0][j] = j;
	for (int i = 1; i <= n; i++) {
		int *now = row[i % 3], *last = row[(i + 2) % 3],
		    *before = row[(i + 1) % 3];

		now[0] = i;
		for (int j = 1; j <= m; j++) {
			now[j] = smaller(last[j], now[j - 1]) + 1;
			now[j] = smaller(now[j], last[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
			    a[i - 2] == b[j - 1])
				now[j] = smaller(now[j], before[j - 2] + 1);
		}
	}
	return row[n % 3][m];
}

void nearest_try(struct nearest *n, const char *candidate)
{
	int limit = ((int)strlen(n->name) + 2) / 3;
	int distance = edit_distance(n->name, candidate);

	if (distance <= limit && (!n->best || distance < n->distance)) {
		n->best = candidate;
		n->distance = distance;
	}
}
