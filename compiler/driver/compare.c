/* driver/compare.c - where two files of results differ
 *
 * takes: two files   gives: the first difference in words. What is no NumPy file of
 * numbers is text if it has no zero bytes.
 */
#include "driver/compare.h"

#include "base/format.h"
#include "support/arena.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bytes { const char *at; size_t n; };

static bool read_bytes(struct arena *a, const char *path, struct bytes *b)
{
	FILE *file = fopen(path, "rb");
	char *at;
	long n;

	if (!file)
		return false;
	fseek(file, 0, SEEK_END);
	n = ftell(file);
	rewind(file);
	at = arena_alloc(a, (size_t)n + 1);
	b->at = at;
	b->n = fread(at, 1, (size_t)n, file);
	fclose(file);
	return b->n == (size_t)n;
}

/* ---- NumPy files ------------------------------------------------------------------ */

struct table {
	char kind;                           /* f, c, i, u, b */
	int bytes, n_axes;
	int64_t shape[8];
	const char *data;
	int64_t n;
};

static bool read_shape(struct table *t, const char *text)
{
	const char *at = strstr(text, "'shape': (");
	char *end;

	if (!at)
		return false;
	t->n = 1;
	for (at += strlen("'shape': ("); *at && *at != ')'; at = end) {
		int64_t size = strtoll(at, &end, 10);

		if (end == at || t->n_axes == 8)
			return false;
		t->shape[t->n_axes++] = size;
		t->n *= size;
		end += strspn(end, ", ");
	}
	return true;
}

/* A file as programs write it: version 1.0, C order. */
static bool read_table(struct table *t, const struct bytes *b)
{
	const char *descr;
	size_t header;

	*t = (struct table){ 0 };
	if (b->n < 10 || memcmp(b->at, "\x93NUMPY\x01", 7))
		return false;
	header = 10 + (unsigned char)b->at[8] + 256u * (unsigned char)b->at[9];
	descr = b->n >= header ? strstr(b->at + 10, "'descr': '") : NULL;
	if (!descr || strstr(b->at + 10, "'fortran_order': True") || !read_shape(t, b->at + 10))
		return false;
	descr += strlen("'descr': '");
	t->kind = descr[1];
	t->bytes = atoi(descr + 2);
	t->data = b->at + header;
	return strchr("fciub", t->kind) && b->n == header + (size_t)t->n * (size_t)t->bytes;
}

static double real_at(const struct table *t, int64_t i)
{
	int width = t->kind == 'c' ? t->bytes / 2 : t->bytes;
	const char *at = t->data + i * width;
	double wide;
	float narrow;

	memcpy(&wide, at, width == 8 ? 8 : 0);
	memcpy(&narrow, at, width == 4 ? 4 : 0);
	return width == 8 ? wide : (double)narrow;
}

static bool same_element(const struct table *a, const struct table *b, int64_t i)
{
	int parts = a->kind == 'c' ? 2 : 1, width = a->bytes / parts;

	if (memcmp(a->data + i * a->bytes, b->data + i * b->bytes, (size_t)a->bytes) == 0)
		return true;
	if (a->kind != 'f' && a->kind != 'c')
		return false;
	for (int64_t k = i * parts; k < (i + 1) * parts; k++)
		if (memcmp(a->data + k * width, b->data + k * width, (size_t)width) &&
		    !(isnan(real_at(a, k)) && isnan(real_at(b, k))))
			return false;
	return true;
}

static uint64_t bits_at(const struct table *t, int64_t i, int width)
{
	uint64_t bits = 0;

	memcpy(&bits, t->data + i * width, (size_t)width);
	return bits;
}

/* Of reals the shortest decimal and the bits. */
static const char *value_text(struct arena *a, const struct table *t, int64_t i)
{
	int parts = t->kind == 'c' ? 2 : 1, width = t->bytes / parts;
	const char *text = "";

	if (t->kind != 'f' && t->kind != 'c') {
		int64_t x = (int64_t)bits_at(t, i, width);

		if (t->kind == 'i' && width == 4)
			x = (int32_t)x;
		return arena_printf(a, "%" PRId64, x);
	}
	for (int64_t k = i * parts; k < (i + 1) * parts; k++) {
		char decimal[FORMAT_REAL];

		format_real(decimal, real_at(t, k), width == 4);
		text = arena_printf(a, "%s%s%s (0x%0*" PRIx64 ")", text, *text ? ", " : "", decimal,
				    2 * width, bits_at(t, k, width));
	}
	return text;
}

static const char *point_text(struct arena *a, const struct table *t, int64_t i)
{
	const char *text = "";

	for (int k = t->n_axes - 1; k >= 0; k--) {
		text = arena_printf(a, "%" PRId64 "%s%s", i % t->shape[k], *text ? ", " : "",
				    text);
		i /= t->shape[k];
	}
	return arena_printf(a, "[%s]", text);
}

static const char *compare_tables(struct arena *arena, const struct table *a,
				  const struct table *b)
{
	int64_t count = 0, first = 0;

	if (a->kind != b->kind || a->bytes != b->bytes || a->n != b->n)
		return "another type or shape";
	for (int64_t i = a->n - 1; i >= 0; i--)
		if (!same_element(a, b, i)) {
			first = i;
			count++;
		}
	if (!count)
		return NULL;
	return arena_printf(arena, "%" PRId64 " of %" PRId64 " points, first %s: %s, but %s",
			    count, a->n, point_text(arena, a, first),
			    value_text(arena, a, first), value_text(arena, b, first));
}

/* ---- others ------------------------------------------------------------------------- */

static const char *line_at(struct arena *a, const struct bytes *b, size_t at)
{
	size_t from = at;

	while (from > 0 && b->at[from - 1] != '\n')
		from--;
	return arena_strndup(a, b->at + from, strcspn(b->at + from, "\n"));
}

static const char *compare_bytes(struct arena *arena, const struct bytes *a,
				 const struct bytes *b)
{
	size_t at = 0, line = 1;

	while (at < a->n && at < b->n && a->at[at] == b->at[at])
		line += a->at[at++] == '\n';
	if (at == a->n && at == b->n)
		return NULL;
	if (memchr(a->at, 0, a->n) || memchr(b->at, 0, b->n))
		return arena_printf(arena, "byte %zu", at);
	return arena_printf(arena, "line %zu: \"%s\", but \"%s\"", line, line_at(arena, a, at),
			    line_at(arena, b, at));
}

const char *compare_files(const char *a, const char *b, struct arena *arena)
{
	struct bytes x, y;
	struct table s, t;

	if (!read_bytes(arena, a, &x) || !read_bytes(arena, b, &y))
		return "one of them cannot be read";
	if (x.n == y.n && memcmp(x.at, y.at, x.n) == 0)
		return NULL;
	if (read_table(&s, &x) && read_table(&t, &y))
		return compare_tables(arena, &s, &t);
	return compare_bytes(arena, &x, &y);
}
