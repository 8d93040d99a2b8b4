/* compiler/support/strbuf.h - text that grows
 *
 *	struct strbuf b = { 0 };
 *	strbuf_printf(&b, "%d", 3);
 *	... strbuf_text(&b) ...                 // never NULL, ends in '\0'
 *	strbuf_free(&b);
 */
#ifndef SUPPORT_STRBUF_H
#define SUPPORT_STRBUF_H

#include <stdarg.h>
#include <stddef.h>

struct arena;

struct strbuf {
	char *text;
	size_t length, room;
};

void strbuf_add(struct strbuf *b, const char *text, size_t length);
void strbuf_puts(struct strbuf *b, const char *text);
void strbuf_putc(struct strbuf *b, char c);
void strbuf_printf(struct strbuf *b, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void strbuf_vprintf(struct strbuf *b, const char *format, va_list values);
const char *strbuf_text(const struct strbuf *b);
char *strbuf_to_arena(const struct strbuf *b, struct arena *a);
void strbuf_clear(struct strbuf *b);            /* keeps the room */
void strbuf_free(struct strbuf *b);

#endif
