/* tests/unit/plan_run.h - carries out a plan in one block, to compare with the evaluator
 *
 * Slow and strict: before each run all ghosts are garbage but those that the run says it
 * needs (and what stages have grown to), so a need that is missing or too narrow shows.
 * All values are integers or bools.
 */
#ifndef TESTS_UNIT_PLAN_RUN_H
#define TESTS_UNIT_PLAN_RUN_H

#include <assert.h>
#include "array/scalar.h"
#include "array/walk.h"
#include "schedule/plan.h"

struct block {                               /* storage of an array */
	int64_t *now, *second;
	int64_t size[MAX_AXES], lo[MAX_AXES], n[MAX_AXES], room;
};

struct machine {
	const struct plan *plan;
	int64_t *var;
	struct block *block;                 /* by array id */
	uint64_t garbage;
};

static int64_t garbage(struct machine *m)
{
	m->garbage = m->garbage * 6364136223846793005u + 1442695040888963407u;
	return (int64_t)(m->garbage >> 20);
}

/* ---- scalars ---- */

static union scalar scalar_value(struct machine *m, const struct air_expr *e)
{
	union scalar x[4];

	switch (e->op) {
	case AIR_CONST:
		return (union scalar){ .i = e->as.i };
	case AIR_VAR:
		return (union scalar){ .i = m->var[e->as.var->id] };
	case AIR_SIZE:
		return scalar_value(m, e->as.at.axis->size);
	default:
		assert(e->n_args > 0 && e->n_args <= 3 && e->op != AIR_LOOKUP);
		for (int i = 0; i < e->n_args; i++)
			x[i] = scalar_value(m, e->arg[i]);
		return scalar_op(e->op, e->arg[e->n_args - 1]->elem, e->elem, x, e->as.i);
	}
}

/* ---- storage ---- */

static int64_t *cell(const struct block *b, int64_t *data, int n_axes, const int64_t *at)
{
	int64_t flat = 0;

	for (int a = 0; a < n_axes; a++) {
		assert(at[a] >= b->lo[a] && at[a] < b->lo[a] + b->n[a]);
		flat = flat * b->n[a] + at[a] - b->lo[a];
	}
	return &data[flat];
}

/* The next point of a box in C order; false after the last. */
static bool point_next(int64_t *at, const int64_t *lo, const int64_t *hi, int n)
{
	for (int a = n - 1; a >= 0; a--) {
		if (++at[a] < hi[a])
			return true;
		at[a] = lo[a];
	}
	return false;
}

static bool point_first(int64_t *at, const int64_t *lo, const int64_t *hi, int n)
{
	for (int a = 0; a < n; a++) {
		at[a] = lo[a];
		if (lo[a] >= hi[a])
			return false;
	}
	return true;
}

static void block_begin(struct machine *m, const struct plan_array *a)
{
	struct block *b = &m->block[a->id];

	b->room = 1;
	for (int i = 0; i < a->field->grid->n_axes; i++) {
		b->size[i] = scalar_value(m, a->field->grid->axis[i]->size).i;
		b->lo[i] = -a->halo[i][0];
		b->n[i] = b->size[i] + a->halo[i][0] + a->halo[i][1];
		b->room *= b->n[i];
	}
	b->now = arena_new_array(m->plan->arena, (size_t)b->room, int64_t);
	b->second = arena_new_array(m->plan->arena, (size_t)b->room, int64_t);
	for (int64_t i = 0; a->field->kind == FIELD_STAGE && i < b->room; i++)
		b->now[i] = garbage(m);
}

/* ---- calls of kernels ---- */

struct frame {
	struct machine *m;
	const struct plan_call *call;
	const int64_t *point;                /* per axis of the grid */
	union scalar *slot, *value;
	union scalar *result;
};

static int64_t *access_cell(struct frame *f, const struct kir_access *x)
{
	const struct plan_bind *bind = &f->call->bind[x->view];
	const struct block *b = &f->m->block[bind->array->id];
	int n = f->call->kernel->view[x->view].n_axes;
	int64_t at[MAX_AXES];

	for (int a = 0; a < n; a++) {
		const struct kir_index *i = &x->at[a];

		at[a] = i->offset + (i->base >= 0 ? f->value[i->base].i : 0);
		if (i->loop >= 0)
			at[a] += i->coefficient * f->point[f->call->loop_axis[i->loop]];
	}
	return cell(b, bind->buffer == BUFFER_SECOND ? b->second : b->now, n, at);
}

