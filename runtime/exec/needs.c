/* exec/needs.c - which ghosts are stale, and their exchange
 *
 * A run states what it needs; what is valid already costs a comparison. All arrays
 * whose ghosts come from other points are exchanged by one plan, made once for each
 * combination that occurs. The fields that walls read are needed as well, as far out
 * as the walls are filled. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "exec/exec.h"

struct exchange {
	struct exchange *next;
	int n;
	struct array_state **array;
	struct ghosts *ghosts;
	struct mpa_array **storage;
	struct halo_plan *plan;
	bool (*remote)[2]; /* per axis of the program: ghosts on this side come from
			      others */
};

static void ghosts_join(struct ghosts *g, const struct ghosts *with)
{
	for (int a = 0; a < MPA_MAX_AXES; a++)
		for (int side = 0; side < 2; side++)
			if (g->width[a][side] < with->width[a][side])
				g->width[a][side] = with->width[a][side];
	if (g->diagonal < with->diagonal)
		g->diagonal = with->diagonal;
}

static bool ghosts_cover(const struct ghosts *g, const struct ghosts *need)
{
	for (int a = 0; a < MPA_MAX_AXES; a++)
		for (int side = 0; side < 2; side++)
			if (g->width[a][side] < need->width[a][side])
				return false;
	return g->diagonal >= need->diagonal;
}

static bool ghosts_none(const struct ghosts *g)
{
	for (int a = 0; a < MPA_MAX_AXES; a++)
		if (g->width[a][0] || g->width[a][1])
			return false;
	return true;
}

/* Is the array shorter than the axis that it is cut as? A block may then be empty, and
 * all that is mirrored lies on the other side. */
static bool is_shorter(const struct layout *layout, int i)
{
	int from = layout->axis[i].from;

	return from >= 0 && layout->axis[i].size < layout->family->axis[from].size;
}

/* Walls that mirror reach as far inside as outside: where blocks or the axis itself are
 * shorter, those points are ghosts of the other side. */
static void ghosts_widen(struct ghosts *g, const struct array_state *a)
{
	const struct layout *layout = a->layout;

	for (int i = 0; i < layout->naxes; i++) {
		int64_t shortest = layout->axis[i].size / layout_parts(layout, i);
		bool shorter = is_shorter(layout, i);

		for (int side = 0; side < 2; side++) {
			int64_t width = g->width[i][side];

			if (width == 0 || width < shortest || !walls_mirror(a, i, side))
				continue;
			if (shorter)
				width++;
			else if (a->info->wall[i][side]->mirrors == MPA_EDGE)
				continue;
			if (g->width[i][!side] < width)
				g->width[i][!side] = width;
		}
	}
}

static struct need *need_find(struct needs *needs, const struct array_state *a)
{
	for (int i = 0; i < needs->n; i++)
		if (needs->need[i].array == a)
			return &needs->need[i];
	return NULL;
}

static void need_add(struct mpa_session *s, struct needs *needs, struct array_state *a,
		     const struct ghosts *g)
{
	struct need *need = need_find(needs, a);

	if (need) {
		ghosts_join(&need->ghosts, g);
		return;
	}
	if (needs->n == needs->room) {
		int room = 2 * needs->room + 4;
		struct need *more = session_new(s, (size_t)room * sizeof *more);

		if (needs->n > 0)
			memcpy(more, needs->need, (size_t)needs->n * sizeof *more);
		mem_free(needs->need);
		needs->need = more;
		needs->room = room;
	}
	needs->need[needs->n++] = (struct need){ a, *g, false, false };
}

static void need_want(struct mpa_session *s, struct needs *needs, struct array_state *a,
		      struct ghosts g);

/* A wall's field is read at the ghosts' own places along the other axes; it may be
 * shorter than the array there. */
static void want_field(struct mpa_session *s, struct needs *needs,
		       const struct array_state *a, const struct ghosts *g, int64_t field)
{
	const struct mpa_program *p = s->program;
	const struct mpa_grid_info *grid = &p->grid[a->info->grid];
	struct array_state *f = array_of(s, field);
	struct ghosts wanted = { .diagonal = g->diagonal };

	for (int64_t i = 0; i < grid->n_axes; i++) {
		int at = grid_place(p, f->info->grid, grid->axis[i]);
		int64_t longer;

		if (at < 0)
			continue;
		longer = a->layout->axis[i].size - f->layout->axis[at].size;
		if (g->diagonal > 1) {
			wanted.width[at][0] = g->width[i][0];
			wanted.width[at][1] = g->width[i][1];
		}
		if (longer > 0)
			wanted.width[at][1] += longer;
	}
	if (!ghosts_none(&wanted))
		need_want(s, needs, f, wanted);
}

