/* base/png.h - pixels as a PNG file
 *
 * Compressed by zlib, which is opened when it is needed; a system without it gets a
 * larger file of the same picture. */
#ifndef MPA_BASE_PNG_H
#define MPA_BASE_PNG_H

#include <stddef.h>

#include "base/canvas.h"

/* To be freed with free; NULL: no memory. */
unsigned char *png_encode(const struct canvas *c, size_t *bytes);

#endif
