/* compiler/support/diag.c - what is told to the user about a program
 *
 * Messages are kept with their hints and notes and printed at the end:
 *
 *	heat.mpa:3:7: error: unexpected `5`, expected `=` [E0105]
 *	    3 | let a 5
 *	      |       ^
 *	hint: ...
 */
#include "support/diag.h"
#include "support/arena.h"
#include "support/vec.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <utf8proc.h>

enum { SHOWN = 160 };                           /* bytes of a line, about */

enum severity { ERROR, WARNING, NOTE, HINT };

struct message {
	enum severity severity;
	enum diag_code code;
	struct span at;
	const char *text;
};

struct diag {
	struct arena *arena;
	VEC(struct message) messages;
	int errors, warnings;
	bool dropped;                   /* the last error or warning was not kept */
};

struct diag *diag_new(void)
{
	struct diag *d = xmalloc(sizeof *d);

	*d = (struct diag){ .arena = arena_new() };
	return d;
}

void diag_clear(struct diag *d)
{
	vec_free(&d->messages);
	arena_reset(d->arena);
	d->errors = d->warnings = 0;
	d->dropped = false;
}

void diag_free(struct diag *d)
{
	if (!d)
		return;
	vec_free(&d->messages);
	arena_free(d->arena);
	free(d);
}

/* ---- adding ------------------------------------------------------------- */

static bool told_before(const struct diag *d, enum diag_code code, struct span at)
{
	for (int i = 0; i < d->messages.n; i++) {
		const struct message *m = &d->messages.item[i];

		if (m->severity <= WARNING && m->code == code && at.source &&
		    span_equal(m->at, at))
			return true;
	}
	return false;
}

static const char *format_text(struct diag *d, const char *format, va_list values)
{
	va_list again;
	char *text;
	int length;

	va_copy(again, values);
	length = vsnprintf(NULL, 0, format, again);
	va_end(again);
	assert(length >= 0);
	text = arena_alloc(d->arena, (size_t)length + 1);
	vsnprintf(text, (size_t)length + 1, format, values);
	return text;
}

static void keep(struct diag *d, struct message m, const char *format, va_list values)
{
	assert(!m.at.source || m.at.end <= m.at.source->length);
	m.text = format_text(d, format, values);
	vec_push(NULL, &d->messages, m);
}

void diag_error(struct diag *d, enum diag_code code, struct span at, const char *format,
                ...)
{
	va_list values;

	d->dropped = told_before(d, code, at);
	if (d->dropped)
		return;
	d->errors++;
	d->dropped = d->errors > DIAG_LIMIT;
	if (d->dropped)
		return;
	va_start(values, format);
	keep(d, (struct message){ ERROR, code, at, NULL }, format, values);
	va_end(values);
}

void diag_warning(struct diag *d, enum diag_code code, struct span at,
                  const char *format, ...)
{
	va_list values;

	d->dropped = told_before(d, code, at) || d->warnings >= DIAG_LIMIT;
	if (d->dropped)
		return;
	d->warnings++;
	va_start(values, format);
	keep(d, (struct message){ WARNING, code, at, NULL }, format, values);
	va_end(values);
}

void diag_note(struct diag *d, struct span at, const char *format, ...)
{
	va_list values;

	if (d->dropped)
		return;
	va_start(values, format);
	keep(d, (struct message){ NOTE, 0, at, NULL }, format, values);
	va_end(values);
}

void diag_hint(struct diag *d, const char *format, ...)
{
	va_list values;

	if (d->dropped)
		return;
	va_start(values, format);
	keep(d, (struct message){ .severity = HINT }, format, values);
	va_end(values);
}

int diag_errors(const struct diag *d)
{
	return d->errors;
}

int diag_warnings(const struct diag *d)
{
	return d->warnings;
}

bool diag_full(const struct diag *d)
{
	return d->errors >= DIAG_LIMIT;
}

/* ---- printing ----------------------------------------------------------- */

struct page {
	FILE *out;
	bool colours;
};

static const struct { const char *text, *colour, *letter; } severities[] = {
	[ERROR] = { "error", "\033[1;31m", "E" },
	[WARNING] = { "warning", "\033[1;35m", "W" },
	[NOTE] = { "note", "\033[1;36m", "" },
	[HINT] = { "hint", "\033[1;32m", "" },
};

