/* base/format.c - scalars as Python prints them
 *
 * Takes a value and perhaps a format spec; gives text. Digits come from the C library,
 * which rounds correctly; here they are counted, grouped, signed and padded. */
#include "base/format.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct sink {
	char *out;
	size_t room, length;
};

static void put(struct sink *s, char c)
{
	if (s->length + 1 < s->room)
		s->out[s->length] = c;
	s->length++;
}

static void put_text(struct sink *s, const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		put(s, text[i]);
}

static void put_times(struct sink *s, const char *text, int64_t times)
{
	for (; times > 0; times--)
		put_text(s, text, strlen(text));
}

/* shortest decimals */

static bool reads_back(const char *text, double value, bool narrow)
{
	return narrow ? strtof(text, NULL) == (float)value : strtod(text, NULL) == value;
}

/* d.ddde+xx with its last digit one higher; false: that carries out of all digits. */
static bool next_decimal(char *text)
{
	char *c = strchr(text, 'e');

	while (c-- > text)
		if (*c == '9')
			*c = '0';
		else if (*c != '.')
			return ++*c;
	return false;
}

/* The fewest digits, as d.ddde+xx, that read back as the finite value >= 0. Below a power
 * of two the gap is half as wide, so there the decimal above may do where the nearest
 * does not. */
static void shortest(char text[FORMAT_REAL], double value, bool narrow)
{
	int exponent;
	bool power = frexp(value, &exponent) == 0.5;

	for (int digits = 0; digits < 17; digits++) {
		snprintf(text, FORMAT_REAL, "%.*e", digits, value);
		if (reads_back(text, value, narrow))
			return;
		if (power && next_decimal(text) && reads_back(text, value, narrow))
			return;
	}
	assert(!"17 digits read back");
}

/* The digits of d.ddde+xx without the point and zeros at the end, and its exponent. */
static int take_apart(const char *text, char *digits, int *exponent)
{
	const char *e = strchr(text, 'e');
	int n = 0;

	for (const char *c = text; c < e; c++)
		if (*c != '.')
			digits[n++] = *c;
	while (n > 1 && digits[n - 1] == '0')
		n--;
	digits[n] = 0;
	*exponent = atoi(e + 1);
	return n;
}

static int lay_out(char *out, size_t room, const char *digits, int n, int exponent)
{
	static const char zeros[] = "0000000000000000";

	if (exponent < -4 || exponent >= 16)
		return snprintf(out, room, "%c%s%se%+03d", *digits, n > 1 ? "." : "",
				digits + 1, exponent);
	if (exponent < 0)
		return snprintf(out, room, "0.%.*s%s", -exponent - 1, zeros, digits);
	if (exponent >= n - 1)
		return snprintf(out, room, "%s%.*s.0", digits, exponent - n + 1, zeros);
	return snprintf(out, room, "%.*s.%s", exponent + 1, digits, digits + exponent + 1);
}

/* Without a sign; NaN has none. */
static int repr(char *out, size_t room, double value, bool narrow)
{
	char text[FORMAT_REAL], digits[FORMAT_REAL];
	int n, exponent;

	if (!isfinite(value))
		return snprintf(out, room, isnan(value) ? "nan" : "inf");
	shortest(text, fabs(value), narrow);
	n = take_apart(text, digits, &exponent);
	return lay_out(out, room, digits, n, exponent);
}

static bool is_negative(double value)
{
	return signbit(value) && !isnan(value);
}

int format_real(char text[FORMAT_REAL], double value, bool narrow)
{
	int sign = is_negative(value);

	text[0] = '-';
	return sign + repr(text + sign, FORMAT_REAL - sign, value, narrow);
}

/* specs */

static int character_bytes(const char *c)
{
	int n = 1;

	while (*c && n < 4 && ((unsigned char)c[n] & 0xc0) == 0x80)
		n++;
	return n;
}

static bool is_one_of(char c, const char *set)
{
	return c && strchr(set, c);
}

/* A number of up to FORMAT_MAX, or -1. */
static int read_number(const char **text)
{
	int n = 0;

	if (!is_one_of(**text, "0123456789"))
		return -1;
	for (; is_one_of(**text, "0123456789"); ++*text)
		if (n <= FORMAT_MAX)
			n = 10 * n + (**text - '0');
	return n <= FORMAT_MAX ? n : -1;
}

