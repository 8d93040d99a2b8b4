/* array/verify_field.c - the rules of statements about grids and fields
 *
 * That what they name lives where they stand, that types and grids fit, and that parts of
 * fields are what air.h says.
 */
#include "array/verify.h"
/* fields */

static bool verify_ghost(struct verifier *v, const struct air_field *f, int axis, int side)
{
	const struct air_ghost *g = &f->ghost[axis][side];
	const char *name = f->grid->axis[axis]->name;

	if (g->kind == GHOST_NONE)
		return true;
	if (f->grid->axis[axis]->periodic)
		return verify_fail(v, "%s has a condition along %s, which is periodic", f->name,
		                   name);
	if (g->kind == GHOST_COMPUTED)
		return f->kind == FIELD_STAGE ||
		       verify_fail(v, "%s is no stage, but its ghosts are computed", f->name);
	if (!g->value)
		return verify_fail(v, "%s has an empty condition along %s", f->name, name);
	if (!verify_expr(v, g->value, f))
		return false;
	if (g->value->elem != f->elem)
		return verify_fail(v, "condition of %s is %s, not %s", f->name,
		                   elem_text(g->value->elem), elem_text(f->elem));
	if (g->value->grid && !grid_contains(f->grid, g->value->grid))
		return verify_fail(v, "condition of %s on %s is not within %s", f->name,
		                   g->value->grid->name, f->grid->name);
	return true;
}

static bool verify_field(struct verifier *v, const struct air_field *f,
                         enum air_field_kind kind)
{
	if (!f)
		return verify_fail(v, "no field");
	if (f->kind != kind)
		return verify_fail(v, "%s is of the other kind", f->name);
	if (v->declared_field[f->id])
		return verify_fail(v, "%s has two statements", f->name);
	if (f->elem == ELEM_STR || !f->grid)
		return verify_fail(v, "%s has no type or grid of a field", f->name);
	for (int i = 0; i < f->grid->n_axes; i++)
		if (!v->live_axis[f->grid->family->id][f->grid->axis[i]->rank])
			return verify_fail(v, "%s lies on a grid that is not known yet", f->name);
	for (int i = 0; i < f->grid->n_axes; i++)
		for (int side = 0; side < 2; side++)
			if (!verify_ghost(v, f, i, side))
				return false;
	v->declared_field[f->id] = v->live_field[f->id] = 1;
	return true;
}

void verify_declaration(struct verifier *v, const struct air_stmt *s)
{
	verify_field(v, s->field, FIELD_DECLARED);
}

void verify_stage(struct verifier *v, const struct air_stmt *s)
{
	if (!s->field || !s->field->grid)
		verify_fail(v, "no field");
	else if (verify_value(v, s->field->value, s->field->elem, s->field->grid))
		verify_field(v, s->field, FIELD_STAGE);
}

/* Names in conditions may be declared after their field, but somewhere. */
void verify_condition_names(struct verifier *v, const struct air_field *f)
{
	struct air_field_set set = { .arena = v->p->arena };

	for (int i = 0; i < f->grid->n_axes; i++)
		for (int side = 0; side < 2; side++)
			if (f->ghost[i][side].kind == GHOST_EXPR)
				air_fields_read(f->ghost[i][side].value, &set);
	for (int i = 0; i < set.n; i++)
		if (!v->declared_field[set.field[i]->id])
			verify_fail(v, "condition of %s reads %s, which has no statement",
			            f->name, set.field[i]->name);
}

static void verify_axis_slice(struct verifier *v, const struct axis *a)
{
	const struct axis_slice *x = a->slice;

	if (!x != !(a->family->parent && a->rank < a->family->n_base))
		verify_fail(v, "axis %s of %s is no slice, but its family is, or the reverse",
		            a->name, a->family->name);
	if (!x || v->complaint)
		return;
	if (x->axis->family != a->family->parent || x->step == 0 || a->place != AXIS_INDEX)
		verify_fail(v, "axis %s is no slice of one of %s", a->name,
		            a->family->parent->name);
	else if (!v->live_axis[x->axis->family->id][x->axis->rank])
		verify_fail(v, "axis %s is a slice of one that is not known yet", a->name);
	else
		verify_scalar(v, x->start, ELEM_I64, "start of axis");
}

