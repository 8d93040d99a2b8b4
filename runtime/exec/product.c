/* exec/product.c - products in an order that depends on the flat indices alone
 *
 * Real products are rounded, so they follow one tree whatever ranks and threads there
 * are. Points that come in order are joined at once, as the carries of a counter. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "exec/reduce.h"

/* Nodes of a level. */
static int64_t level_size(const struct product *p, int64_t level)
{
	return ((p->total - 1) >> level) + 1;
}

/* A last node without a neighbour stands for its parent. */
static void pass_up(const struct product *p, struct node *node)
{
	while (node->place % 2 == 0 && node->place + 1 == level_size(p, node->level) &&
	       node->place > 0) {
		node->place /= 2;
		node->level++;
	}
}

/* node = before * node, without contraction. */
static void node_multiply(const struct product *p, struct node *node,
			  const struct node *before)
{
	double re = before->value * node->value;

	if (p->complex) {
		double im = before->value * node->imag + before->imag * node->value;

		re -= before->imag * node->imag;
		node->imag = im;
	}
	node->value = re;
}

static void push(struct product *p, struct node node)
{
	for (pass_up(p, &node); p->n > 0; pass_up(p, &node)) {
		const struct node *last = &p->node[p->n - 1];

		if (last->level != node.level || last->place + 1 != node.place ||
		    node.place % 2 == 0)
			break;
		node_multiply(p, &node, last);
		node.place /= 2;
		node.level++;
		p->n--;
	}
	if (p->n == p->room) {
		int64_t room = 2 * p->room + 64;
		struct node *more = realloc(p->node, (size_t)room * sizeof *more);

		p->failed |= !more;
		if (!more)
			return;
		p->node = more;
		p->room = room;
	}
	p->node[p->n++] = node;
}

/* The product of 2^level neighbours, which are overwritten. */
static double pairs(double *value, int64_t level)
{
	for (int64_t n = (int64_t)1 << level; n > 1; n /= 2)
		for (int64_t i = 0; i < n / 2; i++)
			value[i] = value[2 * i] * value[2 * i + 1];
	return value[0];
}

static void add_complex(struct product *p, int64_t flat, const double *value, int64_t n)
{
	for (int64_t i = 0; i < n; i++)
		push(p, (struct node){ 0, flat + i, value[2 * i], value[2 * i + 1] });
}

void product_add(struct product *p, int64_t flat, double *value, int64_t n)
{
	if (p->complex) {
		add_complex(p, flat, value, n);
		return;
	}
	while (n > 0) { /* the largest whole node that starts here */
		int level = flat == 0 ? 62 : __builtin_ctzll((uint64_t)flat);

		while ((int64_t)1 << level > n)
			level--;
		push(p, (struct node){ level, flat >> level, pairs(value, level), 0 });
		value += (int64_t)1 << level;
		flat += (int64_t)1 << level;
		n -= (int64_t)1 << level;
	}
}

void product_join(struct product *into, const struct node *node, int64_t n)
{
	for (int64_t i = 0; i < n; i++)
		push(into, node[i]);
}

static int by_place(const void *left, const void *right)
{
	const struct node *a = left, *b = right;
	int64_t first = a->place << a->level, second = b->place << b->level;

	return first < second ? -1 : first > second;
}

void product_close(struct product *p)
{
	struct node *all = p->node;
	int64_t n = p->n;

	if (n < 2)
		return;
	qsort(all, (size_t)n, sizeof *all, by_place);
	p->n = 0; /* never longer than what was read already */
	for (int64_t i = 0; i < n; i++)
		push(p, all[i]);
}

void product_free(struct product *p)
{
	free(p->node);
	*p = (struct product){ .node = NULL };
}
