/* compiler/sema/wall.c - what fields are worth beyond walls: ghosts and boundaries
 *
 * A boundary statement gives the sides of a field their conditions, expressions over
 * mirrored values; the sides of a `let` are computed where that is possible, or said to
 * be. What a condition reads is checked here, that there is one in claim.c.
 */
#include "sema/checker.h"

#include <string.h>

const char *wall_side(int side)
{
	return side ? "hi" : "lo";
}

/* ---- ghosts of stages ---------------------------------------------------------- */

/* The field read that has no value beyond that wall, if any. */
static const struct air_field *field_without(const struct sema *s,
					     const struct air_field_set *read,
					     const struct axis *a, int side)
{
	for (int k = 0; k < read->n; k++) {
		int i = grid_axis_index(read->field[k]->grid, a);

		if (i >= 0 && !field_has_ghost(s, read->field[k], i, side))
			return read->field[k];
	}
	return NULL;
}

/* Beyond that wall the stage is its expression, and so are the lets without boundary
 * that it reads. Returns the field that has no value there, if any. */
static const struct air_field *compute_ghost(struct sema *s, struct air_field *stage,
					     const struct axis *a, int side)
{
	struct air_field_set read = { .arena = s->arena };

	if (field_note_of(s, stage)->drawn)
		return stage;
	air_fields_read(stage->value, &read);
	for (int k = 0; k < read.n; k++) {
		struct air_field *f = read.field[k];
		int i = grid_axis_index(f->grid, a);
		const struct air_field *without;

		if (i < 0 || f->ghost[i][side].kind != GHOST_NONE)
			continue;
		without = f->kind == FIELD_STAGE ? compute_ghost(s, f, a, side) : f;
		if (without)
			return without;
		field_note_of(s, f)->inner[i][side] = true;
	}
	stage->ghost[grid_axis_index(stage->grid, a)][side].kind = GHOST_COMPUTED;
	return NULL;
}

/* Beyond a wall a stage is its expression, where that is worth something there. */
void ghosts_default(struct sema *s, struct air_field *stage, const struct value *v)
{
	struct air_field_set read = { .arena = s->arena };

	if (field_note_of(s, stage)->drawn)
		return;
	air_fields_read(stage->value, &read);
	for (int i = 0; i < stage->grid->n_axes; i++) {
		const struct axis *a = stage->grid->axis[i];

		for (int side = 0; side < 2 && !a->periodic; side++)
			if (!(v->stencil >> a->rank & 1) &&
			    !field_without(s, &read, a, side))
				stage->ghost[i][side].kind = GHOST_COMPUTED;
	}
}

/* ---- boundary statements ---------------------------------------------------------- */

struct side {
	struct air_field *field;
	int axis, side;
	const struct ast *value;
};

static bool is_computed(const struct sema *s, const struct ast *value)
{
	return value->kind == AST_NAME && strcmp(value->text, "computed") == 0 &&
	       !scope_find(s, value->text);
}

static void set_computed(struct sema *s, struct side *w)
{
	const struct axis *a = w->field->grid->axis[w->axis];
	const struct air_field *without;

	if (w->field->kind != FIELD_STAGE) {
		sema_fail(s, DIAG_BAD_BOUNDARY, w->value->span,
			  "`computed` is for a `let`: `%s` has no expression",
			  w->field->name);
		return;
	}
	without = compute_ghost(s, w->field, a, w->side);
	if (without)
		sema_fail(s, DIAG_NO_BOUNDARY, w->value->span,
			  "`%s` cannot be computed beyond %s.%s: `%s` has no boundary "
			  "there",
			  w->field->name, a->name, wall_side(w->side), without->name);
}

