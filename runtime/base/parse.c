/* base/parse.c - complex numbers from text */
#include "base/parse.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static double number(const char *text, bool narrow, char **end)
{
	return narrow ? (double)strtof(text, end) : strtod(text, end);
}

static bool is_unit(char c)
{
	return c == 'i' || c == 'j';
}

/* What stands at the end: nothing, or the bracket that was opened. */
static bool ends(const char *text, bool bracket)
{
	return bracket ? text[0] == ')' && !text[1] : !text[0];
}

bool complex_parse(const char *text, bool narrow, double part[2])
{
	bool bracket = *text == '(';
	char *end;

	text += bracket;
	if (isspace((unsigned char)*text))
		return false;
	part[0] = number(text, narrow, &end);
	part[1] = 0;
	if (end == text)
		return false;
	if (is_unit(*end)) {
		part[1] = part[0];
		part[0] = 0;
		return ends(end + 1, bracket);
	}
	if (ends(end, bracket))
		return true;
	text = end;
	if (*text != '+' && *text != '-')
		return false;
	part[1] = number(text, narrow, &end);
	return end != text && is_unit(*end) && ends(end + 1, bracket);
}
