/* compiler/support/intern.c - one copy of every name
 *
 * An open hash table over texts in an arena of its own.
 */
#include "support/intern.h"
#include "support/arena.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct name {
	const char *text;
	size_t length;
	uint32_t hash;
};

struct intern {
	struct arena *arena;
	struct name *slot;
	size_t n, slots;                        /* slots is a power of two */
};

static uint32_t hash_bytes(const char *text, size_t length)
{
	uint32_t h = 2166136261u;               /* FNV-1a */

	for (size_t i = 0; i < length; i++)
		h = (h ^ (unsigned char)text[i]) * 16777619u;
	return h;
}

static struct name *find(const struct intern *in, struct name wanted)
{
	size_t i = wanted.hash & (in->slots - 1);

	for (;; i = (i + 1) & (in->slots - 1)) {
		struct name *s = &in->slot[i];

		if (!s->text)
			return s;
		if (s->hash == wanted.hash && s->length == wanted.length &&
		    memcmp(s->text, wanted.text, wanted.length) == 0)
			return s;
	}
}

static void set_slots(struct intern *in, size_t slots)
{
	struct name *old = in->slot;
	size_t n = in->slots;

	in->slots = slots;
	in->slot = xmalloc(slots * sizeof *in->slot);
	memset(in->slot, 0, slots * sizeof *in->slot);
	for (size_t i = 0; i < n; i++)
		if (old[i].text)
			*find(in, old[i]) = old[i];
	free(old);
}

struct intern *intern_new(void)
{
	struct intern *in = xmalloc(sizeof *in);

	*in = (struct intern){ .arena = arena_new() };
	set_slots(in, 256);
	return in;
}

void intern_free(struct intern *in)
{
	if (!in)
		return;
	arena_free(in->arena);
	free(in->slot);
	free(in);
}

const char *intern_bytes(struct intern *in, const char *text, size_t length)
{
	struct name wanted = { text, length, hash_bytes(text, length) };
	struct name *s = find(in, wanted);

	if (s->text)
		return s->text;
	wanted.text = arena_strndup(in->arena, text, length);
	*s = wanted;
	if (2 * ++in->n > in->slots)
		set_slots(in, 2 * in->slots);
	assert(in->n < in->slots);
	return wanted.text;
}

const char *intern_text(struct intern *in, const char *text)
{
	return intern_bytes(in, text, strlen(text));
}
