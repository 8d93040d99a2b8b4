/* array/verify.c - the rules of air.h, checked
 *
 * Walks a program in the order of its text and gives the first complaint, with the
 * statement and the node it is about; NULL when there is none. Runs after each pass in
 * check builds, so it must not mind how a program was made.
 */
#include "array/verify.h"
#include "array/walk.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "base/format.h"

static const char *const stmt_name[] = {
	"grid", "field", "assign", "stage", "copy", "set", "reduce", "fold", "element", "draw",
	"random",
	"text", "if", "loop", "for", "break", "continue", "check", "print", "save", "load",
	"shape", "plot", "exists", "clock", "exit", "backend", "ranks", "local", "rank",
	"export", "bound",
};

static void verify_block(struct verifier *v, const struct air_block *b);

bool verify_fail(struct verifier *v, const char *format, ...)
{
	const struct air_stmt *s = v->stmt;
	struct arena *a = v->p->arena;
	va_list values;
	char text[512];

	if (v->complaint)
		return false;
	va_start(values, format);
	vsnprintf(text, sizeof text, format, values);
	va_end(values);
	if (s && s->span.source) {
		struct place at = span_place(s->span);

		v->complaint = arena_printf(a, "%s:%d:%d: %s: %s", s->span.source->name,
		                            at.line, at.column, stmt_name[s->kind], text);
	} else {
		v->complaint = arena_printf(a, "%s: %s", s ? stmt_name[s->kind] : "program",
		                            text);
	}
	return false;
}

/* parts of statements */

static bool reads_field(const struct air_expr *e)
{
	struct air_walk w = air_walk_of(e);
	bool found = false;

	for (int i = 0; i < w.n; i++)
		found |= w.node[i]->op == AIR_READ;
	air_walk_free(&w);
	return found;
}

static bool verify_scalar(struct verifier *v, const struct air_expr *e, enum elem type,
                          const char *what)
{
	if (!e)
		return verify_fail(v, "no %s", what);
	if (!verify_expr(v, e, NULL))
		return false;
	if (e->grid || reads_field(e))
		return verify_fail(v, "%s is not a scalar", what);
	if (type != ELEM_NONE && e->elem != type)
		return verify_fail(v, "%s is %s, not %s", what, elem_text(e->elem),
		                   elem_text(type));
	return true;
}

static bool verify_var(struct verifier *v, const struct air_stmt *s, enum elem type)
{
	if (!s->var)
		return verify_fail(v, "no variable");
	if (s->var->elem != type)
		return verify_fail(v, "%s is %s, not %s", s->var->name,
		                   elem_text(s->var->elem), elem_text(type));
	if (v->outside_var && v->outside_var[s->var->id])
		return verify_fail(v, "%s is of outside of the local block", s->var->name);
	v->set_var[s->var->id] = 1;
	return true;
}

static bool verify_live(struct verifier *v, const struct air_field *f)
{
	if (!f)
		return verify_fail(v, "no field");
	if (!v->live_field[f->id])
		return verify_fail(v, "%s is used where it does not live", f->name);
	return true;
}

/* A value of this type whose grid is within `grid`. */
static bool verify_value(struct verifier *v, const struct air_expr *e, enum elem type,
                         const struct grid *grid)
{
	if (!e)
		return verify_fail(v, "no value");
	if (!verify_expr(v, e, NULL))
		return false;
	if (e->elem != type)
		return verify_fail(v, "value is %s, not %s", elem_text(e->elem),
		                   elem_text(type));
	if (e->grid && !grid_contains(grid, e->grid))
		return verify_fail(v, "value on %s is not within %s", e->grid->name,
		                   grid->name);
	return true;
}

static bool verify_text(struct verifier *v, const struct air_text *t)
{
	for (int i = 0; i < t->n && !v->complaint; i++) {
		const struct air_piece *piece = &t->piece[i];

		if (piece->kind == PIECE_FIELD)
			verify_live(v, piece->field);
		else if (piece->kind == PIECE_TEXT && !piece->text)
			verify_fail(v, "a piece of text is missing");
		else if (piece->kind == PIECE_SCALAR)
			verify_scalar(v, piece->value, ELEM_NONE, "printed value");
	}
	return !v->complaint;
}

