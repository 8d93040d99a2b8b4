/* halo/pieces.c - which points fill which ghosts
 *
 * Along one axis the ghosts of a part fall into segments, each owned by one part
 * at one distance around the axis. The pieces of a block are the products of one
 * segment per axis, the block's own range being one of them. What a rank sends is
 * found from the segments of all parts that it owns itself. */
#include "halo/pieces.h"

#include <stdlib.h>

struct segment {
	int part;           /* whose ghosts */
	int owner;          /* the part that has the values */
	struct range ghost; /* indices as the receiver counts */
	int64_t shift;      /* to the owner's indices */
	bool displaced;     /* false: the part's own range */
};

struct segments {
	struct segment *segment;
	int count, room;
};

/* Everything a product needs besides the place in it. */
struct product {
	struct pieces *list;
	const struct halo_field *field;
	int which, rank;
	bool sending;
	struct segments axis[MPA_MAX_AXES];
	const struct segment *chosen[MPA_MAX_AXES];
};

/* Makes room for one more of `size` bytes; false: no memory. */
static bool grow(void **data, int count, int *room, size_t size)
{
	int more = *room ? 2 * *room : 16;
	void *longer;

	if (count < *room)
		return true;
	longer = realloc(*data, (size_t)more * size);
	if (!longer)
		return false;
	*data = longer;
	*room = more;
	return true;
}

static bool segments_add(struct segments *list, struct segment s)
{
	void *data = list->segment;
	bool fits = grow(&data, list->count, &list->room, sizeof s);

	list->segment = data;
	if (fits)
		list->segment[list->count++] = s;
	return fits;
}

static int64_t wrap(int64_t i, int64_t n)
{
	int64_t r = i % n;

	return r < 0 ? r + n : r;
}

/* The points along an axis that a part has values of: its own, and at a wall those
 * beyond it that the field grows to. */
static struct range part_range(const struct halo_field *field, int axis, int part)
{
	struct range r = layout_range(field->layout, axis, part);
	const struct layout_axis *a = &field->layout->axis[axis];

	if (r.hi <= r.lo || a->periodic)
		return r;
	if (r.hi == a->size)
		r.hi += field->grown_hi[axis];
	if (r.lo == 0)
		r.lo -= field->grown_lo[axis];
	return r;
}

static int64_t nearest_point(int64_t i, int64_t n)
{
	return i < 0 ? 0 : i >= n ? n - 1 : i;
}

/* Cuts the ghosts [lo, hi) of a part at the ends of blocks and of the axis. */
static bool segments_cut(struct segments *list, const struct halo_field *field, int axis,
			 struct segment s)
{
	const struct layout *layout = field->layout;
	int64_t n = layout->axis[axis].size, at, hi;
	bool periodic = layout->axis[axis].periodic;

	if (!periodic)
		s.ghost = range_cut(s.ghost, (struct range){ -field->grown_lo[axis],
							     n + field->grown_hi[axis] });
	hi = s.ghost.hi;
	for (at = s.ghost.lo; at < hi; at = s.ghost.hi) {
		int64_t i = periodic ? wrap(at, n) : at;
		struct range block;

		s.owner = layout_part_of(layout, axis, nearest_point(i, n));
		block = part_range(field, axis, s.owner);
		s.shift = i - at;
		s.ghost.lo = at;
		s.ghost.hi = at + block.hi - i < hi ? at + block.hi - i : hi;
		if (!segments_add(list, s))
			return false;
	}
	return true;
}

static bool segments_of_part(struct segments *list, const struct halo_field *field,
			     int axis, int part)
{
	struct range block = layout_range(field->layout, axis, part);
	struct range own = part_range(field, axis, part);
	struct segment s = { .part = part, .displaced = true };

	if (!layout_part_holds(field->layout, axis, part))
		return true;
	if (own.lo < own.hi &&
	    !segments_add(list, (struct segment){ part, part, own, 0, false }))
		return false;
	if (field->layout->axis[axis].local)
		return true;
	s.ghost = (struct range){ block.lo - field->lo[axis], own.lo };
	if (!segments_cut(list, field, axis, s))
		return false;
	s.ghost = (struct range){ own.hi, block.hi + field->hi[axis] };
	return segments_cut(list, field, axis, s);
}

/* Those of all parts that part `owner` fills. */
static bool segments_of_owner(struct segments *list, const struct halo_field *field,
			      int axis, int owner)
{
	int parts = layout_parts(field->layout, axis), kept = 0;

	for (int part = 0; part < parts; part++) {
		if (!segments_of_part(list, field, axis, part))
			return false;
		for (int i = kept; i < list->count; i++)
			if (list->segment[i].owner == owner)
				list->segment[kept++] = list->segment[i];
		list->count = kept;
	}
	return true;
}

