/* exec/lines.c - the lines of one rank's block, reduced one by one
 *
 * A line is all points that differ along the folded axes, in C order of these. The
 * values of a few neighbouring lines are gathered together, so that what shares a line
 * of cache is read once, piece by piece; then each is handed to its struct line. */
#include <string.h>

#include "base/memory.h"
#include "exec/fold.h"
#include "exec/line.h"

enum { TOGETHER = 8, POINTS_WORTH_THREADS = 16384 };

struct lines {
	const struct fold_work *work;
	int share; /* divided among the threads */
	int row;   /* neighbours along it are gathered together */
	int64_t n; /* points of a line */
	int64_t count[MPA_MAX_AXES], stride[MPA_MAX_AXES]; /* of folded axes, bytes */
	int naxes;                                         /* that are folded */
	int end;                                           /* enum lines_end, the worst */
};

/* What one thread has. */
struct gather {
	struct lines *lines;
	struct line *line[TOGETHER];
	char *piece; /* TOGETHER of LINE_PIECE elements */
};

struct wide {
	uint64_t part[2];
};

#define COPY(type)                                                                       \
	do {                                                                             \
		for (int64_t i = 0; i < n; i++)                                          \
			for (int64_t k = 0; k < many; k++)                               \
				((type *)to)[k * LINE_PIECE + i] =                       \
					*(const type *)(from + i * stride + k * beside); \
	} while (0)

/* n points along the last folded axis, of `many` lines `beside` bytes apart. */
static void copy_piece(int64_t elem, char *to, const char *from, int64_t n,
		       const int64_t by[3])
{
	int64_t stride = by[0], many = by[1], beside = by[2];

	if (elem == 1)
		COPY(uint8_t);
	else if (elem == 4)
		COPY(uint32_t);
	else if (elem == 8)
		COPY(uint64_t);
	else
		COPY(struct wide);
}

/* Hands n elements of each of `many` lines over. */
static void give_pieces(struct gather *g, int64_t many, int64_t n)
{
	const struct fold_work *w = g->lines->work;

	for (int64_t k = 0; k < many; k++) {
		const char *piece = g->piece + k * LINE_PIECE * w->lines->elem;

		line_add(g->line[k], piece, n);
		if (w->values == FOLD_OF_PAIRS)
			line_add(g->line[k], piece + n * (int64_t)sizeof(double), n);
	}
}

/* Calls line_add for all values of `many` lines that begin at `at`. */
static void gather_lines(struct gather *g, const char *at, int64_t many, bool carefully)
{
	const struct lines *l = g->lines;
	const struct mpa_array *a = l->work->lines;
	int last = l->naxes - 1, k;
	int64_t by[3] = { l->stride[last], many, a->stride[l->row] * a->elem };
	int64_t index[MPA_MAX_AXES] = { 0 }, filled = 0;

	for (k = 0; k < many; k++)
		line_begin(g->line[k], carefully);
	do {
		for (int64_t i = 0; i < l->count[last];) {
			int64_t n = l->count[last] - i, room = LINE_PIECE - filled;

			n = n < room ? n : room;
			copy_piece(a->elem, g->piece + filled * a->elem, at + i * by[0],
				   n, by);
			filled += n;
			i += n;
			if (filled < LINE_PIECE)
				continue;
			give_pieces(g, many, filled);
			filled = 0;
		}
		for (k = last - 1; k >= 0; k--) {
			at += l->stride[k];
			if (++index[k] < l->count[k])
				break;
			at -= l->stride[k] * l->count[k];
			index[k] = 0;
		}
	} while (k >= 0);
	give_pieces(g, many, filled);
}

/* The index in the result of a point of the lines. */
static char *result_at(const struct lines *l, const int64_t *index)
{
	const struct fold_work *w = l->work;
	int64_t left[MPA_MAX_AXES];
	int n = 0;

	for (int a = 0; a < w->lines->naxes; a++)
		if (!(w->axes >> a & 1))
			left[n++] = index[a];
		else if (w->result->naxes == w->lines->naxes)
			left[n++] = w->result->own.lo[a];
	return array_at(w->result, left);
}

