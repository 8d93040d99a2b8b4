/* array/walk.h - all expressions that one is made of, arguments first
 *
 * Without recursion, so that sums of any length can be walked, and each shared
 * expression once. Indices of fixed components count as arguments here.
 */
#ifndef ARRAY_WALK_H
#define ARRAY_WALK_H

#include "array/air.h"

struct air_walk {
	int n, room;
	const struct air_expr **node;        /* by increasing id */
	int *slot;                           /* hash of ids; 2 * room entries */
};

/* Everything in e and e itself, last. */
struct air_walk air_walk_of(const struct air_expr *e);
/* Adds what is in e to a walk (zeroed at first); sort before use. */
void air_walk_add(struct air_walk *w, const struct air_expr *e);
void air_walk_sort(struct air_walk *w);
void air_walk_free(struct air_walk *w);
int air_walk_place(const struct air_walk *w, const struct air_expr *e);      /* in node, or -1 */

#endif
