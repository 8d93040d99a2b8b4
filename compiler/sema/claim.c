/* compiler/sema/claim.c - reads beyond walls, and the regions that may not reach them
 *
 * A claim is checked against the region that the statement computes: with constant
 * bounds here, with others by a CHECK that runs before the statement. A whole
 * field never satisfies one. Periodic axes have no walls and make no claims. Where a
 * field is shorter or longer than the grid of the statement, its upper wall is nearer
 * or further away.
 */
#include "sema/checker.h"

/* ---- claims ---------------------------------------------------------------- */

static struct claim *claim_find(struct claim *list, const struct claim *c)
{
	for (; list; list = (struct claim *)list->next)
		if (list->axis == c->axis && list->side == c->side &&
		    list->field == c->field && list->ext == c->ext)
			return list;
	return NULL;
}

/* list with c; copies, so lists can be shared. Of two alike the farther one stays. */
static const struct claim *claim_add(struct sema *s, const struct claim *list,
				     struct claim c)
{
	struct claim *found = claim_find((struct claim *)list, &c), *copy;
	const struct claim *head = NULL;

	if (found && found->distance >= c.distance)
		return list;
	for (const struct claim *old = list; found && old; old = old->next) {
		if (old == found)
			continue;
		copy = arena_copy(s->arena, old, sizeof *old);
		copy->next = head;
		head = copy;
	}
	copy = arena_copy(s->arena, &c, sizeof c);
	copy->next = found ? head : list;
	return copy;
}

const struct claim *claims_join(struct sema *s, const struct claim *a,
				const struct claim *b)
{
	if (!a || a == b)
		return b;
	for (; b; b = b->next)
		a = claim_add(s, a, *b);
	return a;
}

struct field_note *field_note_of(const struct sema *s, const struct air_field *f)
{
	return s->notes.item[f->id];
}

/* Is f worth something beyond that wall when it is read there? */
bool field_has_ghost(const struct sema *s, const struct air_field *f, int axis, int side)
{
	return f->ghost[axis][side].kind != GHOST_NONE &&
	       !field_note_of(s, f)->inner[axis][side];
}

static void claim_field(struct sema *s, struct value *v, const struct axis *a,
			struct air_field *f)
{
	struct air_reach reach = air_reach_of(v->as.expr, f);
	int i = grid_axis_index(f->grid, a);
	int64_t distance[2] = { -reach.lo[i], reach.hi[i] };

	for (int side = 0; side < 2; side++) {
		if (distance[side] <= 0)
			continue;
		if (!field_has_ghost(s, f, i, side))
			v->claims =
				claim_add(s, v->claims,
					  (struct claim){ .axis = a,
							  .side = side,
							  .distance = distance[side],
							  .ext = f->grid->ext[i],
							  .field = f,
							  .span = sema_place(s, v->span),
							  .call = s->call });
		else if (!field_note_of(s, f)->needed[i][side].source)
			field_note_of(s, f)->needed[i][side] = sema_place(s, v->span);
	}
}

/* A condition along a later axis j is evaluated beyond the walls of an earlier one i
 * when a read goes beyond both: the fields in it must be worth something there. */
static void claim_corner(struct sema *s, struct value *v, const struct air_field *f,
			 const int at[2], const int side[2], int64_t distance)
{
	const struct air_ghost *ghost = &f->ghost[at[1]][side[1]];
	struct air_field_set read = { .arena = s->arena };
	const struct axis *a = f->grid->axis[at[0]];

	if (ghost->kind != GHOST_EXPR)
		return;
	air_fields_read(ghost->value, &read);
	for (int k = 0; k < read.n; k++) {
		int i = grid_axis_index(read.field[k]->grid, a);

		if (i < 0 || field_has_ghost(s, read.field[k], i, side[0]))
			continue;
		v->claims = claim_add(s, v->claims,
				      (struct claim){ .axis = a,
						      .side = side[0],
						      .distance = distance,
						      .ext = read.field[k]->grid->ext[i],
						      .field = read.field[k],
						      .span = sema_place(s, v->span),
						      .call = s->call });
	}
}

/* more: by how much the grid of the expression is longer along each axis of f. */
static void claim_corners(struct sema *s, struct value *v, const struct air_field *f,
			  const struct air_reach *reach, const int *more)
{
	int n = f->grid->n_axes;

	for (int k = 0; reach->diagonal > 1 && k < n * n * 4; k++) {
		int at[2] = { k / 4 / n, k / 4 % n }, side[2] = { k & 1, k >> 1 & 1 };
		int64_t d[2];

		for (int j = 0; j < 2; j++)
			d[j] = side[j] ? reach->hi[at[j]] + more[at[j]]
				       : -reach->lo[at[j]];
		if (at[0] < at[1] && d[0] > 0 && d[1] > 0 &&
		    !f->grid->axis[at[0]]->periodic)
			claim_corner(s, v, f, at, side,
				     d[0] - (side[0] ? more[at[0]] : 0));
	}
}

