/* exec/fold.c - reductions and scans along axes
 *
 * Every rank works on whole lines. Where the axes are cut, the points, or what the parts
 * of each line amount to (parts.c), go to a layout in which they are not (array/move),
 * cut along the others, and the results back. Where no other axis is left to cut, which
 * happens to scans only, the ranks go one after the other along the line and hand on the
 * value that each has reached. What does not depend on ranks in this is which values are
 * combined, and in which order. */
#include <string.h>

#include "array/runs.h"
#include "base/clock.h"
#include "base/memory.h"
#include "exec/fold.h"
#include "exec/line.h"

static const int64_t KEPT_BYTES = 4 << 20;

struct fold_state {
	struct fold_state *next;
	const char *where;
	int64_t to, from, axes,
		reduction; /* as given: the same again is the same state */
	/* what is kept for the next time; all NULL or free otherwise */
	struct family family;
	struct layout whole, left;      /* the lines; without the axes that are folded */
	struct mpa_array lines, result; /* on these; result: of reductions */
	struct move_plan *there, *back;
	struct fold_parts parts;
	bool by_parts; /* parts is in use: lines have its results */
	bool no_parts; /* not again: values were met whose sums are no pairs */
	bool ready;    /* all of it is there, on every rank */
	struct move_counts counts;
	int64_t calls;
	double seconds;
};

static bool is_scan(const struct fold_state *f)
{
	return f->reduction == MPA_CUMSUM || f->reduction == MPA_CUMPROD;
}

/* ---- states ---------------------------------------------------------------- */

static struct fold_state *fold_find(struct mpa_session *s, const struct fold_state *like)
{
	struct fold_state **at = &s->folds;

	while (*at && !((*at)->to == like->to && (*at)->from == like->from &&
			(*at)->axes == like->axes && (*at)->reduction == like->reduction))
		at = &(*at)->next;
	if (!*at) {
		*at = session_new(s, sizeof **at);
		**at = *like;
	}
	return *at;
}

static void count_plan(struct fold_state *f, const struct move_plan *plan)
{
	struct move_counts n = move_plan_counts(plan);

	f->counts.runs += n.runs;
	f->counts.messages += n.messages;
	f->counts.bytes += n.bytes;
	f->counts.peers = n.peers > f->counts.peers ? n.peers : f->counts.peers;
}

static void fold_forget(struct mpa_session *s, struct fold_state *f)
{
	if (f->ready) {
		count_plan(f, f->there);
		count_plan(f, f->back);
	}
	f->ready = false;
	move_plan_free(f->there);
	move_plan_free(f->back);
	f->there = f->back = NULL;
	array_free(&f->lines, &s->beside);
	array_free(&f->result, &s->beside);
	parts_free(s, &f->parts);
}

void folds_forget(struct mpa_session *s, int64_t family)
{
	const struct mpa_program *p = s->program;

	for (struct fold_state *f = s->folds; f; f = f->next)
		if (family < 0 || p->grid[p->array[f->from].grid].family == family)
			fold_forget(s, f);
}

void folds_free(struct mpa_session *s)
{
	folds_forget(s, -1);
	while (s->folds) {
		struct fold_state *next = s->folds->next;

		mem_free(s->folds);
		s->folds = next;
	}
}

bool fold_line(const struct mpa_session *s, int64_t i, struct fold_profile *line)
{
	struct fold_state *f = s->folds, all;

	while (f && i-- > 0)
		f = f->next;
	if (!f)
		return false;
	all = *f;
	if (f->ready) {
		count_plan(&all, f->there);
		count_plan(&all, f->back);
	}
	*line = (struct fold_profile){ f->where,
				       reduction_text((enum mpa_reduction)f->reduction),
				       f->calls, f->seconds, all.counts };
	return true;
}

/* ---- to whole lines and back ----------------------------------------------- */

/* The points of `to` come from the same points of `from`; axes are alike. */
static struct move move_alike(const struct layout *to, const struct layout *from,
			      int64_t elem)
{
	struct move m;

	memset(&m, 0, sizeof m);
	m.naxes = to->naxes;
	m.elem = elem;
	m.to.layout = to;
	m.from.layout = from;
	for (int a = 0; a < to->naxes; a++) {
		m.count[a] = to->axis[a].size;
		m.to.step[a] = m.from.step[a] = 1;
		m.to.along[a] = m.from.along[a] = a;
	}
	return m;
}

/* The layout in which lines are whole, and its member without the folded axes. */
static void fold_layouts(struct mpa_session *s, struct fold_state *f,
			 const struct layout *from)
{
	f->family = (struct family){ .naxes = from->naxes, .nranks = s->comm->size };
	f->whole = (struct layout){ .family = &f->family, .naxes = from->naxes };
	f->left = (struct layout){ .family = &f->family };
	for (int a = 0; a < from->naxes; a++) {
		struct layout_axis axis = { from->axis[a].size, false,
					    from->axis[a].local, a };
		bool folded = f->axes >> a & 1;

		f->family.axis[a] =
			(struct family_axis){ .size = axis.size, .cuttable = !folded };
		f->whole.axis[a] = axis;
		if (!folded)
			f->left.axis[f->left.naxes++] = axis;
	}
	family_divide(&f->family, NULL, &s->fault);
}

