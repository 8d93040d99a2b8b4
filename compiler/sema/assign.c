/* compiler/sema/assign.c - assignments and masks
 *
 * All right sides are read before anything is written: one ASSIGN with several
 * targets. Inside `where` an assignment writes where the masks around it hold, as
 * they were when their statement began.
 */
#include "sema/checker.h"

#include <string.h>

enum { TARGETS = 64 };

struct target {
	const struct ast *ast;
	struct air_field *field; /* or */
	const struct air_var *var;
	struct air_region region;
	bool part;        /* of the field */
	struct shifts by; /* a scatter: to these points */
};

/* ---- targets ------------------------------------------------------------------- */

static bool read_only(struct sema *s, const struct ast *a, const struct symbol *symbol)
{
	sema_fail(s, DIAG_CANNOT_ASSIGN, a->span,
		  "`%s` is %s, which cannot be assigned to", a->text,
		  symbol_text(symbol->kind));
	sema_note(s, symbol->span, "`%s` is declared here", a->text);
	if (symbol->kind == SYMBOL_LET)
		sema_hint(s, "Declare it with `var` (a scalar) or `field` if it is to "
			     "change.");
	if (symbol->kind == SYMBOL_ARGUMENT)
		sema_hint(s, "Mark the parameter `var` if the function is to change its "
			     "argument.");
	return false;
}

/* Does the name belong to the function (or file) whose body is being read? */
static bool own_name(const struct sema *s, const struct symbol *symbol)
{
	for (const struct scope *c = s->scope; c; c = c->up) {
		if (c == symbol->scope)
			return true;
		if (c->kind == SCOPE_FUNCTION)
			return false;
	}
	return false;
}

static bool target_name(struct sema *s, const struct ast *a, struct target *t)
{
	struct symbol *symbol = scope_find(s, a->text);

	if (!symbol && scope_axis_known(s, a->text)) {
		sema_fail(s, DIAG_CANNOT_ASSIGN, a->span,
			  "`%s` is an axis, which cannot be assigned to", a->text);
		return false;
	}
	if (!symbol && map_get(s->builtins, a->text)) {
		sema_fail(
			s, DIAG_CANNOT_ASSIGN, a->span,
			"`%s` is a function of the language, which cannot be assigned to",
			a->text);
		return false;
	}
	if (!symbol) {
		if (!scope_unknown(s, a->text, a->span))
			sema_hint(s,
				  "A name is declared before: let %s = ..., or var %s = "
				  "... if it changes.",
				  a->text, a->text);
		return false;
	}
	if (symbol->value.kind == VALUE_ERROR)
		return false;
	if (symbol->kind != SYMBOL_VAR && symbol->kind != SYMBOL_FIELD &&
	    symbol->kind != SYMBOL_VAR_ARGUMENT)
		return read_only(s, a, symbol);
	if (!own_name(s, symbol)) {
		sema_fail(s, DIAG_CANNOT_ASSIGN, a->span,
			  "a function changes only its own names, and `%s` stands "
			  "outside of it",
			  a->text);
		sema_note(s, symbol->span, "`%s` is declared here", a->text);
		sema_hint(s, "Pass it to a `var` parameter.");
		return false;
	}
	t->field = value_field(&symbol->value);
	t->var = value_var(&symbol->value);
	if (symbol->kind == SYMBOL_VAR_ARGUMENT)
		s->effects++;
	return t->field || t->var;
}

bool assign_target(struct sema *s, const struct ast *name, struct air_field **field,
		   const struct air_var **var)
{
	struct target t = { 0 };
	bool good = target_name(s, name, &t);

	*field = t.field;
	*var = t.var;
	return good;
}

/* `u.x = ...` */
static void member_read_only(struct sema *s, const struct ast *a)
{
	sema_fail(s, DIAG_BAD_TARGET, a->span,
		  "`%.*s` cannot be assigned to: what stands after a `.` is fixed where it "
		  "is declared",
		  (int)(a->span.end - a->span.begin), a->span.source->text + a->span.begin);
	sema_hint(s, "Assign to the name itself or to its points, as in `u[x=0] = ...`.");
}