static void claim_inner(struct sema *s, struct value *v, const struct axis *a, int64_t at,
			struct span span)
{
	struct claim c = { .axis = a, .side = at > 0, .distance = at > 0 ? at : -at };

	c.span = sema_place(s, span);
	c.call = s->call;
	c.ext = grid_longer(value_grid(v), a);
	if (at)
		v->claims = claim_add(s, v->claims, c);
}

/* v is `from` shifted along a: its claims, given anew along that axis. */
void claims_shift(struct sema *s, struct value *v, const struct value *from,
		  const struct axis *a, int64_t offset)
{
	struct air_field_set read = { .arena = s->arena };

	if (a->periodic)
		return;
	v->claims = NULL;
	for (const struct claim *c = from->claims; c; c = c->next) {
		if (c->axis != a)
			v->claims = claim_add(s, v->claims, *c);
		else if (!c->field)
			claim_inner(s, v, a,
				    (c->side ? c->distance : -c->distance) + offset,
				    c->span);
	}
	if (from->stencil >> a->rank & 1)
		claim_inner(s, v, a, offset, v->span);
	air_fields_read(v->as.expr, &read);
	for (int i = 0; i < read.n; i++)
		if (grid_axis_index(read.field[i]->grid, a) >= 0) {
			struct air_reach reach = air_reach_of(v->as.expr, read.field[i]);
			int none[MAX_AXES] = { 0 };

			claim_field(s, v, a, read.field[i]);
			claim_corners(s, v, read.field[i], &reach, none);
		}
}

/* ---- where the grid is longer than a field -------------------------------------- */

/* The last points of g along an axis lie beyond the upper wall of f. */
static void claim_upper(struct sema *s, struct value *v, struct air_field *f, int axis,
			int64_t offset)
{
	struct field_note *known = field_note_of(s, f);

	if (!field_has_ghost(s, f, axis, 1))
		v->claims = claim_add(s, v->claims,
				      (struct claim){ .axis = f->grid->axis[axis],
						      .side = 1,
						      .distance = offset,
						      .ext = f->grid->ext[axis],
						      .field = f,
						      .span = sema_place(s, v->span),
						      .call = s->call });
	else if (!known->needed[axis][1].source)
		known->needed[axis][1] = sema_place(s, v->span);
}

static void claim_longer(struct sema *s, struct value *v, const struct air_expr *read,
			 const struct grid *g)
{
	struct air_field *f = read->as.read.field;
	struct air_reach reach = air_reach_of(read, f);
	int more[MAX_AXES] = { 0 };
	bool any = false;

	for (int i = 0; i < f->grid->n_axes; i++) {
		const struct axis *a = f->grid->axis[i];

		if (read->as.read.at[i].pick != PICK_OFFSET || grid_axis_index(g, a) < 0)
			continue;
		more[i] = grid_longer(g, a) - grid_longer(f->grid, a);
		if (more[i] > 0 && reach.hi[i] == 0)
			reach.diagonal++;
		any |= more[i] != 0;
		if (more[i] && read->as.read.at[i].offset + more[i] > 0)
			claim_upper(s, v, f, i, read->as.read.at[i].offset);
	}
	if (any)
		claim_corners(s, v, f, &reach, more);
}

struct longer {
	struct sema *s;
	struct value *value;
	const struct grid *grid;
};

static const struct air_expr *longer_leaf(void *context, const struct air_expr *e)
{
	struct longer *l = context;

	if (e->op == AIR_READ)
		claim_longer(l->s, l->value, e, l->grid);
	return e;
}

/* ---- claims against regions -------------------------------------------------- */

/* A hoisted field has no name that the program could use. */
static const char *claim_name(const struct sema *s, const struct claim *c)
{
	return c->field && !(c->field->made && field_note_of(s, c->field)->unnamed)
		       ? c->field->name
		       : NULL;
}

static void tell_cause(struct sema *s, const struct claim *c)
{
	const char *axis = c->axis->name, *side = wall_side(c->side);
	const char *name = claim_name(s, c);
	struct call *outer = s->call;

	s->call = c->call;
	if (name)
		sema_fail(s, DIAG_NO_BOUNDARY, c->span,
			  "`%s` has no boundary at %s.%s, where this reads beyond it",
			  name, axis, side);
	else
		sema_fail(s, DIAG_NO_BOUNDARY, c->span, "%s has no value beyond %s.%s",
			  c->field ? "a slice" : "an expression with shifted reads", axis,
			  side);
	s->call = outer;
	if (name)
		sema_note(s, c->field->span, "`%s` is declared here", name);
}