static void need_want(struct mpa_session *s, struct needs *needs, struct array_state *a,
		      struct ghosts g)
{
	if (a->exchanged_valid)
		ghosts_join(&g, &a->exchanged);
	if (a->walled_valid)
		ghosts_join(&g, &a->walled);
	ghosts_widen(&g, a);
	array_need_room(s, a, &g);
	for (int i = 0; i < a->layout->naxes; i++)
		for (int side = 0; side < 2; side++) {
			const struct mpa_wall *wall = a->info->wall[i][side];

			for (int64_t f = 0;
			     wall && g.width[i][side] && f < wall->n_fields; f++)
				want_field(s, needs, a, &g, wall->field[f]);
		}
	need_add(s, needs, a, &g);
}

/* Whether any of these ghosts are points of the grid. */
static bool has_sources(const struct need *need)
{
	const struct layout *layout = need->array->layout;

	for (int i = 0; i < layout->naxes; i++)
		if ((need->ghosts.width[i][0] || need->ghosts.width[i][1]) &&
		    (layout->axis[i].periodic || layout_parts(layout, i) > 1))
			return true;
	return false;
}

static bool need_has_walls(const struct need *need)
{
	const struct array_state *a = need->array;

	for (int i = 0; i < a->layout->naxes; i++)
		for (int side = 0; side < 2; side++)
			if (a->info->wall[i][side] && need->ghosts.width[i][side])
				return true;
	return false;
}

/* Fields of its walls that are to be filled themselves: they stand earlier in the list
 * or will change their version. */
static bool fields_stale(struct mpa_session *s, struct needs *needs,
			 const struct array_state *a)
{
	for (int i = 0; i < a->layout->naxes; i++)
		for (int side = 0; side < 2; side++) {
			const struct mpa_wall *wall = a->info->wall[i][side];

			for (int64_t f = 0; wall && f < wall->n_fields; f++) {
				struct need *need =
					need_find(needs, &s->array[wall->field[f]]);

				if (need && (need->exchange || need->fill))
					return true;
			}
		}
	return false;
}

static bool walls_stale(struct mpa_session *s, struct needs *needs,
			const struct need *need)
{
	const struct array_state *a = need->array;

	if (!need_has_walls(need))
		return false;
	if (need->exchange || !a->walled_valid ||
	    !ghosts_cover(&a->walled, &need->ghosts) || fields_stale(s, needs, a))
		return true;
	walls_snapshot(s, a, s->wall_args);
	return memcmp(s->wall_args, a->snapshot,
		      (size_t)a->n_snapshot * sizeof(int64_t)) != 0;
}

bool needs_collect(struct mpa_session *s, struct run_state *r)
{
	const struct mpa_run_info *info = r->info;
	struct needs *needs = &r->needs;
	bool stale = false;
	int grows = 0;

	needs->n = 0;
	for (int a = 0; a < MPA_MAX_AXES; a++)
		grows += info->grow[a][0] > 0 || info->grow[a][1] > 0;
	for (int64_t i = 0; i < info->n_needs; i++) {
		const struct mpa_need *need = &info->need[i];
		struct ghosts g = { .diagonal = MPA_MAX_AXES };

		memcpy(g.width, need->width, sizeof g.width);
		if (need->diagonal > 0 && need->diagonal + grows < MPA_MAX_AXES)
			g.diagonal = (int)need->diagonal + grows;
		if (!ghosts_none(&g))
			need_want(s, needs, array_of(s, need->array), g);
	}
	for (int i = 0; i < needs->n; i++) {
		struct need *need = &needs->need[i];
		const struct array_state *a = need->array;

		need->exchange = has_sources(need) &&
				 !(a->exchanged_valid &&
				   ghosts_cover(&a->exchanged, &need->ghosts));
	}
	for (int i = 0; i < needs->n; i++) {
		needs->need[i].fill = walls_stale(s, needs, &needs->need[i]);
		stale |= needs->need[i].exchange || needs->need[i].fill;
	}
	return stale;
}

/* ---- exchanges ------------------------------------------------------------ */

static bool exchange_serves(const struct exchange *e, const struct needs *needs)
{
	int n = 0;

	for (int i = 0; i < needs->n; i++) {
		const struct need *need = &needs->need[i];

		if (!need->exchange)
			continue;
		if (n == e->n || e->array[n] != need->array ||
		    memcmp(&e->ghosts[n], &need->ghosts, sizeof need->ghosts) != 0)
			return false;
		n++;
	}
	return n == e->n;
}

static void exchange_add_remote(struct mpa_session *s, struct exchange *e,
				const struct need *need)
{
	const struct array_state *a = need->array;
	const struct layout *layout = a->layout;
	const struct box *own = &a->now.own;

	if (!a->now.origin)
		return;
	for (int i = 0; i < layout->naxes; i++) {
		bool wraps = layout->axis[i].periodic;
		int64_t axis = s->program->grid[a->info->grid].axis[i];

		if (layout_parts(layout, i) == 1)
			continue;
		if (need->ghosts.width[i][0] && (wraps || own->lo[i] > 0))
			e->remote[axis][0] = true;
		if (need->ghosts.width[i][1] &&
		    (wraps || own->hi[i] < layout->axis[i].size))
			e->remote[axis][1] = true;
	}
}