static bool target_read(struct sema *s, const struct ast *a, struct target *t)
{
	memset(t, 0, sizeof *t);
	region_clear(&t->region);
	a = ast_bare(a);
	t->ast = a;
	if (a->kind == AST_NAME)
		return target_name(s, a, t);
	if (a->kind != AST_SELECT || ast_bare(a->child[0])->kind != AST_NAME) {
		if (a->kind == AST_DOT)
			member_read_only(s, a);
		else
			sema_fail(s, DIAG_BAD_TARGET, a->span,
				  "this cannot be assigned to");
		return false;
	}
	if (!target_name(s, ast_bare(a->child[0]), t))
		return false;
	if (!t->field) {
		sema_fail(s, DIAG_BAD_SELECTION, a->span,
			  "`%s` is a scalar and has no points",
			  ast_bare(a->child[0])->text);
		return false;
	}
	t->part = true;
	return select_target(s, a, t->field, &t->region, &t->by);
}

/* ---- masks ---------------------------------------------------------------------- */

/* The masks around, joined for the points of a part of g (NULL: all of it); no value:
 * there are none. */
static struct value mask_for(struct sema *s, struct grid *g,
			     const struct air_region *region)
{
	struct value all = value_none((struct span){ 0 });

	for (struct mask *m = s->mask; m; m = m->up) {
		struct value v = value_at(s, m->value, g, region);

		if (v.kind == VALUE_ERROR)
			return v;
		if (value_grid(&v) && (value_grid(&v)->family != g->family ||
				       !grid_contains(g, value_grid(&v)))) {
			sema_fail(s, DIAG_UNRELATED_GRIDS, v.span,
				  "a mask on `%s` does not fit a field on `%s`",
				  value_grid(&v)->name, g->name);
			return value_error();
		}
		if (m->negated)
			v = value_unary(s, AST_OP_NOT, v, v.span);
		all = all.kind == VALUE_NONE
			      ? v
			      : value_binary(s, AST_OP_AND, v, all, v.span);
	}
	return all;
}

/* ---- values ---------------------------------------------------------------------- */

static struct value target_now(struct sema *s, const struct target *t)
{
	if (t->field)
		return value_field_of(s, t->field, t->ast->span);
	return value_scalar(air_read_var(s->air, t->var, t->ast->span), t->ast->span);
}

/* `u += e` is u = u + e. */
static struct value compound(struct sema *s, const struct ast *a, const struct target *t,
			     struct value v)
{
	struct value now = target_now(s, t);

	if (v.kind == VALUE_ERROR || a->op == AST_OP_SET)
		return v;
	return value_binary(s, a->op, now, v, v.span);
}

static const char *target_text(struct sema *s, const struct target *t)
{
	return arena_printf(s->arena, "what is assigned to `%s`",
			    t->field ? t->field->name : t->var->name);
}

/* ":, :" */
static const char *all_slices(struct sema *s, const struct grid *g)
{
	const char *text = ":";

	for (int i = 1; i < g->n_axes; i++)
		text = arena_printf(s->arena, "%s, :", text);
	return text;
}

/* May the value stand at the points of g, which is the grid of `name`? */
bool value_on_grid(struct sema *s, const struct value *v, const struct grid *g,
		   const char *name)
{
	const struct grid *from = value_grid(v);

	if (from && from->family != g->family) {
		sema_fail(s, DIAG_UNRELATED_GRIDS, v->span,
			  "a field of `%s` cannot be assigned to `%s`, which is on `%s`",
			  from->name, name, g->name);
		sema_note(s, from->family->span, "`%s` is declared here",
			  from->family->name);
		if (from->n_axes == g->n_axes)
			sema_hint(s, "A slice of it can be copied: `%s[%s] = ...[%s]`.", name,
			  all_slices(s, g), all_slices(s, from));
		return false;
	}
	if (from && !grid_contains(g, from)) {
		sema_fail(s, DIAG_UNRELATED_GRIDS, v->span,
			  "a field on `%s` does not fit into `%s`, which is on `%s`",
			  from->name, name, g->name);
		sema_hint(s, "Its axes must be among those of `%s`.", g->name);
		return false;
	}
	return true;
}

