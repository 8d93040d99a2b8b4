/* base/format_array.c - arrays as NumPy prints them
 *
 * Takes the shape and those values that are shown; gives the lines. All numbers get one
 * width: reals are shown with up to eight digits behind the point, with exponents if
 * they are big, tiny or far apart. */
#include "base/format.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EDGE = 3, LINE = 75, THRESHOLD = 1000, DIGITS = 8, WORD = 64 };

struct layout {
	bool narrow;	 /* f32 and c64 */
	bool sign;	 /* a + too */
	bool exponents;
	int left, right; /* characters in front of the point, and digits behind it */
	int width;	 /* of integers */
};

struct printer {
	FILE *out;
	enum format_kind kind;
	struct layout layout, imaginary;
	int dim;
	const int64_t *size;
	bool cut;
	const union format_value *next; /* the value that is printed next */
	int column, blanks; /* those behind the last word are printed before the next */
};

bool format_array_cut(int dim, const int64_t *size)
{
	int64_t count = 1;

	for (int i = 0; i < dim; i++)
		if (size[i] == 0)
			return false;
	for (int i = 0; i < dim; i++) {
		count = count > THRESHOLD ? count : count * size[i];
		if (size[i] > THRESHOLD)
			count = THRESHOLD + 1;
	}
	return count > THRESHOLD;
}

int64_t format_array_kept(int dim, const int64_t *size, int64_t *kept)
{
	bool cut = format_array_cut(dim, size);
	int64_t count = 1;

	for (int i = 0; i < dim; i++) {
		kept[i] = cut && size[i] > 2 * EDGE ? 2 * EDGE : size[i];
		count *= kept[i];
	}
	return count;
}

/* reals */

/* Drops zeros at the end of the digits in text up to `end`; the point stays. */
static char *trim_zeros(char *text, char *end)
{
	while (end > text && end[-1] == '0')
		end--;
	*end = 0;
	return end;
}

static double part_of(const union format_value *v, int part)
{
	return part ? v->part[1] : v->f;
}

static void put_sign(char *word, double value, bool sign)
{
	if (!sign || signbit(value))
		return;
	memmove(word + 1, word, strlen(word) + 1);
	*word = '+';
}

/* Positional with at most DIGITS behind the point, fewer where fewer say it all. */
static void positional(char word[WORD], double value, bool narrow)
{
	char text[FORMAT_REAL];

	snprintf(word, WORD, "%.*f", DIGITS, value);
	for (int digits = 1; digits < DIGITS; digits++) {
		snprintf(text, sizeof text, "%.*f", digits, value);
		if (narrow ? strtof(text, NULL) == (float)value
			   : strtod(text, NULL) == value) {
			strcpy(word, text);
			break;
		}
	}
	trim_zeros(word, word + strlen(word));
}

/* d.ddd without an exponent, which is returned. */
static int scientific(char word[WORD], double value, bool narrow)
{
	char *e;
	int exponent;

	for (int digits = 1; digits <= DIGITS; digits++) {
		snprintf(word, WORD, "%.*e", digits, value);
		if (narrow ? strtof(word, NULL) == (float)value
			   : strtod(word, NULL) == value)
			break;
	}
	e = strchr(word, 'e');
	exponent = atoi(e + 1);
	trim_zeros(word, e);
	return exponent;
}

static int exponent_digits(const union format_value *v, int64_t n, int part, bool narrow)
{
	char word[WORD];
	int most = 2;

	for (int64_t i = 0; i < n; i++)
		if (isfinite(part_of(&v[i], part)) &&
		    abs(scientific(word, part_of(&v[i], part), narrow)) >= 100)
			most = 3;
	return most;
}

static bool wants_exponents(const union format_value *v, int64_t n, int part)
{
	double least = INFINITY, most = 0;

	for (int64_t i = 0; i < n; i++) {
		double a = fabs(part_of(&v[i], part));

		if (!isfinite(a) || a == 0)
			continue;
		least = a < least ? a : least;
		most = a > most ? a : most;
	}
	return most > 0 && (most >= 1e8 || least < 0.0001 || most / least > 1000);
}

static void widen(int *width, int needed)
{
	if (*width < needed)
		*width = needed;
}

/* Of the numbers themselves, or (part 1) of imaginary parts, which have a sign. */
static struct layout layout_reals(bool narrow, const union format_value *v, int64_t n,
				  int part)
{
	struct layout l = { .narrow = narrow, .sign = part };
	char word[WORD];

	l.exponents = wants_exponents(v, n, part);
	for (int64_t i = 0; i < n; i++) {
		double value = part_of(&v[i], part);

		if (!isfinite(value))
			continue;
		if (l.exponents)
			scientific(word, value, narrow);
		else
			positional(word, value, narrow);
		put_sign(word, value, l.sign);
		widen(&l.left, strchr(word, '.') - word);
		widen(&l.right, strlen(strchr(word, '.') + 1));
	}
	l.width = l.exponents ? 2 + exponent_digits(v, n, part, narrow) : 0;
	for (int64_t i = 0; i < n; i++) {
		double value = part_of(&v[i], part);
		int length = isnan(value) ? 3 : 3 + (l.sign || value < 0);

		if (!isfinite(value))
			widen(&l.left, length - 1 - l.right - l.width);
	}
	return l;
}

static int print_unbounded(char *word, size_t room, int width, double value, bool sign)
{
	return snprintf(word, room, "%*s", width,
			isnan(value) ? sign ? "+nan" : "nan"
			: value < 0  ? "-inf"
			: sign	     ? "+inf"
				     : "inf");
}