static void tell_claim(struct sema *s, const struct claim *c, const struct grid *g)
{
	const char *part = "", *name = claim_name(s, c);
	long long d = (long long)c->distance;

	tell_cause(s, c);
	for (int i = 0; i < g->n_axes; i++) {
		const char *entry = ":";

		if (g->axis[i] == c->axis)
			entry = arena_printf(s->arena, "%lld:-%lld", d, d);
		part = arena_printf(s->arena, "%s%s%s", part, i ? ", " : "", entry);
	}
	if (name)
		sema_hint(s,
			  "Give it one, `boundary %s = edge` for example, or assign only "
			  "to points "
			  "that need none: `...[%s] = ...`.",
			  name, part);
	else
		sema_hint(s,
			  "Name it with `let` and give that a boundary, or assign only "
			  "to points "
			  "that need none: `...[%s] = ...`.",
			  part);
}

static const struct air_expr *op2(struct sema *s, enum air_op op, enum elem e,
				  const struct air_expr *a, const struct air_expr *b)
{
	const struct air_expr *arg[2] = { a, b };

	return air_op(s->air, op, e, arg, 2, a->span);
}

static const struct air_expr *integer(struct sema *s, int64_t i)
{
	return air_int(s->air, ELEM_I64, i);
}

/* Does the part keep clear of the wall whatever the axis' size is? */
static bool clear_for_sure(const struct air_slice *part, const struct claim *c)
{
	int64_t i = 0;

	if (part->part == PART_ALL || part->step < 0)
		return false;
	if (!c->side)
		return part->lo && air_constant(part->lo, &i, NULL) && i >= c->distance;
	if (part->part == PART_AT)
		return air_constant(part->lo, &i, NULL) && i < -c->distance;
	return part->hi && air_constant(part->hi, &i, NULL) && i <= -c->distance;
}

/* Does it touch the wall whatever the size is? */
static bool touches_for_sure(const struct air_slice *part, const struct claim *c)
{
	int64_t i = 0;

	if (part->part == PART_ALL)
		return true;
	if (part->step < 0)
		return false;
	if (!c->side)
		return !part->lo ||
		       (air_constant(part->lo, &i, NULL) && i >= 0 && i < c->distance);
	if (part->part == PART_AT)
		return air_constant(part->lo, &i, NULL) && i < 0;
	if (part->step > 1)
		return false;
	return !part->hi || (air_constant(part->hi, &i, NULL) && i < 0);
}

/* The condition under which the part keeps clear of the wall. */
static const struct air_expr *
clear_condition(struct sema *s, const struct air_slice *part, const struct claim *c,
		const struct grid *g)
{
	const struct air_expr *n = air_size(s->air, g, grid_axis_index(g, c->axis));
	const struct air_expr *end[2], *clear, *empty;

	part_ends(s, part, n, end);
	empty = op2(s, AIR_LT, ELEM_BOOL, end[1], end[0]);
	if (!c->side)
		clear = op2(s, AIR_LE, ELEM_BOOL, integer(s, c->distance), end[0]);
	else
		clear = op2(s, AIR_LT, ELEM_BOOL,
			    op2(s, AIR_ADD, ELEM_I64, end[1], integer(s, c->distance)),
			    n);
	return op2(s, AIR_OR, ELEM_BOOL, empty, clear);
}

static void claim_check(struct sema *s, const struct claim *c, const struct grid *g,
			const struct air_slice *part)
{
	const struct air_expr *clear;
	struct air_stmt *check;
	int64_t known;

	if (clear_for_sure(part, c))
		return;
	if (touches_for_sure(part, c)) {
		tell_claim(s, c, g);
		return;
	}
	clear = clear_condition(s, part, c, g);
	if (air_constant(clear, &known, NULL)) {
		if (!known)
			tell_claim(s, c, g);
		return;
	}
	check = sema_emit(s, STMT_CHECK, c->span);
	check->value = clear;
	check->text = text_plain(
		s, arena_printf(
			   s->arena, "%s%s%s is read beyond %s.%s, where it has no %s",
			   c->field ? "`" : "",
			   c->field ? c->field->name : "an expression with shifted reads",
			   c->field ? "`" : "", c->axis->name, wall_side(c->side),
			   c->field ? "boundary" : "value"));
}

/* Fails unless every claim of v holds on that region of g (NULL: all of it). */
void claims_check(struct sema *s, const struct value *v, const struct grid *g,
		  const struct air_region *region)
{
	static const struct air_slice all = { .part = PART_ALL, .step = 1 };

	struct value all_claims = *v;
	struct longer longer = { s, &all_claims, g };

	expr_rewrite(s, v->as.expr, longer_leaf, &longer);
	for (const struct claim *c = all_claims.claims; c; c = c->next) {
		int i = grid_axis_index(g, c->axis);
		struct claim here = *c;

		if (c->side)
			here.distance += grid_ext(g, c->axis) - c->ext;
		if (here.distance > 0)
			claim_check(s, &here, g,
				    region && i >= 0 ? &region->axis[i] : &all);
	}
}