static bool value_fits_field(struct sema *s, struct air_field *f, struct value *v,
			     const struct air_region *region)
{
	const char *what = arena_printf(s->arena, "what is assigned to `%s`", f->name);

	if (!value_convert(s, v, f->elem, what))
		return false;
	*v = loose_end(s, value_at(s, *v, f->grid, region), f->grid);
	if (v->kind == VALUE_ERROR)
		return false;
	if (!value_on_grid(s, v, f->grid, f->name))
		return false;
	claims_check(s, v, f->grid, region);
	return true;
}

static void guard_targets(struct sema *s, const struct air_target *target, int n,
			  const struct air_expr *mask)
{
	for (int i = 0; i < n; i++) {
		struct grid *g = target[i].field->grid;
		struct guarded where = { &target[i].region, NULL };

		if (mask)
			guard_look_ups(s, mask, g, &where);
		where.mask = mask;
		guard_look_ups(s, target[i].value, g, &where);
	}
}

static void emit_assign(struct sema *s, const struct air_target *target, int n,
			struct value mask, struct span at)
{
	struct air_stmt *st;

	if (mask.kind == VALUE_ERROR)
		return;
	if (mask.kind == VALUE_EXPR)
		for (int i = 0; i < n; i++)
			claims_check(s, &mask, target[i].field->grid, &target[i].region);
	guard_targets(s, target, n, mask.kind == VALUE_EXPR ? mask.as.expr : NULL);
	st = sema_emit(s, STMT_ASSIGN, sema_place(s, at));
	st->n_targets = n;
	st->target = arena_copy(s->arena, target, (size_t)n * sizeof *target);
	st->mask = mask.kind == VALUE_EXPR ? mask.as.expr : NULL;
}

/* The whole field f = v, whatever the masks. */
void assign_field(struct sema *s, struct air_field *f, struct value v, struct span at)
{
	struct air_target t = { .field = f };

	region_clear(&t.region);
	if (slice_assign(s, f, &t.region, &v, at))
		return;
	if (!value_fits_field(s, f, &v, NULL))
		return;
	t.value = v.as.expr;
	emit_assign(s, &t, 1, value_none(at), at);
}

static void assign_var(struct sema *s, const struct target *t, struct value v,
		       struct span at)
{
	struct air_stmt *set;

	v = value_operand(s, v);
	if (v.kind == VALUE_EXPR && !value_is_scalar(&v)) {
		sema_fail(s, DIAG_NOT_SCALAR, v.span, "`%s` is a scalar, and this is %s",
			  t->var->name, value_text(s, &v));
		sema_hint(s, "Reduce it, with `sum(...)` or `max(...)` for example.");
		return;
	}
	if (!value_convert(s, &v, t->var->elem, target_text(s, t)))
		return;
	if (!local_may_set(s, t->var, at))
		return;
	set = sema_emit(s, STMT_SET, sema_place(s, at));
	set->var = t->var;
	set->value = v.as.expr;
}

/* ---- statements -------------------------------------------------------------------- */

/* A mask that is a slice has one shape. */
static bool masks_fit(struct sema *s, const struct air_target *target, int n,
		      struct span at)
{
	bool sliced = false;

	for (const struct mask *m = s->mask; m; m = m->up)
		sliced |= value_is_positional(&m->value);
	for (int i = 1; i < n && sliced; i++)
		if (!region_same(&target[0].region, &target[i].region,
				 target[i].field->grid->n_axes)) {
			sema_fail(s, DIAG_SHAPES, at,
				  "a mask that is a slice chooses points of one region, and "
				  "these are several");
			sema_hint(s, "Assign to one after the other inside of the "
				     "`where`.");
			return false;
		}
	return true;
}

