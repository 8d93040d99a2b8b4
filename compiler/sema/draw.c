/* compiler/sema/draw.c - random draws
 *
 * Each call counts once (DRAW) and becomes a stage, drawn where it stands: what is
 * drawn is a field without boundary.
 */
#include "sema/checker.h"

static struct value draw_key(struct sema *s, struct arguments *a)
{
	const struct ast *named = argument_named(a, "key");
	struct air_stmt *st;
	struct value v;

	if (named) {
		const struct air_expr *key = eval_i64(s, named, "the key of a draw");

		return key ? var_hold(s, value_scalar(key, named->span),
				      sema_name(s, "key"))
			   : value_error();
	}
	st = sema_emit(s, STMT_DRAW, sema_place(s, a->at));
	st->var = var_new(s, sema_name(s, "draw"), ELEM_I64, a->at, false);
	v = value_scalar(air_read_var(s->air, st->var, a->at), a->at);
	return v;
}

static struct value draw_scalar(struct sema *s, struct arguments *a, int normal)
{
	struct value key;
	struct air_stmt *st;

	key = draw_key(s, a);
	if (key.kind == VALUE_ERROR)
		return key;
	st = sema_emit(s, STMT_RANDOM, sema_place(s, a->at));
	st->value = key.as.expr;
	st->normal = normal;
	st->var = var_new(s, sema_name(s, a->name), ELEM_F64, a->at, false);
	return value_scalar(air_read_var(s->air, st->var, a->at), a->at);
}

static enum elem draw_elem(struct sema *s, const struct arguments *a)
{
	if (a->n < 2)
		return ELEM_F64;
	if (a->value[1].kind == VALUE_TYPE && elem_kind(a->value[1].as.elem) == KIND_REAL)
		return a->value[1].as.elem;
	sema_fail(s, DIAG_WRONG_ARGUMENTS, a->value[1].span,
		  "what is drawn is of f32 or f64");
	return ELEM_NONE;
}

struct value random_call(struct sema *s, struct arguments *a, int normal)
{
	enum elem e = draw_elem(s, a);
	struct air_field *f;
	struct value key;

	if (!a->n)
		return draw_scalar(s, a, normal);
	if (e == ELEM_NONE)
		return value_error();
	if (a->value[0].kind != VALUE_GRID) {
		struct value error =
			sema_failed(s, DIAG_WRONG_ARGUMENTS, a->value[0].span,
				    "`%s` draws on a grid, and this is %s", a->name,
				    value_text(s, &a->value[0]));

		sema_hint(s, "The grid of a field is `u.grid`.");
		return error;
	}
	key = draw_key(s, a);
	if (key.kind == VALUE_ERROR)
		return key;
	f = sema_field_new(s, FIELD_STAGE, sema_name(s, a->name), e, a->value[0].as.grid);
	f->span = sema_place(s, a->at);
	f->value =
		air_random(s->air, f->grid, e, key.as.expr, normal, sema_place(s, a->at));
	field_note_of(s, f)->drawn = true;
	field_note_of(s, f)->unnamed = true;
	sema_emit(s, STMT_STAGE, f->span)->field = f;
	return value_field_of(s, f, a->at);
}
