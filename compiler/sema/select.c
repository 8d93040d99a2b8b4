/* compiler/sema/select.c - brackets: shifts, elements, components, slices, regions
 *
 * An entry that is an axis, or one plus or minus a constant, is a shift; any other
 * is a position, in the order of the axes or after `axis =`. Everything shifted or
 * fixed is a new expression: AIR has no brackets. Slices are left to slice.c.
 */
#include "sema/checker.h"

#include <string.h>

enum entry_kind { ENTRY_SHIFT, ENTRY_POSITION, ENTRY_SLICE };

struct entry {
	enum entry_kind kind;
	const struct axis *axis; /* SHIFT, and positions after `axis =` */
	bool named;
	int64_t offset;        /* SHIFT */
	const struct ast *ast; /* the position or slice */
	struct span span;
};

struct entries {
	int n, shifts, positions, slices, named;
	struct entry item[2 * MAX_AXES];
};

/* Does the entry begin with an axis: `x`, `x + 1`, `x - k`? */
static bool begins_with_axis(struct sema *s, const struct ast *a, struct value *axis)
{
	while (a->kind == AST_BINARY && (a->op == AST_OP_ADD || a->op == AST_OP_SUB))
		a = a->child[0];
	if (a->kind != AST_NAME && a->kind != AST_DOT)
		return false;
	if (a->kind == AST_DOT && a->child[0]->kind != AST_NAME)
		return false;
	if (a->kind == AST_NAME && !scope_find(s, a->text) &&
	    !scope_axis_known(s, a->text))
		return false;
	*axis = eval_expr(s, a);
	return axis->kind == VALUE_AXIS;
}

static bool shift_offset(struct sema *s, const struct ast *a, int64_t *offset)
{
	int64_t left, right;

	if (a->kind != AST_BINARY) {
		*offset = 0;
		return true;
	}
	if (!shift_offset(s, a->child[0], &left))
		return false;
	if (!eval_integer(s, a->child[1], "the offset of a shift", &right))
		return false;
	*offset = a->op == AST_OP_ADD ? left + right : left - right;
	return true;
}

/* The axis that stands before `=` in brackets. */
static const struct axis *named_axis(struct sema *s, const struct ast *name)
{
	struct symbol *symbol = scope_find(s, name->text);

	if (symbol && symbol->value.kind == VALUE_AXIS)
		return symbol->value.as.axis;
	if (scope_axis_known(s, name->text))
		return scope_loose_axis(s, name->text);
	sema_fail(s, DIAG_NO_AXIS, name->span, "there is no axis `%s`", name->text);
	return NULL;
}

static bool entry_read(struct sema *s, const struct ast *a, struct entry *e)
{
	struct value axis;

	*e = (struct entry){ .kind = ENTRY_POSITION, .ast = a, .span = a->span };
	if (a->kind == AST_AXIS) {
		sema_fail(s, DIAG_BAD_SELECTION, a->span,
			  "only a grid takes another axis");
		return false;
	}
	if (a->kind == AST_NAMED) {
		e->axis = named_axis(s, a->child[0]);
		e->named = true;
		e->ast = a->child[1];
		if (!e->axis)
			return false;
	}
	if (e->ast->kind == AST_SLICE) {
		e->kind = ENTRY_SLICE;
		return true;
	}
	if (!e->named && begins_with_axis(s, a, &axis)) {
		e->kind = ENTRY_SHIFT;
		e->axis = axis.as.axis;
		return shift_offset(s, a, &e->offset);
	}
	return true;
}

/* An axis is shifted along once in a pair of brackets. */
static bool shifts_once(struct sema *s, const struct entries *all, const struct entry *e)
{
	for (int i = 0; e->kind == ENTRY_SHIFT && i < all->n; i++)
		if (all->item[i].kind == ENTRY_SHIFT && all->item[i].axis == e->axis) {
			sema_fail(s, DIAG_BAD_SELECTION, e->span, "`%s` is given twice",
				  e->axis->name);
			return false;
		}
	return true;
}

static bool entries_read(struct sema *s, const struct ast *a, struct entries *all)
{
	all->n = all->shifts = all->positions = all->slices = all->named = 0;
	for (int i = 1; i < a->n_children; i++) {
		struct entry *e = &all->item[all->n];

		if (all->n == 2 * MAX_AXES) {
			sema_fail(s, DIAG_BAD_SELECTION, a->child[i]->span,
				  "too many entries");
			return false;
		}
		if (!entry_read(s, a->child[i], e) || !shifts_once(s, all, e))
			return false;
		all->shifts += e->kind == ENTRY_SHIFT;
		all->positions += e->kind == ENTRY_POSITION;
		all->slices += e->kind == ENTRY_SLICE;
		all->named += e->named;
		all->n++;
	}
	return true;
}

