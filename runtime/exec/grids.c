/* exec/grids.c - axes, families and grids as they become known; regions of grids
 *
 * A family may be defined again, by a grid in a loop: if it is another one then, all
 * that was made for the old one is dropped. Layouts of grids are made when asked for,
 * since axes may be added to a family after it. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "exec/exec.h"

/* Drops what belongs to a family that is about to change. */
static void family_reset(struct mpa_session *s, int64_t family)
{
	const struct mpa_program *p = s->program;

	for (int64_t g = 0; g < p->n_grids; g++)
		if (p->grid[g].family == family)
			s->grid[g].made = false;
	for (int64_t i = 0; i < p->n_arrays; i++)
		if (p->grid[p->array[i].grid].family == family)
			array_forget(s, &s->array[i]);
	for (int64_t i = 0; i < p->n_runs; i++)
		if (p->grid[p->run[i].grid].family == family)
			exchanges_free(&s->run[i]);
	folds_forget(s, family);
	for (int64_t i = 0; i < p->n_copies; i++)
		if (p->grid[p->array[p->copy[i].dst].grid].family == family ||
		    p->grid[p->array[p->copy[i].src].grid].family == family)
			copy_forget(&s->copy[i]);
}

void mpa_axis_define(struct mpa_session *s, const char *where, int64_t axis, int64_t size,
		     double lo, double hi)
{
	const struct mpa_axis_info *info = &s->program->axis[axis];
	struct axis_state *a = &s->axis[axis];
	bool nodes = info->place == 2;

	if (size < (nodes ? 2 : 1))
		session_fail(s, where,
			     "axis %s has %" PRId64 " points; it needs at least %s",
			     info->name, size, nodes ? "two, for both ends" : "one");
	if (a->defined && a->size != size)
		family_reset(s, info->family);
	axis_forget_cuts(a);
	*a = (struct axis_state){ .defined = true, .size = size, .lo = lo, .hi = hi };
}

void mpa_axis_slice(struct mpa_session *s, const char *where, int64_t axis, int64_t size,
		    int64_t start)
{
	struct axis_state *a = &s->axis[axis];

	(void)where;
	if (a->defined && a->size != size)
		family_reset(s, s->program->axis[axis].family);
	axis_forget_cuts(a);
	*a = (struct axis_state){ .defined = true, .size = size, .start = start };
}

/* Axes that may be cut. */
static int count_cut(const struct mpa_family_info *info)
{
	int cut = 0;

	for (int64_t a = 0; a < info->n_axes; a++)
		cut += info->cut[a] != 0;
	return cut;
}

/* Does --procs replace the process grid? Not where the cuts are written. */
static bool options_divide(struct mpa_session *s, const struct mpa_family_info *info)
{
	for (int64_t a = 0; a < info->n_axes; a++)
		if (s->axis[info->axis[a]].n_cuts > 0)
			return false;
	return s->options.n_procs > 0 && s->options.n_procs == count_cut(info);
}

void procs_check(struct mpa_session *s)
{
	const struct mpa_program *p = s->program;

	if (s->options.n_procs == 0 || p->n_families == 0)
		return;
	for (int64_t f = 0; f < p->n_families; f++)
		if (count_cut(&p->family[f]) == s->options.n_procs)
			return;
	if (s->comm->rank == 0 && !s->options.quiet)
		fprintf(stderr,
			"%s: warning: --procs has %d number%s, and no grid has as many axes "
			"that may be cut\n",
			p->name, s->options.n_procs, s->options.n_procs == 1 ? "" : "s");
}

/* The process grid asked for, by --procs, procs(…) or cuts(…); 0: automatic. */
static void family_wish(struct mpa_session *s, const char *where,
			const struct mpa_family_info *info, const int64_t *procs,
			int *want)
{
	int cut = 0;

	if (options_divide(s, info)) {
		for (int64_t a = 0; a < info->n_axes; a++)
			want[a] = info->cut[a] ? (int)s->options.proc[cut++] : 1;
		return;
	}
	for (int64_t a = 0; procs && a < info->n_axes; a++) {
		want[a] = procs[a] > INT32_MAX ? INT32_MAX : (int)procs[a];
		if (want[a] < 1)
			session_fail(s, where,
				     "procs needs at least one part along %s, not %d",
				     s->program->axis[info->axis[a]].name, want[a]);
	}
	cuts_want(s, info, procs != NULL, want);
}

