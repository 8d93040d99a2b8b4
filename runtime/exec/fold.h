/* exec/fold.h - lines of one rank, reduced or scanned; what exec knows of folds */
#ifndef MPA_EXEC_FOLD_H
#define MPA_EXEC_FOLD_H

#include "exec/exec.h"
#include "exec/reduce.h"

struct fold_work {
	struct pool *pool; /* NULL: one thread */
	unsigned axes;     /* bits, of the array of lines: whole in its block */
	enum mpa_reduction reduction;
	enum mpa_elem elem; /* of the lines */
	struct mpa_array *lines;
	struct mpa_array *result; /* of reductions: the axes that are left, in order; it
				   * holds what the block of lines has of them */
	const void *carry;        /* of scans of one line: stands before it; or NULL */
};

/* lines.c: false when there is no memory */
bool reduce_lines(const struct fold_work *work);
/* scan.c: in place */
void scan_lines(const struct fold_work *work);

#endif