/* A condition reads no field that varies along its own axis. */
static bool condition_reads(struct sema *s, const struct side *w, const struct value *v)
{
	struct air_field_set read = { .arena = s->arena };
	const struct axis *a = w->field->grid->axis[w->axis];

	air_fields_read(v->as.expr, &read);
	for (int i = 0; i < read.n; i++)
		if (grid_axis_index(read.field[i]->grid, a) >= 0) {
			sema_fail(s, DIAG_BAD_BOUNDARY, w->value->span,
				  "the condition at %s.%s reads `%s`, which varies along "
				  "`%s`",
				  a->name, wall_side(w->side), read.field[i]->name,
				  a->name);
			sema_hint(s, "Fields in a condition are on the grid without that "
				     "axis; "
				     "of the field itself there are `edge`, `symmetric`, "
				     "`reflect`.");
			return false;
		}
	return true;
}

static struct value condition_eval(struct sema *s, const struct side *w)
{
	struct wall wall = { w->field, w->field->grid->axis[w->axis] };
	struct air_block hoisted = { 0 }, *around = s->block;
	const struct wall *outer = s->wall;
	struct grid *target = s->target;
	struct value v;

	s->wall = &wall;
	s->target = w->field->grid;
	s->block = &hoisted;
	v = value_operand(s, eval_expr(s, w->value));
	s->block = around;
	s->target = target;
	s->wall = outer;
	if (v.kind == VALUE_ERROR || !hoisted.first)
		return v;
	v = sema_failed(s, DIAG_BAD_BOUNDARY, w->value->span,
			"a condition cannot hold reductions, elements, slices, draws or texts");
	sema_hint(s, "Put the value into a `var` and use that: a condition reads it each "
		     "time.");
	return v;
}

static void set_condition(struct sema *s, struct side *w)
{
	struct air_ghost *ghost = &w->field->ghost[w->axis][w->side];
	struct value v = condition_eval(s, w);

	if (v.kind == VALUE_ERROR ||
	    !value_convert(s, &v, w->field->elem, "the condition"))
		return;
	v = loose_end(s, v, w->field->grid);
	if (v.kind == VALUE_ERROR)
		return;
	if (value_grid(&v) && !grid_contains(w->field->grid, value_grid(&v))) {
		sema_fail(s, DIAG_UNRELATED_GRIDS, w->value->span,
			  "a condition on `%s` cannot be of `%s`", w->field->grid->name,
			  value_grid(&v)->name);
		return;
	}
	if (!condition_reads(s, w, &v))
		return;
	claims_check(s, &v, w->field->grid, NULL);
	if (prompt_is_open(s) && w->field->kind == FIELD_STAGE)
		v = prompt_freeze(s, v);
	ghost->kind = GHOST_EXPR;
	ghost->value = v.as.expr;
	ghost->span = w->value->span;
}

static void set_side(struct sema *s, struct side *w)
{
	struct field_note *known = field_note_of(s, w->field);
	const struct axis *a = w->field->grid->axis[w->axis];

	if (known->given[w->axis][w->side]) {
		sema_fail(s, DIAG_TWO_BOUNDARIES, w->value->span,
			  "`%s` has a boundary at %s.%s already", w->field->name, a->name,
			  wall_side(w->side));
		return;
	}
	if (known->needed[w->axis][w->side].source) {
		sema_fail(s, DIAG_LATE_BOUNDARY, w->value->span,
			  "the boundary of `%s` comes after a read that needs it",
			  w->field->name);
		sema_note(s, known->needed[w->axis][w->side],
			  "it is read beyond %s.%s here", a->name, wall_side(w->side));
		sema_hint(s, "Put it right below the declaration of `%s`.",
			  w->field->name);
		return;
	}
	known->given[w->axis][w->side] = true;
	if (is_computed(s, w->value))
		set_computed(s, w);
	else
		set_condition(s, w);
}

static void no_walls(struct sema *s, const struct air_field *f, const char *axis,
		     struct span at)
{
	if (s->call)
		return;
	if (axis)
		sema_fail(s, DIAG_BAD_BOUNDARY, at,
			  "`%s` is periodic along `%s`: there is no wall", f->name, axis);
	else
		sema_fail(s, DIAG_BAD_BOUNDARY, at,
			  "`%s` is periodic along every axis: it has no walls", f->name);
	sema_hint(s, "A periodic axis wraps; leave the condition out.");
}

