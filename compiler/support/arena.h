/* compiler/support/arena.h - memory that is freed all at once
 *
 * An arena is named by its lifetime: session, input, work. A pointer may go from
 * a shorter lifetime to a longer one, never back. Nothing here returns NULL: when
 * memory runs out the process ends with a message.
 */
#ifndef SUPPORT_ARENA_H
#define SUPPORT_ARENA_H

#include <stddef.h>

struct arena;

struct arena *arena_new(void);
void arena_free(struct arena *a);               /* NULL is fine */
void arena_reset(struct arena *a);              /* empty it, keep it */
size_t arena_used(const struct arena *a);       /* bytes handed out */

void *arena_alloc(struct arena *a, size_t size);            /* zeroed, aligned for all */
void *arena_array(struct arena *a, size_t n, size_t size);  /* n * size, checked */
void *arena_copy(struct arena *a, const void *from, size_t size);
char *arena_strdup(struct arena *a, const char *text);
char *arena_strndup(struct arena *a, const char *text, size_t length);
char *arena_printf(struct arena *a, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* one zeroed object, or n of them, of a type */
#define arena_new_object(a, type)   ((type *)arena_alloc((a), sizeof(type)))
#define arena_new_array(a, n, type) ((type *)arena_array((a), (n), sizeof(type)))

/* from malloc, but never NULL */
void *xmalloc(size_t size);
void *xrealloc(void *old, size_t size);

#endif
