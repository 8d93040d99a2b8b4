/* kernel/lower.c - AIR expressions become instructions
 *
 * Scalar parts are left to the host and arrive through slots, as they are after their
 * casts: a single precision kernel thus holds no double precision. Positions become
 * arithmetic on loop indices, reads become loads with affine indices. Expressions are
 * taken by rising id, arguments first, without recursion: they may be very deep.
 */
#include <assert.h>
#include <stdlib.h>
#include "array/walk.h"
#include "kernel/maker.h"

/* Memory order: local axes outermost, the others after them, both as written. */
static void loops_order(struct kir_maker *m)
{
	for (int local = 1; local >= 0; local--)
		for (int a = 0; a < m->grid->n_axes; a++)
			if (m->grid->axis[a]->local == local) {
				m->loop_of[a] = m->n_loops;
				m->loop_axis[m->n_loops++] = a;
			}
}

struct kir_maker *kir_maker_new(struct arena *a, struct air_program *p, struct grid *g,
                                const struct kir_wall *wall)
{
	struct kir_maker *m = arena_new_object(a, struct kir_maker);

	m->arena = a;
	m->air = p;
	m->grid = g;
	m->wall = wall;
	m->done = map_new(a, MAP_POINTERS);
	loops_order(m);
	return m;
}

/* The axis contiguous in memory. */
static int unit_axis(const struct grid *g)
{
	for (int a = g->n_axes - 1; a >= 0; a--)
		if (!g->axis[a]->local)
			return a;
	return g->n_axes - 1;
}

static int view_add(struct kir_maker *m, struct air_field *f, bool second)
{
	struct kir_view v = { .elem = f->elem, .n_axes = f->grid->n_axes,
	                      .unit_axis = unit_axis(f->grid) };
	struct kir_source s = { f, second };

	v.name = second ? arena_printf(m->arena, "%s.new", f->name) : f->name;
	vec_push(m->arena, &m->view, v);
	vec_push(m->arena, &m->source, s);
	return m->view.n - 1;
}

static int view_find(struct kir_maker *m, struct air_field *f, bool second)
{
	for (int i = 0; i < m->source.n; i++)
		if (m->source.item[i].field == f && m->source.item[i].second == second)
			return i;
	return view_add(m, f, second);
}

int kir_maker_view(struct kir_maker *m, struct air_field *f)
{
	return view_find(m, f, false);
}

int kir_maker_second(struct kir_maker *m, struct air_field *f)
{
	return view_find(m, f, true);
}

static int lower_scalar(struct kir_maker *m, const struct air_expr *e);

/* A slot has 8 bytes, so the parts of a complex number have one each. */
static int lower_complex(struct kir_maker *m, const struct air_expr *e)
{
	enum elem part = e->elem == ELEM_C64 ? ELEM_F32 : ELEM_F64;
	int of[2] = { lower_scalar(m, air_op(m->air, AIR_REAL, part, &e, 1, e->span)),
	              lower_scalar(m, air_op(m->air, AIR_IMAG, part, &e, 1, e->span)) };

	return kir_op(m, AIR_COMPLEX, e->elem, of, 2);
}

static int lower_scalar(struct kir_maker *m, const struct air_expr *e)
{
	struct kir_slot s = { .kind = SLOT_EXPR, .expr = e };

	if (elem_kind(e->elem) == KIND_COMPLEX)
		return lower_complex(m, e);
	if (e->op != AIR_CONST)
		return kir_slot(m, s, e->elem);
	if (elem_kind(e->elem) == KIND_REAL)
		return kir_real(m, e->elem, e->as.f);
	return kir_int(m, e->elem, e->as.i);
}

/* ---- indices ---- */

static int loop_of(const struct kir_maker *m, const struct axis *a)
{
	int place = grid_axis_index(m->grid, a);

	return place < 0 ? -1 : m->loop_of[place];
}

static struct kir_index index_none(void)
{
	return (struct kir_index){ .loop = -1, .base = -1 };
}

static struct kir_index index_loop(int loop, int64_t offset)
{
	return (struct kir_index){ .loop = loop, .coefficient = 1, .offset = offset,
	                           .base = -1 };
}

