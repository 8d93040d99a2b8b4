/* compiler/support/arena.c - memory that is freed all at once
 *
 * A list of chunks, the newest first; objects are cut off the newest. A large
 * object gets a chunk of its own. Chunks double up to a megabyte.
 */
#include "support/arena.h"
#include "support/vec.h"

#include <assert.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_CHUNK = 4096, LARGEST_CHUNK = 1 << 20, ALIGN = alignof(max_align_t) };

struct chunk {
	struct chunk *next;
	size_t used, room;
	alignas(max_align_t) unsigned char bytes[];
};

struct arena {
	struct chunk *chunk;
	size_t next_room, used;
};

static void out_of_memory(void)
{
	fputs("mpac: out of memory\n", stderr);
	abort();
}

void *xmalloc(size_t size)
{
	void *p = malloc(size ? size : 1);

	if (!p)
		out_of_memory();
	return p;
}

void *xrealloc(void *old, size_t size)
{
	void *p = realloc(old, size ? size : 1);

	if (!p)
		out_of_memory();
	return p;
}

struct arena *arena_new(void)
{
	struct arena *a = xmalloc(sizeof *a);

	*a = (struct arena){ .next_room = FIRST_CHUNK };
	return a;
}

void arena_reset(struct arena *a)
{
	struct chunk *c = a->chunk;

	while (c) {
		struct chunk *next = c->next;

		free(c);
		c = next;
	}
	*a = (struct arena){ .next_room = FIRST_CHUNK };
}

void arena_free(struct arena *a)
{
	if (!a)
		return;
	arena_reset(a);
	free(a);
}

size_t arena_used(const struct arena *a)
{
	return a->used;
}

static struct chunk *add_chunk(struct arena *a, size_t size)
{
	size_t room = size > a->next_room ? size : a->next_room;
	struct chunk *c = xmalloc(sizeof *c + room);

	*c = (struct chunk){ .next = a->chunk, .room = room };
	a->chunk = c;
	if (a->next_room < LARGEST_CHUNK)
		a->next_room *= 2;
	return c;
}

void *arena_alloc(struct arena *a, size_t size)
{
	struct chunk *c = a->chunk;
	void *p;

	if (size > SIZE_MAX / 2)
		out_of_memory();
	size = size ? (size + ALIGN - 1) / ALIGN * ALIGN : ALIGN;
	if (!c || c->room - c->used < size)
		c = add_chunk(a, size);
	p = c->bytes + c->used;
	assert((uintptr_t)p % ALIGN == 0);
	c->used += size;
	a->used += size;
	return memset(p, 0, size);
}

void *arena_array(struct arena *a, size_t n, size_t size)
{
	if (size && n > SIZE_MAX / size)
		out_of_memory();
	return arena_alloc(a, n * size);
}

void *arena_copy(struct arena *a, const void *from, size_t size)
{
	void *to = arena_alloc(a, size);

	return size ? memcpy(to, from, size) : to;
}

char *arena_strndup(struct arena *a, const char *text, size_t length)
{
	char *copy = arena_alloc(a, length + 1);

	if (length)
		memcpy(copy, text, length);
	return copy;
}

char *arena_strdup(struct arena *a, const char *text)
{
	return arena_strndup(a, text, strlen(text));
}

char *arena_printf(struct arena *a, const char *format, ...)
{
	va_list values, again;
	char *text;
	int length;

	va_start(values, format);
	va_copy(again, values);
	length = vsnprintf(NULL, 0, format, values);
	assert(length >= 0);
	text = arena_alloc(a, (size_t)length + 1);
	vsnprintf(text, (size_t)length + 1, format, again);
	va_end(again);
	va_end(values);
	return text;
}

void *vec_grow(struct arena *arena, void *item, int *room, size_t size)
{
	int more = *room ? *room * 2 : 8;

	assert(*room <= INT32_MAX / 2);
	if (arena) {
		void *moved = arena_array(arena, (size_t)more, size);

		if (*room)
			memcpy(moved, item, (size_t)*room * size);
		item = moved;
	} else {
		item = xrealloc(item, (size_t)more * size);
	}
	*room = more;
	return item;
}
