/* array/runs.c - moving boxes of elements
 *
 * Both sides of a move are described by an address and a stride per loop. Loops
 * that are contiguous on both sides are merged, loops of one turn dropped; what
 * remains is walked by an odometer around one inner loop, specialised by the
 * size of an element. */
#include "array/runs.h"

#include <string.h>

/* Adds an inner loop; joins it to the one outside where both sides allow. */
static void move_push(struct runs_move *m, struct runs_loop inner)
{
	struct runs_loop *outer = m->n > 0 ? &m->loop[m->n - 1] : NULL;

	if (inner.count == 1)
		return;
	if (outer && outer->to == inner.to * inner.count &&
	    outer->from == inner.from * inner.count) {
		outer->count *= inner.count;
		outer->to = inner.to;
		outer->from = inner.from;
		return;
	}
	m->loop[m->n++] = inner;
}

#define STRIDED(type)                                                                    \
	do {                                                                             \
		for (int64_t i = 0; i < inner.count; i++)                                \
			*(type *)(to + i * inner.to) =                                   \
				*(const type *)(from + i * inner.from);                  \
	} while (0)

struct wide {
	uint64_t part[2];
};

static void move_inner(const struct runs_move *m, struct runs_loop inner, char *to,
		       const char *from)
{
	if (inner.to == m->elem && inner.from == m->elem) {
		memcpy(to, from, (size_t)(inner.count * m->elem));
		return;
	}
	switch (m->elem) {
	case 1:
		STRIDED(uint8_t);
		break;
	case 2:
		STRIDED(uint16_t);
		break;
	case 4:
		STRIDED(uint32_t);
		break;
	case 8:
		STRIDED(uint64_t);
		break;
	case 16:
		STRIDED(struct wide);
		break;
	default:
		for (int64_t i = 0; i < inner.count; i++)
			memcpy(to + i * inner.to, from + i * inner.from, (size_t)m->elem);
	}
}

void runs_do(const struct runs_move *m)
{
	struct runs_loop inner = { 1, m->elem, m->elem };
	int64_t at[MPA_MAX_AXES] = { 0 };
	int outer = m->n - 1, k;
	char *to = m->to;
	const char *from = m->from;

	if (!to)
		return;
	if (m->n > 0)
		inner = m->loop[m->n - 1];
	do {
		move_inner(m, inner, to, from);
		for (k = outer - 1; k >= 0; k--) {
			to += m->loop[k].to;
			from += m->loop[k].from;
			if (++at[k] < m->loop[k].count)
				break;
			to -= m->loop[k].to * m->loop[k].count;
			from -= m->loop[k].from * m->loop[k].count;
			at[k] = 0;
		}
	} while (k >= 0);
}

struct runs_move runs_moving(const struct runs_loop *loop, int n, int64_t elem, void *to,
			     const void *from)
{
	struct runs_move m = { .elem = elem, .to = to, .from = from };

	for (int i = 0; i < n; i++)
		move_push(&m, loop[i]);
	return m;
}

struct runs_move runs_copying(struct mpa_array *dst, const struct mpa_array *src,
			      const struct box *box, const int64_t *shift)
{
	struct runs_move m = { .elem = dst->elem };
	int64_t source[MPA_MAX_AXES];

	if (box_empty(box))
		return m;
	for (int a = 0; a < dst->naxes; a++)
		source[a] = box->lo[a] + shift[a];
	m.to = array_at(dst, box->lo);
	m.from = array_at(src, source);
	for (int k = 0; k < dst->naxes; k++) {
		int a = dst->order[k];

		move_push(&m, (struct runs_loop){ box->hi[a] - box->lo[a],
						  dst->stride[a] * dst->elem,
						  src->stride[a] * src->elem });
	}
	return m;
}

/* The packed side has no gaps: its stride is what lies inside of an axis. */
static struct runs_move packed_move(const struct mpa_array *array, const struct box *box,
				    const int *axes, bool packing)
{
	struct runs_move m = { .elem = array->elem };
	int64_t inside = box_points(box) * array->elem;

	for (int k = 0; k < array->naxes; k++) {
		int a = axes ? axes[k] : k;
		int64_t count = box->hi[a] - box->lo[a];
		int64_t stride = array->stride[a] * array->elem;

		inside /= count;
		move_push(&m, packing ? (struct runs_loop){ count, inside, stride }
				      : (struct runs_loop){ count, stride, inside });
	}
	return m;
}

struct runs_move runs_packing(const struct mpa_array *array, const struct box *box,
			      const int *axes, void *out)
{
	struct runs_move m = { .elem = array->elem };

	if (box_empty(box))
		return m;
	m = packed_move(array, box, axes, true);
	m.to = out;
	m.from = array_at(array, box->lo);
	return m;
}

struct runs_move runs_unpacking(struct mpa_array *array, const struct box *box,
				const int *axes, const void *in)
{
	struct runs_move m = { .elem = array->elem };

	if (box_empty(box))
		return m;
	m = packed_move(array, box, axes, false);
	m.to = array_at(array, box->lo);
	m.from = in;
	return m;
}

void runs_move(const struct runs_loop *loop, int n, int64_t elem, void *to,
	       const void *from)
{
	struct runs_move m = runs_moving(loop, n, elem, to, from);

	runs_do(&m);
}

void runs_copy(struct mpa_array *dst, const struct mpa_array *src, const struct box *box,
	       const int64_t *shift)
{
	struct runs_move m = runs_copying(dst, src, box, shift);

	runs_do(&m);
}

void runs_pack(const struct mpa_array *array, const struct box *box, const int *axes,
	       void *out)
{
	struct runs_move m = runs_packing(array, box, axes, out);

	runs_do(&m);
}

void runs_unpack(struct mpa_array *array, const struct box *box, const int *axes,
		 const void *in)
{
	struct runs_move m = runs_unpacking(array, box, axes, in);

	runs_do(&m);
}

void runs_zero(struct mpa_array *array, const struct box *box)
{
	int64_t at[MPA_MAX_AXES];
	int last, outer;

	if (box_empty(box))
		return;
	if (array->naxes == 0) {
		memset(array->origin, 0, (size_t)array->elem);
		return;
	}
	last = array->order[array->naxes - 1];
	memcpy(at, box->lo, sizeof at);
	do {
		memset(array_at(array, at), 0,
		       (size_t)((box->hi[last] - box->lo[last]) * array->elem));
		for (outer = array->naxes - 2; outer >= 0; outer--) {
			int a = array->order[outer];

			if (++at[a] < box->hi[a])
				break;
			at[a] = box->lo[a];
		}
	} while (outer >= 0);
}

void runs_fill(struct mpa_array *array, const struct box *box, const void *value)
{
	struct runs_move m = { .elem = array->elem, .from = value };

	if (box_empty(box))
		return;
	m.to = array_at(array, box->lo);
	for (int k = 0; k < array->naxes; k++) {
		int a = array->order[k];

		move_push(&m, (struct runs_loop){ box->hi[a] - box->lo[a],
						  array->stride[a] * array->elem, 0 });
	}
	runs_do(&m);
}