static enum format_kind format_kind_of(enum elem e)
{
	return elem_kind(e) == KIND_BOOL ? FORMAT_BOOL
	       : elem_kind(e) == KIND_INT ? FORMAT_INT
	       : e == ELEM_F32 ? FORMAT_F32
	       : e == ELEM_F64 ? FORMAT_F64
	       : e == ELEM_C64 ? FORMAT_C64
	       : e == ELEM_C128 ? FORMAT_C128
	                       : FORMAT_TEXT;
}

static bool verify_formats(struct verifier *v, const struct air_text *t)
{
	struct format_spec spec;

	for (int i = 0; i < t->n; i++) {
		const struct air_piece *piece = &t->piece[i];
		const char *format = piece->format ? piece->format : "";

		if (piece->kind == PIECE_SCALAR &&
		    (!format_parse(format, &spec) ||
		     !format_fits(&spec, format_kind_of(piece->value->elem))))
			return verify_fail(v, "format `%s` does not fit %s", format,
			                   elem_text(piece->value->elem));
	}
	return true;
}

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

static void verify_stage(struct verifier *v, const struct air_stmt *s)
{
	if (!s->field || !s->field->grid)
		verify_fail(v, "no field");
	else if (verify_value(v, s->field->value, s->field->elem, s->field->grid))
		verify_field(v, s->field, FIELD_STAGE);
}

/* Names in conditions may be declared after their field, but somewhere. */
static void verify_condition_names(struct verifier *v, const struct air_field *f)
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
static void verify_grid(struct verifier *v, const struct air_stmt *s)
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

static void verify_assign(struct verifier *v, const struct air_stmt *s)
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