/* The process grid cannot be had: who asked for it? */
static _Noreturn void divide_fail(struct mpa_session *s, const char *where,
				  const struct mpa_family_info *info)
{
	char procs[MPA_MAX_AXES * 22] = "";
	size_t n = 0;

	if (!options_divide(s, info))
		session_fail(s, where, "%s", s->fault.text);
	for (int i = 0; i < s->options.n_procs; i++)
		n += (size_t)snprintf(procs + n, sizeof procs - n, "%s%" PRId64,
				      i ? "x" : "", s->options.proc[i]);
	session_fail(s, where, "--procs=%s: %s", procs, s->fault.text);
}

void family_forget(struct family_state *f)
{
	for (int a = 0; a < MPA_MAX_AXES; a++) {
		mem_free(f->cuts[a]);
		f->cuts[a] = NULL;
	}
}

/* Is the family cut as it was? Then all that was made for it stays. */
static bool family_same(const struct family_state *f, const struct family_state *made)
{
	const struct family *a = &f->family, *b = &made->family;

	for (int i = 0; i < a->naxes; i++) {
		const struct family_axis *x = &a->axis[i], *y = &b->axis[i];
		size_t bytes = (size_t)(a->procs[i] + 1) * sizeof(int64_t);

		if (a->procs[i] != b->procs[i] || x->size != y->size ||
		    x->periodic != y->periodic || x->cuttable != y->cuttable ||
		    !f->cuts[i] != !made->cuts[i])
			return false;
		if (f->cuts[i] && memcmp(f->cuts[i], made->cuts[i], bytes) != 0)
			return false;
	}
	return a->naxes == b->naxes && a->nparts == b->nparts &&
	       a->nranks == b->nranks && a->replicated == b->replicated;
}

static void family_keep(struct mpa_session *s, int64_t family, struct family_state *made)
{
	struct family_state *f = &s->family[family];

	if (f->defined && family_same(f, made)) {
		family_forget(made);
		return;
	}
	family_reset(s, family);
	family_forget(f);
	*f = *made;
	f->defined = true;
	for (int a = 0; a < f->family.naxes; a++)
		f->family.axis[a].cuts = f->cuts[a];
}

static int family_place(const struct mpa_family_info *info, int64_t axis)
{
	for (int64_t a = 0; a < info->n_axes; a++)
		if (info->axis[a] == axis)
			return (int)a;
	return -1;
}

/* The process grid is that of the family which is sliced, without the axes that are
 * gone. Points stay with their owners; reversed ones are dealt out anew. */
static void family_slice(struct mpa_session *s, int64_t family, struct family_state *to)
{
	const struct mpa_family_info *info = &s->program->family[family];
	const struct mpa_family_info *from = &s->program->family[info->parent - 1];
	const struct family *parent = &s->family[info->parent - 1].family;
	struct family *made = &to->family;
	int64_t **cuts = to->cuts;

	made->nparts = 1;
	made->replicated = parent->replicated;
	for (int a = 0; a < made->naxes; a++) {
		const struct mpa_axis_info *axis = &s->program->axis[info->axis[a]];
		const struct axis_state *state = &s->axis[info->axis[a]];
		int place = family_place(from, axis->parent - 1);

		made->procs[a] = place < 0 ? 1 : parent->procs[place];
		made->nparts *= made->procs[a];
		if (place < 0 || axis->step < 0 || made->procs[a] == 1)
			continue;
		cuts[a] = session_new(s, (size_t)(made->procs[a] + 1) * sizeof **cuts);
		family_slice_cuts(parent, place,
				  (struct layout_slice){ state->start, axis->step, state->size },
				  cuts[a]);
	}
}