static int print_real(char *word, size_t room, const struct layout *l, double value)
{
	int width = l->left + 1 + l->right + l->width, point;
	char text[WORD];

	if (!isfinite(value))
		return print_unbounded(word, room, width, value, l->sign);
	if (l->exponents) {
		char *e;

		snprintf(text, sizeof text, l->sign ? "%+#.*e" : "%#.*e", l->right, value);
		point = strchr(text, '.') - text;
		e = strchr(text, 'e');
		return snprintf(word, room, "%*s%.*se%c%0*d", l->left - point, "",
				(int)(e - text), text, e[1], l->width - 2,
				abs(atoi(e + 1)));
	}
	positional(text, value, l->narrow);
	put_sign(text, value, l->sign);
	point = strchr(text, '.') - text;
	return snprintf(word, room, "%*s%-*s", l->left - point, "", width - l->left + point,
			text);
}

/* The i stands right behind the digits. */
static int print_complex(char *word, size_t room, const struct printer *p,
			 const double *part)
{
	int n = print_real(word, room, &p->layout, part[0]);
	int all = n + print_real(word + n, room - n, &p->imaginary, part[1]), end = all;

	while (end > 0 && word[end - 1] == ' ')
		end--;
	memmove(word + end + 1, word + end, all - end + 1);
	word[end] = 'i';
	return all + 1;
}

/* all kinds */

static bool is_complex(enum format_kind kind)
{
	return kind == FORMAT_C64 || kind == FORMAT_C128;
}

static struct layout layout_of(enum format_kind kind, const union format_value *v,
			       int64_t n)
{
	struct layout l = { .width = kind == FORMAT_BOOL ? 5 : 1 };

	if (kind == FORMAT_F32 || kind == FORMAT_F64)
		return layout_reals(kind == FORMAT_F32, v, n, 0);
	if (is_complex(kind))
		return layout_reals(kind == FORMAT_C64, v, n, 0);
	for (int64_t i = 0; kind == FORMAT_INT && i < n; i++)
		widen(&l.width, snprintf(NULL, 0, "%lld", (long long)v[i].i));
	return l;
}

static int print_word(char *word, size_t room, const struct printer *p,
		      union format_value v)
{
	const struct layout *l = &p->layout;

	switch (p->kind) {
	case FORMAT_C64:
	case FORMAT_C128:
		return print_complex(word, room, p, v.part);
	case FORMAT_BOOL:
		return snprintf(word, room, "%*s", l->width, v.i ? "true" : "false");
	case FORMAT_INT:
		return snprintf(word, room, "%*lld", l->width, (long long)v.i);
	default:
		return print_real(word, room, l, v.f);
	}
}

static void put_lines(struct printer *p, int count, int indent)
{
	for (int i = 0; i < count; i++)
		putc('\n', p->out);
	fprintf(p->out, "%*s", indent, "");
	p->column = indent;
}

/* One word of a row, on the next line if it would pass `width`; blanks at the end of a
 * line are dropped, but not those at the end of the row. */
static void put_word(struct printer *p, const char *word, bool first, int indent, int width)
{
	int length = strlen(word), visible = length;

	while (visible > 0 && word[visible - 1] == ' ')
		visible--;
	if (!first && p->column + 1 + length > width) {
		put_lines(p, 1, indent);
	} else if (!first) {
		fprintf(p->out, "%*s", p->blanks + 1, "");
		p->column++;
	}
	fprintf(p->out, "%.*s", visible, word);
	p->blanks = length - visible;
	p->column += length;
}

static void print_row(struct printer *p, int64_t n, int indent, int width)
{
	bool cut = p->cut && n > 2 * EDGE;
	int64_t shown = cut ? 2 * EDGE : n;
	char word[4 * WORD];

	for (int64_t i = 0; i < shown; i++) {
		if (cut && i == EDGE)
			put_word(p, "...", false, indent, width);
		print_word(word, sizeof word, p, *p->next++);
		put_word(p, word, i == 0, indent, width);
	}
	fprintf(p->out, "%*s", p->blanks, "");
}

static void print_axis(struct printer *p, int axis)
{
	int64_t n = p->size[axis];
	bool cut = p->cut && n > 2 * EDGE;
	int64_t shown = cut ? 2 * EDGE : n;
	int indent = axis + 1, below = p->dim - axis - 1;

	putc('[', p->out);
	p->column = indent;
	if (below == 0)
		print_row(p, n, indent, LINE - axis - 1);
	for (int64_t i = 0; below > 0 && i < shown; i++) {
		if (i > 0)
			put_lines(p, below, indent);
		if (cut && i == EDGE) {
			fputs("...", p->out);
			put_lines(p, below, indent);
		}
		print_axis(p, axis + 1);
	}
	putc(']', p->out);
}

void format_array(FILE *out, enum format_kind kind, int dim, const int64_t *size,
		  const union format_value *values)
{
	struct printer p = { .out = out, .kind = kind, .dim = dim, .size = size, .next = values };
	int64_t kept[16], count = format_array_kept(dim, size, kept);

	p.layout = layout_of(kind, values, count);
	if (is_complex(kind))
		p.imaginary = layout_reals(kind == FORMAT_C64, values, count, 1);
	p.cut = format_array_cut(dim, size);
	if (count == 0)
		fputs("[]", out);
	else
		print_axis(&p, 0);
}
