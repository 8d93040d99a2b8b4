/* compiler/sema/slice_grid.c - grids of a part of the points of another grid
 *
 * Each is a family of its own, whose axes know which points of which axis theirs are. A
 * slice that is a value gets one too; alike slices of a block share it, so that what is
 * taken from fields of one grid in the same way combines without a copy.
 */
#include "sema/checker.h"

struct slicing { /* a grid that was sliced, in this block */
	const struct grid *of;
	struct air_region region;
	bool positional;
	const struct air_block *block;
	struct grid *grid;
};

static const struct air_expr *held(struct sema *s, const struct air_expr *e,
				   const char *name)
{
	return var_hold(s, value_scalar(e, e->span), sema_name(s, name)).as.expr;
}

/* start + step * e */
static const struct air_expr *along(struct sema *s, const struct axis_slice *x,
				    const struct air_expr *e)
{
	const struct air_expr *arg[2] = { e, air_int(s->air, ELEM_I64, x->step) };

	arg[1] = air_op(s->air, AIR_MUL, ELEM_I64, arg, 2, e->span);
	arg[0] = x->start;
	return air_op(s->air, AIR_ADD, ELEM_I64, arg, 2, e->span);
}

/* Axis i of g from start on, as points of the axis from which all of them come. */
static struct axis_slice *slice_new(struct sema *s, const struct grid *g, int i,
				    const struct part *p)
{
	struct axis_slice *x = arena_new_object(s->air->types.arena, struct axis_slice);
	const struct axis_slice *up = g->axis[i]->slice ? g->axis[i]->slice->from : NULL;
	struct axis_slice *from;

	x->axis = g->axis[i];
	x->ext = g->ext[i];
	x->start = held(s, p->start, g->axis[i]->name);
	x->step = p->step;
	x->from = x;
	if (!up)
		return x;
	from = arena_copy(s->air->types.arena, x, sizeof *x);
	from->axis = up->axis;
	from->ext = up->ext;
	from->start = held(s, along(s, up, x->start), g->axis[i]->name);
	from->step = up->step * x->step;
	from->half = up->half - 0.5 * x->ext * (double)up->step;
	x->from = from->from = from;
	return x;
}

/* An axis that is taken whole, or from end to end in steps for a grid, stays periodic. */
static bool stays_periodic(const struct axis *a, const struct air_slice *slice,
			   bool positional)
{
	if (!a->periodic || slice->part == PART_AT)
		return false;
	return slice->part == PART_ALL ||
	       (!positional && !slice->lo && !slice->hi && slice->step > 0);
}

static struct axis sliced_axis(struct sema *s, const struct grid *g, int i,
			       const struct air_slice *slice, bool positional)
{
	struct part p = part_of(s, slice, air_size(s->air, g, i));
	struct axis a = { .name = g->axis[i]->name,
			  .local = g->axis[i]->local,
			  .place = AXIS_INDEX,
			  .constant_size = -1,
			  .span = g->axis[i]->span };

	a.periodic = stays_periodic(g->axis[i], slice, positional);
	a.size = held(s, p.count, a.name);
	air_constant(a.size, &a.constant_size, NULL);
	a.slice = slice_new(s, g, i, &p);
	return a;
}

/* Fails unless the condition holds; false: it is known that it does not. */
static bool require(struct sema *s, const struct air_expr *holds, const char *otherwise,
		    struct span at)
{
	struct air_stmt *check;
	int64_t known;

	if (air_constant(holds, &known, NULL)) {
		if (!known)
			sema_fail(s, DIAG_BAD_GRID, at, "%s", otherwise);
		return known;
	}
	check = sema_emit(s, STMT_CHECK, sema_place(s, at));
	check->value = holds;
	check->text = text_plain(s, otherwise);
	return true;
}

/* A grid has points, and a periodic axis is divided evenly. */
static bool axis_is_sound(struct sema *s, const struct axis *a, const struct grid *g, int i,
			  struct span at)
{
	const struct air_expr *zero = air_int(s->air, ELEM_I64, 0), *arg[2];

