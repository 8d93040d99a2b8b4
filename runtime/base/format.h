/* base/format.h - values as text: Python's repr and format specs, NumPy's arrays
 *
 * Pure functions of the C locale, shared by the runtime and the compiler's evaluator;
 * they need nothing else of the runtime. Texts are UTF-8. */
#ifndef MPA_BASE_FORMAT_H
#define MPA_BASE_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { FORMAT_REAL = 32, FORMAT_MAX = 1000 /* greatest width and precision */ };

enum format_kind {
	FORMAT_BOOL,
	FORMAT_INT,
	FORMAT_F32,
	FORMAT_F64,
	FORMAT_C64,
	FORMAT_C128,
	FORMAT_TEXT
};

union format_value {
	int64_t i; /* bool too */
	double f;  /* f32 too */
	double part[2]; /* complex: real and imaginary */
	const char *text;
};

/* [[fill]align][sign][0][width][,][.precision][type], Python's format spec. */
struct format_spec {
	char fill[5]; /* one character */
	char align;   /* < > ^ = or 0: the kind's own */
	char sign;    /* + - space or 0 */
	bool zeros;   /* 0 and no align: numbers are padded behind the sign */
	bool comma;
	int width;
	int precision; /* -1: none */
	char type;     /* d e f g s x % or 0 */
};

/* The shortest decimal that reads back as the value (narrow: as f32), laid out as
 * Python's repr: 0.1, 1e-05, 100.0, nan, -inf. Returns its length. */
int format_real(char text[FORMAT_REAL], double value, bool narrow);

/* false: not a spec. "" is one. */
bool format_parse(const char *text, struct format_spec *spec);
/* Does the spec fit values of the kind? Reals go with e f g %, integers also with d x,
 * booleans with those of integers and s, texts with s, complex numbers with e f g and
 * without padding behind the sign. */
bool format_fits(const struct format_spec *spec, enum format_kind kind);
/* Like snprintf: writes at most room bytes with the final 0, returns the whole length. A
 * boolean without a type, or with s, is true or false. A complex number is its parts, as
 * Python's: 1+2i, without a real part that is 0 where no type is given. */
size_t format_value(char *out, size_t room, const struct format_spec *spec,
		    enum format_kind kind, union format_value value);

/* format_array.c: an array as NumPy prints it. An axis of more than six points is cut to
 * its first and last three if there are more than 1000 elements in all. */
bool format_array_cut(int dim, const int64_t *size);
int64_t format_array_kept(int dim, const int64_t *size, int64_t *kept);
/* The values are those kept, in C order; dim >= 1; no line end is written. */
void format_array(FILE *out, enum format_kind kind, int dim, const int64_t *size,
		  const union format_value *values);

#endif