static void pieces_add(struct pieces *list, const struct piece *piece)
{
	void *data = list->piece;
	bool fits = grow(&data, list->count, &list->room, sizeof *piece);

	list->piece = data;
	list->failed |= !fits;
	if (fits)
		list->piece[list->count++] = *piece;
}

/* Adds a piece in parts of at most PIECE_BYTES, divided along its first axis in
 * memory that has more than one point. */
static void pieces_add_divided(struct pieces *list, const struct halo_field *field,
			       struct piece piece)
{
	const struct layout *layout = field->layout;
	int64_t points = box_points(&piece.ghost), step, end;
	int axis = -1;

	for (int local = 1; local >= 0 && axis < 0; local--)
		for (int a = 0; a < layout->naxes && axis < 0; a++)
			if (layout->axis[a].local == local &&
			    piece.ghost.hi[a] - piece.ghost.lo[a] > 1)
				axis = a;
	if (axis < 0 || points * field->elem <= PIECE_BYTES) {
		pieces_add(list, &piece);
		return;
	}
	end = piece.ghost.hi[axis];
	points /= end - piece.ghost.lo[axis];
	step = PIECE_BYTES / (points * field->elem);
	step = step > 0 ? step : 1;
	while (piece.ghost.lo[axis] < end) {
		int64_t hi = piece.ghost.lo[axis] + step;

		piece.ghost.hi[axis] = hi < end ? hi : end;
		pieces_add(list, &piece);
		piece.ghost.lo[axis] = hi;
	}
}

/* A segment has been chosen along every axis. */
static void product_emit(struct product *p)
{
	const struct layout *layout = p->field->layout;
	struct piece piece = { .field = p->which, .ghost.naxes = layout->naxes };
	int parts[MPA_MAX_AXES];

	for (int a = 0; a < layout->naxes; a++) {
		const struct segment *s = p->chosen[a];

		parts[a] = p->sending ? s->part : s->owner;
		piece.ghost.lo[a] = s->ghost.lo;
		piece.ghost.hi[a] = s->ghost.hi;
		piece.shift[a] = s->shift;
	}
	piece.peer = layout_rank_beside(layout, p->rank, parts);
	if (!p->sending || piece.peer != p->rank)
		pieces_add_divided(p->list, p->field, piece);
}

static void product_axis(struct product *p, int axis, int displaced)
{
	int limit = p->field->diagonal > 0 ? p->field->diagonal : MPA_MAX_AXES;

	if (axis == p->field->layout->naxes) {
		if (displaced > 0)
			product_emit(p);
		return;
	}
	for (int i = 0; i < p->axis[axis].count; i++) {
		const struct segment *s = &p->axis[axis].segment[i];

		if (displaced + s->displaced > limit)
			continue;
		p->chosen[axis] = s;
		product_axis(p, axis + 1, displaced + s->displaced);
	}
}

static void product_run(struct product *p)
{
	const struct layout *layout = p->field->layout;
	bool fits = true;

	if (!layout_takes_part(layout, p->rank))
		return;
	for (int a = 0; a < layout->naxes && fits; a++) {
		int part = layout_coordinate(layout, a, p->rank);

		fits = p->sending ? segments_of_owner(&p->axis[a], p->field, a, part)
				  : segments_of_part(&p->axis[a], p->field, a, part);
	}
	if (fits)
		product_axis(p, 0, 0);
	else
		p->list->failed = true;
	for (int a = 0; a < layout->naxes; a++)
		free(p->axis[a].segment);
}

void pieces_received(struct pieces *list, const struct halo_field *field, int which,
		     int rank)
{
	struct product p = { .list = list, .field = field, .which = which, .rank = rank };

	product_run(&p);
}

void pieces_sent(struct pieces *list, const struct halo_field *field, int which, int rank)
{
	struct product p = { .list = list,
			     .field = field,
			     .which = which,
			     .rank = rank,
			     .sending = true };

	product_run(&p);
}

static int compare(const void *left, const void *right)
{
	const struct piece *a = left, *b = right;

	if (a->peer != b->peer)
		return a->peer < b->peer ? -1 : 1;
	if (a->field != b->field)
		return a->field < b->field ? -1 : 1;
	for (int i = 0; i < a->ghost.naxes; i++)
		if (a->ghost.lo[i] != b->ghost.lo[i])
			return a->ghost.lo[i] < b->ghost.lo[i] ? -1 : 1;
	return 0;
}

void pieces_sort(struct pieces *list)
{
	if (list->count > 0)
		qsort(list->piece, (size_t)list->count, sizeof *list->piece, compare);
}

void pieces_free(struct pieces *list)
{
	free(list->piece);
	*list = (struct pieces){ .piece = NULL };
}