/* All at once: fields in one statement; scalars after all are read. */
static void assign_all(struct sema *s, struct target *t, struct value *v, int n,
		       const struct ast *a)
{
	struct air_target target[TARGETS];
	struct grid *g = NULL;
	int fields = 0;
	bool good = true;

	for (int i = 0; i < n; i++) {
		if (v[i].kind == VALUE_ERROR) {
			good = false;
			continue;
		}
		if (t[i].var) {
			if (n > 1)
				v[i] = var_hold(s, value_operand(s, v[i]),
						sema_name(s, "old"));
			continue;
		}
		if (!value_fits_field(s, t[i].field, &v[i], &t[i].region)) {
			good = false;
			continue;
		}
		g = t[i].field->grid;
		target[fields].field = t[i].field;
		target[fields].region = t[i].region;
		target[fields++].value = v[i].as.expr;
	}
	if (good && fields && masks_fit(s, target, fields, a->span))
		emit_assign(s, target, fields, mask_for(s, g, &target[0].region), a->span);
	for (int i = 0; good && i < n; i++)
		if (t[i].var)
			assign_var(s, &t[i], v[i], a->span);
}

static bool targets_in_mask(struct sema *s, const struct target *t, int n)
{
	for (int i = 0; s->mask && i < n; i++) {
		if (!t[i].var)
			continue;
		sema_fail(s, DIAG_CANNOT_ASSIGN, t[i].ast->span,
			  "a scalar cannot be assigned where a mask chooses points");
		return false;
	}
	return true;
}

static bool targets_one_grid(const struct target *t, int n)
{
	const struct air_field *first = NULL;

	for (int i = 0; i < n; i++) {
		if (first && t[i].field && first->grid != t[i].field->grid)
			return false;
		first = t[i].field ? t[i].field : first;
	}
	return true;
}

/* Targets on several grids: each has masks of its own, which choose between the new value
 * and the old one. */
static void assign_apart(struct sema *s, struct target *t, struct value *v, int n,
			 const struct ast *a)
{
	struct mask *masks = s->mask;

	for (int i = 0; masks && i < n; i++) {
		struct value pick[3] = { mask_for(s, t[i].field->grid, &t[i].region), v[i],
					 target_now(s, &t[i]) };
		enum elem e = t[i].field->elem;

		if (pick[0].kind == VALUE_ERROR || v[i].kind == VALUE_ERROR ||
		    !value_convert(s, &pick[1], e, target_text(s, &t[i])))
			return;
		pick[1] = value_at(s, pick[1], t[i].field->grid, &t[i].region);
		if (pick[1].kind == VALUE_ERROR ||
		    !value_on_grid(s, &pick[1], t[i].field->grid, t[i].field->name))
			return;
		v[i] = value_op(s, AIR_SELECT, e, pick, 3, v[i].span);
	}
	s->mask = NULL;
	assign_all(s, t, v, n, a);
	s->mask = masks;
}

/* Names in what is read now mean the points of the target. NULL: there is none. */
static void aim(struct sema *s, const struct target *t)
{
	s->target = t && t->field ? t->field->grid : NULL;
	s->region = t && t->field ? &t->region : NULL;
}

static bool whole_points(struct sema *s, const struct target *t)
{
	if (t->by.n == 0)
		return true;
	sema_fail(s, DIAG_CANNOT_ASSIGN, t->ast->span,
		  "only `+=` and `-=` go to shifted points");
	sema_hint(s, "Shift the right side the other way.");
	return false;
}

/* The masks choose the points that give, so none is left for the assignment. */
static void assign_scatter(struct sema *s, const struct ast *a, struct target *t,
			   struct value v)
{
	struct scatter to = { t->field, t->by, a->op, mask_for(s, t->field->grid, NULL),
			      t->ast->span };
	struct mask *masks = s->mask;

	s->mask = NULL;
	v = scatter_value(s, &to, v);
	if (v.kind != VALUE_ERROR)
		assign_all(s, t, &v, 1, a);
	s->mask = masks;
}

/* A tuple on the right: each entry is read for its own target. */
static struct value tuple_entries(struct sema *s, const struct ast *right, const struct target *t)
{
	struct value v[TARGETS];
	bool good = true;

	for (int i = 0; i < right->n_children; i++) {
		aim(s, &t[i]);
		v[i] = eval_expr(s, right->child[i]);
		good = good && v[i].kind != VALUE_ERROR;
	}
	return good ? value_list(s, VALUE_TUPLE, v, right->n_children, right->span)
		    : value_error();
}

