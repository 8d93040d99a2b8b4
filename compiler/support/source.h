/* compiler/support/source.h - texts and places in them
 *
 * A place is a byte offset; only here does it become a line and a column, both
 * counted from 1, columns in characters. A span names its source, so that spans
 * of the program, of imported modules and of the prelude can meet in one message.
 * A source may grow at its end (the prompt); offsets stay what they were.
 */
#ifndef SUPPORT_SOURCE_H
#define SUPPORT_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;

struct source {
	const char *name;                       /* as told to the user */
	const char *text;                       /* ends in '\0' beyond length */
	uint32_t length, room;
	struct arena *arena;
	bool library; /* of the compiler itself: no place that the user knows */
};

struct span {
	const struct source *source;            /* NULL: no place is known */
	uint32_t begin, end;                    /* bytes; the end is exclusive */
};

struct place {
	int line, column;
};

enum { SOURCE_MAX = 1 << 30 };                  /* longer texts are refused */

/* Copies name and text into the arena. */
struct source *source_new(struct arena *a, const char *name, const char *text,
                          size_t length);
struct source *source_read(struct arena *a, const char *path);  /* NULL, errno */
void source_append(struct source *s, const char *text, size_t length);

struct place source_place(const struct source *s, uint32_t offset);
/* The line that holds offset, without its end; *begin is its own offset. */
const char *source_line(const struct source *s, uint32_t offset, uint32_t *begin,
                        size_t *length);

struct span span_join(struct span first, struct span last);
bool span_equal(struct span a, struct span b);
struct place span_place(struct span s);                         /* where it begins */

#endif
