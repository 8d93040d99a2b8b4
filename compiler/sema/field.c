/* compiler/sema/field.c - fields, stages, `let` and `var`
 *
 * A `let` of a field expression is a stage, with the value it has where it stands;
 * of a scalar a variable that is set once; of names of axes alone it stays an
 * expression that takes any grid.
 */
#include "sema/checker.h"

#include <string.h>

struct air_field *sema_field_new(struct sema *s, enum air_field_kind kind,
				 const char *name, enum elem e, struct grid *g)
{
	struct air_field *f = air_field_new(s->air, kind, name, e, g, (struct span){ 0 });
	struct field_note *known = arena_new_object(s->arena, struct field_note);

	known->scope = s->scope;
	while (s->notes.n <= f->id)
		vec_push(s->arena, &s->notes, NULL);
	s->notes.item[f->id] = known;
	return f;
}

/* A named field expression on the grid g, which has all axes of the value. */
static struct value stage_on(struct sema *s, struct value v, struct grid *g,
			     const char *name)
{
	struct air_field *f;
	struct air_stmt *st;

	if (!value_is_free(s, &v))
		return value_error();
	v = loose_end(s, v, g);
	claims_check(s, &v, g, NULL);
	guard_look_ups(s, v.as.expr, g, &(struct guarded){ NULL, NULL });
	f = sema_field_new(s, FIELD_STAGE, name, v.as.expr->elem, g);
	f->span = sema_place(s, v.span);
	f->value = v.as.expr;
	ghosts_default(s, f, &v);
	st = sema_emit(s, STMT_STAGE, f->span);
	st->field = f;
	return value_field_of(s, f, v.span);
}

/* The same, on the smallest grid that has its axes. */
struct value stage_new(struct sema *s, struct value v, const char *name)
{
	v = loose_settle_alone(s, v);
	if (v.kind == VALUE_ERROR || !value_is_even(s, &v))
		return value_error();
	return stage_on(s, v, grid_closed(&s->air->types, value_grid(&v)), name);
}

/* The type that `: T` names; ELEM_NONE: told. */
enum elem elem_of_type(struct sema *s, const struct ast *type)
{
	enum elem e;

	if (type->kind == AST_VECTOR) {
		sema_not_yet(s, type->span, "a vector type");
		return ELEM_NONE;
	}
	if (type->kind != AST_NAME) {
		sema_fail(s, DIAG_WRONG_TYPE, type->span,
			  "an element type is needed here");
		return ELEM_NONE;
	}
	e = elem_named(type->text);
	if (e == ELEM_NONE) {
		sema_fail(s, DIAG_WRONG_TYPE, type->span, "there is no type `%s`",
			  type->text);
		sema_hint(s,
			  "Types are bool, i32, i64, u8, f32, f64, c64, c128 and str.");
		return ELEM_NONE;
	}
	return e;
}

static struct value let_items(struct sema *s, struct value v, const char *name)
{
	struct value *item = arena_new_array(s->arena, v.as.list.n + 1, struct value);

	for (int i = 0; i < v.as.list.n; i++) {
		item[i] = let_value(s, v.as.list.item[i],
				    arena_printf(s->arena, "%s.%d", name, i));
		if (item[i].kind == VALUE_ERROR)
			return item[i];
	}
	return value_list(s, v.kind, item, v.as.list.n, v.span);
}

static struct value let_field(struct sema *s, struct value v, const char *name)
{
	struct air_field *f = value_field(&v);

	if (v.loose)
		return loose_freeze(s, v);
	if (f && field_note_of(s, f)->unnamed) {
		field_note_of(s, f)->unnamed = false;
		field_note_of(s, f)->scope = s->scope;
		f->name = name;
		return v;
	}
	return stage_new(s, v, name);
}

