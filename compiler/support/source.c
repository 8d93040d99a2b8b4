/* compiler/support/source.c - texts and places in them
 *
 * Lines are counted when a message needs them, so nothing is kept in step while a
 * source grows.
 */
#include "support/source.h"
#include "support/arena.h"
#include "support/strbuf.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

struct source *source_new(struct arena *a, const char *name, const char *text,
                          size_t length)
{
	struct source *s = arena_new_object(a, struct source);

	assert(length <= SOURCE_MAX);
	s->name = arena_strdup(a, name);
	s->text = arena_strndup(a, text, length);
	s->length = s->room = (uint32_t)length;
	s->arena = a;
	return s;
}

static bool read_all(FILE *f, struct strbuf *b)
{
	char part[8192];
	size_t n;

	while ((n = fread(part, 1, sizeof part, f)) > 0) {
		strbuf_add(b, part, n);
		if (b->length > SOURCE_MAX) {
			errno = EFBIG;
			return false;
		}
	}
	return !ferror(f);
}

struct source *source_read(struct arena *a, const char *path)
{
	FILE *f = fopen(path, "rb");
	struct strbuf b = { 0 };
	struct source *s = NULL;
	int reason;

	if (!f)
		return NULL;
	if (read_all(f, &b))
		s = source_new(a, path, strbuf_text(&b), b.length);
	reason = errno;
	fclose(f);
	strbuf_free(&b);
	errno = reason;
	return s;
}

void source_append(struct source *s, const char *text, size_t length)
{
	assert(s->length + length <= SOURCE_MAX);
	if (s->length + length > s->room) {
		char *longer;

		s->room = 2 * (s->length + (uint32_t)length);
		longer = arena_alloc(s->arena, (size_t)s->room + 1);
		s->text = memcpy(longer, s->text, s->length);
	}
	memcpy((char *)s->text + s->length, text, length);
	s->length += (uint32_t)length;
	((char *)s->text)[s->length] = '\0';
}

const char *source_line(const struct source *s, uint32_t offset, uint32_t *begin,
                        size_t *length)
{
	uint32_t first = offset, last = offset;

	assert(offset <= s->length);
	while (first > 0 && s->text[first - 1] != '\n')
		first--;
	while (last < s->length && s->text[last] != '\n')
		last++;
	if (last > first && s->text[last - 1] == '\r')
		last--;
	*begin = first;
	*length = last - first;
	return s->text + first;
}

struct place source_place(const struct source *s, uint32_t offset)
{
	struct place at = { 1, 1 };

	assert(offset <= s->length);
	for (uint32_t i = 0; i < offset; i++) {
		if (s->text[i] == '\n')
			at = (struct place){ at.line + 1, 1 };
		else if (((unsigned char)s->text[i] & 0xc0) != 0x80 &&
		         !(i == 0 && strncmp(s->text, "\xef\xbb\xbf", 3) == 0))
			at.column++;    /* a byte order mark is no character */
	}
	return at;
}

struct span span_join(struct span first, struct span last)
{
	if (!first.source)
		return last;
	if (first.source == last.source && last.end > first.begin)
		first.end = last.end;
	return first;
}

bool span_equal(struct span a, struct span b)
{
	return a.source == b.source && a.begin == b.begin && a.end == b.end;
}

struct place span_place(struct span s)
{
	return s.source ? source_place(s.source, s.begin) : (struct place){ 0 };
}
