/* compiler/syntax/chars.h - what the lexer has to know about UTF-8 and formats
 *
 * Texts given here are valid UTF-8, except for parse_is_name (parse.h).
 */
#ifndef SYNTAX_CHARS_H
#define SYNTAX_CHARS_H

#include <stdbool.h>
#include <stddef.h>

struct intern;

size_t chars_first(const char *text);           /* bytes of the first character */
size_t chars_word(const char *text, size_t length);     /* bytes that may be a name */
const char *chars_name(struct intern *in, const char *text, size_t length); /* in NFC */
const char *chars_lookalike(const char *text);  /* a hint, or NULL */
bool chars_is_format(const char *spec);
extern const char chars_formats[];              /* how they are made up */

#endif
