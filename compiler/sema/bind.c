/* compiler/sema/bind.c - arguments of a call to the parameters of a function
 *
 * takes: a call, or values   gives: a binding for each parameter, with a value that fits
 * what its type says. An argument that reads what a `var` argument of the same call may
 * change is held first.
 */
#include "sema/bind.h"

#include <string.h>

const char *parameter_name(const struct ast *p)
{
	return p->child[0]->text;
}

static struct binding *binding_named(struct sema *s, const struct function *f,
				     struct binding *b, int n, const struct ast *name)
{
	const char *names[PARAMETERS];

	for (int i = 0; i < n; i++) {
		names[i] = parameter_name(b[i].parameter);
		if (names[i] == name->text)
			return &b[i];
	}
	sema_fail(s, DIAG_WRONG_ARGUMENTS, name->span, "`%s` has no parameter `%s`",
		  f->name, name->text);
	if (diag_nearest(name->text, names, n))
		sema_hint(s, "Did you mean `%s`?", diag_nearest(name->text, names, n));
	return NULL;
}

static bool bind_one(struct sema *s, const struct function *f, struct binding *b, int n,
		     const struct ast *argument, int *next)
{
	struct binding *to;

	if (argument->kind == AST_EACH || argument->kind == AST_KEYED) {
		sema_fail(s, DIAG_WRONG_ARGUMENTS, argument->span,
			  argument->kind == AST_EACH
				  ? "`%s` does not run over a range"
				  : "an argument by name is written `name = value`",
			  f->name);
		return false;
	}
	if (argument->kind == AST_NAMED) {
		to = binding_named(s, f, b, n, argument->child[0]);
		argument = argument->child[1];
	} else if (*next == n) {
		sema_fail(s, DIAG_WRONG_ARGUMENTS, argument->span,
			  "`%s` takes %d argument%s", f->name, n, n == 1 ? "" : "s");
		sema_note(s, f->ast->child[0]->span, "`%s` is declared here", f->name);
		return false;
	} else {
		to = &b[(*next)++];
	}
	if (!to)
		return false;
	if (to->ast) {
		sema_fail(s, DIAG_WRONG_ARGUMENTS, argument->span, "`%s` is given twice",
			  parameter_name(to->parameter));
		return false;
	}
	to->ast = argument;
	return true;
}

bool bind_asts(struct sema *s, const struct function *f, const struct ast *call,
		      struct binding *b, int *n)
{
	const struct ast *list = f->ast->child[1];
	int next = 0;

	*n = list->n_children;
	if (*n > PARAMETERS) {
		sema_fail(s, DIAG_WRONG_ARGUMENTS, list->span, "more than %d parameters",
			  PARAMETERS);
		return false;
	}
	for (int i = 0; i < *n; i++)
		b[i] = (struct binding){ .parameter = list->child[i] };
	for (int i = 1; i < call->n_children; i++)
		if (!bind_one(s, f, b, *n, call->child[i], &next))
			return false;
	for (int i = 0; i < *n; i++) {
		if (b[i].ast || b[i].parameter->child[2])
			continue;
		sema_fail(s, DIAG_WRONG_ARGUMENTS, call->span,
			  "`%s` is called without its `%s`", f->name,
			  parameter_name(b[i].parameter));
		sema_note(s, f->ast->child[0]->span, "`%s` is declared here", f->name);
		return false;
	}
	return true;
}

/* A `var` argument is the name of something that may change here. */
static bool bind_var(struct sema *s, struct binding *b)
{
	const struct ast *a = ast_bare(b->ast);
	struct symbol *symbol = a->kind == AST_NAME ? scope_find(s, a->text) : NULL;

	if (a->kind != AST_NAME || !symbol) {
		b->value = eval_expr(s, a);
		if (b->value.kind != VALUE_ERROR)
			sema_fail(s, DIAG_WRONG_ARGUMENTS, a->span,
				  "the `var` parameter `%s` takes the name of a field or "
				  "variable",
				  parameter_name(b->parameter));
		return false;
	}
	b->value = symbol->value;
	b->value.span = a->span;
	if (symbol->value.kind == VALUE_ERROR)
		return false;
	if (symbol->kind == SYMBOL_VAR || symbol->kind == SYMBOL_FIELD ||
	    symbol->kind == SYMBOL_VAR_ARGUMENT)
		return true;
	sema_fail(s, DIAG_WRONG_ARGUMENTS, a->span,
		  "`%s` is %s, which the `var` parameter `%s` "
		  "cannot change",
		  a->text, symbol_text(symbol->kind), parameter_name(b->parameter));
	return false;
}

