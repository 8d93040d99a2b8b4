/* backend/llvm/tables.h - the numbers under which the run time knows things
 *
 * Axes, families and grids are numbered in the order they were made;
 * arrays and runs bring their numbers from the plan.
 */
#ifndef BACKEND_LLVM_TABLES_H
#define BACKEND_LLVM_TABLES_H

#include "backend/llvm/emit.h"

int tables_axis(const struct emit *e, const struct axis *a);
int tables_family(const struct emit *e, const struct family *f);
int tables_grid(const struct emit *e, const struct grid *g);

#endif
