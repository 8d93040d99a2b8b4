/* compiler/sema/where.c - `where mask { ... } else { ... }`
 *
 * The mask is evaluated once, on entry; assignments inside write where it holds, or does
 * not (assign.c).
 */
#include "sema/checker.h"

static bool mask_value(struct sema *s, const struct ast *a, struct value *v)
{
	*v = value_operand(s, eval_expr(s, a));
	if (v->kind == VALUE_ERROR)
		return false;
	if (v->kind != VALUE_EXPR || value_elem(v) != ELEM_BOOL) {
		sema_fail(s, DIAG_WRONG_TYPE, a->span, "a mask is a bool, and this is %s",
			  value_text(s, v));
		return false;
	}
	if (value_is_scalar(v))
		*v = var_hold(s, *v, sema_name(s, "mask"));
	else if (v->loose)
		*v = loose_freeze(s, *v);
	else
		*v = stage_new(s, *v, sema_name(s, "mask"));
	return v->kind != VALUE_ERROR;
}

static void where_body(struct sema *s, const struct ast *block)
{
	scope_push(s, SCOPE_BLOCK);
	for (int i = 0; i < block->n_children; i++) {
		const struct ast *a = block->child[i];

		if (a->kind == AST_ASSIGN || a->kind == AST_LET || a->kind == AST_WHERE ||
		    a->kind == AST_BOUNDARY)
			check_statement(s, a);
		else
			sema_fail(s, DIAG_BAD_PLACE, a->span,
				  "inside `where` stand assignments to fields, `let` and "
				  "`where`");
	}
	scope_pop(s);
}

void check_where(struct sema *s, const struct ast *a)
{
	struct mask mask = { .up = s->mask };

	if (!mask_value(s, a->child[0], &mask.value))
		return;
	s->mask = &mask;
	where_body(s, a->child[1]);
	mask.negated = true;
	if (ast_is(a->child[2], AST_WHERE))
		check_where(s, a->child[2]);
	else if (a->child[2])
		where_body(s, a->child[2]);
	s->mask = mask.up;
}
