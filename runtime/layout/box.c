/* layout/box.c - arithmetic on half-open boxes */
#include "layout/box.h"

struct range range_cut(struct range a, struct range b)
{
	return (struct range){ a.lo > b.lo ? a.lo : b.lo, a.hi < b.hi ? a.hi : b.hi };
}

bool box_empty(const struct box *b)
{
	for (int a = 0; a < b->naxes; a++)
		if (b->hi[a] <= b->lo[a])
			return true;
	return false;
}

int64_t box_points(const struct box *b)
{
	int64_t points = 1;

	if (box_empty(b))
		return 0;
	for (int a = 0; a < b->naxes; a++)
		points *= b->hi[a] - b->lo[a];
	return points;
}

bool box_holds(const struct box *b, const int64_t *index)
{
	for (int a = 0; a < b->naxes; a++)
		if (index[a] < b->lo[a] || index[a] >= b->hi[a])
			return false;
	return true;
}

struct box box_cut(const struct box *a, const struct box *b)
{
	struct box c = { .naxes = a->naxes };

	for (int i = 0; i < a->naxes; i++) {
		c.lo[i] = a->lo[i] > b->lo[i] ? a->lo[i] : b->lo[i];
		c.hi[i] = a->hi[i] < b->hi[i] ? a->hi[i] : b->hi[i];
	}
	return c;
}

bool box_same(const struct box *a, const struct box *b)
{
	if (a->naxes != b->naxes)
		return false;
	for (int i = 0; i < a->naxes; i++)
		if (a->lo[i] != b->lo[i] || a->hi[i] != b->hi[i])
			return false;
	return true;
}