static void set_all(struct sema *s, struct air_field *f, const struct ast *value)
{
	bool found = false;

	for (int i = 0; i < f->grid->n_axes; i++)
		for (int side = 0; side < 2 && !f->grid->axis[i]->periodic; side++) {
			set_side(s, &(struct side){ f, i, side, value });
			found = true;
		}
	if (!found)
		no_walls(s, f, NULL, value->span);
}

/* `x`, `x.lo` or `x.hi`; side: -1 both. */
static const struct axis *wall_axis(struct sema *s, const struct ast *a, int *side)
{
	struct value v;

	*side = -1;
	if (a->kind == AST_DOT) {
		const char *word = a->child[1]->text;

		*side = strcmp(word, "lo") == 0 ? 0 : strcmp(word, "hi") == 0 ? 1 : 2;
		if (*side == 2) {
			sema_fail(s, DIAG_BAD_BOUNDARY, a->child[1]->span,
				  "there is no side `.%s`", word);
			sema_hint(s, "A wall is `x.lo`, `x.hi`, or `x` for both.");
			return NULL;
		}
		a = a->child[0];
	}
	v = eval_expr(s, a);
	if (v.kind == VALUE_ERROR)
		return NULL;
	if (v.kind == VALUE_AXIS)
		return v.as.axis;
	sema_fail(s, DIAG_NO_AXIS, a->span, "a wall is named by an axis, and this is %s",
		  value_text(s, &v));
	return NULL;
}

static void set_wall(struct sema *s, struct air_field *f, const struct ast *wall)
{
	int only, i;
	const struct axis *a = wall_axis(s, wall->child[0], &only), *found;

	if (!a)
		return;
	found = axis_in(s, a, f->grid);
	if (!found) {
		sema_fail(s, DIAG_NO_AXIS, wall->child[0]->span,
			  "`%s` is not an axis of `%s`", a->name, f->name);
		return;
	}
	i = grid_axis_index(f->grid, found);
	if (found->periodic) {
		no_walls(s, f, found->name, wall->child[0]->span);
		return;
	}
	for (int side = 0; side < 2; side++)
		if (only < 0 || only == side)
			set_side(s, &(struct side){ f, i, side, wall->child[1] });
}

/* The field whose boundary is given; a parameter becomes a stage of its own. */
static struct air_field *bounded(struct sema *s, const struct ast *name)
{
	struct symbol *symbol = scope_find(s, name->text);
	struct air_field *f;

	if (!symbol) {
		scope_unknown(s, name->text, name->span);
		return NULL;
	}
	if (symbol->value.kind == VALUE_ERROR)
		return NULL;
	if (symbol->scope != s->scope) {
		sema_fail(s, DIAG_BAD_BOUNDARY, name->span,
			  "`%s` belongs to another block, where its boundary is given",
			  name->text);
		sema_note(s, symbol->span, "it is declared here");
		return NULL;
	}
	if (symbol->kind == SYMBOL_ARGUMENT && value_is_field(&symbol->value)) {
		struct air_field *argument = value_field(&symbol->value);

		if (!argument || field_note_of(s, argument)->scope != s->scope) {
			symbol->value = stage_new(s, symbol->value, name->text);
			if (symbol->value.kind == VALUE_ERROR)
				return NULL;
			field_note_of(s, value_field(&symbol->value))->scope = s->scope;
		}
	}
	f = value_field(&symbol->value);
	if (f && symbol->kind != SYMBOL_VAR_ARGUMENT)
		return f;
	sema_fail(s, DIAG_BAD_BOUNDARY, name->span,
		  "`%s` is %s, which has no boundary of its own", name->text,
		  f ? "a `var` parameter" : value_text(s, &symbol->value));
	return NULL;
}

void check_boundary(struct sema *s, const struct ast *a)
{
	const struct ast *names = a->child[0], *walls = a->child[2];

	for (int i = 0; i < names->n_children; i++) {
		struct air_field *f = bounded(s, names->child[i]);

		if (!f)
			continue;
		if (a->child[1])
			set_all(s, f, a->child[1]);
		for (int k = 0; walls && k < walls->n_children; k++)
			set_wall(s, f, walls->child[k]);
	}
}