static void lines_note(struct lines *l, enum lines_end end)
{
	int seen = __atomic_load_n(&l->end, __ATOMIC_RELAXED);

	while (seen < (int)end &&
	       !__atomic_compare_exchange_n(&l->end, &seen, (int)end, true,
					    __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
}

/* `many` lines from the index on, along the row. */
static void reduce_some(struct gather *g, int64_t *index, int64_t many)
{
	struct lines *l = g->lines;
	int64_t first = index[l->row];

	gather_lines(g, array_at(l->work->lines, index), many, false);
	for (int64_t k = 0; k < many; k++) {
		struct line *line = g->line[k];

		index[l->row] = first + k;
		if (l->work->values == FOLD_TO_PAIRS) {
			if (!line_pair(line, (void *)result_at(l, index)))
				lines_note(l, LINES_NOT_PAIRS);
			continue;
		}
		if (line_end(line, result_at(l, index)))
			continue;
		g->line[k] = g->line[0];
		g->line[0] = line;
		gather_lines(g, array_at(l->work->lines, index), 1, true);
		line_end(line, result_at(l, index));
		g->line[0] = g->line[k];
		g->line[k] = line;
	}
	index[l->row] = first;
}

static void reduce_box(struct gather *g, const struct box *box)
{
	const struct lines *l = g->lines;
	int64_t index[MPA_MAX_AXES];
	int k;

	memcpy(index, box->lo, sizeof index);
	do {
		for (int64_t i = box->lo[l->row]; i < box->hi[l->row]; i += TOGETHER) {
			int64_t left = box->hi[l->row] - i;

			index[l->row] = i;
			reduce_some(g, index, left < TOGETHER ? left : TOGETHER);
		}
		for (k = box->naxes - 1; k >= 0; k--) {
			int a = l->work->lines->order[k];

			if (a == l->row || l->work->axes >> a & 1)
				continue;
			if (++index[a] < box->hi[a])
				break;
			index[a] = box->lo[a];
		}
	} while (k >= 0);
}

static bool gather_make(struct gather *g)
{
	const struct fold_work *w = g->lines->work;
	bool good;

	g->piece = mem_new((size_t)(TOGETHER * LINE_PIECE * w->lines->elem));
	good = g->piece != NULL;
	for (int k = 0; k < TOGETHER; k++) {
		g->line[k] = line_new(w->reduction, w->elem, g->lines->n);
		good = good && g->line[k];
	}
	return good;
}

static void reduce_share(void *arg, int64_t lo, int64_t hi)
{
	struct lines *l = arg;
	struct gather g = { .lines = l };
	struct box box = l->work->lines->own;
	bool good = gather_make(&g);

	box.lo[l->share] = lo;
	box.hi[l->share] = hi;
	if (good)
		reduce_box(&g, &box);
	for (int k = 0; k < TOGETHER; k++) {
		good = good && !line_failed(g.line[k]);
		line_free(g.line[k]);
	}
	mem_free(g.piece);
	if (!good)
		lines_note(l, LINES_NO_MEMORY);
}

/* The axis of the rows: of those that are left the one with the shortest stride. */
static void choose_axes(struct lines *l)
{
	const struct mpa_array *a = l->work->lines;

	l->row = l->share = -1;
	for (int k = 0; k < a->naxes; k++) {
		int i = a->order[k];

		if (l->work->axes >> i & 1)
			continue;
		l->row = i;
		if (l->share < 0 || a->own.hi[i] - a->own.lo[i] >
					    a->own.hi[l->share] - a->own.lo[l->share])
			l->share = i;
	}
}

enum lines_end reduce_lines(const struct fold_work *work)
{
	const struct mpa_array *a = work->lines;
	struct lines l = { .work = work, .n = 1 };
	struct box left = a->own;

	choose_axes(&l);
	for (int i = 0; i < a->naxes; i++) {
		if (!(work->axes >> i & 1))
			continue;
		l.count[l.naxes] = a->own.hi[i] - a->own.lo[i];
		l.stride[l.naxes++] = a->stride[i] * a->elem;
		l.n *= a->own.hi[i] - a->own.lo[i];
		left.hi[i] = left.lo[i] + 1;
	}
	if (box_empty(&left))
		return LINES_DONE;
	if (box_points(&a->own) < POINTS_WORTH_THREADS)
		reduce_share(&l, left.lo[l.share], left.hi[l.share]);
	else
		pool_for(work->pool, reduce_share, &l,
			 (struct pool_span){ left.lo[l.share], left.hi[l.share], 1 });
	return (enum lines_end)l.end;
}
