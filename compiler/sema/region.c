/* compiler/sema/region.c - parts of an axis, as they are written and what they take
 *
 * `lo:hi:step` means what it means in Python, whatever is known of the bounds and of the
 * size: what a part takes are scalar expressions, constants where all of it is constant.
 */
#include "sema/checker.h"

static const struct air_expr *integer(struct sema *s, int64_t i)
{
	return air_int(s->air, ELEM_I64, i);
}

static const struct air_expr *op2(struct sema *s, enum air_op op,
				  const struct air_expr *a, const struct air_expr *b)
{
	const struct air_expr *arg[2] = { a, b };

	return air_op(s->air, op, op == AIR_LT ? ELEM_BOOL : ELEM_I64, arg, 2, a->span);
}

/* A bound as a point from `least` to `most`: negative ones count from the end. */
static const struct air_expr *bound_point(struct sema *s, const struct air_expr *bound,
					  const struct air_expr *n,
					  const struct air_expr *least,
					  const struct air_expr *most)
{
	const struct air_expr *arg[3];

	arg[0] = op2(s, AIR_LT, bound, integer(s, 0));
	arg[1] = op2(s, AIR_ADD, bound, n);
	arg[2] = bound;
	bound = air_op(s->air, AIR_SELECT, ELEM_I64, arg, 3, bound->span);
	return op2(s, AIR_MIN, op2(s, AIR_MAX, bound, least), most);
}

/* Its bounds, where it goes upwards. */
static void bounds_up(struct sema *s, const struct air_slice *slice,
		      const struct air_expr *n, const struct air_expr *bound[2])
{
	const struct air_expr *zero = integer(s, 0);

	bound[0] = slice->lo ? bound_point(s, slice->lo, n, zero, n) : zero;
	bound[1] = slice->hi ? bound_point(s, slice->hi, n, zero, n) : n;
}

static struct part part_up(struct sema *s, const struct air_slice *slice,
			   const struct air_expr *n)
{
	const struct air_expr *zero = integer(s, 0), *lo, *hi, *width, *bound[2];
	const struct air_expr *step = integer(s, slice->step);

	bounds_up(s, slice, n, bound);
	lo = bound[0];
	hi = bound[1];
	width = op2(s, AIR_MAX, op2(s, AIR_SUB, hi, lo), zero);
	if (slice->step > 1)
		width = op2(s, AIR_FLOORDIV,
			    op2(s, AIR_ADD, width, integer(s, slice->step - 1)), step);
	return (struct part){ lo, width, slice->step };
}

static struct part part_down(struct sema *s, const struct air_slice *slice,
			     const struct air_expr *n)
{
	const struct air_expr *before = integer(s, -1), *zero = integer(s, 0);
	const struct air_expr *last = op2(s, AIR_SUB, n, integer(s, 1));
	const struct air_expr *lo = last, *hi = before, *width;

	if (slice->lo)
		lo = bound_point(s, slice->lo, n, before, last);
	if (slice->hi)
		hi = bound_point(s, slice->hi, n, before, last);
	width = op2(s, AIR_MAX, op2(s, AIR_SUB, lo, hi), zero);
	if (slice->step < -1)
		width = op2(s, AIR_FLOORDIV,
			    op2(s, AIR_ADD, width, integer(s, -slice->step - 1)),
			    integer(s, -slice->step));
	return (struct part){ lo, width, slice->step };
}

/* What a slice takes of an axis of n points. */
struct part part_of(struct sema *s, const struct air_slice *slice,
		    const struct air_expr *n)
{
	const struct air_expr *one = integer(s, 1), *arg[3];

	if (slice->part == PART_ALL)
		return (struct part){ integer(s, 0), n, 1 };
	if (slice->part == PART_RANGE)
		return slice->step > 0 ? part_up(s, slice, n) : part_down(s, slice, n);
	arg[0] = op2(s, AIR_LT, slice->lo, integer(s, 0));
	arg[1] = op2(s, AIR_ADD, slice->lo, n);
	arg[2] = slice->lo;
	return (struct part){ air_op(s->air, AIR_SELECT, ELEM_I64, arg, 3,
				     slice->lo->span),
			      one, 1 };
}