/* Of what lies on `from`: points, or results of parts. */
static enum mpa_status fold_storage(struct mpa_session *s, struct fold_state *f,
				    const struct layout *from, int64_t elem,
				    struct array_state *to)
{
	bool scan = is_scan(f);
	struct array_spec lines = { .layout = &f->whole,
				    .rank = s->comm->rank,
				    .elem = elem };
	struct array_spec result = { .layout = &f->left,
				     .rank = s->comm->rank,
				     .elem = to->now.elem };
	struct move there = move_alike(&f->whole, from, elem);
	struct move back =
		move_alike(to->layout, scan ? &f->whole : &f->left, to->now.elem);
	enum mpa_status st = array_new(&f->lines, &lines, &s->beside);

	if (st == MPA_OK && !scan)
		st = array_new(&f->result, &result, &s->beside);
	if (st != MPA_OK)
		return st;
	f->there = move_plan_new(s->comm, &s->beside, &there, 1);
	f->back = move_plan_new(s->comm, &s->beside, &back, 1);
	return f->there && f->back ? MPA_OK : MPA_MEMORY;
}

static void move_now(struct mpa_session *s, struct move_plan *plan, struct mpa_array *to,
		     struct mpa_array *from)
{
	session_sent(s, move_run(plan, &to, &from));
}

static int64_t kept_bytes(const struct fold_state *f)
{
	return move_plan_bytes(f->there) + move_plan_bytes(f->back) +
	       (int64_t)(f->lines.block.bytes + f->result.block.bytes +
			 f->parts.result.block.bytes);
}

/* ---- one rank -------------------------------------------------------------- */

static enum mpa_status fold_own(struct mpa_session *s, const struct fold_state *f,
				struct mpa_array *result, struct mpa_array *lines)
{
	struct fold_work work = { .pool = s->pool,
				  .axes = (unsigned)f->axes,
				  .reduction = (enum mpa_reduction)f->reduction,
				  .elem = (enum mpa_elem)s->program->array[f->from].elem,
				  .lines = lines,
				  .result = result };

	if (!array_owns(lines))
		return MPA_OK;
	if (is_scan(f)) {
		scan_lines(&work);
		return MPA_OK;
	}
	if (f->by_parts) {
		work.elem = f->parts.elem;
		work.values = f->parts.values;
	}
	if (reduce_lines(&work) == LINES_DONE)
		return MPA_OK;
	return fault_set(&s->fault, MPA_MEMORY, "out of memory for a reduction");
}

/* ---- scans of an only axis ------------------------------------------------- */

/* The nearest part on one side that has points; -1: there is none. */
static int part_beside(const struct layout *layout, int part, int step)
{
	int parts = layout_parts(layout, 0);

	for (part += step; part >= 0 && part < parts; part += step) {
		struct range r = layout_range(layout, 0, part);

		if (r.lo < r.hi)
			return part;
	}
	return -1;
}

/* The value that the part before has reached goes in front of this one. */
static void scan_in_turn(struct mpa_session *s, const struct fold_state *f,
			 struct array_state *a)
{
	struct comm_batch *batch = comm_batch_new(s->comm);
	const struct layout *layout = a->layout;
	int rank = s->comm->rank, part = layout_coordinate(layout, 0, rank);
	int before = part_beside(layout, part, -1), after = part_beside(layout, part, 1);
	int64_t last = a->now.own.hi[0] - 1;
	struct fold_work work = { .reduction = (enum mpa_reduction)f->reduction,
				  .elem = (enum mpa_elem)a->info->elem,
				  .axes = 1,
				  .lines = &a->now };
	enum mpa_status st = batch ? MPA_OK : MPA_MEMORY;
	char carry[16];

	session_agree(s, f->where, st);
	array_write(s, a);
	if (array_owns(&a->now)) {
		if (before >= 0) {
			before = layout_rank_beside(layout, rank, &before);
			st = comm_recv(batch, before, COMM_TAG_MOVE, carry, a->now.elem);
			st = st == MPA_OK ? comm_wait(batch) : st;
			work.carry = carry;
		}
		scan_lines(&work);
		if (after >= 0 && st == MPA_OK) {
			after = layout_rank_beside(layout, rank, &after);
			st = comm_send(batch, after, COMM_TAG_MOVE,
				       array_at(&a->now, &last), a->now.elem);
			st = st == MPA_OK ? comm_wait(batch) : st;
		}
	}
	session_sent(s, st);
	comm_batch_free(batch);
}

/* ---- the call -------------------------------------------------------------- */

static bool lines_are_cut(const struct layout *layout, int64_t axes)
{
	for (int a = 0; a < layout->naxes; a++)
		if (axes >> a & 1 && layout_parts(layout, a) > 1)
			return true;
	return false;
}

