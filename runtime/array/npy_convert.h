/* array/npy_convert.h - elements of files to elements of arrays and back */
#ifndef MPA_ARRAY_NPY_CONVERT_H
#define MPA_ARRAY_NPY_CONVERT_H

#include "array/npy.h"

/* n elements; as the language converts: integers wrap, reals round, and a byte of
 * a bool that is not 0 is true. */
void npy_convert(enum mpa_elem to, void *out, enum mpa_elem from, const void *in,
		 int64_t n);
/* Makes every NaN the quiet one without sign or payload. */
void npy_quiet(enum mpa_elem type, void *data, int64_t n);

#endif