static void read_align(const char **text, struct format_spec *spec)
{
	int n = character_bytes(*text);

	if (**text && is_one_of((*text)[n], "<>^=")) {
		memcpy(spec->fill, *text, n);
		spec->fill[n] = 0;
		spec->align = (*text)[n];
		*text += n + 1;
	} else if (is_one_of(**text, "<>^=")) {
		spec->align = *(*text)++;
	}
}

bool format_parse(const char *text, struct format_spec *spec)
{
	const char *start = text;
	bool fill_given;

	*spec = (struct format_spec){ .fill = " ", .precision = -1 };
	read_align(&text, spec);
	fill_given = spec->align && text - start > 1;
	if (is_one_of(*text, "+- "))
		spec->sign = *text++;
	if (*text == '0') {
		text++;
		spec->zeros = !spec->align;
		if (!fill_given)
			strcpy(spec->fill, "0");
	}
	if (is_one_of(*text, "0123456789") && (spec->width = read_number(&text)) < 0)
		return false;
	if (*text == ',') {
		spec->comma = true;
		text++;
	}
	if (*text == '.' && (text++, (spec->precision = read_number(&text)) < 0))
		return false;
	if (is_one_of(*text, "defgsx%"))
		spec->type = *text++;
	return !*text;
}

bool format_fits(const struct format_spec *spec, enum format_kind kind)
{
	bool as_text = kind == FORMAT_TEXT ||
		       (kind == FORMAT_BOOL && (!spec->type || spec->type == 's'));
	bool real = kind == FORMAT_F32 || kind == FORMAT_F64;

	if (kind == FORMAT_C64 || kind == FORMAT_C128)
		return (!spec->type || is_one_of(spec->type, "efg")) && !spec->zeros &&
		       spec->align != '=';
	if (as_text)
		return (!spec->type || spec->type == 's') && spec->align != '=' &&
		       !spec->sign && !spec->comma;
	if (is_one_of(spec->type, "efg%") || (real && !spec->type))
		return true;
	if (real || spec->type == 's')
		return false;
	return spec->precision < 0 && !(spec->comma && spec->type == 'x');
}

/* A real without a type but with a precision: like g, with .0 and an earlier exponent. */
static int general(char *out, size_t room, double value, int precision)
{
	char text[FORMAT_MAX + FORMAT_REAL], digits[FORMAT_MAX + FORMAT_REAL];
	int n, exponent;

	if (precision == 0)
		precision = 1;
	snprintf(text, sizeof text, "%.*e", precision - 1, value);
	n = take_apart(text, digits, &exponent);
	if (exponent < -4 || exponent >= precision - 1)
		return snprintf(out, room, "%c%s%se%+03d", *digits, n > 1 ? "." : "",
				digits + 1, exponent);
	if (exponent < 0)
		return snprintf(out, room, "%.*f", n - 1 - exponent, value);
	return snprintf(out, room, "%.*f", n - 1 > exponent ? n - 1 - exponent : 1, value);
}

/* The value without its sign. */
static int real_body(char *out, size_t room, const struct format_spec *spec, double value,
		     bool narrow)
{
	int precision = spec->precision < 0 ? 6 : spec->precision;

	value = fabs(value);
	if (spec->type == '%')
		value *= 100;
	if (!isfinite(value))
		return snprintf(out, room, "%s%s", isnan(value) ? "nan" : "inf",
				spec->type == '%' ? "%" : "");
	switch (spec->type) {
	case 'e':
		return snprintf(out, room, "%.*e", precision, value);
	case 'f':
		return snprintf(out, room, "%.*f", precision, value);
	case 'g':
		return snprintf(out, room, "%.*g", precision, value);
	case '%':
		return snprintf(out, room, "%.*f%%", precision, value);
	default:
		return spec->precision < 0 ? repr(out, room, value, narrow)
					   : general(out, room, value, precision);
	}
}

static int int_body(char *out, size_t room, const struct format_spec *spec, int64_t value)
{
	uint64_t size = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;

	if (is_one_of(spec->type, "efg%"))
		return real_body(out, room, spec, value, false);
	return snprintf(out, room, spec->type == 'x' ? "%llx" : "%llu",
			(unsigned long long)size);
}

static void pad_around(struct sink *s, const struct format_spec *spec, char align,
		       int64_t missing, bool before)
{
	if (missing <= 0 || align == '=' || (before ? align == '<' : align == '>'))
		return;
	if (align == '^')
		missing = before ? missing / 2 : missing - missing / 2;
	put_times(s, spec->fill, missing);
}

