/* compiler/syntax/chars.c - what the lexer has to know about UTF-8 and formats
 *
 * Names begin with a letter (categories L*) or `_`, go on with letters, marks and
 * decimal digits, and are compared in NFC.
 */
#include "syntax/chars.h"
#include "support/intern.h"
#include "syntax/parse.h"

#include <stdlib.h>
#include <string.h>

#include <utf8proc.h>

size_t chars_first(const char *text)
{
	unsigned char c = (unsigned char)*text;

	return c < 0xc0 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
}

static bool may_be_in_name(utf8proc_int32_t c, bool first)
{
	if (c == '_')
		return true;
	switch (utf8proc_category(c)) {
	case UTF8PROC_CATEGORY_LU: case UTF8PROC_CATEGORY_LL: case UTF8PROC_CATEGORY_LT:
	case UTF8PROC_CATEGORY_LM: case UTF8PROC_CATEGORY_LO:
		return true;
	case UTF8PROC_CATEGORY_MN: case UTF8PROC_CATEGORY_MC: case UTF8PROC_CATEGORY_ME:
	case UTF8PROC_CATEGORY_ND:
		return !first;
	default:
		return false;
	}
}

size_t chars_word(const char *text, size_t length)
{
	size_t i = 0;

	while (i < length) {
		utf8proc_int32_t c;
		utf8proc_ssize_t n =
			utf8proc_iterate((const utf8proc_uint8_t *)text + i,
			                 (utf8proc_ssize_t)(length - i), &c);

		if (n <= 0 || !may_be_in_name(c, i == 0))
			break;
		i += (size_t)n;
	}
	return i;
}

bool parse_is_name(const char *text)
{
	size_t length = strlen(text);

	return length && chars_word(text, length) == length && !parse_is_keyword(text);
}

bool parse_is_keyword(const char *text)
{
	static const char *const keywords[] = {
#define KEYWORD(id, text) text,
#define WORD(id, text)
#include "syntax/token.def"
#undef KEYWORD
#undef WORD
	};

	for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
		if (strcmp(text, keywords[i]) == 0)
			return true;
	return false;
}

const char *chars_name(struct intern *in, const char *text, size_t length)
{
	utf8proc_uint8_t *composed = NULL;
	const char *name;
	utf8proc_ssize_t n;
	size_t plain = 0;

	while (plain < length && (unsigned char)text[plain] < 0x80)
		plain++;
	if (plain == length)
		return intern_bytes(in, text, length);
	n = utf8proc_map((const utf8proc_uint8_t *)text, (utf8proc_ssize_t)length,
	                 &composed, UTF8PROC_STABLE | UTF8PROC_COMPOSE);
	name = n > 0 ? intern_bytes(in, (const char *)composed, (size_t)n)
	             : intern_bytes(in, text, length);
	free(composed);
	return name;
}

const char *chars_lookalike(const char *text)
{
	static const struct {
		const char *looks, *hint;
	} likes[] = {
		{ "−", "Write the ASCII minus sign `-`." },
		{ "–", "Write the ASCII minus sign `-`." },
		{ "×", "Write `*`." },
		{ "·", "Write `*`." },
		{ "÷", "Write `/`." },
		{ "²", "Write `^2`." },
		{ "³", "Write `^3`." },
		{ "≤", "Write `<=`." },
		{ "≥", "Write `>=`." },
		{ "≠", "Write `!=`." },
		{ "→", "Write `->`." },
		{ "…", "Write `..` for a range." },
		{ "“", "Texts stand in straight quotes." },
		{ "”", "Texts stand in straight quotes." },
		{ "\u00a0", "This is a no-break space." },
		{ "\u200b", "This is a space without width." },
	};

	for (size_t i = 0; i < sizeof likes / sizeof *likes; i++)
		if (strncmp(text, likes[i].looks, strlen(likes[i].looks)) == 0)
			return likes[i].hint;
	return NULL;
}

const char chars_formats[] = "[[fill]align][sign][0][width][,][.prec][d e f g s x %]";

enum { FORMAT_DIGITS = 4 };     /* widths beyond are slips */

static bool is_align(char c)
{
	return c && strchr("<>=^", c);
}

bool chars_is_format(const char *s)
{
	size_t fill = *s ? chars_first(s) : 0, digits;

	if (is_align(s[fill]))
		s += fill + 1;
	else if (is_align(*s))
		s++;
	if (*s && strchr("+- ", *s))
		s++;
	digits = strspn(s, "0123456789");
	if (digits > FORMAT_DIGITS)
		return false;
	s += digits;
	if (*s == ',')
		s++;
	if (*s == '.') {
		digits = strspn(++s, "0123456789");
		if (digits == 0 || digits > FORMAT_DIGITS)
			return false;
		s += digits;
	}
	if (*s && strchr("defgsx%", *s))
		s++;
	return *s == '\0';
}
