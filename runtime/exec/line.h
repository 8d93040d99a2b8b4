/* exec/line.h - the reduction of one line of values, given in order in pieces
 *
 * Gives the bits of the reductions of whole fields: sums are exact and rounded once,
 * products go by pairs. Most lines are done in a few vector passes that prove that they
 * were exact; the others are to be given again, carefully. */
#ifndef MPA_EXEC_LINE_H
#define MPA_EXEC_LINE_H

#include <stdbool.h>
#include <stdint.h>

#include "mpa/program.h"

enum { LINE_PIECE = 1024 }; /* the most values given at once */

struct line;

/* NULL: no memory. `points` is the length of every line. */
struct line *line_new(enum mpa_reduction reduction, enum mpa_elem elem, int64_t points);
void line_free(struct line *line); /* NULL is fine */
void line_begin(struct line *line, bool carefully);
void line_add(struct line *line, const void *values, int64_t n);
/* Writes the result: f64, i64 or, products only, c128 of sums and products, i64 of argmin
 * and argmax, bool of any and all, else elem. False: begin again, carefully. */
bool line_end(struct line *line, void *result);
/* The result of a real sum as two doubles, whose sum is exact. False: that cannot be;
 * there is no careful way. */
bool line_pair(struct line *line, double pair[2]);
bool line_failed(const struct line *line); /* out of memory meanwhile */

/* The bytes of such a result. */
int64_t line_result_bytes(enum mpa_reduction reduction, enum mpa_elem elem);

#endif
