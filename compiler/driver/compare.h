/* driver/compare.h - where two files of results differ */
#ifndef DRIVER_COMPARE_H
#define DRIVER_COMPARE_H

struct arena;

/* NULL: they hold the same bytes, or the same numbers, two NaNs counting as one; else where
 * they differ first, in words: of a NumPy file the point and both values, of others the
 * line or byte. */
const char *compare_files(const char *a, const char *b, struct arena *arena);

#endif