/* The lowest and the highest point that it takes; the highest lies below the lowest when
 * it takes none. */
void part_ends(struct sema *s, const struct air_slice *slice, const struct air_expr *n,
	       const struct air_expr *end[2])
{
	struct part p = part_of(s, slice, n);
	const struct air_expr *bound[2], *steps, *other;

	if (slice->part == PART_RANGE && slice->step == 1) {
		bounds_up(s, slice, n, bound);
		end[0] = bound[0];
		end[1] = op2(s, AIR_SUB, bound[1], integer(s, 1));
		return;
	}
	steps = op2(s, AIR_SUB, p.count, integer(s, 1));
	other = op2(s, AIR_ADD, p.start, op2(s, AIR_MUL, steps, integer(s, p.step)));
	end[0] = p.step > 0 ? p.start : other;
	end[1] = p.step > 0 ? other : p.start;
}

void region_clear(struct air_region *region)
{
	*region = (struct air_region){ 0 };
	for (int i = 0; i < MAX_AXES; i++)
		region->axis[i].step = 1;
}

bool region_same(const struct air_region *a, const struct air_region *b, int n_axes)
{
	for (int i = 0; i < n_axes; i++) {
		const struct air_slice *x = &a->axis[i], *y = &b->axis[i];

		if (x->part != y->part || x->lo != y->lo || x->hi != y->hi ||
		    x->step != y->step)
			return false;
	}
	return true;
}

/* Bounds that no later assignment changes. */
void region_hold(struct sema *s, struct air_region *region)
{
	for (int i = 0; i < MAX_AXES; i++) {
		const struct air_expr **bound[2] = { &region->axis[i].lo,
						     &region->axis[i].hi };

		for (int k = 0; k < 2; k++)
			if (*bound[k])
				*bound[k] = var_hold(s, value_scalar(*bound[k],
								     (*bound[k])->span),
						     sema_name(s, "bound"))
						    .as.expr;
	}
}

/* ---- reading ------------------------------------------------------------------- */

static bool slice_bound(struct sema *s, const struct ast *a, const struct air_expr **e)
{
	*e = a ? eval_i64(s, a, "a bound of a slice") : NULL;
	return !a || *e;
}

bool region_slice(struct sema *s, const struct ast *a, struct air_slice *part)
{
	part->part = PART_RANGE;
	part->step = 1;
	if (!slice_bound(s, a->child[0], &part->lo) ||
	    !slice_bound(s, a->child[1], &part->hi))
		return false;
	if (a->n_children > 2 && a->child[2]) {
		if (!eval_integer(s, a->child[2], "the step of a slice", &part->step))
			return false;
		if (part->step == 0) {
			sema_fail(s, DIAG_OUT_OF_RANGE, a->child[2]->span,
				  "the step of a slice is not 0");
			return false;
		}
	}
	if (!part->lo && !part->hi && part->step == 1)
		part->part = PART_ALL;
	return true;
}

/* The index of a point along axis i of g, checked as far as it is known; NULL: told. */
const struct air_expr *point_index(struct sema *s, const struct ast *ast,
				   const struct grid *g, int axis)
{
	const struct air_expr *index = eval_i64(s, ast, "the index of a point");
	int64_t i, n = grid_constant_size(g, axis);

	if (!index || n < 0 || !air_constant(index, &i, NULL) || (i >= -n && i < n))
		return index;
	if (n == 0)
		sema_fail(s, DIAG_OUT_OF_RANGE, ast->span, "`%s` has no points",
			  g->axis[axis]->name);
	else
		sema_fail(s, DIAG_OUT_OF_RANGE, ast->span,
			  "`%s` has points 0 to %lld, not %lld", g->axis[axis]->name,
			  (long long)n - 1, (long long)i);
	return NULL;
}