static void verify_axis(struct verifier *v, const struct axis *a)
{
	bool *live = &v->live_axis[a->family->id][a->rank];

	if (*live)
		verify_fail(v, "axis %s of %s has two statements", a->name, a->family->name);
	*live = true;
	verify_scalar(v, a->size, ELEM_I64, "size of axis");
	verify_axis_slice(v, a);
	if (a->place == AXIS_INDEX)
		return;
	verify_scalar(v, a->lo, ELEM_F64, "start of axis");
	verify_scalar(v, a->hi, ELEM_F64, "end of axis");
	if (a->place == AXIS_NODES && a->periodic)
		verify_fail(v, "axis %s has nodes and is periodic", a->name);
}

static void verify_cuts(struct verifier *v, const struct family *f, int axis)
{
	const struct cuts *c = &f->cuts[axis];

	if ((c->n || c->cost) && !family_may_cut(f, axis))
		verify_fail(v, "axis %s is not cut, but has cuts", f->axis[axis]->name);
	if (c->n == 1 || (c->n && c->cost))
		verify_fail(v, "axis %s has no parts, or two kinds", f->axis[axis]->name);
	for (int k = 0; k < c->n; k++)
		verify_scalar(v, c->at[k], ELEM_I64, "start of a block");
	if (c->cost && verify_live(v, c->cost) && c->cost->grid->n_axes != 1)
		verify_fail(v, "cost %s has several axes", c->cost->name);
}

/* The declared axes, or one that is added to them. */
void verify_grid(struct verifier *v, const struct air_stmt *s)
{
	const struct family *f = s->family;

	if (!f || (s->axis && s->axis->family != f)) {
		verify_fail(v, "no grid, or an axis of another");
		return;
	}
	if (s->axis && (s->axis->rank < f->n_base || !v->live_axis[f->id][0]))
		verify_fail(v, "grid %s gets axis %s before its statement", f->name,
		            s->axis->name);
	if (s->axis)
		verify_axis(v, s->axis);
	for (int i = 0; !s->axis && i < f->n_base; i++)
		verify_axis(v, f->axis[i]);
	for (int i = 0; !s->axis && i < f->n_procs; i++)
		verify_scalar(v, f->procs[i], ELEM_I64, "number of ranks");
	for (int i = 0; !s->axis && i < f->n_base; i++)
		verify_cuts(v, f, i);
}

/* assignments */

static bool verify_slice(struct verifier *v, const struct air_slice *s)
{
	if (s->part == PART_ALL)
		return true;
	if (s->part == PART_AT)
		return verify_scalar(v, s->lo, ELEM_I64, "position");
	if (s->step == 0)
		return verify_fail(v, "a region has step 0");
	return (!s->lo || verify_scalar(v, s->lo, ELEM_I64, "start of region")) &&
	       (!s->hi || verify_scalar(v, s->hi, ELEM_I64, "end of region"));
}

static bool verify_target(struct verifier *v, const struct air_stmt *s,
                          const struct air_target *t)
{
	if (!verify_live(v, t->field) ||
	    !verify_value(v, t->value, t->field->elem, t->field->grid))
		return false;
	if (t->field->kind != FIELD_DECLARED)
		return verify_fail(v, "stage %s is assigned to", t->field->name);
	for (int i = 0; i < t->field->grid->n_axes; i++)
		if (!verify_slice(v, &t->region.axis[i]))
			return false;
	return !s->mask || verify_value(v, s->mask, ELEM_BOOL, t->field->grid);
}

void verify_assign(struct verifier *v, const struct air_stmt *s)
{
	if (s->n_targets < 1)
		verify_fail(v, "no target");
	for (int i = 0; i < s->n_targets && !v->complaint; i++)
		verify_target(v, s, &s->target[i]);
}

/* Each axis of `from` that has a range stands at one of `to`. */
static bool verify_pairs(struct verifier *v, const struct air_copy *c)
{
	unsigned free = 0;

	for (int i = 0; i < c->from->grid->n_axes; i++)
		if (c->from_region.axis[i].part != PART_AT)
			free |= 1u << i;
	for (int i = 0; i < c->to->grid->n_axes; i++) {
		if (c->pair[i] < 0)
			continue;
		if (c->to_region.axis[i].part == PART_AT || c->pair[i] >= MAX_AXES ||
		    !(free >> c->pair[i] & 1))
			return verify_fail(v, "axis %d of %s is paired with none", i,
			                   c->to->name);
		free &= ~(1u << c->pair[i]);
	}
	return !free || verify_fail(v, "an axis of %s has no pair", c->from->name);
}