static void put_coloured(struct page p, const char *colour, const char *text)
{
	if (p.colours)
		fprintf(p.out, "%s%s\033[0m", colour, text);
	else
		fputs(text, p.out);
}

/* One character of a line; how many bytes it has and how many columns it fills. */
static int next_char(const char *text, size_t length, int *width)
{
	utf8proc_int32_t c;
	utf8proc_ssize_t n = utf8proc_iterate((const utf8proc_uint8_t *)text,
	                                      (utf8proc_ssize_t)length, &c);

	if (n <= 0 || utf8proc_category(c) == UTF8PROC_CATEGORY_CC) {
		*width = text[0] == '\t' ? 8 : -1;      /* -1: not fit to be shown */
		return n <= 0 ? 1 : (int)n;
	}
	*width = utf8proc_charwidth(c);
	return (int)n;
}

/* Bytes that are no text, and control characters, are shown as U+FFFD. */
static void put_line(struct page p, const char *text, size_t length)
{
	size_t i = 0;
	int width;

	while (i < length) {
		int n = next_char(text + i, length - i, &width);

		if (width < 0)
			fputs("\xef\xbf\xbd", p.out);
		else
			fwrite(text + i, 1, (size_t)n, p.out);
		i += (size_t)n;
	}
}

/* Blanks as wide as the text before the span, then a caret for each column of it. */
static void put_carets(struct page p, const char *text, size_t length, size_t begin,
                       size_t end)
{
	size_t i = 0;
	int width;

	while (i < begin) {
		i += (size_t)next_char(text + i, length - i, &width);
		if (width == 8)
			putc('\t', p.out);
		else
			fprintf(p.out, "%*s", width < 0 ? 1 : width, "");
	}
	if (p.colours)
		fputs(severities[ERROR].colour, p.out);
	putc('^', p.out);
	i += i < length ? (size_t)next_char(text + i, length - i, &width) : 1;
	while (i < end) {
		i += (size_t)next_char(text + i, length - i, &width);
		for (int k = 0; k < (width < 0 ? 1 : width == 8 ? 1 : width); k++)
			putc('^', p.out);
	}
	if (p.colours)
		fputs("\033[0m", p.out);
	putc('\n', p.out);
}

/* Of a line that is too long to be shown: where to begin, so that begin is seen. */
static size_t find_window(const char *line, size_t *length, size_t begin)
{
	size_t from = 0;

	if (*length > SHOWN && begin > SHOWN / 2)
		from = begin - SHOWN / 2;
	if (*length > from + SHOWN)
		*length = from + SHOWN;
	while (from && ((unsigned char)line[from] & 0xc0) == 0x80)
		from--;
	while (*length > from + SHOWN / 2 &&
	       ((unsigned char)line[*length] & 0xc0) == 0x80)
		--*length;
	return from;
}

static void put_source(struct page p, struct span at)
{
	uint32_t first;
	size_t length, begin, end, from;
	const char *line = source_line(at.source, at.begin, &first, &length);

	begin = at.begin - first;
	end = at.end - first;
	if (begin > length)
		begin = length;         /* on the line's end, or on its \r */
	from = find_window(line, &length, begin);
	if (end > length)
		end = length;
	fprintf(p.out, "%5d | ", source_place(at.source, at.begin).line);
	put_line(p, line + from, length - from);
	fputs("\n      | ", p.out);
	put_carets(p, line + from, length - from, begin - from, end - from);
}

static void put_message(struct page p, const struct message *m)
{
	if (m->at.source) {
		struct place place = span_place(m->at);

		fprintf(p.out, "%s:%d:%d: ", m->at.source->name, place.line, place.column);
	} else if (m->severity <= WARNING) {
		fputs("mpac: ", p.out);
	}
	put_coloured(p, severities[m->severity].colour, severities[m->severity].text);
	fputs(": ", p.out);
	put_line(p, m->text, strlen(m->text));
	if (m->severity <= WARNING)
		fprintf(p.out, " [%s%04d]", severities[m->severity].letter, (int)m->code);
	putc('\n', p.out);
	if (m->at.source)
		put_source(p, m->at);
}

void diag_print(const struct diag *d, FILE *out, bool colours)
{
	struct page p = { out, colours };

	for (int i = 0; i < d->messages.n; i++)
		put_message(p, &d->messages.item[i]);
	if (d->errors > DIAG_LIMIT)
		fprintf(out, "mpac: errors that are not shown: %d\n",
		        d->errors - DIAG_LIMIT);
}
