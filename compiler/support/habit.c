/* compiler/support/habit.c - hints for words that come from other languages
 *
 * takes: a word that means nothing here   gives: what the language has instead
 */
#include "support/habit.h"

#include <stddef.h>
#include <string.h>

static const struct {
	enum habit_place place;
	const char *word, *hint;
} habits[] = {
#define ROW(place, word, hint) { HABIT_##place, word, hint },
#include "support/habit.def"
#undef ROW
};

const char *habit_hint(enum habit_place place, const char *word)
{
	for (size_t i = 0; i < sizeof habits / sizeof *habits; i++)
		if (habits[i].place == place && !strcmp(habits[i].word, word))
			return habits[i].hint;
	return NULL;
}