static void verify_copy(struct verifier *v, const struct air_copy *c)
{
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

static void verify_reduce(struct verifier *v, const struct air_stmt *s)
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

static void verify_fold(struct verifier *v, const struct air_fold *f)
{
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

static void verify_element(struct verifier *v, const struct air_stmt *s)
{
	if (!verify_live(v, s->field))
		return;
	for (int i = 0; i < s->field->grid->n_axes; i++)
		verify_scalar(v, s->index[i], ELEM_I64, "index");
	verify_var(v, s, s->field->elem);
}

/* control */

static void verify_for(struct verifier *v, const struct air_stmt *s)
{
	verify_scalar(v, s->from, ELEM_I64, "start of range");
	verify_scalar(v, s->to, ELEM_I64, "end of range");
	verify_scalar(v, s->by, ELEM_I64, "step of range");
	verify_var(v, s, ELEM_I64);
	v->loops++;
	verify_block(v, &s->body);
	v->loops--;
}

static void verify_loop(struct verifier *v, const struct air_stmt *s)
{
	v->loops++;
	verify_block(v, &s->body);
	v->loops--;
}

static void verify_item(struct verifier *v, const struct air_stmt *s,
                        const struct air_item *item)
{
	verify_scalar(v, item->name, ELEM_STR, "name of dataset");
	if (!!item->field + !!item->value + !!item->var != 1)
		verify_fail(v, "an item is a field, a value or a variable");
	else if (item->field && verify_live(v, item->field) && s->kind == STMT_LOAD &&
	         item->field->kind != FIELD_DECLARED)
		verify_fail(v, "stage %s is loaded", item->field->name);
	else if (item->value && s->kind == STMT_LOAD)
		verify_fail(v, "a value is loaded");
	else if (item->value)
		verify_scalar(v, item->value, ELEM_NONE, "value");
	else if (item->var && s->kind != STMT_LOAD)
		verify_fail(v, "a variable is saved");
	else if (item->var)
		v->set_var[item->var->id] = 1;
	for (int i = 0; i < MAX_AXES; i++) {
		if (item->first[i])
			verify_scalar(v, item->first[i], ELEM_F64, "place of an axis");
		if (item->step[i])
			verify_scalar(v, item->step[i], ELEM_F64, "spacing of an axis");
		if (!item->first[i] != !item->step[i])
			verify_fail(v, "an axis has a place or a spacing only");
	}
}

static void verify_file(struct verifier *v, const struct air_stmt *s)
{
	verify_scalar(v, s->value, ELEM_STR, "name of file");
	if (s->n_items < 1)
		verify_fail(v, "no items");
	else if (s->kind == STMT_PLOT && (s->n_items > 1 || !s->item[0].field))
		verify_fail(v, "one field is drawn");
	for (int i = 0; i < s->n_items; i++)
		verify_item(v, s, &s->item[i]);
}

static void verify_shape(struct verifier *v, const struct air_stmt *s)
{
	verify_scalar(v, s->value, ELEM_STR, "name of file");
	if (s->n_items != 1)
		verify_fail(v, "no dataset");
	else
		verify_scalar(v, s->item[0].name, ELEM_STR, "name of dataset");
	verify_scalar(v, s->from, ELEM_I64, "axis");
	verify_var(v, s, ELEM_I64);
}

/* What is set in it is set nowhere outside, nor may it be read there. */
static void verify_local(struct verifier *v, const struct air_stmt *s)
{
	size_t n = v->p->n_vars;
	char *outside = xmalloc(n + 1), *around = v->outside_var;
	int loops = v->loops;

	if (around)
		verify_fail(v, "local blocks are nested");
	memcpy(outside, v->set_var, n);
	v->outside_var = outside;
	v->loops = 0;
	verify_block(v, &s->body);
	v->loops = loops;
	v->outside_var = around;
	memcpy(v->set_var, outside, n);
	free(outside);
}

static void verify_export(struct verifier *v, const struct air_stmt *s)
{
	const struct air_export *x = s->entry ? s->entry->function : NULL;
	int loops = v->loops, field = 0;

	if (!x || s->entry->id < 0 || s->entry->id >= v->p->n_entries) {
		verify_fail(v, "no entry");
		return;
	}
	for (int i = 0; i < x->n_params; i++)
		if (x->param[i].var)
			v->set_var[x->param[i].var->id] = 1;
		else
			verify_live(v, s->entry->field[field++]);
	v->loops = 0;
	verify_block(v, &s->body);
	v->loops = loops;
	if (x->result && !v->set_var[x->result->id])
		verify_fail(v, "gives no value");
}

static void verify_bound(struct verifier *v, const struct air_stmt *s)
{
	if (!s->grid || !s->axis || !v->live_axis[s->axis->family->id][s->axis->rank])
		verify_fail(v, "no grid or axis that is known");
	else if (verify_scalar(v, s->to, ELEM_I64, "side"))
		verify_var(v, s, ELEM_I64);
}

static bool verify_place(struct verifier *v, const struct air_stmt *s)
{
	if (v->outside_var && s->kind != STMT_LOCAL && !stmt_is_local(s->kind))
		return verify_fail(v, "stands in a local block");
	if (!v->outside_var && (s->kind == STMT_RANK || s->kind == STMT_BOUND))
		return verify_fail(v, "stands outside of local blocks");
	return true;
}

static void verify_stmt(struct verifier *v, const struct air_stmt *s)
{
	if (!verify_place(v, s))
		return;
	switch (s->kind) {
	case STMT_GRID:
		verify_grid(v, s);
		break;
	case STMT_FIELD:
		verify_field(v, s->field, FIELD_DECLARED);
		break;
	case STMT_ASSIGN:
		verify_assign(v, s);
		break;
	case STMT_STAGE:
		verify_stage(v, s);
		break;
	case STMT_COPY:
		verify_copy(v, s->copy);
		break;
	case STMT_SET:
		if (verify_scalar(v, s->value, ELEM_NONE, "value"))
			verify_var(v, s, s->value->elem);
		break;
	case STMT_REDUCE:
		verify_reduce(v, s);
		break;
	case STMT_FOLD:
		verify_fold(v, s->fold);
		break;
	case STMT_ELEMENT:
		verify_element(v, s);
		break;
	case STMT_DRAW:
		verify_var(v, s, ELEM_I64);
		break;
	case STMT_RANDOM:
		verify_scalar(v, s->value, ELEM_I64, "key");
		verify_var(v, s, ELEM_F64);
		break;
	case STMT_TEXT:
		if (verify_text(v, &s->text) && verify_formats(v, &s->text))
			verify_var(v, s, ELEM_STR);
		break;
	case STMT_IF:
		verify_scalar(v, s->value, ELEM_BOOL, "condition");
		verify_block(v, &s->body);
		verify_block(v, &s->other);
		break;
	case STMT_LOOP:
		verify_loop(v, s);
		break;
	case STMT_FOR:
		verify_for(v, s);
		break;
	case STMT_BREAK:
	case STMT_CONTINUE:
		if (v->loops == 0)
			verify_fail(v, "stands outside a loop");
		break;
	case STMT_CHECK:
		verify_scalar(v, s->value, ELEM_BOOL, "condition");
		if (verify_text(v, &s->text))
			verify_formats(v, &s->text);
		break;
	case STMT_PRINT:
		if (verify_text(v, &s->text))
			verify_formats(v, &s->text);
		break;
	case STMT_SAVE:
	case STMT_PLOT:
	case STMT_LOAD:
		verify_file(v, s);
		break;
	case STMT_SHAPE:
		verify_shape(v, s);
		break;
	case STMT_EXISTS:
		verify_scalar(v, s->value, ELEM_STR, "name of file");
		verify_var(v, s, ELEM_BOOL);
		break;
	case STMT_CHECKING:
		verify_var(v, s, ELEM_BOOL);
		break;
	case STMT_CLOCK:
		verify_var(v, s, ELEM_F64);
		break;
	case STMT_EXIT:
		verify_scalar(v, s->value, ELEM_I64, "status");
		break;
	case STMT_BACKEND:
		verify_scalar(v, s->value, ELEM_STR, "name");
		break;
	case STMT_RANKS:
	case STMT_RANK:
		verify_var(v, s, ELEM_I64);
		break;
	case STMT_LOCAL:
		verify_local(v, s);
		break;
	case STMT_EXPORT:
		verify_export(v, s);
		break;
	case STMT_BOUND:
		verify_bound(v, s);
		break;
	default:
		verify_fail(v, "unknown statement");
	}
}

static void verify_block(struct verifier *v, const struct air_block *b)
{
	size_t n = v->p->n_fields;
	char *outside = xmalloc(n + 1);
	const struct air_stmt *s, *last = NULL;

	memcpy(outside, v->live_field, n);
	for (s = b->first; s && !v->complaint; s = s->next) {
		v->stmt = s;
		verify_stmt(v, s);
		last = s;
	}
	if (!v->complaint && last != b->last)
		verify_fail(v, "the end of a block is not its last statement");
	memcpy(v->live_field, outside, n);
	free(outside);
}

static void verify_params(struct verifier *v)
{
	for (int i = 0; i < v->p->n_params; i++) {
		const struct air_param *a = &v->p->param[i];

		verify_scalar(v, a->value, a->var->elem, "default of parameter");
		v->set_var[a->var->id] = 1;
	}
}

static void verify_ids(struct verifier *v)
{
	for (int i = 0; i < v->p->n_vars; i++)
		if (v->p->var[i]->id != i)
			verify_fail(v, "variable %s has id %d", v->p->var[i]->name,
			            v->p->var[i]->id);
	for (int i = 0; i < v->p->n_fields; i++)
		if (v->p->field[i]->id != i)
			verify_fail(v, "field %s has id %d", v->p->field[i]->name,
			            v->p->field[i]->id);
}

/* What earlier text has declared. */
static void assume_known(struct verifier *v)
{
	const struct air_program *p = v->p;

	for (int i = 0; i < p->known.n_fields; i++)
		v->declared_field[i] = v->live_field[i] = 1;
	memset(v->set_var, 1, (size_t)p->known.n_vars);
	for (int f = 0; f < p->types.n_families; f++)
		for (int a = 0; a < p->types.family[f]->n_axes; a++)
			v->live_axis[f][a] =
				p->types.family[f]->axis[a]->id < p->known.n_axes;
}

static char *flags(const struct air_program *p, int n)
{
	return arena_new_array(p->arena, n + 1, char);
}

const char *air_verify(const struct air_program *p)
{
	struct verifier v = { .p = p };

	v.seen_expr = arena_new_array(p->arena, p->n_exprs + 1, const struct air_expr *);
	v.live_field = flags(p, p->n_fields);
	v.declared_field = flags(p, p->n_fields);
	v.set_var = flags(p, p->n_vars);
	v.live_axis = arena_array(p->arena, p->types.n_families + 1, sizeof *v.live_axis);
	verify_ids(&v);
	assume_known(&v);
	verify_params(&v);
	if (!v.complaint)
		verify_block(&v, &p->body);
	v.stmt = NULL;
	for (int i = 0; i < p->n_fields && !v.complaint; i++)
		if (v.declared_field[i])
			verify_condition_names(&v, p->field[i]);
	return v.complaint;
}
