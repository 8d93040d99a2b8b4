/* array/evaluate_expr.c - an expression at one point, by definition
 *
 * An expression becomes a tape: its nodes, arguments first, each computed once. A read
 * beyond a wall evaluates the field's condition at the ghost point, which may read the
 * field itself again, mirrored; so ghosts of any depth, corners and wrapped axes are
 * all one recursion.
 */
#include "array/evaluator.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include "array/walk.h"
#include "base/random.h"

struct tape {
	int n;
	const struct air_expr **node;
	const int **arg;                     /* per node: places of its arguments; of a READ:
	                                      * of the index along each axis, or -1 */
};

/* The ghost point whose condition is evaluated. */
struct ghost {
	const struct air_field *field;
	const struct store *store;           /* its values: a stage is not in its own world */
	const int64_t *index;
	int axis;
	int64_t size;                        /* of that axis */
};

struct context {
	struct evaluator *ev;
	struct world *world;
	const struct point *at;
	const struct ghost *ghost;           /* NULL: no condition */
};

enum { FEW = 64 };

static union scalar value_at(struct evaluator *ev, struct world *w, const struct air_field *f,
                             const struct store *s, const int64_t *index);

/* tapes */

static const int *tape_args(struct evaluator *ev, const struct air_walk *w,
                            const struct air_expr *e)
{
	int n = e->op == AIR_READ ? e->as.read.field->grid->n_axes : e->n_args;
	int *arg = arena_new_array(ev->arena, n + 1, int);

	for (int i = 0; i < n; i++) {
		if (e->op != AIR_READ)
			arg[i] = air_walk_place(w, e->arg[i]);
		else if (e->as.read.at[i].pick == PICK_FIXED)
			arg[i] = air_walk_place(w, e->as.read.at[i].index);
		else
			arg[i] = -1;
	}
	return arg;
}

static struct tape *tape_of(struct evaluator *ev, const struct air_expr *e)
{
	struct tape *t = ev->tape[e->id];
	struct air_walk w;

	if (t)
		return t;
	w = air_walk_of(e);
	t = arena_new_object(ev->arena, struct tape);
	t->n = w.n;
	t->node = arena_copy(ev->arena, w.node, w.n * sizeof *w.node);
	t->arg = arena_new_array(ev->arena, w.n, const int *);
	for (int i = 0; i < w.n; i++)
		t->arg[i] = tape_args(ev, &w, w.node[i]);
	air_walk_free(&w);
	return ev->tape[e->id] = t;
}

/* leaves */

static const struct extent *extent_of(const struct context *c, const struct axis *a)
{
	return &c->ev->extent[a->family->id][a->rank];
}

static union scalar constant(const struct air_expr *e)
{
	if (elem_kind(e->elem) == KIND_REAL)
		return (union scalar){ .f = e->as.f };
	if (e->elem == ELEM_STR)
		return (union scalar){ .text = e->as.text };
	return (union scalar){ .i = e->as.i };
}

static union scalar coordinate(const struct context *c, const struct air_expr *e)
{
	const struct axis *a = e->as.at.axis;
	const struct extent *x = extent_of(c, a);
	double i = c->at->at[a->rank] + e->as.at.offset, half = air_half_steps(&e->as.at);

	if (half != 0)
		i = i + half;
	i = i * x->step;
	return (union scalar){ .f = x->lo + i };
}

/* Index i of an axis of n points, beyond one of its ends, mirrored there. */
static int64_t mirrored(enum air_mirror m, int64_t i, int64_t n)
{
	switch (m) {
	case MIRROR_EDGE:
		return i < 0 ? 0 : n - 1;
	case MIRROR_SYMMETRIC:
		return i < 0 ? -1 - i : 2 * n - 1 - i;
	default:
		if (n == 1)
			return 0;
		return i < 0 ? -i : 2 * (n - 1) - i;
	}
}

static union scalar mirror(const struct context *c, const struct air_expr *e)
{
	const struct ghost *g = c->ghost;
	int64_t index[MAX_AXES];

	assert(g);
	for (int i = 0; i < g->field->grid->n_axes; i++)
		index[i] = g->index[i];
	index[g->axis] = mirrored(e->as.mirror, index[g->axis], g->size);
	return value_at(c->ev, c->world, g->field, g->store, index);
}

static union scalar read(const struct context *c, const struct air_expr *e, const int *arg,
                         const union scalar *value)
{
	const struct air_field *f = e->as.read.field;
	int64_t index[MAX_AXES];

	for (int i = 0; i < f->grid->n_axes; i++)
		index[i] = arg[i] >= 0 ? value[arg[i]].i
		                       : c->at->at[f->grid->axis[i]->rank] +
		                                 e->as.read.at[i].offset;
	return evaluate_field(c->ev, c->world, f, index);
}

static union scalar draw(const struct context *c, const struct air_expr *e, int64_t key)
{
	int64_t flat = 0, seed = c->ev->seed;

	for (int i = 0; i < e->grid->n_axes; i++) {
		const struct axis *a = e->grid->axis[i];

		flat = flat * points_along(c->ev, e->grid, i) + c->at->at[a->rank];
	}
	if (e->as.i)
		return scalar_cast(ELEM_F64, e->elem,
		                   (union scalar){ .f = random_normal(seed, flat, key) });
	if (e->elem == ELEM_F32)
		return (union scalar){ .f = random_uniform_f32(seed, flat, key) };
	return (union scalar){ .f = random_uniform(seed, flat, key) };
}

/* nodes */