static union scalar air_value(const struct frame *f, const struct kir_instr *in)
{
	const struct kir_kernel *k = f->call->kernel;
	union scalar x[3];
	int64_t i;

	if (in->as.air.op == AIR_LOOKUP) {
		i = f->value[in->arg[0]].i;
		i = i < 0 ? 0 : i > in->n_args - 2 ? in->n_args - 2 : i;
		return f->value[in->arg[1 + i]];
	}
	for (int j = 0; j < in->n_args; j++)
		x[j] = f->value[in->arg[j]];
	return scalar_op(in->as.air.op, k->instr[in->arg[in->n_args - 1]].elem, in->elem, x,
	                 in->as.air.exponent);
}

static void instr_run(struct frame *f, int i)
{
	const struct kir_instr *in = &f->call->kernel->instr[i];

	switch (in->op) {
	case KIR_CONST:
		f->value[i].i = in->as.i;
		break;
	case KIR_SCALAR:
		f->value[i] = f->slot[in->as.slot];
		break;
	case KIR_INDEX:
		f->value[i].i = f->point[f->call->loop_axis[in->as.loop]];
		break;
	case KIR_LOAD:
		f->value[i].i = *access_cell(f, &in->as.access);
		break;
	case KIR_STORE:
		*access_cell(f, &in->as.access) = f->value[in->arg[0]].i;
		break;
	case KIR_REDUCE:
		f->result[in->as.slot].i += f->value[in->arg[0]].i;
		break;
	case KIR_AIR:
		f->value[i] = air_value(f, in);
		break;
	case KIR_RANDOM:
		abort();
	}
}

static void slots_fill(struct machine *m, const struct plan_call *c, union scalar *slot)
{
	for (int i = 0; i < c->kernel->n_scalars; i++)
		slot[i] = scalar_value(m, c->scalar[i].expr);
}

static void call_point(struct machine *m, const struct plan_call *c, const int64_t *point,
                       union scalar *result)
{
	union scalar slot[c->kernel->n_scalars + 1];
	union scalar value[c->kernel->n_instrs + 1];
	struct frame f = { m, c, point, slot, value, result };

	slots_fill(m, c, slot);
	for (int i = 0; i < c->kernel->n_instrs; i++)
		instr_run(&f, i);
}

/* ---- ghosts ---- */

/* How many axes a point is outside of the grid along; grown parts count as inside. */
static int outside(const struct plan_array *a, const struct block *b, const int64_t *at)
{
	int n = 0;

	for (int i = 0; i < a->field->grid->n_axes; i++)
		n += at[i] < -a->grown[i][0] || at[i] >= b->size[i] + a->grown[i][1];
	return n;
}

/* Garbage on ghosts that are not grown. */
static void spoil(struct machine *m, const struct plan_array *a)
{
	struct block *b = &m->block[a->id];
	int64_t at[MAX_AXES], hi[MAX_AXES];
	int n = a->field->grid->n_axes;

	for (int i = 0; i < n; i++)
		hi[i] = b->lo[i] + b->n[i];
	if (b->now && point_first(at, b->lo, hi, n))
		do
			if (outside(a, b, at))
				*cell(b, b->now, n, at) = garbage(m);
		while (point_next(at, b->lo, hi, n));
}

static int64_t around(int64_t i, int64_t n)
{
	return ((i % n) + n) % n;
}