/* What a value is worth once it has a name: it keeps what it was then. */
struct value let_value(struct sema *s, struct value v, const char *name)
{
	switch (v.kind) {
	case VALUE_EXPR:
		return value_is_scalar(&v) ? var_hold(s, v, name) : let_field(s, v, name);
	case VALUE_LIST:
	case VALUE_TUPLE:
		return let_items(s, v, name);
	case VALUE_NONE:
		return sema_failed(s, DIAG_WRONG_TYPE, v.span,
				   "this call gives no value");
	case VALUE_MODULE:
		return sema_failed(s, DIAG_WRONG_TYPE, v.span, "a module is no value");
	default:
		return v;
	}
}

static bool let_type(struct sema *s, const struct ast *type, struct value *v)
{
	enum elem e;

	if (!type)
		return true;
	if (type->kind == AST_FIELD_TYPE)
		return value_fits_type(s, type, v, "this value");
	e = elem_of_type(s, type);
	return e != ELEM_NONE && value_convert(s, v, e, "this value");
}

static void let_names(struct sema *s, const struct ast *names, struct value v)
{
	bool match = v.kind == VALUE_TUPLE && v.as.list.n == names->n_children;

	if (v.kind != VALUE_ERROR && !match) {
		if (v.kind == VALUE_TUPLE)
			sema_fail(s, DIAG_WRONG_TYPE, names->span,
				  "%d names for a tuple of %d", names->n_children,
				  v.as.list.n);
		else
			sema_fail(s, DIAG_WRONG_TYPE, v.span,
				  "only a tuple is taken apart, and this "
				  "is %s",
				  value_text(s, &v));
	}
	for (int i = 0; i < names->n_children; i++) {
		const struct ast *name = names->child[i];
		struct value item = match ? let_value(s, v.as.list.item[i], name->text)
					  : value_error();

		scope_add(s, name, SYMBOL_LET, item);
	}
}

static struct grid *field_grid(struct sema *s, const struct ast *on);

/* What is evaluated on all points of g. */
static struct value eval_on(struct sema *s, const struct ast *a, struct grid *g)
{
	struct grid *outer = s->target;
	struct air_region all;
	struct value v;

	region_clear(&all);
	s->target = g;
	s->region = &all;
	v = eval_whole(s, a);
	s->target = outer;
	s->region = NULL;
	return v;
}

/* `let name on G = value`: the value is evaluated on that grid. */
static void check_let_on(struct sema *s, const struct ast *a)
{
	const struct ast *name = a->child[0];
	struct grid *g = field_grid(s, a->child[2]);
	struct value v = value_error();

	if (name->kind == AST_NAMES) {
		sema_fail(s, DIAG_WRONG_TYPE, name->span, "`let ... on` has one name");
		let_names(s, name, v);
		return;
	}
	if (g)
		v = value_operand(s, eval_on(s, a->child[3], g));
	if (v.kind != VALUE_ERROR &&
	    (v.kind != VALUE_EXPR || elem_kind(value_elem(&v)) == KIND_TEXT))
		v = sema_failed(s, DIAG_WRONG_TYPE, a->child[3]->span,
				"a let on a grid holds a field, and this is %s",
				value_text(s, &v));
	if (v.kind != VALUE_ERROR)
		v = value_at(s, v, g, NULL);
	if (v.kind != VALUE_ERROR && !value_on_grid(s, &v, g, name->text))
		v = value_error();
	if (v.kind != VALUE_ERROR) {
		v = stage_on(s, v, g, name->text);
		v.span = value_field(&v)->span = name->span;
	}
	scope_add(s, name, SYMBOL_LET, v);
}

void check_let(struct sema *s, const struct ast *a)
{
	const struct ast *names = a->child[0];
	struct value v;

	if (a->child[2]) {
		check_let_on(s, a);
		return;
	}
	if (load_is(s, a->child[3])) {
		v = sema_failed(s, DIAG_WRONG_TYPE, a->child[3]->span,
				"what is loaded goes into a field");
		sema_hint(s, "Write `field %s on GRID = load(...)`.",
			  ast_is(names, AST_NAME) ? names->text : "u");
	} else {
		v = eval_whole(s, a->child[3]);
		if (v.kind != VALUE_ERROR && !let_type(s, a->child[1], &v))
			v = value_error();
	}
	if (names->kind == AST_NAMES) {
		let_names(s, names, v);
		return;
	}
	v = v.kind == VALUE_ERROR ? v : let_value(s, v, names->text);
	v.span = names->span;
	if (value_field(&v))
		value_field(&v)->span = names->span;
	scope_add(s, names, SYMBOL_LET, v);
}

