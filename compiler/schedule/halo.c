/* schedule/halo.c - how wide the ghosts of each array are, and what each run needs
 *
 * A run needs the ghosts its loads reach. A mirrored ghost needs as many points on the
 * other side (a block may be one point thin), a wall's condition the ghosts of the fields
 * in it. A stage whose ghosts are computed is computed beyond its walls, so what it reads
 * is needed further out. Repeated until nothing grows; arrays that change buffers with
 * one another get the same halos in the end.
 */
#include <string.h>
#include "array/walk.h"
#include "schedule/draft.h"

enum { LATER = 4 };                          /* points beyond walls for later text */

struct reach {
	struct plan_array *array;
	int64_t width[MAX_AXES][2];
	int diagonal;
};

struct run_needs {
	VEC(struct reach) reach;             /* of its loads, per array */
	VEC(struct plan_need) need;
};

struct halos {
	struct sched *s;
	struct run_needs *run;               /* by run id */
	struct reach *want;                  /* by array id: over all runs */
	struct run_needs joined;             /* of walls filled for several runs at once */
	bool *in_wall;                       /* by array id: is read by conditions */
	int *parent;                         /* by array id: arrays that swap */
	bool changed;
};

static int64_t max(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* ---- loads ---- */

/* How far an index reaches below (0) or above (1) the points it runs over. A component
 * that a local axis does not have is one of its ghosts. */
static int64_t index_reach(const struct kir_index *x, const struct axis *axis, int side)
{
	int64_t last = axis->constant_size - 1;

	if (x->loop >= 0)
		return side ? x->offset : -x->offset;
	if (x->base >= 0 || (side && last < 0))
		return 0;
	return side ? x->offset - last : -x->offset;
}

/* Read from points of `from`, which may be longer than the array: then the last of them
 * reach further. */
static void reach_widen(struct reach *r, const struct kir_access *x, const struct grid *from)
{
	const struct grid *g = r->array->field->grid;
	int displaced = 0;

	for (int a = 0; a < g->n_axes; a++) {
		int place = grid_axis_index(from, g->axis[a]);
		int64_t below = index_reach(&x->at[a], g->axis[a], 0);
		int64_t above = index_reach(&x->at[a], g->axis[a], 1);

		if (x->at[a].loop >= 0 && place >= 0)
			above += grid_exceeds(from, place, g);

		r->width[a][0] = max(r->width[a][0], below);
		r->width[a][1] = max(r->width[a][1], above);
		displaced += below > 0 || above > 0;
	}
	r->diagonal = (int)max(r->diagonal, displaced);
}

static struct reach *reach_of(struct halos *h, struct run_needs *n, struct plan_array *a)
{
	for (struct reach * vec_each(r, &n->reach))
		if (r->array == a)
			return r;
	vec_push(h->s->arena, &n->reach, (struct reach){ .array = a });
	return &vec_last(&n->reach);
}

static void find_reach(struct halos *h, const struct plan_run *run)
{
	const struct kir_kernel *k = run->call.kernel;
	struct run_needs *n = &h->run[run->id];

	for (int i = 0; i < k->n_instrs; i++) {
		const struct kir_access *x = &k->instr[i].as.access;

		if (k->instr[i].op == KIR_LOAD)
			reach_widen(reach_of(h, n, run->call.bind[x->view].array), x,
			            run->grid);
	}
}

/* ---- needs ---- */

static bool has_mirror(const struct air_expr *e)
{
	struct air_walk w = air_walk_of(e);
	bool found = false;

	for (int i = 0; i < w.n; i++)
		found |= w.node[i]->op == AIR_MIRROR && w.node[i]->as.mirror != MIRROR_EDGE;
	air_walk_free(&w);
	return found;
}

static bool is_mirrored(const struct air_field *f, int a)
{
	for (int side = 0; side < 2; side++)
		if (f->ghost[a][side].kind == GHOST_EXPR && has_mirror(f->ghost[a][side].value))
			return true;
	return false;
}

/* Mirrored points lie inside: as many are needed on both sides. */
static void widen_for_mirrors(struct reach *r)
{
	const struct air_field *f = r->array->field;

	for (int a = 0; a < f->grid->n_axes; a++) {
		int64_t w = max(r->width[a][0], r->width[a][1]);

		if (w && !f->grid->axis[a]->periodic && is_mirrored(f, a))
			r->width[a][0] = r->width[a][1] = w;
	}
}

static bool raise(int64_t (*to)[2], int64_t (*from)[2])
{
	bool raised = false;

	for (int a = 0; a < MAX_AXES; a++)
		for (int side = 0; side < 2; side++)
			if (from[a][side] > to[a][side]) {
				to[a][side] = from[a][side];
				raised = true;
			}
	return raised;
}

static struct plan_need *need_of(struct halos *h, struct run_needs *n, struct plan_array *a)
{
	for (struct plan_need * vec_each(x, &n->need))
		if (x->array == a)
			return x;
	vec_push(h->s->arena, &n->need, (struct plan_need){ .array = a });
	return &vec_last(&n->need);
}

static bool is_zero(const struct reach *r)
{
	for (int a = 0; a < MAX_AXES; a++)
		if (r->width[a][0] || r->width[a][1])
			return false;
	return true;
}

static void need_add(struct halos *h, struct run_needs *n, struct reach r);

/* A field in the condition of a wall of r's array, read over that wall's ghosts. */
static void need_in_wall(struct halos *h, struct run_needs *n, const struct reach *r,
                         const struct air_expr *read)
{
	const struct air_field *f = read->as.read.field, *of = r->array->field;
	struct reach b = { .array = h->s->plan->of_field[f->id] };
	int displaced = 0;

	for (int a = 0; a < f->grid->n_axes; a++) {
		int same = grid_axis_index(of->grid, f->grid->axis[a]);
		const struct air_select *at = &read->as.read.at[a];
		int64_t more = same >= 0 ? grid_exceeds(of->grid, same, f->grid) : 0;

		for (int side = 0; side < 2; side++)
			b.width[a][side] =
				at->pick == PICK_FIXED
					? pick_beyond(f->grid->axis[a], at->index, side)
				: same >= 0 ? max(0, r->width[same][side] +
				                             (side ? at->offset + more
				                                   : -at->offset))
				            : 0;
		displaced += at->pick == PICK_OFFSET ? at->offset != 0 || more
		                                     : b.width[a][0] || b.width[a][1];
	}
	h->in_wall[b.array->id] = true;
	b.diagonal = r->diagonal + displaced;
	if (b.diagonal > f->grid->n_axes)
		b.diagonal = f->grid->n_axes;
	need_add(h, n, b);
}

static void need_walls(struct halos *h, struct run_needs *n, const struct reach *r)
{
	const struct air_field *f = r->array->field;

	for (int a = 0; a < f->grid->n_axes; a++)
		for (int side = 0; side < 2; side++) {
			struct air_walk w;

			if (!r->width[a][side] || f->grid->axis[a]->periodic ||
			    f->ghost[a][side].kind != GHOST_EXPR)
				continue;
			w = air_walk_of(f->ghost[a][side].value);
			for (int i = 0; i < w.n; i++)
				if (w.node[i]->op == AIR_READ)
					need_in_wall(h, n, r, w.node[i]);
			air_walk_free(&w);
		}
}

static void need_add(struct halos *h, struct run_needs *n, struct reach r)
{
	struct reach *want = &h->want[r.array->id];
	struct plan_need *need;

	if (is_zero(&r))
		return;
	widen_for_mirrors(&r);
	need = need_of(h, n, r.array);
	h->changed |= raise(need->width, r.width);
	need->diagonal = (int)max(need->diagonal, r.diagonal);
	h->changed |= raise(want->width, r.width);
	if (r.diagonal > want->diagonal) {
		want->diagonal = r.diagonal;
		h->changed = true;
	}
	need_walls(h, n, &r);
}

/* ---- stages with computed ghosts ---- */

/* The stage that a run makes beyond walls, or NULL. */
static struct plan_array *grown_stage(const struct plan_run *run)
{
	for (int i = 0; i < run->n_changed; i++)
		if (run->changed[i]->field->kind == FIELD_STAGE)
			return run->changed[i];
	return NULL;
}

static bool is_computed(const struct air_field *f, int a, int side)
{
	return !f->grid->axis[a]->periodic && f->ghost[a][side].kind == GHOST_COMPUTED;
}

static bool later_is_computed(const struct reach *want, int a)
{
	const struct air_field *f = want->array->field;

	for (a++; a < f->grid->n_axes; a++)
		for (int side = 0; side < 2; side++)
			if (want->width[a][side] && is_computed(f, a, side))
				return true;
	return false;
}

/* Corners of an axis with a condition and a later one that is computed are computed: a
 * wall of the earlier axis is then filled over what was computed there in vain. */
static void grow_run(struct halos *h, struct plan_run *run)
{
	struct plan_array *stage = grown_stage(run);
	struct reach *want;

	if (!stage)
		return;
	want = &h->want[stage->id];
	for (int a = 0; a < run->grid->n_axes; a++)
		for (int side = 0; side < 2; side++) {
			int64_t w = want->width[a][side];

			if (is_computed(stage->field, a, side) ||
			    (!run->grid->axis[a]->periodic && want->diagonal > 1 &&
			     later_is_computed(want, a)))
				stage->grown[a][side] = run->grow[a][side] = w;
		}
}

static void need_reads(struct halos *h, const struct plan_run *run)
{
	struct run_needs *n = &h->run[run->id];
	struct plan_array *stage = grown_stage(run);

	for (int i = 0; i < n->reach.n; i++) {
		struct reach r = n->reach.item[i];
		const struct grid *g = r.array->field->grid;
		bool grown = false;

		for (int a = 0; a < g->n_axes; a++) {
			int place = grid_axis_index(run->grid, g->axis[a]);

			for (int side = 0; place >= 0 && side < 2; side++) {
				r.width[a][side] += run->grow[place][side];
				grown |= run->grow[place][side] > 0;
			}
		}
		if (grown)
			r.diagonal += h->want[stage->id].diagonal;
		if (r.diagonal > g->n_axes)
			r.diagonal = g->n_axes;
		need_add(h, n, r);
	}
}

/* ---- results ---- */

static int root(struct halos *h, int i)
{
	while (h->parent[i] != i)
		i = h->parent[i] = h->parent[h->parent[i]];
	return i;
}

static void join(struct halos *h, struct plan_array *const pair[2])
{
	h->parent[root(h, pair[0]->id)] = root(h, pair[1]->id);
}

static void join_swaps(struct halos *h, const struct plan_block *b)
{
	for (const struct plan_stmt *st = b->first; st; st = st->next) {
		if (st->kind == PLAN_SWAP)
			join(h, st->swap);
		for (int i = 0; st->run && i < st->run->n_swaps; i++)
			join(h, st->run->swap[i]);
		join_swaps(h, &st->body);
		join_swaps(h, &st->other);
	}
}

static void store_halos(struct halos *h)
{
	struct plan *p = h->s->plan;

	for (int i = 0; i < p->n_runs; i++) {
		struct plan_array *stage = grown_stage(p->run[i]);

		if (stage)
			raise(h->want[stage->id].width, p->run[i]->grow);
	}
	for (int i = 0; i < p->n_arrays; i++)
		raise(p->array[root(h, i)]->halo, h->want[i].width);
	for (int i = 0; i < p->n_arrays; i++)
		memcpy(p->array[i]->halo, p->array[root(h, i)]->halo, sizeof p->array[i]->halo);
}

/* Fields that walls read come before those that have the walls: they have fewer axes. */
static void sort_needs(struct run_needs *n)
{
	for (int i = 1; i < n->need.n; i++) {
		struct plan_need need = n->need.item[i];
		int k = i;

		for (; k > 0; k--) {
			if (n->need.item[k - 1].array->field->grid->n_axes <=
			    need.array->field->grid->n_axes)
				break;
			n->need.item[k] = n->need.item[k - 1];
		}
		n->need.item[k] = need;
	}
}

static void raise_margin(struct plan_run *run, const struct grid *g, int64_t (*width)[2])
{
	for (int a = 0; a < g->n_axes; a++) {
		int place = grid_axis_index(run->grid, g->axis[a]);

		for (int side = 0; place >= 0 && side < 2; side++)
			run->margin[place][side] =
				max(run->margin[place][side], width[a][side]);
	}
}

/* Points this near to a side of the block wait for ghosts: those they read, and those
 * that the conditions of walls read. */
static void store_margin(struct halos *h, struct plan_run *run)
{
	for (struct reach * vec_each(r, &h->run[run->id].reach))
		raise_margin(run, r->array->field->grid, r->width);
	for (int i = 0; i < run->n_needs; i++)
		if (h->in_wall[run->need[i].array->id])
			raise_margin(run, run->need[i].array->field->grid, run->need[i].width);
}

/* Does the array come from earlier text? */
static bool is_old(const struct sched *s, int i)
{
	const struct plan *b = s->before;

	return b && i < b->n_arrays && b->array[i]->id == i && !b->array[i]->gone;
}

/* Later text may read a stage beyond its walls, when it cannot be computed there any
 * more: as far as the widest of the differences in the library. */
static void want_later(struct reach *want)
{
	const struct air_field *f = want->array->field;

	for (int a = 0; a < f->grid->n_axes; a++) {
		int64_t most = f->grid->axis[a]->constant_size;

		for (int side = 0; side < 2; side++)
			if (is_computed(f, a, side)) {
				want->width[a][side] =
					most < 0 || most > LATER ? LATER : most;
				want->diagonal = f->grid->n_axes;
			}
	}
}

static void halos_begin(struct halos *h)
{
	struct plan *p = h->s->plan;
	struct arena *a = h->s->arena;

	h->run = arena_new_array(a, (size_t)p->n_runs + 1, struct run_needs);
	h->want = arena_new_array(a, (size_t)p->n_arrays + 1, struct reach);
	h->in_wall = arena_new_array(a, (size_t)p->n_arrays + 1, bool);
	h->parent = arena_new_array(a, (size_t)p->n_arrays + 1, int);
	for (int i = 0; i < p->n_arrays; i++) {
		h->parent[i] = i;
		h->want[i].array = p->array[i];
		if (p->array[i]->id == i && air_keeps_field(p->air, p->array[i]->field) &&
		    !is_old(h->s, i))
			want_later(&h->want[i]);
	}
	for (int i = 0; i < p->n_runs; i++)
		find_reach(h, p->run[i]);
}

void plan_halos(struct sched *s)
{
	struct halos h = { .s = s, .changed = true };
	struct plan *p = s->plan;

	halos_begin(&h);
	while (h.changed) {
		h.changed = false;
		for (int i = p->n_runs - 1; i >= 0; i--) {
			grow_run(&h, p->run[i]);
			need_reads(&h, p->run[i]);
		}
		for (int i = 0; i < p->n_arrays; i++)
			need_walls(&h, &h.joined, &h.want[i]);
	}
	join_swaps(&h, &p->body);
	store_halos(&h);
	for (int i = 0; i < p->n_runs; i++) {
		sort_needs(&h.run[i]);
		p->run[i]->n_needs = h.run[i].need.n;
		p->run[i]->need = h.run[i].need.item;
		store_margin(&h, p->run[i]);
	}
}
