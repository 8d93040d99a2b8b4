/* exec/copy.c - points of a region of one array go to a region of another
 *
 * Bounds are resolved as Python does, indices and shapes are checked, and array/move
 * carries the points. A plan is kept for the next time if that has the same bounds,
 * unless its buffers are large: then making it again costs little beside the move. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "exec/exec.h"

static const int64_t KEPT_BYTES = 4 << 20;

/* One side of a copy as it is bounded now. */
struct slices {
	const struct array_state *array;
	const struct mpa_slice *slice;
	int64_t start[MPA_MAX_AXES], step[MPA_MAX_AXES], count[MPA_MAX_AXES];
};

static void slices_resolve(struct mpa_session *s, const char *where, const int64_t *arg,
			   struct slices *out)
{
	const struct mpa_grid_info *grid = &s->program->grid[out->array->info->grid];

	for (int a = 0; a < out->array->layout->naxes; a++, arg += 2) {
		int64_t n = out->array->layout->axis[a].size, i = arg[0];

		out->step[a] = out->slice[a].part == MPA_RANGE ? out->slice[a].step : 1;
		out->count[a] = n;
		if (out->slice[a].part == MPA_RANGE)
			slice_take(&out->slice[a], arg, n, &out->start[a], &out->count[a]);
		if (out->slice[a].part != MPA_AT)
			continue;
		if (i < -n || i >= n)
			session_fail(s, where,
				     "index %" PRId64
				     " is out of range for axis %s of %s, which "
				     "has %" PRId64 " points",
				     i, s->program->axis[grid->axis[a]].name,
				     out->array->info->name, n);
		out->start[a] = i < 0 ? i + n : i;
		out->count[a] = 1;
	}
}

/* "(3, 4)": the counts along the axes of the target that have one of the source. */
static const char *shape_text(const struct mpa_copy_info *info, const struct slices *side,
			      bool source, char text[128])
{
	int n = 0;
	const char *before = "(";

	for (int a = 0; a < MPA_MAX_AXES; a++) {
		if (info->to[a].part == MPA_AT || info->pair[a] < 0 || n > 120)
			continue;
		n += snprintf(text + n, (size_t)(128 - n), "%s%" PRId64, before,
			      side->count[source ? info->pair[a] : a]);
		before = ", ";
	}
	snprintf(text + n, (size_t)(128 - n), n > 0 ? ")" : "()");
	return text;
}

/* The axes of the positions are the ranged ones of the target. */
static struct move copy_move(struct mpa_session *s, const char *where,
			     const struct mpa_copy_info *info, const struct slices *to,
			     const struct slices *from)
{
	struct move m = { .elem = to->array->now.elem, .shared = info->dst == info->src };
	int naxes = to->array->layout->naxes;
	char mine[128], its[128];

	m.to.layout = to->array->layout;
	m.from.layout = from->array->layout;
	for (int a = 0; a < MPA_MAX_AXES; a++)
		m.to.along[a] = m.from.along[a] = MOVE_FIXED;
	memcpy(m.to.start, to->start, sizeof m.to.start);
	memcpy(m.to.step, to->step, sizeof m.to.step);
	memcpy(m.from.start, from->start, sizeof m.from.start);
	memcpy(m.from.step, from->step, sizeof m.from.step);
	for (int a = 0; a < naxes; a++) {
		int b = (int)info->pair[a];

		if (info->to[a].part == MPA_AT)
			continue;
		m.count[m.naxes] = to->count[a];
		m.to.along[a] = m.naxes;
		if (b >= 0)
			m.from.along[b] = m.naxes;
		if (b >= 0 && from->count[b] != to->count[a])
			session_fail(s, where,
				     "a slice of shape %s does not fit points of shape %s",
				     shape_text(info, from, true, its),
				     shape_text(info, to, false, mine));
		m.naxes++;
	}
	return m;
}

static void copy_count(struct copy_state *c)
{
	struct move_counts n = move_plan_counts(c->plan);

	c->counts.messages += n.messages;
	c->counts.bytes += n.bytes;
	c->counts.peers = n.peers > c->counts.peers ? n.peers : c->counts.peers;
}

void copy_forget(struct copy_state *c)
{
	if (!c->plan)
		return;
	copy_count(c);
	move_plan_free(c->plan);
	c->plan = NULL;
}

struct move_counts copy_counts(const struct copy_state *c)
{
	struct copy_state all = *c;

	if (c->plan)
		copy_count(&all);
	all.counts.runs = c->calls;
	return all.counts;
}

/* The plan for these bounds; every rank's is new, or none is. */
static void copy_plan(struct mpa_session *s, struct copy_state *c, const char *where,
		      const struct move *m)
{
	if (c->plan && memcmp(&c->move, m, sizeof *m) == 0)
		return;
	copy_forget(c);
	c->plan = move_plan_new(s->comm, &s->home, m, 1);
	session_agree(s, where, c->plan ? MPA_OK : MPA_MEMORY);
	c->move = *m;
}

void mpa_copy(struct mpa_session *s, const char *where, int64_t copy)
{
	struct copy_state *c = &s->copy[copy];
	const struct mpa_copy_info *info = c->info;
	double start = s->options.profile || s->trace ? clock_now() : 0;
	struct array_state *dst = array_of(s, info->dst), *src = array_of(s, info->src);
	struct slices to = { .array = dst, .slice = info->to };
	struct slices from = { .array = src, .slice = info->from };
	const int64_t *arg = s->args + info->first_arg;
	struct mpa_array *read = &src->now, *written = &dst->now;
	struct move m;

	slices_resolve(s, where, arg, &to);
	slices_resolve(s, where, arg + 2 * dst->layout->naxes, &from);
	m = copy_move(s, where, info, &to, &from);
	copy_plan(s, c, where, &m);
	session_sent(s, move_run(c->plan, &written, &read));
	array_changed(dst);
	if (move_plan_bytes(c->plan) > KEPT_BYTES)
		copy_forget(c);
	c->calls++;
	transfers_count(s, where);
	if (s->options.profile)
		c->seconds += clock_now() - start;
	trace_add(s, (struct trace_what){ info->where, "copy", TRACE_COPY }, start);
}
