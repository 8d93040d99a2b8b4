/* compiler/support/map.h - from keys to pointers, in order of insertion
 *
 * Keys are pointers compared with == (interned names, nodes), or texts compared
 * by content (not copied: they must live as long as the map). A value is never
 * NULL: that says absent. Lives in its arena.
 *
 *	for (int i = 0; i < m->n; i++) ... m->entry[i].key, m->entry[i].value
 */
#ifndef SUPPORT_MAP_H
#define SUPPORT_MAP_H

#include <stdbool.h>
#include <stdint.h>

struct arena;

enum map_keys { MAP_POINTERS, MAP_TEXTS };

struct map_entry {
	const void *key;
	void *value;
};

struct map {
	struct arena *arena;
	enum map_keys keys;
	int n, room;
	struct map_entry *entry;
	int32_t *slot;                          /* 2 * room; index + 1 or 0 */
};

struct map *map_new(struct arena *a, enum map_keys keys);
void *map_get(const struct map *m, const void *key);            /* or NULL */
bool map_set(struct map *m, const void *key, void *value);      /* true: it was new */

#endif
