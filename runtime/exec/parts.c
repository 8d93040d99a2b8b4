/* exec/parts.c - where the results of the parts of cut lines are kept
 *
 * An array on the ranks that hold the source: its layout with one point for each part
 * of a folded axis. What is then moved to whole lines is that, not the points. */
#include <string.h>

#include "base/memory.h"
#include "exec/fold.h"
#include "exec/line.h"

enum { WORTH_POINTS = 4 }; /* of a part of a line: a pair is as long as two of them */

static bool is_folded(int64_t axes, int a)
{
	return axes >> a & 1;
}

/* Values that can be combined in any grouping: not products of reals, which go by pairs
 * of neighbours, nor places. */
static bool has_parts(enum mpa_reduction reduction, enum mpa_elem elem)
{
	switch (reduction) {
	case MPA_SUM:
	case MPA_MIN:
	case MPA_MAX:
	case MPA_ANY:
	case MPA_ALL_TRUE:
		return true;
	case MPA_PROD:
		return elem == MPA_I32 || elem == MPA_I64 || elem == MPA_U8;
	default:
		return false;
	}
}

bool parts_are_worth(const struct array_state *from, int64_t axes,
		     enum mpa_reduction reduction)
{
	const struct layout *layout = from->layout;
	int64_t points = 1;

	if (!has_parts(reduction, (enum mpa_elem)from->info->elem))
		return false;
	for (int a = 0; a < layout->naxes; a++) {
		int parts = layout_parts(layout, a);

		if (!is_folded(axes, a))
			continue;
		points *= layout->axis[a].size / parts;
		for (int k = 0; k < parts; k++) {
			struct range r = layout_range(layout, a, k);

			if (r.lo >= r.hi)
				return false;
		}
	}
	return points >= WORTH_POINTS;
}

/* The parts along each axis as they are; a folded axis has as many points. */
static bool parts_layout(struct fold_parts *p, const struct layout *from, int64_t axes)
{
	int64_t *cuts, n = 0;

	for (int a = 0; a < from->naxes; a++)
		n += layout_parts(from, a) + 1;
	cuts = p->cuts = mem_new((size_t)n * sizeof *cuts);
	if (!cuts)
		return false;
	p->family = *from->family;
	p->layout = *from;
	p->layout.family = &p->family;
	for (int a = 0; a < from->naxes; a++) {
		struct layout_axis *axis = &p->layout.axis[a];
		int parts = layout_parts(from, a);

		axis->periodic = false;
		if (is_folded(axes, a))
			axis->size = parts;
		for (int k = 0; k < parts; k++)
			cuts[k] = is_folded(axes, a) ? k : layout_range(from, a, k).lo;
		cuts[parts] = axis->size;
		if (axis->from >= 0) {
			p->family.axis[axis->from].size = axis->size;
			p->family.axis[axis->from].cuts = cuts;
		}
		cuts += parts + 1;
	}
	return true;
}

/* What a part gives, and what becomes of that. */
static void choose_values(struct fold_parts *p, enum mpa_reduction reduction,
			  enum mpa_elem elem)
{
	bool real = elem == MPA_F32 || elem == MPA_F64;
	bool sum = reduction == MPA_SUM;

	p->first.values = sum && real ? FOLD_TO_PAIRS : FOLD_VALUES;
	p->values = sum && real ? FOLD_OF_PAIRS : FOLD_VALUES;
	if (sum && real)
		p->elem = MPA_F64;
	else if (sum || reduction == MPA_PROD)
		p->elem = MPA_I64;
	else
		p->elem = reduction == MPA_ANY || reduction == MPA_ALL_TRUE ? MPA_BOOL
									    : elem;
	p->elem_bytes = sum && real ? 2 * (int64_t)sizeof(double)
				    : line_result_bytes(reduction, elem);
}

enum mpa_status parts_new(struct mpa_session *s, struct fold_parts *p,
			  struct array_state *from)
{
	enum mpa_elem elem = (enum mpa_elem)from->info->elem;
	struct array_spec spec = { .layout = &p->layout, .rank = s->comm->rank };

	choose_values(p, p->first.reduction, elem);
	spec.elem = p->elem_bytes;
	p->first.pool = s->pool;
	p->first.elem = elem;
	p->first.lines = &from->now;
	p->first.result = &p->result;
	if (!parts_layout(p, from->layout, p->first.axes))
		return fault_set(&s->fault, MPA_MEMORY, "out of memory for a reduction");
	return array_new(&p->result, &spec, &s->beside);
}

void parts_free(struct mpa_session *s, struct fold_parts *p)
{
	array_free(&p->result, &s->beside);
	mem_free(p->cuts);
	p->cuts = NULL;
}