void check_var(struct sema *s, const struct ast *a)
{
	const struct ast *name = a->child[0];
	struct value v = value_operand(s, eval_whole(s, a->child[2]));
	struct air_stmt *set;
	struct air_var *var;
	enum elem e = value_elem(&v);

	if (a->child[1] && (e = elem_of_type(s, a->child[1])) == ELEM_NONE)
		v = value_error();
	if (v.kind != VALUE_ERROR && !value_is_scalar(&v)) {
		v = sema_failed(s, DIAG_NOT_SCALAR, a->child[2]->span,
				"a variable holds a scalar, and this is %s",
				value_text(s, &v));
		sema_hint(s, "Write `field %s on GRID = ...` for an array.", name->text);
	}
	if (v.kind == VALUE_ERROR || !value_convert(s, &v, e, "this value")) {
		scope_add(s, name, SYMBOL_VAR, value_error());
		return;
	}
	var = var_new(s, name->text, e, name->span, true);
	set = sema_emit(s, STMT_SET, a->span);
	set->var = var;
	set->value = v.as.expr;
	scope_add(s, name, SYMBOL_VAR,
		  value_scalar(air_read_var(s->air, var, name->span), name->span));
}

static struct grid *field_grid(struct sema *s, const struct ast *on)
{
	struct value v;

	v = eval_expr(s, on);
	if (v.kind == VALUE_ERROR)
		return NULL;
	if (v.kind == VALUE_GRID)
		return v.as.grid;
	sema_fail(s, DIAG_WRONG_TYPE, on->span, "a field is on a grid, and this is %s",
		  value_text(s, &v));
	return NULL;
}

static void field_value(struct sema *s, struct air_field *f, const struct ast *value,
			struct value v)
{
	if (load_is(s, value))
		load_into(s, f, value);
	else if (v.kind != VALUE_ERROR)
		assign_field(s, f, v, value->span);
}

/* Where no type is written it is f64, whatever the value is. */
static bool untyped_fits(struct sema *s, const struct ast *a, const struct value *v)
{
	const char *name = a->child[0]->child[0]->text, *type = elem_text(value_elem(v));

	if (a->child[1] || elem_kind(value_elem(v)) != KIND_COMPLEX)
		return true;
	sema_fail(s, DIAG_NARROWING, v->span,
		  "a field is of f64 where no type is written, and this is of %s", type);
	sema_hint(s, "Write `field %s: %s ...`.", name, type);
	return false;
}

/* `field b = zeros(64, 48)`: the grid is that of the value. */
static struct grid *grid_of_value(struct sema *s, const struct ast *a, struct value *v)
{
	const struct ast *name = a->child[0]->child[0];

	*v = value_operand(s, *v);
	if (value_grid(v))
		return value_is_even(s, v) ? grid_closed(&s->air->types, value_grid(v))
					   : NULL;
	sema_fail(s, DIAG_WRONG_TYPE, v->span, "the field `%s` has no grid", name->text);
	sema_hint(s, "Write `field %s on GRID = ...`, or give it an array: `field %s = "
		     "zeros(64, 48)`.",
		  name->text, name->text);
	return NULL;
}