void mpa_family_define(struct mpa_session *s, const char *where, int64_t family,
		       const int64_t *procs)
{
	const struct mpa_family_info *info = &s->program->family[family];
	struct family_state made = { .defined = true };
	struct family *f = &made.family;
	int want[MPA_MAX_AXES] = { 0 };

	f->naxes = (int)info->n_axes;
	f->nranks = s->comm->size;
	family_wish(s, where, info, info->has_procs ? procs : NULL, want);
	for (int64_t a = 0; a < info->n_axes; a++) {
		const struct mpa_axis_info *axis = &s->program->axis[info->axis[a]];

		f->axis[a] =
			(struct family_axis){ .size = s->axis[info->axis[a]].size,
					      .periodic = axis->periodic != 0,
					      .cuttable = info->cut[a] && !axis->local };
	}
	if (info->parent > 0)
		family_slice(s, family, &made);
	else if (family_divide(f, want, &s->fault) != MPA_OK)
		divide_fail(s, where, info);
	for (int64_t a = 0; a < info->n_axes && info->parent == 0; a++)
		made.cuts[a] = cuts_make(s, where, info->axis[a], f->procs[a]);
	family_keep(s, family, &made);
}

int grid_place(const struct mpa_program *p, int64_t grid, int64_t axis)
{
	for (int64_t a = 0; a < p->grid[grid].n_axes; a++)
		if (p->grid[grid].axis[a] == axis)
			return (int)a;
	return -1;
}


/* So many points that counts of bytes, padding included, fit into 63 bits. */
static const int64_t POINTS_MOST = INT64_C(1) << 50;

static void grid_check_points(struct mpa_session *s, int64_t grid)
{
	const struct mpa_grid_info *info = &s->program->grid[grid];
	int64_t points = 1;

	for (int64_t a = 0; a < info->n_axes; a++) {
		int64_t size = s->axis[info->axis[a]].size + info->longer[a];

		if (points > 0 && size > POINTS_MOST / points)
			session_fail(s, s->program->family[info->family].where,
				     "grid %s has more than 2^50 points", info->name);
		points *= size;
	}
}

static void grid_make(struct mpa_session *s, int64_t grid)
{
	const struct mpa_grid_info *info = &s->program->grid[grid];
	struct grid_state *g = &s->grid[grid];

	grid_check_points(s, grid);
	g->layout = (struct layout){ &s->family[info->family].family,
				     (int)info->n_axes,
				     { { 0 } } };
	for (int64_t a = 0; a < info->n_axes; a++) {
		const struct mpa_axis_info *axis = &s->program->axis[info->axis[a]];

		g->layout.axis[a] = (struct layout_axis){
			.size = s->axis[info->axis[a]].size + info->longer[a],
			.periodic = axis->periodic != 0,
			.local = axis->local != 0,
			.from = family_place(&s->program->family[info->family],
					     info->axis[a])
		};
	}
	g->spread = g->layout;
	for (int64_t a = 0; a < info->n_axes; a++)
		g->spread.axis[a].local = false;
	g->made = true;
}

const struct layout *grid_layout(struct mpa_session *s, int64_t grid)
{
	if (!s->grid[grid].made)
		grid_make(s, grid);
	return &s->grid[grid].layout;
}

/* ---- regions ------------------------------------------------------------- */

static int64_t clamp(int64_t i, int64_t lo, int64_t hi)
{
	return i < lo ? lo : i > hi ? hi : i;
}

void slice_take(const struct mpa_slice *slice, const int64_t *arg, int64_t n,
		int64_t *start, int64_t *count)
{
	bool down = slice->step < 0;
	int64_t least = down ? -1 : 0, most = down ? n - 1 : n;
	int64_t lo = down ? most : least, hi = down ? least : most;
	int64_t width, each = down ? -slice->step : slice->step;

	if (slice->has_lo)
		lo = clamp(arg[0] < 0 ? arg[0] + n : arg[0], least, most);
	if (slice->has_hi)
		hi = clamp(arg[1] < 0 ? arg[1] + n : arg[1], least, most);
	width = down ? lo - hi : hi - lo;
	*start = lo;
	*count = width > 0 ? (width - 1) / each + 1 : 0;
}

/* The points of a range, upwards. */
static void range_resolve(const struct mpa_slice *slice, const int64_t *arg, int a,
			  struct region *r)
{
	int64_t start, count;

