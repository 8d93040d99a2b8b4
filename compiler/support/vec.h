/* compiler/support/vec.h - a growable array of any type
 *
 *	VEC(int) v = { 0 };
 *	vec_push(arena, &v, 3);                 // v.item[0] == 3, v.n == 1
 *
 * With an arena the items live as long as it does; with NULL they come from
 * malloc and vec_free gives them back. One vector keeps to one of the two.
 * Items move when the vector grows, so do not keep their addresses meanwhile.
 */
#ifndef SUPPORT_VEC_H
#define SUPPORT_VEC_H

#include <stddef.h>
#include <stdlib.h>

#include "support/arena.h"

#define VEC(type)               \
	struct {                \
		type *item;     \
		int n, room;    \
	}

#define vec_push(arena, v, ...)                                                        \
	((v)->n == (v)->room                                                           \
	         ? (void)((v)->item = vec_grow((arena), (v)->item, &(v)->room,          \
	                                       sizeof *(v)->item))                     \
	         : (void)0,                                                            \
	 (void)((v)->item[(v)->n++] = __VA_ARGS__))

#define vec_pop(v)   ((v)->item[--(v)->n])
#define vec_last(v)  ((v)->item[(v)->n - 1])
#define vec_clear(v) ((void)((v)->n = 0))
#define vec_free(v)  (free((v)->item), (v)->item = NULL, (v)->n = (v)->room = 0)

/* for (each pointer to an item) */
#define vec_each(pointer, v) \
	(pointer) = (v)->item; (pointer) < (v)->item + (v)->n; (pointer)++

void *vec_grow(struct arena *arena, void *item, int *room, size_t size);

#endif