/* ---- shifts and components ------------------------------------------------ */

/* Axes of grids that are unrelated may have the same name, as in a function that was
 * given one and uses it with a field on a grid of slices. */
struct value no_axis(struct sema *s, const struct axis *a, const struct grid *g,
		     struct span at)
{
	struct value v;

	if (!grid_axis_named(g, a->name))
		return sema_failed(s, DIAG_NO_AXIS, at, "`%s` is not an axis of `%s`",
				   a->name, g->name);
	v = sema_failed(s, DIAG_NO_AXIS, at,
			"this `%s` is the axis of `%s`, not that of `%s`", a->name,
			a->family->name, g->name);
	sema_hint(s, "Name it, or take it from the field itself: `axes(u)[0]`.");
	return v;
}

static const struct air_expr *mirror_leaf(void *context, const struct air_expr *e)
{
	if (e->op == AIR_MIRROR)
		*(bool *)context = true;
	return e;
}

static bool holds_mirror(struct sema *s, const struct air_expr *e)
{
	bool found = false;

	expr_rewrite(s, e, mirror_leaf, &found);
	return found;
}

struct value value_shift(struct sema *s, struct value v, const struct axis *a,
			 int64_t offset, struct span at)
{
	const struct axis *given = a;
	struct value r = v;

	r.span = at;
	if (v.loose) {
		const struct axis *name = scope_loose_axis(s, a->name);

		r.as.expr = air_shift(s->air, v.as.expr, name, offset);
		return r;
	}
	if (!value_grid(&v))
		return sema_failed(s, DIAG_BAD_SELECTION, at, "%s cannot be shifted",
				   value_text(s, &v));
	if (!value_is_free(s, &v))
		return value_error();
	a = axis_in(s, a, value_grid(&v));
	if (!a)
		return no_axis(s, given, value_grid(&v), at);
	if (!offset)
		return r;
	if (s->wall && holds_mirror(s, v.as.expr))
		return sema_failed(s, DIAG_BAD_SELECTION, at,
				   "`edge`, `symmetric` and `reflect` cannot be shifted");
	r.as.expr = air_shift(s->air, v.as.expr, a, offset);
	r.stencil |= UINT32_C(1) << a->rank;
	claims_shift(s, &r, &v, a, offset);
	return r;
}

struct value value_fix(struct sema *s, struct value v, const struct axis *a,
		       const struct air_expr *index)
{
	struct claim *kept = NULL;

	v.as.expr = air_fix(s->air, v.as.expr, a, index);
	v.stencil &= ~(UINT32_C(1) << a->rank);
	v.uneven &= ~(UINT32_C(1) << a->rank);
	for (const struct claim *c = v.claims; c; c = c->next) {
		struct claim *copy;

		if (c->axis == a)
			continue;
		copy = arena_copy(s->arena, c, sizeof *c);
		copy->next = kept;
		kept = copy;
	}
	v.claims = kept;
	return v;
}

static void check_component(struct sema *s, const struct air_expr *i,
			    const struct axis *a)
{
	struct value index = value_scalar(i, i->span), v[2];
	struct air_stmt *check = sema_emit(s, STMT_CHECK, i->span);

	v[0] = value_binary(s, AST_OP_LE,
			    value_scalar(air_int(s->air, ELEM_I64, 0), i->span), index,
			    i->span);
	v[1] = value_scalar(air_at(s->air, AIR_SIZE, a, 0, i->span), i->span);
	v[1] = value_binary(s, AST_OP_LT, index, v[1], i->span);
	check->value = value_binary(s, AST_OP_AND, v[0], v[1], i->span).as.expr;
	check->text = text_plain(
		s, arena_printf(s->arena, "the component is outside of `%s`", a->name));
}

/* The index of a component, counted from 0; NULL: told. */
static const struct air_expr *component(struct sema *s, const struct entry *e,
					const struct axis *a)
{
	const struct air_expr *index = eval_i64(s, e->ast, "the index of a component");
	struct value v;
	int64_t i;
	double f;

	if (!index)
		return NULL;
	if (!air_constant(index, &i, &f)) {
		v = var_hold(s, value_scalar(index, e->ast->span), sema_name(s, a->name));
		check_component(s, v.as.expr, a);
		return v.as.expr;
	}
	if (i >= 0 && a->constant_size < 0) {
		check_component(s, index, a);
		return index;
	}
	if (i < 0 && a->constant_size >= 0)
		i += a->constant_size;
	if (i < 0 || (a->constant_size >= 0 && i >= a->constant_size)) {
		sema_fail(s, DIAG_OUT_OF_RANGE, e->span, "`%s` has no component %lld",
			  a->name, (long long)i);
		return NULL;
	}
	return air_int(s->air, ELEM_I64, i);
}