void verify_copy(struct verifier *v, const struct air_stmt *s)
{
	const struct air_copy *c = s->copy;

	if (!c) {
		verify_fail(v, "no copy");
		return;
	}
	if (!verify_live(v, c->to) || !verify_live(v, c->from))
		return;
	if (c->to->kind != FIELD_DECLARED)
		verify_fail(v, "stage %s is copied to", c->to->name);
	if (c->to->elem != c->from->elem)
		verify_fail(v, "%s is %s, not %s", c->from->name, elem_text(c->from->elem),
		            elem_text(c->to->elem));
	for (int i = 0; i < c->to->grid->n_axes && !v->complaint; i++)
		verify_slice(v, &c->to_region.axis[i]);
	for (int i = 0; i < c->from->grid->n_axes && !v->complaint; i++)
		verify_slice(v, &c->from_region.axis[i]);
	if (!v->complaint)
		verify_pairs(v, c);
}

void verify_reduce(struct verifier *v, const struct air_stmt *s)
{
	if (!s->value) {
		verify_fail(v, "no value");
		return;
	}
	if (!verify_expr(v, s->value, NULL))
		return;
	if (!s->grid && !s->value->grid)
		verify_fail(v, "a scalar is reduced over no grid");
	else if (s->grid && s->value->grid && !grid_contains(s->grid, s->value->grid))
		verify_fail(v, "value on %s is not within %s", s->value->grid->name,
		            s->grid->name);
	else if ((s->reduction == REDUCE_ANY || s->reduction == REDUCE_ALL) &&
	         s->value->elem != ELEM_BOOL)
		verify_fail(v, "any and all take bools");
	else
		verify_var(v, s, air_reduced_elem(s->reduction, s->value->elem));
}

/* Are these the axes of `from` that are left? */
static bool verify_fold_grid(struct verifier *v, const struct air_fold *f)
{
	const struct grid *from = f->from->grid, *to = f->to->grid;
	int n = 0, along = 0;

	if (!to || !f->axes || f->axes >> from->n_axes)
		return verify_fail(v, "no grid, or no axis to go along");
	for (int i = 0; i < from->n_axes; i++) {
		along += f->axes >> i & 1;
		if (f->axes >> i & 1 && !reduction_is_scan(f->reduction))
			continue;
		if (n == to->n_axes || to->axis[n] != from->axis[i] ||
		    to->ext[n++] != from->ext[i])
			return verify_fail(v, "%s is not on the axes that are left",
			                   f->to->name);
	}
	if (n < to->n_axes)
		return verify_fail(v, "%s has more axes than are left", f->to->name);
	return along == 1 || f->reduction < REDUCE_ARGMIN ||
	       verify_fail(v, "%s goes along one axis", air_reduction_text(f->reduction));
}

void verify_fold(struct verifier *v, const struct air_stmt *s)
{
	const struct air_fold *f = s->fold;

	enum elem_kind kind;

	if (!f || !f->to || !verify_live(v, f->from) || !verify_fold_grid(v, f))
		return;
	kind = elem_kind(f->from->elem);
	if ((f->reduction == REDUCE_ANY || f->reduction == REDUCE_ALL) && kind != KIND_BOOL)
		verify_fail(v, "any and all take bools");
	else if (reduction_is_scan(f->reduction) && kind <= KIND_INT && f->from->elem != ELEM_I64)
		verify_fail(v, "scans of integers are of i64");
	else if (f->to->elem != air_reduced_elem(f->reduction, f->from->elem))
		verify_fail(v, "%s is %s", f->to->name, elem_text(f->to->elem));
	else
		verify_field(v, f->to, FIELD_DECLARED);
}

void verify_element(struct verifier *v, const struct air_stmt *s)
{
	if (!verify_live(v, s->field))
		return;
	for (int i = 0; i < s->field->grid->n_axes; i++)
		verify_scalar(v, s->index[i], ELEM_I64, "index");
	verify_var(v, s, s->field->elem);
}