static void fold_prepare(struct mpa_session *s, struct fold_state *f,
			 struct array_state *to, struct array_state *from)
{
	const struct layout *layout = from->layout;
	enum mpa_reduction reduction = (enum mpa_reduction)f->reduction;
	int64_t elem = from->now.elem;

	if (f->ready)
		return;
	fold_forget(s, f); /* what an attempt without success has left */
	f->by_parts = !f->no_parts && parts_are_worth(from, f->axes, reduction);
	if (f->by_parts) {
		memset(&f->parts, 0, sizeof f->parts);
		f->parts.first.axes = (unsigned)f->axes;
		f->parts.first.reduction = reduction;
		session_agree(s, f->where, parts_new(s, &f->parts, from));
		layout = &f->parts.layout;
		elem = f->parts.elem_bytes;
	}
	fold_layouts(s, f, layout);
	session_agree(s, f->where, fold_storage(s, f, layout, elem, to));
	f->ready = true;
}

/* What the parts of lines amount to. False: there is a sum that is not a pair, and the
 * points themselves are to be moved, from now on. */
static bool fold_first(struct mpa_session *s, struct fold_state *f)
{
	enum lines_end end = LINES_DONE;
	int64_t worst;

	session_sent(s, array_on_host(&s->array[f->from].now, false, &s->fault));
	if (array_owns(f->parts.first.lines))
		end = reduce_lines(&f->parts.first);
	worst = end;
	session_sent(s, comm_all_reduce(s->comm, COMM_MAX_I64, &worst, 1));
	if (worst == LINES_NO_MEMORY)
		session_fail(s, f->where, "out of memory for a reduction");
	f->no_parts = worst == LINES_NOT_PAIRS;
	return !f->no_parts;
}

static void fold_moved(struct mpa_session *s, struct fold_state *f,
		       struct array_state *to, struct array_state *from)
{
	struct mpa_array *points = &from->now;

	fold_prepare(s, f, to, from);
	if (f->by_parts && !fold_first(s, f)) {
		fold_forget(s, f);
		fold_prepare(s, f, to, from);
	}
	if (f->by_parts)
		points = &f->parts.result;
	move_now(s, f->there, &f->lines, points);
	session_agree(s, f->where, fold_own(s, f, &f->result, &f->lines));
	move_now(s, f->back, &to->now, is_scan(f) ? &f->lines : &f->result);
	if (kept_bytes(f) > KEPT_BYTES)
		fold_forget(s, f);
}

static void fold_in_place(struct mpa_session *s, struct fold_state *f,
			  struct array_state *to, struct array_state *from)
{
	if (is_scan(f)) {
		session_sent(s, array_copy(&to->now, &from->now, &from->now.own, &s->home));
		if (lines_are_cut(from->layout, f->axes)) {
			scan_in_turn(s, f, to);
			return;
		}
	} else {
		array_read(s, from);
	}
	array_write(s, to);
	session_agree(s, f->where,
		      fold_own(s, f, &to->now, is_scan(f) ? &to->now : &from->now));
}

static bool no_points(const struct layout *layout, int64_t axes)
{
	for (int a = 0; a < layout->naxes; a++)
		if (axes >> a & 1 && layout->axis[a].size == 0)
			return true;
	return false;
}

/* What no points make: 0, 1, true, false, or the end. */
static void fold_nothing(struct mpa_session *s, const struct fold_state *f,
			 struct array_state *to)
{
	enum mpa_reduction r = (enum mpa_reduction)f->reduction;
	enum mpa_elem elem = (enum mpa_elem)s->program->array[f->from].elem;
	struct line *line;
	char value[16] = { 0 };

	if (is_scan(f))
		return;
	if (r == MPA_MIN || r == MPA_MAX || r == MPA_ARGMIN || r == MPA_ARGMAX)
		session_fail(s, f->where, "%s of no points", reduction_text(r));
	line = line_new(r, elem, 0);
	session_agree(s, f->where, line ? MPA_OK : MPA_MEMORY);
	line_begin(line, true);
	line_end(line, value);
	line_free(line);
	if (array_owns(&to->now))
		runs_fill(array_write(s, to), &to->now.own, value);
}

void mpa_fold(struct mpa_session *s, const char *where, int64_t to, int64_t from,
	      int64_t axes, int64_t reduction)
{
	struct fold_state like = { .where = where,
				   .to = to,
				   .from = from,
				   .axes = axes,
				   .reduction = reduction };
	struct fold_state *f = fold_find(s, &like);
	double start = s->options.profile || s->trace ? clock_now() : 0;
	struct array_state *dst = array_of(s, to), *src = array_of(s, from);
	bool cut = lines_are_cut(src->layout, axes);

	if (no_points(src->layout, axes))
		fold_nothing(s, f, dst);
	else if (cut && src->layout->naxes > 1)
		fold_moved(s, f, dst, src);
	else
		fold_in_place(s, f, dst, src);
	array_changed(dst);
	f->calls++;
	transfers_count(s, where);
	if (s->options.profile)
		f->seconds += clock_now() - start;
	trace_add(s,
		  (struct trace_what){ where,
				       reduction_text((enum mpa_reduction)reduction),
				       TRACE_FOLD },
		  start);
}
