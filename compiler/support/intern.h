/* compiler/support/intern.h - one copy of every name
 *
 * Interned strings are equal exactly if their pointers are. They live as long as
 * the table; one table serves a session.
 */
#ifndef SUPPORT_INTERN_H
#define SUPPORT_INTERN_H

#include <stddef.h>

struct intern;

struct intern *intern_new(void);
void intern_free(struct intern *in);
const char *intern_text(struct intern *in, const char *text);
const char *intern_bytes(struct intern *in, const char *text, size_t length);

#endif