void check_field(struct sema *s, const struct ast *a)
{
	const struct ast *names = a->child[0], *value = a->child[3];
	enum elem e = a->child[1] ? elem_of_type(s, a->child[1]) : ELEM_F64;
	struct grid *g = a->child[2] ? field_grid(s, a->child[2]) : NULL;
	struct value v = value_none(a->span);

	if (e == ELEM_STR) {
		sema_fail(s, DIAG_WRONG_TYPE, a->child[1]->span,
			  "a field cannot hold texts");
		e = ELEM_NONE;
	}
	if (value && !load_is(s, value) && g)
		v = eval_on(s, value, g);
	else if (value && !load_is(s, value) && !a->child[2])
		v = eval_whole(s, value);
	if (!a->child[2] && v.kind != VALUE_ERROR)
		g = grid_of_value(s, a, &v);
	if (!untyped_fits(s, a, &v))
		e = ELEM_NONE;
	for (int i = 0; i < names->n_children; i++) {
		const struct ast *name = names->child[i];
		struct air_field *f;

		if (!g || e == ELEM_NONE) {
			scope_add(s, name, SYMBOL_FIELD, value_error());
			continue;
		}
		f = sema_field_new(s, FIELD_DECLARED, name->text, e, g);
		f->span = name->span;
		sema_emit(s, STMT_FIELD, name->span)->field = f;
		if (value)
			field_value(s, f, value, v);
		scope_add(s, name, SYMBOL_FIELD, value_field_of(s, f, name->span));
	}
}

/* ---- field ... like --------------------------------------------------------- */

struct likeness { /* between a field and one of another element type */
	struct sema *s;
	struct air_field *to;
	enum elem from;
};

static const struct air_expr *mirror_alike(void *context, const struct air_expr *e)
{
	struct likeness *l = context;

	if (e->op != AIR_MIRROR)
		return e;
	return air_cast(l->s->air, air_mirror(l->s->air, l->to, e->as.mirror, e->span),
			l->from);
}

/* The conditions of `from` become those of `to`, on the same grid: a mirrored value is
 * always that of the field whose condition it stands in. */
static void boundary_alike(struct sema *s, struct air_field *to,
			   const struct air_field *from)
{
	struct likeness l = { s, to, from->elem };

	for (int a = 0; a < to->grid->n_axes; a++)
		for (int side = 0; side < 2; side++) {
			struct air_ghost *g = &to->ghost[a][side];

			if (from->ghost[a][side].kind != GHOST_EXPR)
				continue;
			*g = from->ghost[a][side];
			g->value = air_cast(s->air,
					    expr_rewrite(s, g->value, mirror_alike, &l),
					    to->elem);
		}
}

static struct air_field *like_model(struct sema *s, const struct ast *a)
{
	struct value v = eval_expr(s, a);
	struct air_field *f = value_field(&v);

	if (f || v.kind == VALUE_ERROR)
		return f;
	sema_fail(s, DIAG_WRONG_TYPE, a->span,
		  "a field is made like a field that has a name, and this is %s",
		  value_text(s, &v));
	sema_hint(s, "Write `field v on GRID` or give the expression a name with `let`.");
	return NULL;
}

void check_field_like(struct sema *s, const struct ast *a)
{
	const struct ast *names = a->child[0], *type = a->child[1];
	const struct air_field *model = like_model(s, a->child[2]);
	enum elem e = type ? elem_of_type(s, type) : model ? model->elem : ELEM_NONE;

	if (model && elem_kind(e) < elem_kind(model->elem) &&
	    elem_kind(model->elem) == KIND_COMPLEX) {
		sema_fail(s, DIAG_NARROWING, type->span,
			  "the boundaries of `%s` are of %s, which does not fit into %s",
			  model->name, elem_text(model->elem), elem_text(e));
		e = ELEM_NONE;
	}
	for (int i = 0; i < names->n_children; i++) {
		const struct ast *name = names->child[i];
		struct air_field *f;

		if (!model || e == ELEM_NONE) {
			scope_add(s, name, SYMBOL_FIELD, value_error());
			continue;
		}
		f = sema_field_new(s, FIELD_DECLARED, name->text, e, model->grid);
		f->span = name->span;
		boundary_alike(s, f, model);
		sema_emit(s, STMT_FIELD, name->span)->field = f;
		scope_add(s, name, SYMBOL_FIELD, value_field_of(s, f, name->span));
	}
}
