/* array/walk.c - collects the nodes of an expression with a list instead of recursion
 *
 * The list of nodes found is its own queue of nodes to look into; a hash of their
 * places finds twins. Sorting by id then puts arguments before what uses them.
 */
#include "array/walk.h"

#include <stdlib.h>
#include <string.h>

static int *slot_of(const struct air_walk *w, const struct air_expr *e)
{
	unsigned mask = 2 * w->room - 1, i = e->id * 2654435761u & mask;

	while (w->slot[i] >= 0 && w->node[w->slot[i]] != e)
		i = (i + 1) & mask;
	return &w->slot[i];
}

static void fill_slots(struct air_walk *w)
{
	memset(w->slot, -1, 2 * (size_t)w->room * sizeof *w->slot);
	for (int i = 0; i < w->n; i++)
		*slot_of(w, w->node[i]) = i;
}

static void add_node(struct air_walk *w, const struct air_expr *e)
{
	int *slot;

	if (w->n == w->room) {
		w->room = w->room ? 2 * w->room : 16;
		w->node = xrealloc(w->node, w->room * sizeof *w->node);
		w->slot = xrealloc(w->slot, 2 * (size_t)w->room * sizeof *w->slot);
		fill_slots(w);
	}
	slot = slot_of(w, e);
	if (*slot >= 0)
		return;
	*slot = w->n;
	w->node[w->n++] = e;
}

static void add_parts(struct air_walk *w, const struct air_expr *e)
{
	for (int i = 0; i < e->n_args; i++)
		add_node(w, e->arg[i]);
	if (e->op != AIR_READ)
		return;
	for (int i = 0; i < e->as.read.field->grid->n_axes; i++)
		if (e->as.read.at[i].pick == PICK_FIXED)
			add_node(w, e->as.read.at[i].index);
}

static int by_id(const void *a, const void *b)
{
	const struct air_expr *x = *(const struct air_expr *const *)a;
	const struct air_expr *y = *(const struct air_expr *const *)b;

	return (x->id > y->id) - (x->id < y->id);
}

void air_walk_add(struct air_walk *w, const struct air_expr *e)
{
	int next = w->n;

	add_node(w, e);
	for (; next < w->n; next++)
		add_parts(w, w->node[next]);
}

void air_walk_sort(struct air_walk *w)
{
	qsort(w->node, w->n, sizeof *w->node, by_id);
	fill_slots(w);
}

struct air_walk air_walk_of(const struct air_expr *e)
{
	struct air_walk w = { 0 };

	air_walk_add(&w, e);
	air_walk_sort(&w);
	return w;
}

void air_walk_free(struct air_walk *w)
{
	free(w->node);
	free(w->slot);
	*w = (struct air_walk){ 0 };
}

int air_walk_place(const struct air_walk *w, const struct air_expr *e)
{
	return w->n ? *slot_of(w, e) : -1;
}