	arg[0] = zero;
	arg[1] = a->size;
	if (!require(s, air_op(s->air, AIR_LT, ELEM_BOOL, arg, 2, at),
		     arena_printf(s->arena, "no points are left along %s", a->name), at))
		return false;
	if (!a->periodic || a->slice->step == 1)
		return true;
	arg[0] = air_size(s->air, g, i);
	arg[1] = air_int(s->air, ELEM_I64, a->slice->step);
	arg[0] = air_op(s->air, AIR_MOD, ELEM_I64, arg, 2, at);
	arg[1] = zero;
	return require(s, air_op(s->air, AIR_EQ, ELEM_BOOL, arg, 2, at),
		       arena_printf(s->arena,
				    "the periodic axis %s has not a multiple of %lld points",
				    a->name, (long long)a->slice->step),
		       at);
}

/* Which axes may be cut is as in the grid that was sliced. */
static void split_alike(struct family *f)
{
	const struct family *p = f->parent;

	f->split_given = p->split_given;
	f->split_none = p->split_none;
	for (int i = 0; i < f->n_base; i++) {
		int rank = f->axis[i]->slice->axis->rank;

		f->split[i] = rank < p->n_base && p->split[rank];
	}
}

static struct grid *slicing_find(const struct sema *s, const struct grid *g,
				 const struct air_region *region, bool positional)
{
	for (struct slicing * vec_each(x, &s->slicings))
		if (x->of == g && x->block == s->block && x->positional == positional &&
		    region_same(&x->region, region, g->n_axes))
			return x->grid;
	return NULL;
}

/* "plate[1:, ::2]", as it is written. */
static const char *sliced_name(struct sema *s, const struct grid *g, const struct ast *a)
{
	struct span from = a->child[1]->span, to = a->child[a->n_children - 1]->span;

	return arena_printf(s->air->types.arena, "%s[%.*s]", g->name,
			    (int)(to.end - from.begin), from.source->text + from.begin);
}

static struct grid *grid_make(struct sema *s, struct grid *g, struct axis *axis, int n,
			      bool positional, const struct ast *a)
{
	struct types *t = &s->air->types;
	struct family *f = family_new(t, sliced_name(s, g, a), a->span);

	f->parent = g->family;
	f->positional = positional;
	for (int i = 0; i < n; i++)
		family_add_axis(t, f, axis[i]);
	sema_emit(s, STMT_GRID, sema_place(s, a->span))->family = f;
	g = grid_of(t, f, f->axis, n);
	split_alike(f);
	return g;
}

/* The part of g that the brackets `a` take, as a grid; one for alike ones of a block.
 * NULL: told. Bounds must be held. */
struct grid *grid_sliced(struct sema *s, struct grid *g, const struct air_region *region,
			 bool positional, const struct ast *a)
{
	struct slicing x = { g, *region, positional, s->block, NULL };
	struct axis axis[MAX_AXES];
	int n = 0;

	x.grid = slicing_find(s, g, region, positional);
	if (x.grid)
		return x.grid;
	if (s->air->types.n_families + 1 >= MAX_FAMILIES) {
		sema_fail(s, DIAG_BAD_GRID, a->span, "too many grids");
		return NULL;
	}
	for (int i = 0; i < g->n_axes; i++) {
		if (region->axis[i].part == PART_AT)
			continue;
		axis[n] = sliced_axis(s, g, i, &region->axis[i], positional);
		if (!positional && !axis_is_sound(s, &axis[n], g, i, a->span))
			return NULL;
		n++;
	}
	if (n == 0) {
		sema_fail(s, DIAG_BAD_GRID, a->span, "no axis is left of `%s`", g->name);
		return NULL;
	}
	x.grid = grid_make(s, g, axis, n, positional, a);
	vec_push(s->arena, &s->slicings, x);
	return x.grid;
}