/* Digits in groups of three, with zeros in front up to `count` digits. */
static void put_grouped(struct sink *s, const char *digits, int n, int count)
{
	for (int left = count; left > 0; left--) {
		put(s, left > n ? '0' : digits[n - left]);
		if (left % 3 == 1 && left > 1)
			put(s, ',');
	}
}

static void put_number(struct sink *s, const struct format_spec *spec, bool negative,
		       const char *body)
{
	char sign = negative ? '-' : spec->sign == '-' ? 0 : spec->sign;
	char align = spec->align ? spec->align : spec->zeros ? '=' : '>';
	int digits = strspn(body, "0123456789"), all = strlen(body), count = digits;
	int rest = all - digits + !!sign;
	int commas = spec->comma && count ? (count - 1) / 3 : 0;

	if (spec->comma && align == '=' && !strcmp(spec->fill, "0"))
		while (count && count + (count - 1) / 3 + rest < spec->width)
			count++;
	if (count > digits)
		commas = (count - 1) / 3;
	int missing = spec->width - (count + commas + rest);

	pad_around(s, spec, align, missing, true);
	if (sign)
		put(s, sign);
	if (align == '=')
		put_times(s, spec->fill, missing);
	if (spec->comma)
		put_grouped(s, body, digits, count);
	else
		put_text(s, body, digits);
	put_text(s, body + digits, all - digits);
	pad_around(s, spec, align, missing, false);
}

/* One part of a complex number: digits without a ".0", and always a sign if it is the
 * imaginary one. */
static void put_part(struct sink *s, const struct format_spec *spec, double value,
		     bool narrow, bool imaginary)
{
	struct format_spec part = { .fill = " ", .comma = spec->comma, .type = spec->type };
	char body[2 * FORMAT_MAX];
	int n;

	part.sign = imaginary ? '+' : spec->sign;
	part.precision = spec->precision;
	if (!part.type && part.precision >= 0)
		part.type = 'g';
	n = real_body(body, sizeof body, &part, value, narrow);
	if (!part.type && n > 2 && !strcmp(body + n - 2, ".0"))
		body[n - 2] = 0;
	put_number(s, &part, is_negative(value), body);
}

static void put_complex(struct sink *s, const struct format_spec *spec,
			const double *part, bool narrow)
{
	char text[4 * FORMAT_MAX];
	struct sink all = { text, sizeof text, 0 };
	char align = spec->align ? spec->align : '>';
	int missing;

	if (spec->type || part[0] != 0 || signbit(part[0])) {
		put_part(&all, spec, part[0], narrow, false);
		put_part(&all, spec, part[1], narrow, true);
	} else {
		put_part(&all, spec, part[1], narrow, spec->sign == '+');
	}
	put(&all, 'i');
	missing = spec->width - (int)all.length;
	pad_around(s, spec, align, missing, true);
	put_text(s, text, all.length);
	pad_around(s, spec, align, missing, false);
}

static void put_string(struct sink *s, const struct format_spec *spec, const char *text)
{
	char align = spec->align ? spec->align : '<';
	int64_t characters = 0;
	const char *end = text;

	for (; *end && (spec->precision < 0 || characters < spec->precision); characters++)
		end += character_bytes(end);
	pad_around(s, spec, align, spec->width - characters, true);
	put_text(s, text, end - text);
	pad_around(s, spec, align, spec->width - characters, false);
}

size_t format_value(char *out, size_t room, const struct format_spec *spec,
		    enum format_kind kind, union format_value value)
{
	char body[2 * FORMAT_MAX];
	struct sink s = { out, room, 0 };

	assert(format_fits(spec, kind));
	if (kind == FORMAT_TEXT) {
		put_string(&s, spec, value.text);
	} else if (kind == FORMAT_BOOL && (!spec->type || spec->type == 's')) {
		put_string(&s, spec, value.i ? "true" : "false");
	} else if (kind == FORMAT_F32 || kind == FORMAT_F64) {
		real_body(body, sizeof body, spec, value.f, kind == FORMAT_F32);
		put_number(&s, spec, is_negative(value.f), body);
	} else if (kind == FORMAT_C64 || kind == FORMAT_C128) {
		put_complex(&s, spec, value.part, kind == FORMAT_C64);
	} else {
		int_body(body, sizeof body, spec, value.i);
		put_number(&s, spec, value.i < 0, body);
	}
	if (room)
		out[s.length < room ? s.length : room - 1] = 0;
	return s.length;
}
