/* compiler/support/strbuf.c - text that grows
 *
 * The text is always followed by a '\0', once there is any.
 */
#include "support/strbuf.h"
#include "support/arena.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void make_room(struct strbuf *b, size_t more)
{
	if (b->length + more + 1 <= b->room)
		return;
	b->room = 2 * (b->length + more + 1);
	b->text = xrealloc(b->text, b->room);
}

void strbuf_add(struct strbuf *b, const char *text, size_t length)
{
	make_room(b, length);
	if (length)
		memcpy(b->text + b->length, text, length);
	b->length += length;
	b->text[b->length] = '\0';
}

void strbuf_puts(struct strbuf *b, const char *text)
{
	strbuf_add(b, text, strlen(text));
}

void strbuf_putc(struct strbuf *b, char c)
{
	strbuf_add(b, &c, 1);
}

void strbuf_vprintf(struct strbuf *b, const char *format, va_list values)
{
	va_list again;
	int length;

	va_copy(again, values);
	length = vsnprintf(NULL, 0, format, again);
	va_end(again);
	assert(length >= 0);
	make_room(b, (size_t)length);
	vsnprintf(b->text + b->length, (size_t)length + 1, format, values);
	b->length += (size_t)length;
}

void strbuf_printf(struct strbuf *b, const char *format, ...)
{
	va_list values;

	va_start(values, format);
	strbuf_vprintf(b, format, values);
	va_end(values);
}

const char *strbuf_text(const struct strbuf *b)
{
	return b->text ? b->text : "";
}

char *strbuf_to_arena(const struct strbuf *b, struct arena *a)
{
	return arena_strndup(a, strbuf_text(b), b->length);
}

void strbuf_clear(struct strbuf *b)
{
	b->length = 0;
	if (b->text)
		b->text[0] = '\0';
}

void strbuf_free(struct strbuf *b)
{
	free(b->text);
	*b = (struct strbuf){ 0 };
}