/* Shifts, and positions of local axes. */
static struct value select_parts(struct sema *s, struct value v, struct entries *all,
				 struct span at)
{
	for (int i = 0; i < all->n; i++) {
		struct entry *e = &all->item[i];
		const struct air_expr *index;
		struct axis *a;

		if (e->kind == ENTRY_SHIFT) {
			v = value_shift(s, v, e->axis, e->offset, at);
		} else {
			a = axis_in(s, e->axis, value_grid(&v));
			index = component(s, e, a);
			/* where the run chooses, what is shifted may leave the axis */
			if (index && air_reads_shifted(v.as.expr, a) &&
			    (index->op != AIR_CONST || a->constant_size < 0))
				v = stage_new(s, v, sema_name(s, "selected"));
			if (v.kind == VALUE_ERROR)
				return v;
			v = index ? value_fix(s, v, a, index) : value_error();
		}
		if (v.kind == VALUE_ERROR)
			return v;
		v.span = at;
	}
	return v;
}

/* ---- elements -------------------------------------------------------------- */

static struct value element(struct sema *s, struct value v, struct entry *const *at,
			    struct span span)
{
	struct air_field *f = value_field(&v);
	struct grid *g = value_grid(&v);
	struct air_region point;
	struct air_stmt *st;
	struct air_var *var;

	region_clear(&point);
	for (int i = 0; i < g->n_axes; i++) {
		point.axis[i].part = PART_AT;
		point.axis[i].lo = point_index(s, at[i]->ast, g, i);
		if (!point.axis[i].lo)
			return value_error();
	}
	if (!f) {
		region_hold(s, &point);
		f = slice_evaluate(s, v, &point, span);
	}
	if (!f)
		return value_error();
	st = sema_emit(s, STMT_ELEMENT, sema_place(s, span));
	var = var_new(s, sema_name(s, f->name), f->elem, span, false);
	st->var = var;
	st->field = f;
	for (int i = 0; i < g->n_axes; i++)
		st->index[i] = point.axis[i].lo;
	return value_scalar(air_read_var(s->air, var, span), span);
}

/* The entry for each axis of g, NULL where none is given; false: told. */
static bool entries_place(struct sema *s, struct entries *all, struct grid *g,
			  struct entry **place)
{
	int next = 0;

	memset(place, 0, MAX_AXES * sizeof *place);
	for (int i = 0; i < all->n; i++) {
		struct entry *e = &all->item[i];
		struct axis *a = e->named ? axis_in(s, e->axis, g) : NULL;
		int k = a ? grid_axis_index(g, a) : next++;

		if (e->named && !a) {
			no_axis(s, e->axis, g, e->span);
			return false;
		}
		if (!e->named && all->named) {
			sema_fail(s, DIAG_BAD_SELECTION, e->span,
				  "positions with and without names cannot be mixed");
			return false;
		}
		if (k >= g->n_axes) {
			sema_fail(s, DIAG_BAD_SELECTION, e->span, "`%s` has %d ax%s",
				  g->name, g->n_axes, g->n_axes == 1 ? "is" : "es");
			return false;
		}
		if (place[k]) {
			sema_fail(s, DIAG_BAD_SELECTION, e->span, "`%s` is given twice",
				  g->axis[k]->name);
			return false;
		}
		place[k] = e;
		e->axis = g->axis[k];
	}
	return true;
}

static bool entries_region(struct sema *s, struct entry *const *place,
			   const struct grid *g, struct air_region *region)
{
	region_clear(region);
	for (int i = 0; i < g->n_axes; i++) {
		struct air_slice *part = &region->axis[i];

		if (!place[i])
			continue;
		if (place[i]->kind == ENTRY_SLICE) {
			if (!region_slice(s, place[i]->ast, part))
				return false;
			continue;
		}
		part->part = PART_AT;
		part->lo = point_index(s, place[i]->ast, g, i);
		if (!part->lo)
			return false;
	}
	return true;
}

/* Beside shifts positions have names. */
static bool positions_named(struct sema *s, const struct entries *all)
{
	for (int i = 0; all->shifts && i < all->n; i++)
		if (all->item[i].kind != ENTRY_SHIFT && !all->item[i].named) {
			sema_fail(s, DIAG_BAD_SELECTION, all->item[i].span,
				  "a shift and a position without a name");
			sema_hint(s, "Name the position's axis: `q=3`.");
			return false;
		}
	return true;
}

/* The entries that are shifts, or the others. */
static struct entries entries_part(const struct entries *all, bool shifts)
{
	struct entries part = { 0 };

	for (int i = 0; i < all->n; i++)
		if ((all->item[i].kind == ENTRY_SHIFT) == shifts)
			part.item[part.n++] = all->item[i];
	part.named = all->named;
	part.shifts = shifts ? part.n : 0;
	return part;
}

