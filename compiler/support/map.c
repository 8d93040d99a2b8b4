/* compiler/support/map.c - from keys to pointers, in order of insertion
 *
 * Entries stand in a plain array; an open hash table holds their numbers.
 */
#include "support/map.h"
#include "support/arena.h"

#include <assert.h>
#include <string.h>

static uint32_t hash_key(const struct map *m, const void *key)
{
	uint64_t h = 14695981039346656037u;

	if (m->keys == MAP_POINTERS) {
		h = (uint64_t)(uintptr_t)key * 0x9e3779b97f4a7c15u;
		return (uint32_t)(h >> 32);
	}
	for (const unsigned char *c = key; *c; c++)
		h = (h ^ *c) * 1099511628211u;
	return (uint32_t)(h ^ h >> 32);
}

static bool same_key(const struct map *m, const void *a, const void *b)
{
	return a == b || (m->keys == MAP_TEXTS && strcmp(a, b) == 0);
}

/* The slot that holds the key, or the empty one where it would go. */
static int32_t *find(const struct map *m, const void *key)
{
	uint32_t mask = 2 * (uint32_t)m->room - 1, i = hash_key(m, key) & mask;

	while (m->slot[i] && !same_key(m, m->entry[m->slot[i] - 1].key, key))
		i = (i + 1) & mask;
	return &m->slot[i];
}

static void grow(struct map *m)
{
	struct map_entry *old = m->entry;

	m->room = m->room ? 2 * m->room : 8;
	m->entry = arena_new_array(m->arena, (size_t)m->room, struct map_entry);
	m->slot = arena_new_array(m->arena, 2 * (size_t)m->room, int32_t);
	if (m->n)
		memcpy(m->entry, old, (size_t)m->n * sizeof *old);
	for (int i = 0; i < m->n; i++)
		*find(m, m->entry[i].key) = i + 1;
}

struct map *map_new(struct arena *a, enum map_keys keys)
{
	struct map *m = arena_new_object(a, struct map);

	m->arena = a;
	m->keys = keys;
	return m;
}

void *map_get(const struct map *m, const void *key)
{
	int32_t i = m->n ? *find(m, key) : 0;

	return i ? m->entry[i - 1].value : NULL;
}

bool map_set(struct map *m, const void *key, void *value)
{
	int32_t *slot;

	assert(value);
	if (m->n == m->room)
		grow(m);
	slot = find(m, key);
	if (*slot) {
		m->entry[*slot - 1].value = value;
		return false;
	}
	m->entry[m->n++] = (struct map_entry){ key, value };
	*slot = m->n;
	return true;
}