/* Moves an index by a scalar. */
static void index_move(struct kir_maker *m, struct kir_index *x, const struct air_expr *by)
{
	if (by->op == AIR_CONST)
		x->offset += by->as.i;
	else
		x->base = lower_scalar(m, by);
}

static struct kir_index index_fixed(struct kir_maker *m, const struct air_expr *at)
{
	struct kir_index x = index_none();

	index_move(m, &x, at);
	return x;
}

static struct kir_access access_new(int view)
{
	struct kir_access x = { .view = view };

	for (int a = 0; a < MAX_AXES; a++)
		x.at[a] = index_none();
	return x;
}

/* A field at a selection; NULL: at the point itself. */
static struct kir_access access_at(struct kir_maker *m, int view, const struct air_select *at)
{
	const struct grid *g = m->source.item[view].field->grid;
	struct kir_access x = access_new(view);

	for (int a = 0; a < g->n_axes; a++) {
		if (at && at[a].pick == PICK_FIXED) {
			x.at[a] = index_fixed(m, at[a].index);
			continue;
		}
		x.at[a] = index_loop(loop_of(m, g->axis[a]), at ? at[a].offset : 0);
		assert(x.at[a].loop >= 0);
	}
	return x;
}

static int load(struct kir_maker *m, struct kir_access x, struct span span)
{
	struct kir_view *v = &m->view.item[x.view];
	struct kir_instr in = { .op = KIR_LOAD, .elem = v->elem, .span = span, .as.access = x };

	v->read = true;
	return kir_emit(m, in, NULL);
}

static int lower_read(struct kir_maker *m, const struct air_expr *e)
{
	int view = kir_maker_view(m, e->as.read.field);

	return load(m, access_at(m, view, e->as.read.at), e->span);
}

/* ---- positions ---- */

static const struct air_expr *axis_scalar(struct kir_maker *m, enum air_op op,
                                          const struct axis *a)
{
	return air_at(m->air, op, a, 0, a->span);
}

static int axis_size(struct kir_maker *m, const struct grid *g, int i)
{
	return lower_scalar(m, air_size(m->air, g, i));
}

/* Beyond a wall, places on periodic axes that come after it have been wrapped. */
static bool is_wrapped(const struct kir_maker *m, const struct axis *a)
{
	return m->wall && a->periodic && grid_axis_index(m->grid, a) > m->wall->axis;
}

static int lower_index(struct kir_maker *m, const struct axis *a, int64_t offset)
{
	struct kir_instr in = { .op = KIR_INDEX, .elem = ELEM_I64, .as.loop = loop_of(m, a) };
	int i;

	assert(in.as.loop >= 0);
	i = kir_emit(m, in, NULL);
	if (is_wrapped(m, a))
		i = kir_op(m, AIR_MOD, ELEM_I64,
		           (int[]){ i, axis_size(m, m->grid, grid_axis_index(m->grid, a)) }, 2);
	if (offset)
		i = kir_op(m, AIR_ADD, ELEM_I64, (int[]){ i, kir_int(m, ELEM_I64, offset) }, 2);
	return i;
}

static int lower_coord(struct kir_maker *m, const struct air_expr *e)
{
	const struct axis *a = e->as.at.axis;
	int i = lower_index(m, a, e->as.at.offset);
	int x = kir_op(m, AIR_CAST, ELEM_F64, &i, 1);
	double half = air_half_steps(&e->as.at);
	int step, lo;

	assert(a->place != AXIS_INDEX);
	step = lower_scalar(m, axis_scalar(m, AIR_STEP, a));
	lo = kir_slot(m, (struct kir_slot){ .kind = SLOT_AXIS_LO, .axis = a }, ELEM_F64);
	if (half != 0)
		x = kir_op(m, AIR_ADD, ELEM_F64, (int[]){ x, kir_real(m, ELEM_F64, half) }, 2);
	x = kir_op(m, AIR_MUL, ELEM_F64, (int[]){ x, step }, 2);
	return kir_op(m, AIR_ADD, ELEM_F64, (int[]){ lo, x }, 2);
}

/* ---- mirrors ---- */