static union scalar lookup(const struct air_expr *e, const int *arg,
                           const union scalar *value)
{
	int64_t i = value[arg[0]].i, last = e->n_args - 2;

	return value[arg[1 + (i < 0 ? 0 : i > last ? last : i)]];
}

static union scalar operation(const struct air_expr *e, const int *arg,
                              const union scalar *value)
{
	union scalar x[3];

	for (int i = 0; i < e->n_args; i++)
		x[i] = value[arg[i]];
	return scalar_op(e->op, e->arg[e->n_args - 1]->elem, e->elem, x, e->as.i);
}

static union scalar external(const struct context *c, const struct air_expr *e,
                             const int *arg, const union scalar *value)
{
	const struct air_extern *f = e->as.function;
	union scalar x[MAX_EXTERN_PARAMS], result = { 0 };

	for (int i = 0; i < e->n_args; i++)
		x[i] = value[arg[i]];
	if (f->call)
		f->call(x, &result);
	else if (!c->ev->ended)
		evaluate_fail(c->ev, NULL, "the function `%s` in C was not loaded", f->name);
	return result;
}

static union scalar node(const struct context *c, const struct air_expr *e, const int *arg,
                         const union scalar *value)
{
	switch (e->op) {
	case AIR_CONST:
		return constant(e);
	case AIR_VAR:
		return c->world->var[e->as.var->id];
	case AIR_READ:
		return read(c, e, arg, value);
	case AIR_INDEX:
		return (union scalar){
			.i = c->at->at[e->as.at.axis->rank] + e->as.at.offset,
		};
	case AIR_COORD:
		return coordinate(c, e);
	case AIR_SIZE:
		return (union scalar){
			.i = extent_of(c, e->as.at.axis)->size + e->as.at.ext,
		};
	case AIR_STEP:
		return (union scalar){ .f = extent_of(c, e->as.at.axis)->step };
	case AIR_MIRROR:
		return mirror(c, e);
	case AIR_LOOKUP:
		return lookup(e, arg, value);
	case AIR_RANDOM:
		return draw(c, e, value[arg[0]].i);
	case AIR_EXTERN:
		return external(c, e, arg, value);
	default:
		return operation(e, arg, value);
	}
}

static union scalar run(const struct context *c, const struct air_expr *e)
{
	const struct tape *t = tape_of(c->ev, e);
	union scalar few[FEW], *value = few, result;

	if (t->n > FEW)
		value = xmalloc(t->n * sizeof *value);
	for (int i = 0; i < t->n; i++)
		value[i] = node(c, t->node[i], t->arg[i], value);
	result = value[t->n - 1];
	if (value != few)
		free(value);
	return result;
}

/* ghosts */

static int64_t wrapped(int64_t i, int64_t n)
{
	return i % n < 0 ? i % n + n : i % n;
}

static union scalar beyond(struct evaluator *ev, struct world *w, const struct ghost *g)
{
	const struct air_field *f = g->field;
	const struct air_ghost *condition = &f->ghost[g->axis][g->index[g->axis] >= 0];
	struct point at = { { 0 } };
	struct context c = { .ev = ev, .world = w, .at = &at, .ghost = g };

	for (int i = 0; i < f->grid->n_axes; i++) {
		int rank = f->grid->axis[i]->rank;

		at.at[rank] = g->index[i];
		if (condition->kind == GHOST_COMPUTED && f->grid->axis[i]->periodic)
			at.at[rank] = wrapped(at.at[rank],
			                      ev->extent[f->grid->family->id][rank].size);
	}
	switch (condition->kind) {
	case GHOST_EXPR:
		return run(&c, condition->value);
	case GHOST_COMPUTED:
		c.ghost = NULL;
		return run(&c, f->value);
	default:
		if (!ev->ended)
			evaluate_fail(ev, NULL, "`%s` is read beyond %s.%s, where it has no boundary",
			              f->name, f->grid->axis[g->axis]->name,
			              g->index[g->axis] < 0 ? "lo" : "hi");
		return scalar_cast(ELEM_F64, f->elem, (union scalar){ .f = NAN });
	}
}

static union scalar value_at(struct evaluator *ev, struct world *w, const struct air_field *f,
                             const struct store *s, const int64_t *index)
{
	int64_t at[MAX_AXES], flat = 0;

	assert(s);
	for (int i = 0; i < f->grid->n_axes; i++)
		at[i] = index[i];
	for (int i = f->grid->n_axes - 1; i >= 0; i--) {
		struct ghost g = { f, s, at, i, points_along(ev, f->grid, i) };

		if (f->grid->axis[i]->periodic)
			at[i] = wrapped(at[i], g.size);
		else if (at[i] < 0 || at[i] >= g.size)
			return beyond(ev, s->world ? s->world : w, &g);
	}
	for (int i = 0; i < f->grid->n_axes; i++)
		flat = flat * points_along(ev, f->grid, i) + at[i];
	return s->value[flat];
}

/* exported */

union scalar evaluate_field(struct evaluator *ev, struct world *w,
                            const struct air_field *f, const int64_t *index)
{
	return value_at(ev, w, f, w->field[f->id], index);
}

union scalar evaluate_at(struct evaluator *ev, struct world *w, const struct air_expr *e,
                         const struct point *at)
{
	struct context c = { .ev = ev, .world = w, .at = at };

	return run(&c, e);
}

union scalar evaluate_scalar(struct evaluator *ev, const struct air_expr *e)
{
	struct point nowhere = { { 0 } };

	assert(!e->grid);
	return evaluate_at(ev, ev->now, e, &nowhere);
}