bool bind_values(struct sema *s, struct binding *b, int n)
{
	bool good = true;

	for (int i = 0; i < n; i++) {
		if (!b[i].ast)
			continue;
		if (b[i].parameter->kind == AST_VAR_PARAMETER) {
			good = bind_var(s, &b[i]) && good;
			continue;
		}
		b[i].value = eval_expr(s, b[i].ast);
		b[i].value.span = b[i].ast->span;
		good = good && b[i].value.kind != VALUE_ERROR;
		if (b[i].value.kind != VALUE_NONE)
			continue;
		sema_fail(s, DIAG_WRONG_TYPE, b[i].ast->span, "this call gives no value");
		good = false;
	}
	return good;
}

/* ---- what a call may change
 * ---------------------------------------------------------------- */

static bool changes(const struct binding *var, const struct value *v)
{
	struct air_field *f = value_field(&var->value);
	const struct air_var *scalar = value_var(&var->value);

	if (v->kind != VALUE_EXPR)
		return false;
	return f ? air_reach_of(v->as.expr, f).any
		 : scalar && air_reads_var(v->as.expr, scalar);
}

bool bind_apart(struct sema *s, struct binding *b, int n)
{
	for (int i = 0; i < n; i++) {
		if (b[i].parameter->kind != AST_VAR_PARAMETER)
			continue;
		for (int k = 0; k < n; k++) {
			bool var = b[k].parameter->kind == AST_VAR_PARAMETER;

			if (k == i || b[k].value.kind != VALUE_EXPR)
				continue;
			if (var && b[k].value.as.expr == b[i].value.as.expr) {
				sema_fail(s, DIAG_WRONG_ARGUMENTS, b[k].ast->span,
					  "two `var` arguments of a call are the same");
				return false;
			}
			if (!var && changes(&b[i], &b[k].value))
				b[k].value = let_value(
					s, b[k].value,
					sema_name(s, parameter_name(b[k].parameter)));
			if (b[k].value.kind == VALUE_ERROR)
				return false;
		}
	}
	return true;
}

/* ---- declared types
 * -------------------------------------------------------------------------- */

static bool type_field(struct sema *s, const struct ast *type, struct value *v,
		       const char *what)
{
	enum elem e = type->child[0] ? elem_of_type(s, type->child[0]) : ELEM_NONE;
	struct value grid;

	*v = value_operand(s, *v);
	if (!value_is_field(v)) {
		sema_fail(s, DIAG_WRONG_ARGUMENTS, v->span,
			  "%s is a field, and this is %s", what, value_text(s, v));
		return false;
	}
	if (type->child[0] && e == ELEM_NONE)
		return false;
	if (e != ELEM_NONE && v->weak && !value_convert(s, v, e, what))
		return false;
	if (e != ELEM_NONE && value_elem(v) != e) {
		sema_fail(s, DIAG_WRONG_ARGUMENTS, v->span,
			  "%s is a field of %s, and this is %s", what, elem_text(e),
			  value_text(s, v));
		return false;
	}
	if (!type->child[1])
		return true;
	grid = eval_expr(s, type->child[1]);
	if (grid.kind != VALUE_GRID)
		return grid.kind == VALUE_ERROR
			       ? false
			       : (sema_fail(s, DIAG_WRONG_TYPE, type->child[1]->span,
					    "this is no grid"),
				  false);
	*v = loose_end(s, *v, grid.as.grid);
	if (v->kind == VALUE_ERROR)
		return false;
	if (value_grid(v) == grid.as.grid)
		return true;
	sema_fail(s, DIAG_WRONG_ARGUMENTS, v->span, "%s is on `%s`, and this is on `%s`",
		  what, grid.as.grid->name, value_grid(v)->name);
	return false;
}

/* Does v fit the written type? Scalars are converted as in an assignment. */
bool value_fits_type(struct sema *s, const struct ast *type, struct value *v,
		     const char *what)
{
	enum elem e;

	if (!type)
		return true;
	if (type->kind == AST_FIELD_TYPE)
		return type_field(s, type, v, what);
	if (type->kind == AST_NAME && strcmp(type->text, "axis") == 0) {
		if (v->kind == VALUE_AXIS)
			return true;
		sema_fail(s, DIAG_WRONG_ARGUMENTS, v->span,
			  "%s is an axis, and this is %s", what, value_text(s, v));
		return false;
	}
	if (type->kind == AST_NAME && strcmp(type->text, "const") == 0) {
		if (value_is_constant(v) || v->kind == VALUE_LIST ||
		    v->kind == VALUE_AXIS)
			return true;
		sema_fail(s, DIAG_NOT_CONSTANT, v->span,
			  "%s is a constant, and this is known at run "
			  "time only",
			  what);
		return false;
	}
	e = elem_of_type(s, type);
	if (e == ELEM_NONE)
		return false;
	*v = value_operand(s, *v);
	if (!value_is_scalar(v)) {
		sema_fail(s, DIAG_WRONG_ARGUMENTS, v->span,
			  "%s is a scalar of %s, and this is %s", what, elem_text(e),
			  value_text(s, v));
		return false;
	}
	return value_convert(s, v, e, what);
}
