/* base/parse.h - complex numbers from text, shared by the runtime and the compiler */
#ifndef MPA_BASE_PARSE_H
#define MPA_BASE_PARSE_H

#include <stdbool.h>

/* "1.5", "2i", "1-2i", "(1+2j)": real and imaginary part, each rounded once, to f32 if
 * narrow. False: it is no such text. Blanks and underscores are none of it. */
bool complex_parse(const char *text, bool narrow, double part[2]);

#endif