static const struct air_expr *size_times(struct kir_maker *m, int axis, int64_t factor)
{
	const struct air_expr *arg[2] = { air_int(m->air, ELEM_I64, factor),
	                                  air_size(m->air, m->grid, axis) };

	return air_op(m->air, AIR_MUL, ELEM_I64, arg, 2, arg[1]->span);
}

/* Where a ghost point looks along the axis of its wall. */
static struct kir_index mirrored(struct kir_maker *m, enum air_mirror kind)
{
	const struct kir_wall *w = m->wall;
	struct kir_index x = index_none();

	if (kind != MIRROR_EDGE) {
		x.loop = m->loop_of[w->axis];
		x.coefficient = -1;
	}
	if (w->side)
		index_move(m, &x, size_times(m, w->axis, kind == MIRROR_EDGE ? 1 : 2));
	if (kind == MIRROR_REFLECT)
		x.offset -= w->side ? 2 : 0;
	else if (kind == MIRROR_SYMMETRIC || w->side)
		x.offset -= 1;
	return x;
}

static int load_mirrored(struct kir_maker *m, enum air_mirror kind, struct span span)
{
	struct kir_access x = access_at(m, kir_maker_view(m, m->wall->field), NULL);

	x.at[m->wall->axis] = mirrored(m, kind);
	return load(m, x, span);
}

/* On an axis of one point, reflection finds that point. */
static int lower_mirror(struct kir_maker *m, const struct air_expr *e)
{
	int far = load_mirrored(m, e->as.mirror, e->span), axis = m->wall->axis;
	int edge, one;

	if (e->as.mirror != MIRROR_REFLECT || grid_constant_size(m->grid, axis) > 1)
		return far;
	edge = load_mirrored(m, MIRROR_EDGE, e->span);
	one = kir_op(m, AIR_EQ, ELEM_BOOL,
	             (int[]){ axis_size(m, m->grid, axis), kir_int(m, ELEM_I64, 1) }, 2);
	return kir_op(m, AIR_SELECT, e->elem, (int[]){ one, edge, far }, 3);
}

/* ---- expressions ---- */

static int lower_random(struct kir_maker *m, const struct air_expr *e)
{
	struct kir_instr in = { .op = KIR_RANDOM, .elem = e->elem, .span = e->span,
	                        .n_args = 3, .as.i = e->as.i };
	int flat = -1, seed, key;

	for (int a = 0; a < e->grid->n_axes; a++) {
		int i = lower_index(m, e->grid->axis[a], 0);

		if (flat >= 0) {
			int n = axis_size(m, e->grid, a);

			flat = kir_op(m, AIR_MUL, ELEM_I64, (int[]){ flat, n }, 2);
			i = kir_op(m, AIR_ADD, ELEM_I64, (int[]){ flat, i }, 2);
		}
		flat = i;
	}
	seed = kir_slot(m, (struct kir_slot){ .kind = SLOT_SEED }, ELEM_I64);
	key = lower_scalar(m, e->arg[0]);
	return kir_emit(m, in, (int[]){ seed, key, flat });
}

static int done_get(const struct kir_maker *m, const struct air_expr *e)
{
	return (int)(intptr_t)map_get(m->done, e) - 1;
}

static int lower_op(struct kir_maker *m, const struct air_expr *e)
{
	struct kir_instr in = { .op = KIR_AIR, .elem = e->elem, .span = e->span,
	                        .n_args = e->n_args, .as.air = { .op = e->op } };
	int few[8], *arg = few;

	if (e->n_args > 8)
		arg = arena_new_array(m->arena, (size_t)e->n_args, int);
	for (int i = 0; i < e->n_args; i++)
		arg[i] = done_get(m, e->arg[i]);
	if (e->op == AIR_POWI)
		in.as.air.exponent = (int)e->as.i;
	if (e->op == AIR_EXTERN)
		in.as.air.function = e->as.function;
	return kir_emit(m, in, arg);
}

/* The host computes scalars of variables and sizes; components of fields that have local
 * axes alone are scalars as well, and loaded here. */
