/* compiler/support/diag.h - what is told to the user about a program
 *
 * Stages add messages and go on; each ends with `if (diag_errors(d)) return NULL`.
 * A message is short, lower case, has no full stop and states the value that is
 * wrong; a hint is a full sentence about the remedy; a note points elsewhere.
 * Hints and notes belong to the message before them, and vanish with it when it
 * is one too many or was told before (same code at the same place).
 *
 *	diag_error(d, DIAG_NO_BOUNDARY, span, "`%s` has no boundary at %s", u, side);
 *	diag_hint(d, "Write `boundary %s = edge`.", u);
 *	diag_note(d, where_declared, "`%s` is declared here", u);
 */
#ifndef SUPPORT_DIAG_H
#define SUPPORT_DIAG_H

#include <stdbool.h>
#include <stdio.h>

#include "support/source.h"

enum diag_code {
#define ROW(id, number) DIAG_##id = number,
#include "support/diag.def"
#undef ROW
};

enum { DIAG_LIMIT = 20 };                       /* errors that are kept */

struct diag;

struct diag *diag_new(void);
void diag_free(struct diag *d);
void diag_clear(struct diag *d);                /* for the next input at the prompt */

void diag_error(struct diag *d, enum diag_code code, struct span at, const char *format,
                ...) __attribute__((format(printf, 4, 5)));
void diag_warning(struct diag *d, enum diag_code code, struct span at,
                  const char *format, ...) __attribute__((format(printf, 4, 5)));
void diag_note(struct diag *d, struct span at, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void diag_hint(struct diag *d, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

int diag_errors(const struct diag *d);          /* told, also those beyond the limit */
int diag_warnings(const struct diag *d);
bool diag_full(const struct diag *d);           /* more errors would not be kept */
/* Everything kept, by order of arrival. */
void diag_print(const struct diag *d, FILE *out, bool colours);

/* The candidate nearest to a misspelt word, or NULL when none is near. */
const char *diag_nearest(const char *word, const char *const *candidates, int n);

#endif