static struct value tuple_value(struct sema *s, const struct ast *a, const struct target *t,
				int n)
{
	const struct ast *right = ast_bare(a);
	struct grid *outer = s->target;
	struct value v;

	if (right->kind == AST_TUPLE && right->n_children == n) {
		v = tuple_entries(s, right, t);
	} else {
		if (n && t[0].field)
			s->target = t[0].field->grid;
		v = eval_whole(s, a);
	}
	s->target = outer;
	s->region = NULL;
	return v;
}

static void assign_tuple(struct sema *s, const struct ast *a, const struct ast *targets)
{
	struct target t[TARGETS];
	struct value v, value[TARGETS];
	int n = targets->n_children;
	bool good = n <= TARGETS;

	if (!good)
		sema_fail(s, DIAG_CANNOT_ASSIGN, targets->span, "too many targets");
	if (a->op != AST_OP_SET) {
		sema_fail(s, DIAG_CANNOT_ASSIGN, a->span, "`%s=` takes one target",
			  ast_op_text(a->op));
		return;
	}
	for (int i = 0; i < n && i < TARGETS; i++)
		good = target_read(s, targets->child[i], &t[i]) &&
		       whole_points(s, &t[i]) && good;
	v = good ? tuple_value(s, a->child[1], t, n) : eval_whole(s, a->child[1]);
	if (!good || v.kind == VALUE_ERROR)
		return;
	if (v.kind != VALUE_TUPLE || v.as.list.n != n) {
		sema_fail(s, DIAG_WRONG_TYPE, a->child[1]->span,
			  "%d targets, and this is %s", n,
			  v.kind == VALUE_TUPLE ? "a tuple of another length"
						: value_text(s, &v));
		return;
	}
	if (!targets_in_mask(s, t, n))
		return;
	memcpy(value, v.as.list.item, (size_t)n * sizeof *value);
	if (targets_one_grid(t, n))
		assign_all(s, t, value, n, a);
	else
		assign_apart(s, t, value, n, a);
}

static void assign_load(struct sema *s, const struct ast *a, const struct target *t)
{
	if (!t->field || t->part || a->op != AST_OP_SET || s->mask) {
		sema_fail(s, DIAG_CANNOT_ASSIGN, a->child[1]->span,
			  "`load` fills a whole field");
		return;
	}
	load_into(s, t->field, a->child[1]);
}

void check_assign(struct sema *s, const struct ast *a)
{
	const struct ast *left = ast_bare(a->child[0]);
	struct grid *outer = s->target;
	struct target t;
	struct value v;
	bool good;

	s->region = NULL;
	if (left->kind == AST_TUPLE) {
		assign_tuple(s, a, left);
		return;
	}
	good = target_read(s, left, &t);
	if (good && a->op != AST_OP_ADD && a->op != AST_OP_SUB)
		good = whole_points(s, &t);
	if (good && load_is(s, a->child[1])) {
		assign_load(s, a, &t);
		return;
	}
	aim(s, good ? &t : NULL);
	v = eval_whole(s, a->child[1]);
	if (good && v.kind == VALUE_NONE)
		v = sema_failed(s, DIAG_WRONG_TYPE, a->child[1]->span,
				"this call gives no value");
	if (good && v.kind == VALUE_TUPLE)
		v = sema_failed(s, DIAG_WRONG_TYPE, a->child[1]->span,
				"one target, and this is a tuple");
	if (good && t.by.n && v.kind != VALUE_ERROR) {
		assign_scatter(s, a, &t, v);
		s->target = outer;
		s->region = NULL;
		return;
	}
	if (good)
		v = compound(s, a, &t, v);
	s->target = outer;
	s->region = NULL;
	if (good && t.field && !s->mask && v.kind == VALUE_EXPR &&
	    slice_assign(s, t.field, &t.region, &v, a->span))
		return;
	if (good && v.kind != VALUE_ERROR && targets_in_mask(s, &t, 1))
		assign_all(s, &t, &v, 1, a);
}
