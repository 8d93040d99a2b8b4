/* exec/fold.h - lines of one rank, reduced or scanned; parts of lines
 *
 * A line that is cut is reduced where its parts are, and these results then along the
 * ranks. A real sum of a part is a pair of doubles: it and the sum of its errors, whose
 * sum is exact. */
#ifndef MPA_EXEC_FOLD_H
#define MPA_EXEC_FOLD_H

#include "exec/exec.h"
#include "exec/reduce.h"

enum fold_values {
	FOLD_VALUES,
	FOLD_TO_PAIRS, /* sums, without the last rounding: elements of two doubles */
	FOLD_OF_PAIRS, /* sums of both members of the elements */
};

struct fold_work {
	struct pool *pool; /* NULL: one thread */
	unsigned axes;     /* bits, of the array of lines: whole in its block */
	enum mpa_reduction reduction;
	enum mpa_elem elem; /* of the lines */
	struct mpa_array *lines;
	struct mpa_array *result; /* of reductions: the axes that are left, in order, or
				   * all with one point of this rank along the folded
				   * ones; it holds what the block of lines has of them */
	enum fold_values values;
	const void *carry; /* of scans of one line: stands before it; or NULL */
};

/* lines.c */
enum lines_end {
	LINES_DONE,
	LINES_NOT_PAIRS, /* one is more than two doubles can hold, or no number */
	LINES_NO_MEMORY,
};
enum lines_end reduce_lines(const struct fold_work *work);
/* scan.c: in place */
void scan_lines(const struct fold_work *work);

/* ---- parts.c: results of the parts of lines ---------------------------------- */

struct fold_parts {
	struct family family; /* as the source is cut; a folded axis has a point a part */
	int64_t *cuts;
	struct layout layout;
	struct mpa_array result;
	struct fold_work first;  /* how the parts are reduced */
	int64_t elem_bytes;      /* of what the second reduction takes, */
	enum mpa_elem elem;      /* its values, */
	enum fold_values values; /* and how these lie in it */
};

/* Whether all parts have points, and sending results instead of points is less. */
bool parts_are_worth(const struct array_state *from, int64_t axes,
		     enum mpa_reduction reduction);
enum mpa_status parts_new(struct mpa_session *s, struct fold_parts *p,
			  struct array_state *from);
void parts_free(struct mpa_session *s, struct fold_parts *p);

#endif
