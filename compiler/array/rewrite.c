/* array/rewrite.c - new expressions from old
 *
 * One walk over the old expression in order of ids, so each shared part is rewritten
 * once and no depth matters; a change says what becomes of the leaves, the rest is
 * rebuilt (and simplified) around them.
 */
#include "array/air.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include "array/walk.h"

struct change {
	struct air_program *p;
	const struct air_expr *(*leaf)(const struct change *c, const struct air_expr *e);
	const struct axis *axis;
	int64_t offset;                      /* shift */
	const struct air_expr *index;        /* fix */
	const struct air_field *stage;       /* inline */
	const struct air_replace *replace;
	int n_replace;
};

/* The rewritten arguments of node i in a walk whose new forms are `to`. */
static const struct air_expr *rebuilt(const struct change *c, const struct air_walk *w,
                                      const struct air_expr *const *to, int i)
{
	const struct air_expr *e = w->node[i], *few[8], **arg = few, *result;
	bool changed = false;

	if (e->n_args > 8)
		arg = xmalloc(e->n_args * sizeof *arg);
	for (int j = 0; j < e->n_args; j++) {
		arg[j] = to[air_walk_place(w, e->arg[j])];
		changed |= arg[j] != e->arg[j];
	}
	result = changed ? air_rebuild(c->p, e, arg) : e;
	if (arg != few)
		free(arg);
	return result;
}

static const struct air_expr *rewrite(const struct change *c, const struct air_expr *e)
{
	struct air_walk w;
	const struct air_expr **to, *result;

	if (!e->n_args)
		return c->leaf(c, e);
	w = air_walk_of(e);
	to = xmalloc(w.n * sizeof *to);
	for (int i = 0; i < w.n; i++)
		to[i] = w.node[i]->n_args && w.node[i]->op != AIR_RANDOM
		                ? rebuilt(c, &w, to, i)
		                : c->leaf(c, w.node[i]);
	result = to[w.n - 1];
	free(to);
	air_walk_free(&w);
	return result;
}

/* Where a read stands that the change concerns, to be changed, and its place along the
 * axis; -1 for one that does not move along it. */
static int moving_read(const struct change *c, const struct air_expr *e,
                       struct air_select at[static MAX_AXES])
{
	const struct air_field *f = e->as.read.field;
	int i = grid_axis_index(f->grid, c->axis);

	if (i < 0 || e->as.read.at[i].pick == PICK_FIXED)
		return -1;
	memcpy(at, e->as.read.at, f->grid->n_axes * sizeof *at);
	return i;
}

static const struct air_expr *shift_read(const struct change *c, const struct air_expr *e)
{
	struct air_select at[MAX_AXES];
	int i = moving_read(c, e, at);

	if (i < 0)
		return e;
	at[i].offset += c->offset;
	return air_read(c->p, e->as.read.field, at, e->span);
}

static const struct air_expr *shift_leaf(const struct change *c, const struct air_expr *e)
{
	struct air_place at;

	assert(e->op != AIR_RANDOM && e->op != AIR_MIRROR);
	if (e->op == AIR_READ)
		return shift_read(c, e);
	if ((e->op != AIR_INDEX && e->op != AIR_COORD) || e->as.at.axis != c->axis)
		return e;
	at = e->as.at;
	at.offset += c->offset;
	return air_at_place(c->p, e->op, at, e->span);
}

static const struct air_expr *plus(const struct change *c, const struct air_expr *index,
                                   int64_t offset, struct span span)
{
	const struct air_expr *arg[] = { index, air_int(c->p, ELEM_I64, offset) };

	return air_op(c->p, AIR_ADD, ELEM_I64, arg, 2, span);
}

static const struct air_expr *fix_read(const struct change *c, const struct air_expr *e)
{
	struct air_select at[MAX_AXES];
	int i = moving_read(c, e, at);

	if (i < 0)
		return e;
	at[i] = (struct air_select){
		.pick = PICK_FIXED,
		.index = plus(c, c->index, at[i].offset, e->span),
	};
	return air_read(c->p, e->as.read.field, at, e->span);
}

/* The coordinate of point `index` (an i64 scalar) by the definition in air.h. */
static const struct air_expr *coord_at(const struct change *c, const struct air_place *at,
                                       const struct air_expr *index, struct span span)
{
	const struct air_expr *place = air_cast(c->p, index, ELEM_F64), *arg[2];
	const struct axis *a = at->axis;
	double half = air_half_steps(at);

	if (half != 0) {
		arg[0] = place;
		arg[1] = air_real(c->p, ELEM_F64, half);
		place = air_op(c->p, AIR_ADD, ELEM_F64, arg, 2, span);
	}
	if (a->place == AXIS_INDEX)
		return place;
	arg[0] = place;
	arg[1] = air_at(c->p, AIR_STEP, a, 0, span);
	place = air_op(c->p, AIR_MUL, ELEM_F64, arg, 2, span);
	arg[0] = a->lo;
	arg[1] = place;
	return air_op(c->p, AIR_ADD, ELEM_F64, arg, 2, span);
}

static const struct air_expr *fix_leaf(const struct change *c, const struct air_expr *e)
{
	const struct air_expr *index;

	assert(e->op != AIR_RANDOM && e->op != AIR_MIRROR);
	if (e->op == AIR_READ)
		return fix_read(c, e);
	if ((e->op != AIR_INDEX && e->op != AIR_COORD) || e->as.at.axis != c->axis)
		return e;
	index = plus(c, c->index, e->as.at.offset, e->span);
	return e->op == AIR_INDEX ? index : coord_at(c, &e->as.at, index, e->span);
}

static const struct air_expr *inline_leaf(const struct change *c, const struct air_expr *e)
{
	const struct air_expr *value = c->stage->value;
	const struct grid *g = c->stage->grid;

	if (e->op != AIR_READ || e->as.read.field != c->stage)
		return e;
	for (int i = 0; i < g->n_axes; i++) {
		const struct air_select *at = &e->as.read.at[i];

		if (at->pick == PICK_FIXED)
			value = air_fix(c->p, value, g->axis[i], at->index);
		else
			value = air_shift(c->p, value, g->axis[i], at->offset);
	}
	return value;
}

static const struct air_expr *replace_leaf(const struct change *c, const struct air_expr *e)
{
	for (int i = 0; i < c->n_replace; i++)
		if (c->replace[i].from == e)
			return c->replace[i].to;
	return e;
}

const struct air_expr *air_shift(struct air_program *p, const struct air_expr *e,
                                 const struct axis *a, int64_t offset)
{
	struct change c = { .p = p, .leaf = shift_leaf, .axis = a, .offset = offset };

	return offset ? rewrite(&c, e) : e;
}

const struct air_expr *air_fix(struct air_program *p, const struct air_expr *e,
                               const struct axis *a, const struct air_expr *index)
{
	struct change c = { .p = p, .leaf = fix_leaf, .axis = a, .index = index };

	assert(index->elem == ELEM_I64 && !index->grid);
	return rewrite(&c, e);
}

const struct air_expr *air_inline(struct air_program *p, const struct air_expr *e,
                                  const struct air_field *stage)
{
	struct change c = { .p = p, .leaf = inline_leaf, .stage = stage };

	assert(stage->kind == FIELD_STAGE && stage->value);
	return rewrite(&c, e);
}

const struct air_expr *air_replace(struct air_program *p, const struct air_expr *e,
                                   const struct air_replace *with, int n)
{
	struct change c = { .p = p, .leaf = replace_leaf, .replace = with, .n_replace = n };

	return n ? rewrite(&c, e) : e;
}