/* Ghosts along periodic axes, as the exchange would fill them. */
static void wrap_ghosts(struct machine *m, const struct plan_need *need)
{
	const struct grid *g = need->array->field->grid;
	struct block *b = &m->block[need->array->id];
	int64_t at[MAX_AXES], from[MAX_AXES], lo[MAX_AXES], hi[MAX_AXES];

	for (int i = 0; i < g->n_axes; i++) {
		bool around_it = g->axis[i]->periodic;

		lo[i] = around_it ? -need->width[i][0] : -need->array->grown[i][0];
		hi[i] = b->size[i] +
		        (around_it ? need->width[i][1] : need->array->grown[i][1]);
	}
	if (point_first(at, lo, hi, g->n_axes))
		do {
			int displaced = 0;

			for (int i = 0; i < g->n_axes; i++) {
				bool periodic = g->axis[i]->periodic;

				from[i] = periodic ? around(at[i], b->size[i]) : at[i];
				displaced += at[i] < 0 || at[i] >= b->size[i];
			}
			if (displaced && displaced <= need->diagonal)
				*cell(b, b->now, g->n_axes, at) =
					*cell(b, b->now, g->n_axes, from);
		} while (point_next(at, lo, hi, g->n_axes));
}

static void wall_run(struct machine *m, const struct plan_need *need, int axis, int side,
                     int64_t distance)
{
	const struct plan_array *a = need->array;
	const struct grid *g = a->field->grid;
	struct block *b = &m->block[a->id];
	int64_t at[MAX_AXES], lo[MAX_AXES], hi[MAX_AXES];

	for (int i = 0; i < g->n_axes; i++) {
		bool open = need->diagonal > 1 &&
		            (i < axis || (g->axis[i]->periodic));

		lo[i] = open ? -need->width[i][0] : 0;
		hi[i] = b->size[i] + (open ? need->width[i][1] : 0);
	}
	lo[axis] = side ? b->size[axis] - 1 + distance : -distance;
	hi[axis] = lo[axis] + 1;
	if (distance <= need->width[axis][side] && a->wall[axis][side] &&
	    point_first(at, lo, hi, g->n_axes))
		do
			call_point(m, &a->wall[axis][side]->call, at, NULL);
		while (point_next(at, lo, hi, g->n_axes));
}

static void walls_run(struct machine *m, const struct plan_need *need)
{
	for (int axis = 0; axis < need->array->field->grid->n_axes; axis++)
		for (int64_t k = 1;
		     k <= need->width[axis][0] || k <= need->width[axis][1]; k++)
			for (int side = 0; side < 2; side++)
				wall_run(m, need, axis, side, k);
}

/* Wall fields, on smaller grids, come first. */
static void needs_meet(struct machine *m, const struct plan_run *r)
{
	for (int i = 0; i < m->plan->n_arrays; i++)
		spoil(m, m->plan->array[i]);
	for (int n = 1; n <= MAX_AXES; n++)
		for (int i = 0; i < r->n_needs; i++)
			if (r->need[i].array->field->grid->n_axes == n) {
				wrap_ghosts(m, &r->need[i]);
				walls_run(m, &r->need[i]);
			}
}

/* ---- runs ---- */

static int64_t bound(struct machine *m, const struct air_expr *e, int64_t n, int64_t open)
{
	int64_t i = e ? scalar_value(m, e).i : open;

	i = i < 0 ? i + n : i;
	return i < 0 ? 0 : i > n ? n : i;
}

static void slice_bounds(struct machine *m, const struct air_slice *s, int64_t n,
                         int64_t *lo, int64_t *hi)
{
	*lo = 0;
	*hi = n;
	if (s->part == PART_ALL)
		return;
	*lo = bound(m, s->lo, n, 0);
	*hi = s->part == PART_AT ? *lo + 1 : bound(m, s->hi, n, n);
}

static void buffers_swap(struct machine *m, const struct plan_array *a,
                         const struct plan_array *b)
{
	int64_t *t = m->block[a->id].now;

	m->block[a->id].now = m->block[b->id].now;
	m->block[b->id].now = t;
}