static bool is_host_scalar(const struct air_expr *e)
{
	struct air_walk w;
	bool reads = false;

	if (e->grid || e->op == AIR_READ)
		return false;
	if (!e->n_args)
		return true;
	w = air_walk_of(e);
	for (int i = 0; i < w.n; i++)
		reads |= w.node[i]->op == AIR_READ;
	air_walk_free(&w);
	return !reads;
}

static int lower_expr(struct kir_maker *m, const struct air_expr *e)
{
	if (is_host_scalar(e))
		return lower_scalar(m, e);
	switch (e->op) {
	case AIR_READ:
		return lower_read(m, e);
	case AIR_INDEX:
		return lower_index(m, e->as.at.axis, e->as.at.offset);
	case AIR_COORD:
		return lower_coord(m, e);
	case AIR_MIRROR:
		return lower_mirror(m, e);
	case AIR_RANDOM:
		return lower_random(m, e);
	default:
		return lower_op(m, e);
	}
}

static int by_id(const void *a, const void *b)
{
	const struct air_expr *x = *(const struct air_expr *const *)a;
	const struct air_expr *y = *(const struct air_expr *const *)b;

	return (x->id > y->id) - (x->id < y->id);
}

struct worklist {
	VEC(const struct air_expr *) todo, all;
};

static void worklist_add(struct kir_maker *m, struct worklist *w, const struct air_expr *e)
{
	if (!map_get(m->done, e) && map_set(m->done, e, (void *)(intptr_t)-1)) {
		vec_push(NULL, &w->todo, e);
		vec_push(NULL, &w->all, e);
	}
}

/* All expressions below e that are not instructions yet; scalars are taken whole. */
static struct worklist expressions_below(struct kir_maker *m, const struct air_expr *e)
{
	struct worklist w = { 0 };

	worklist_add(m, &w, e);
	while (w.todo.n) {
		const struct air_expr *x = vec_pop(&w.todo);

		if (x->op == AIR_RANDOM || is_host_scalar(x))
			continue;
		for (int i = 0; i < x->n_args; i++)
			worklist_add(m, &w, x->arg[i]);
	}
	vec_free(&w.todo);
	return w;
}

int kir_maker_value(struct kir_maker *m, const struct air_expr *e)
{
	struct worklist w = expressions_below(m, e);

	if (w.all.n)
		qsort(w.all.item, (size_t)w.all.n, sizeof *w.all.item, by_id);
	for (int i = 0; i < w.all.n; i++)
		map_set(m->done, w.all.item[i],
		        (void *)(intptr_t)(lower_expr(m, w.all.item[i]) + 1));
	vec_free(&w.all);
	return done_get(m, e);
}

void kir_maker_store(struct kir_maker *m, int view, int value, const struct air_select *at)
{
	struct kir_view *v = &m->view.item[view];
	struct kir_instr in = { .op = KIR_STORE, .elem = v->elem, .n_args = 1 };

	assert(m->instr.item[value].elem == v->elem);
	in.as.access = access_at(m, view, at);
	m->view.item[view].written = true;
	kir_emit(m, in, &value);
}

void kir_maker_reduce(struct kir_maker *m, int value)
{
	enum elem e = m->instr.item[value].elem;
	struct kir_instr in = { .op = KIR_REDUCE, .elem = e, .n_args = 1 };

	in.as.slot = m->reduction.n;
	vec_push(m->arena, &m->reduction, e);
	kir_emit(m, in, &value);
}

struct kir_kernel *kir_maker_end(struct kir_maker *m, const char *name, struct span span)
{
	struct kir_kernel *k = arena_new_object(m->arena, struct kir_kernel);

	k->name = name;
	k->span = span;
	k->n_loops = m->n_loops;
	for (int l = 0; l < m->n_loops; l++)
		k->loop_name[l] = m->grid->axis[m->loop_axis[l]]->name;
	k->n_views = m->view.n;
	k->view = m->view.item;
	k->n_scalars = m->slot.n;
	k->scalar = m->slot_elem.item;
	k->n_reductions = m->reduction.n;
	k->reduction = m->reduction.item;
	k->n_instrs = m->instr.n;
	k->instr = m->instr.item;
	return k;
}
