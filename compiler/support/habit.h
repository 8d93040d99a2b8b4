/* compiler/support/habit.h - hints for words that come from other languages */
#ifndef SUPPORT_HABIT_H
#define SUPPORT_HABIT_H

enum habit_place { HABIT_START, HABIT_NAME, HABIT_MEMBER, HABIT_ARGUMENT };

/* What to write instead of a word that is not known in this place; NULL: no idea. */
const char *habit_hint(enum habit_place place, const char *word);

#endif