	slice_take(slice, arg, r->box.hi[a], &start, &count);
	r->step[a] = slice->step < 0 ? -slice->step : slice->step;
	if (slice->step < 0 && count > 0)
		start += (count - 1) * slice->step;
	r->box.lo[a] = count > 0 ? start : 0;
	r->box.hi[a] = count > 0 ? start + (count - 1) * r->step[a] + 1 : 0;
}

/* One axis of a region with the bounds arg[0], arg[1]. */
static void slice_resolve(struct mpa_session *s, const struct mpa_run_info *run, int a,
			  struct region *r)
{
	const struct mpa_slice *slice = &run->region[a];
	const int64_t *arg = &s->args[run->first_region_arg + 2 * a];
	int64_t n = r->box.hi[a], i = arg[0];

	if (slice->part == MPA_AT) {
		if (i < -n || i >= n)
			session_fail(s, run->where,
				     "index %" PRId64
				     " is out of range for axis %s, which has "
				     "%" PRId64 " points",
				     i,
				     s->program->axis[s->program->grid[run->grid].axis[a]]
					     .name,
				     n);
		r->box.lo[a] = i < 0 ? i + n : i;
		r->box.hi[a] = r->box.lo[a] + 1;
	} else if (slice->part == MPA_RANGE) {
		range_resolve(slice, arg, a, r);
	}
	r->from[a] = r->box.lo[a];
}

struct region region_whole(const struct box *box)
{
	struct region r = { .box = *box };

	for (int a = 0; a < box->naxes; a++) {
		r.from[a] = box->lo[a];
		r.step[a] = 1;
	}
	return r;
}

struct region region_resolve(struct mpa_session *s, const struct mpa_run_info *run)
{
	const struct layout *layout = grid_layout(s, run->grid);
	struct box whole = layout_whole(layout);
	struct region r = region_whole(&whole);

	for (int a = 0; a < layout->naxes; a++)
		slice_resolve(s, run, a, &r);
	return r;
}

struct region region_cut(const struct region *r, const struct box *box)
{
	struct region cut = *r;

	cut.box = box_cut(&r->box, box);
	for (int a = 0; a < cut.box.naxes; a++) {
		int64_t off = (cut.box.lo[a] - r->from[a]) % r->step[a];

		if (off != 0)
			cut.box.lo[a] += r->step[a] - off;
	}
	return cut;
}

bool region_is_box(const struct region *r)
{
	for (int a = 0; a < r->box.naxes; a++)
		if (r->step[a] != 1)
			return false;
	return true;
}

static void each_axis(const struct region *r, int axis, struct box *box, box_fn *fn,
		      void *arg)
{
	while (axis < r->box.naxes && r->step[axis] == 1)
		axis++;
	if (axis == r->box.naxes) {
		fn(arg, box);
		return;
	}
	for (int64_t i = r->box.lo[axis]; i < r->box.hi[axis]; i += r->step[axis]) {
		box->lo[axis] = i;
		box->hi[axis] = i + 1;
		each_axis(r, axis + 1, box, fn, arg);
	}
}

void region_each(const struct region *r, box_fn *fn, void *arg)
{
	struct box box = r->box;

	if (!box_empty(&r->box))
		each_axis(r, 0, &box, fn, arg);
}

int64_t region_points(const struct region *r)
{
	int64_t points = 1;

	if (box_empty(&r->box))
		return 0;
	for (int a = 0; a < r->box.naxes; a++)
		points *= (r->box.hi[a] - r->box.lo[a] + r->step[a] - 1) / r->step[a];
	return points;
}

void box_complement(const struct box *all, const struct box *part, box_fn *fn, void *arg)
{
	struct box left = *all;

	for (int a = 0; a < all->naxes; a++) {
		struct box slab = left;

		slab.hi[a] = part->lo[a];
		if (!box_empty(&slab))
			fn(arg, &slab);
		slab = left;
		slab.lo[a] = part->hi[a];
		if (!box_empty(&slab))
			fn(arg, &slab);
		left.lo[a] = part->lo[a];
		left.hi[a] = part->hi[a];
	}
}