static struct halo_field exchange_field(const struct mpa_session *s,
					const struct need *need)
{
	const struct array_state *a = need->array;
	struct halo_field field = { .layout = &s->grid[a->info->grid].spread,
				    .elem = a->now.elem,
				    .diagonal = need->ghosts.diagonal };

	for (int i = 0; i < a->layout->naxes; i++) {
		field.lo[i] = need->ghosts.width[i][0];
		field.hi[i] = need->ghosts.width[i][1];
		field.grown_lo[i] = a->grown[i][0];
		field.grown_hi[i] = a->grown[i][1];
	}
	return field;
}

static struct exchange *exchange_new(struct mpa_session *s, const struct needs *needs)
{
	struct exchange *e = session_new(s, sizeof *e);
	size_t n = (size_t)needs->n;
	struct halo_field *field = session_new(s, n * sizeof *field);

	e->array = session_new(s, n * sizeof *e->array);
	e->ghosts = session_new(s, n * sizeof *e->ghosts);
	e->storage = session_new(s, n * sizeof *e->storage);
	e->remote = session_new(s, (size_t)s->program->n_axes * sizeof *e->remote);
	for (int i = 0; i < needs->n; i++) {
		const struct need *need = &needs->need[i];

		if (!need->exchange)
			continue;
		e->array[e->n] = need->array;
		e->ghosts[e->n] = need->ghosts;
		field[e->n++] = exchange_field(s, need);
		exchange_add_remote(s, e, need);
	}
	e->plan = halo_plan_new(s->comm, &s->home, field, e->n);
	mem_free(field);
	session_agree(s, NULL, e->plan ? MPA_OK : s->fault.status);
	return e;
}

struct exchange *needs_exchange(struct mpa_session *s, struct run_state *r)
{
	struct exchange *e = r->exchanges;
	int n = 0;

	for (int i = 0; i < r->needs.n; i++)
		n += r->needs.need[i].exchange;
	if (n == 0)
		return NULL;
	while (e && !exchange_serves(e, &r->needs))
		e = e->next;
	if (!e) {
		e = exchange_new(s, &r->needs);
		e->next = r->exchanges;
		r->exchanges = e;
	}
	return e;
}

/* With --check: so that a ghost which is read and was not made shows. */
static void poison_box(void *arg, const struct box *box)
{
	struct mpa_array *a = arg;
	size_t n = (size_t)box_points(box);
	double *nan;

	n *= a->elem == 2 * (int64_t)sizeof(double) ? 2 : 1; /* both parts */
	nan = mem_new(n * sizeof *nan);
	for (size_t i = 0; i < n && nan; i++) {
		if (a->elem >= (int64_t)sizeof(double))
			nan[i] = NAN;
		else
			((float *)nan)[i] = NAN;
	}
	if (nan)
		array_unpack(a, box, nan);
	mem_free(nan);
}

static void poison(struct mpa_session *s, struct array_state *a)
{
	struct box all = array_extent(&a->now), keep = array_written(a);

	if (a->now.origin && a->info->elem >= MPA_F32)
		box_complement(&all, &keep, poison_box, array_write(s, a));
}

void exchange_begin(struct mpa_session *s, struct exchange *e)
{
	for (int i = 0; i < e->n; i++) {
		e->storage[i] = &e->array[i]->now;
		if (s->options.check)
			poison(s, e->array[i]);
	}
	session_sent(s, halo_begin(e->plan, e->storage));
}

void exchange_end(struct mpa_session *s, struct exchange *e)
{
	session_sent(s, halo_end(e->plan));
	for (int i = 0; i < e->n; i++) {
		e->array[i]->exchanged = e->ghosts[i];
		e->array[i]->exchanged_valid = true;
	}
}

void exchange_progress(struct exchange *e)
{
	halo_progress(e->plan);
}

const bool (*exchange_remote(const struct exchange *e))[2]
{
	return (const bool(*)[2])e->remote;
}

struct halo_counts exchange_counts(const struct exchange *e)
{
	return halo_plan_counts(e->plan);
}

struct exchange *exchange_next(const struct exchange *e)
{
	return e->next;
}

void exchanges_free(struct run_state *r)
{
	while (r->exchanges) {
		struct exchange *e = r->exchanges;

		r->exchanges = e->next;
		halo_plan_free(e->plan);
		mem_free(e->array);
		mem_free(e->ghosts);
		mem_free(e->storage);
		mem_free(e->remote);
		mem_free(e);
	}
}