/* Are all positions components of local axes, and is something left to vary? */
static bool only_components(const struct entries *all, struct entry *const *place,
			    const struct grid *g)
{
	for (int i = 0; i < g->n_axes; i++)
		if (place[i] && !(g->axis[i]->local && place[i]->kind == ENTRY_POSITION))
			return false;
	return all->shifts || all->positions < g->n_axes;
}

static struct value select_positions(struct sema *s, struct value v, struct entries *all,
				     const struct ast *a)
{
	struct grid *g = value_grid(&v);
	struct entries rest = entries_part(all, false), shifts = entries_part(all, true);
	struct entry *place[MAX_AXES];
	struct air_region region;

	if (!value_is_free(s, &v) || !positions_named(s, all) || !entries_place(s, &rest, g, place))
		return value_error();
	if (only_components(all, place, g)) {
		for (int i = 0; i < all->n; i++)
			if (all->item[i].named && !(all->item[i].axis = axis_in(
							    s, all->item[i].axis, g)))
				return value_error();
		return select_parts(s, v, all->shifts ? all : &rest, a->span);
	}
	if (shifts.n)
		v = select_parts(s, v, &shifts, a->span);
	if (v.kind == VALUE_ERROR)
		return v;
	if (all->positions == g->n_axes)
		return element(s, v, place, a->span);
	if (!entries_region(s, place, g, &region))
		return value_error();
	return slice_value(s, v, &region, a);
}

/* What is selected from: slices in it do not have the shape of the target. */
static struct value select_base(struct sema *s, const struct ast *a)
{
	const struct air_region *region = s->region;
	struct value v;

	s->region = NULL;
	v = eval_expr(s, a->child[0]);
	s->region = region;
	return v;
}

struct value select_eval(struct sema *s, const struct ast *a)
{
	struct value v = select_base(s, a);
	struct entries all;

	if (v.kind == VALUE_ERROR)
		return v;
	if (v.kind == VALUE_LIST || v.kind == VALUE_TUPLE)
		return list_select(s, v, a);
	if (v.kind == VALUE_GRID)
		return grid_select(s, v.as.grid, a);
	v = value_operand(s, v);
	if (v.kind != VALUE_EXPR || value_is_scalar(&v))
		return sema_failed(s, DIAG_BAD_SELECTION, a->span,
				   "nothing can be selected from %s", value_text(s, &v));
	if (!entries_read(s, a, &all))
		return value_error();
	if (s->wall && all.shifts < all.n && holds_mirror(s, v.as.expr))
		return sema_failed(s, DIAG_BAD_SELECTION, a->span,
				   "nothing can be selected from `edge`, `symmetric` and "
				   "`reflect`");
	if (v.loose && all.shifts < all.n)
		v = loose_settle_alone(s, v);
	if (v.kind == VALUE_ERROR)
		return v;
	if (all.shifts == all.n)
		return select_parts(s, v, &all, a->span);
	return select_positions(s, v, &all, a);
}

/* ---- regions of targets ---------------------------------------------------- */

static bool target_shifts(struct sema *s, const struct entries *all, struct air_field *f,
			  struct shifts *by)
{
	for (int i = 0; i < all->n; i++) {
		const struct entry *e = &all->item[i];
		const struct axis *a;

		if (e->kind != ENTRY_SHIFT) {
			sema_fail(s, DIAG_BAD_SELECTION, e->span,
				  "a target is shifted or a region, not both");
			return false;
		}
		a = axis_in(s, e->axis, f->grid);
		if (!a) {
			no_axis(s, e->axis, f->grid, e->span);
			return false;
		}
		by->axis[by->n] = a;
		by->offset[by->n++] = e->offset;
	}
	return true;
}

bool select_region(struct sema *s, const struct ast *a, struct grid *g,
		   struct air_region *region)
{
	struct entry *place[MAX_AXES];
	struct entries all;

	if (!entries_read(s, a, &all))
		return false;
	for (int i = 0; i < all.n; i++)
		if (all.item[i].kind == ENTRY_SHIFT) {
			sema_fail(s, DIAG_BAD_SELECTION, all.item[i].span,
				  "in the brackets of a grid stand its axes, or slices");
			return false;
		}
	return entries_place(s, &all, g, place) && entries_region(s, place, g, region);
}

bool select_target(struct sema *s, const struct ast *a, struct air_field *f,
		   struct air_region *region, struct shifts *by)
{
	struct entry *place[MAX_AXES];
	struct entries all;

	region_clear(region);
	if (!entries_read(s, a, &all))
		return false;
	if (all.shifts)
		return target_shifts(s, &all, f, by);
	return entries_place(s, &all, f->grid, place) &&
	       entries_region(s, place, f->grid, region);
}