/* Points outside of the region keep their value; then the second buffer is the first. */
static void commit(struct machine *m, const struct plan_run *r, const struct plan_array *a)
{
	struct block *b = &m->block[a->id];
	int64_t zero[MAX_AXES] = { 0 }, at[MAX_AXES], *t;
	const struct grid *g = a->field->grid;

	if (point_first(at, zero, b->size, g->n_axes))
		do {
			bool inside = true;

			for (int i = 0; i < g->n_axes && g == r->grid; i++) {
				const struct air_slice *s = &r->region.axis[i];
				int64_t lo, hi;

				slice_bounds(m, s, b->size[i], &lo, &hi);
				inside &= at[i] >= lo && at[i] < hi &&
				          (at[i] - lo) % s->step == 0;
			}
			if (!inside)
				*cell(b, b->second, g->n_axes, at) =
					*cell(b, b->now, g->n_axes, at);
		} while (point_next(at, zero, b->size, g->n_axes));
	t = b->now;
	b->now = b->second;
	b->second = t;
}

/* The points of a run in C order. */
static void points_run(struct machine *m, const struct plan_run *r, union scalar *result)
{
	int n = r->grid->n_axes;
	int64_t at[MAX_AXES], lo[MAX_AXES], hi[MAX_AXES], first[MAX_AXES];

	for (int i = 0; i < n; i++) {
		int64_t size = scalar_value(m, r->grid->axis[i]->size).i;

		slice_bounds(m, &r->region.axis[i], size, &first[i], &hi[i]);
		lo[i] = first[i] - r->grow[i][0];
		hi[i] += r->grow[i][1];
	}
	if (point_first(at, lo, hi, n))
		do {
			bool in = true;

			for (int i = 0; i < n; i++)
				in &= around(at[i] - first[i], r->region.axis[i].step) == 0;
			if (in)
				call_point(m, &r->call, at, result);
		} while (point_next(at, lo, hi, n));
}

static void run_run(struct machine *m, const struct plan_run *r)
{
	union scalar result[r->n_results + 1];

	memset(result, 0, sizeof result);
	for (int v = 0; v < r->call.kernel->n_views; v++)
		if (!m->block[r->call.bind[v].array->id].now)
			block_begin(m, r->call.bind[v].array);
	needs_meet(m, r);
	points_run(m, r, result);
	for (int i = 0; i < r->n_commits; i++)
		commit(m, r, r->commit[i]);
	for (int i = 0; i < r->n_swaps; i++)
		buffers_swap(m, r->swap[i][0], r->swap[i][1]);
	for (int i = 0; i < r->n_results; i++)
		m->var[r->result[i].var->id] = result[i].i;
}

static void host_run(struct machine *m, const struct air_stmt *st)
{
	if (st->kind == STMT_FIELD && m->plan->of_field[st->field->id])
		block_begin(m, m->plan->of_field[st->field->id]);
	else if (st->kind == STMT_SET)
		m->var[st->var->id] = scalar_value(m, st->value).i;
}

static void plan_block_run(struct machine *m, const struct plan_block *b)
{
	for (const struct plan_stmt *st = b->first; st; st = st->next) {
		if (st->kind == PLAN_RUN)
			run_run(m, st->run);
		else if (st->kind == PLAN_SWAP)
			buffers_swap(m, st->swap[0], st->swap[1]);
		else if (st->kind == PLAN_HOST)
			host_run(m, st->air);
		else if (st->kind == PLAN_IF)
			plan_block_run(m, scalar_value(m, st->air->value).i ? &st->body
			                                                    : &st->other);
		else if (st->kind == PLAN_FOR)
			for (int64_t i = scalar_value(m, st->air->from).i;
			     i < scalar_value(m, st->air->to).i; i++) {
				m->var[st->air->var->id] = i;
				plan_block_run(m, &st->body);
			}
	}
}

static struct machine machine_run(const struct plan *plan)
{
	struct machine m = { .plan = plan, .garbage = 1 };

	m.var = arena_new_array(plan->arena, (size_t)plan->air->n_vars + 1, int64_t);
	m.block = arena_new_array(plan->arena, (size_t)plan->n_arrays + 1, struct block);
	plan_block_run(&m, &plan->body);
	return m;
}

/* The values of a field, or NULL where it has no storage. */
static int64_t machine_cell(struct machine *m, const struct air_field *f, const int64_t *at)
{
	const struct plan_array *a = m->plan->of_field[f->id];

	return *cell(&m->block[a->id], m->block[a->id].now, f->grid->n_axes, at);
}

#endif
