/* compiler/syntax/check.c - what is read as an expression, and must be less than one
 *
 * A grammar that allowed only names here would say "unexpected `=`"; this says why.
 */
#include "syntax/reader.h"

static void check_target_entry(struct parser *p, const struct ast *target)
{
	if (target->kind == AST_TUPLE)
		for (int i = 0; i < target->n_children; i++)
			check_target_entry(p, target->child[i]);
	else if (target->kind != AST_NAME && target->kind != AST_SELECT &&
	         target->kind != AST_DOT)
		parser_error(p, DIAG_BAD_TARGET, target->span, "this cannot be assigned to");
}

struct ast *check_target(struct parser *p, struct ast *target)
{
	check_target_entry(p, target);
	return target;
}

static bool begins_with_sign(const struct ast *e)
{
	while (e->kind == AST_BINARY)
		e = e->child[0];
	return e->kind == AST_UNARY && e->op != AST_OP_NOT;
}

/* A value alone on its line is an oversight, but not at the prompt. */
struct ast *check_effect(struct parser *p, struct ast *expression)
{
	if (p->interactive || expression->kind == AST_CALL)
		return expression;
	parser_error(p, DIAG_UNUSED_VALUE, expression->span, "this value is not used");
	if (begins_with_sign(expression))
		diag_hint(p->diag, "A line goes on if it ends with the operator.");
	else if (expression->kind == AST_NAME)
		diag_hint(p->diag, "If it is a function, it is called with parentheses: `%s()`.",
			  expression->text);
	return expression;
}

struct ast *check_condition(struct parser *p, struct ast *condition)
{
	enum ast_kind kind = ast_bare(condition)->kind;

	if (kind == AST_TUPLE || kind == AST_LAMBDA)
		parser_error(p, DIAG_BAD_CONDITION, condition->span,
		             "a %s is no condition", ast_kind_text(kind));
	return condition;
}

struct list *check_parameters(struct parser *p, struct list *names)
{
	for (int i = 0; i < names->v.n; i++)
		if (names->v.item[i]->kind != AST_NAME)
			parser_error(p, DIAG_NOT_A_NAME, names->v.item[i]->span,
			             "expected a name before `->`");
	return names;
}

/* `x` or `x.lo`; whether x is an axis is not known here. */
struct ast *check_wall(struct parser *p, struct ast *wall)
{
	if (wall->kind == AST_NAME ||
	    (wall->kind == AST_DOT && wall->child[0]->kind == AST_NAME))
		return wall;
	parser_error(p, DIAG_NOT_A_NAME, wall->span, "expected an axis or a side of it");
	diag_hint(p->diag, "Sides are written x.lo and x.hi.");
	return wall;
}

/* `q: 9 local` begins as the slice q:9 does; `at` is its colon. */
void check_axis(struct parser *p, const struct ast *name, struct span at,
                const struct ast *size)
{
	if (!name || name->kind != AST_NAME)
		parser_error(p, DIAG_NOT_A_NAME, name ? name->span : at,
		             "expected the name of a new axis");
	else if (!size)
		parser_error(p, DIAG_UNEXPECTED, at, "expected the size of the new axis");
}
