/* exec/reduce.h - what a thread has of a reduction, and products by pairs */
#ifndef MPA_EXEC_REDUCE_H
#define MPA_EXEC_REDUCE_H

#include <stdbool.h>
#include <stdint.h>

#include "exec/exact.h"
#include "exec/exec.h"

/* A complete node of the tree over the flat indices: level 0 are the points, node k of
 * a level joins nodes 2k and 2k+1 of the one below; an odd last one is passed up. */
struct node {
	int64_t level, place;
	double value, imag; /* imag: of complex numbers */
};

/* Neighbours that can be joined are, so points in order leave few nodes. */
struct product {
	int64_t total; /* points of the grid */
	int64_t n, room;
	struct node *node;
	bool complex;
	bool failed; /* out of memory */
};

/* The values of n points in a row, which are overwritten; of complex numbers two each. */
void product_add(struct product *p, int64_t flat, double *value, int64_t n);
/* Sorts what all have given and joins all that can be joined; one node if it is all. */
void product_close(struct product *p);
void product_join(struct product *into, const struct node *node, int64_t n);
void product_free(struct product *p);

/* A value with the place where it is found first. */
struct extreme {
	bool any;
	int64_t place;
	int64_t i;
	double d;
};

struct mpa_sink {
	enum mpa_reduction reduction;
	enum mpa_elem elem;
	int64_t n_loops, stride[MPA_MAX_AXES]; /* of the flat index, per loop */
	int64_t count;                         /* sums, products of integers; truths */
	struct extreme extreme;
	struct exact sum;
	struct product product;
};

void sink_reset(struct mpa_sink *sink);
void sink_join_extreme(struct mpa_sink *sink, const struct extreme *other);
/* Of all that was added, which are all points: 8 bytes, reals as their bits. */
int64_t sink_value(struct mpa_sink *sink);
/* The same for a product of complex numbers. */
void sink_parts(struct mpa_sink *sink, double part[2]);
const char *reduction_text(enum mpa_reduction reduction);

#endif
