/* compiler/sema/call.c - functions: a call is its body, read in place
 *
 * Parameters are bound to values (bind.c), so a function is as generic as its body.
 * Names of the body are its own; what is appended goes to the caller's block.
 */
#include "sema/bind.h"

#include <string.h>

const struct function *check_fn(struct sema *s, const struct ast *a)
{
	struct function *f = arena_new_object(s->arena, struct function);
	struct value v = { .kind = VALUE_FUNCTION, .span = a->child[0]->span };

	f->name = a->child[0]->text;
	f->ast = a;
	f->scope = s->scope;
	f->order = s->order;
	v.as.function = f;
	scope_add(s, a->child[0], SYMBOL_FUNCTION, v);
	return f;
}

/* ---- the body
 * ---------------------------------------------------------------------------------- */

static bool bind_names(struct sema *s, struct binding *b, int n)
{
	for (int i = 0; i < n; i++) {
		const struct ast *p = b[i].parameter;
		bool var = p->kind == AST_VAR_PARAMETER;
		const char *what =
			arena_printf(s->arena, "the parameter `%s`", parameter_name(p));

		if (!b[i].ast) {
			b[i].value = eval_expr(s, p->child[2]);
			if (b[i].value.kind == VALUE_ERROR)
				return false;
		}
		if (!value_fits_type(s, p->child[1], &b[i].value, what))
			return false;
		scope_add(s, p->child[0], var ? SYMBOL_VAR_ARGUMENT : SYMBOL_ARGUMENT,
			  b[i].value);
	}
	return true;
}

static struct value body_block(struct sema *s, const struct ast *body);

static bool holds_return(const struct ast *a)
{
	if (!a || a->kind == AST_FN)
		return false;
	for (int i = 0; i < a->n_children; i++)
		if (ast_is(a->child[i], AST_RETURN) || holds_return(a->child[i]))
			return true;
	return false;
}

/* A function may end with an `if` over constants, which chooses how it ends. */
static struct value body_if(struct sema *s, const struct ast *a)
{
	const struct air_expr *condition = eval_condition(s, a->child[0], "a condition");
	const struct ast *chosen;
	struct value v;
	int64_t known;

	if (!condition)
		return value_error();
	if (!air_constant(condition, &known, NULL))
		return sema_failed(
			s, DIAG_BAD_PLACE, a->child[0]->span,
			"`return` comes last, not where a condition of the run decides");
	chosen = a->child[known ? 1 : 2];
	if (!chosen)
		return value_none(a->span);
	if (chosen->kind == AST_IF)
		return body_if(s, chosen);
	scope_push(s, SCOPE_BLOCK);
	v = body_block(s, chosen);
	scope_pop(s);
	return v;
}

static struct value body_last(struct sema *s, const struct ast *a)
{
	if (a->kind == AST_RETURN)
		return a->n_children && a->child[0] ? eval_whole(s, a->child[0])
						    : value_none(a->span);
	if (a->kind == AST_IF && holds_return(a))
		return body_if(s, a);
	check_statement(s, a);
	return value_none(a->span);
}

/* The body's own statements share the scope of the parameters. What is wrong in a
 * function of the library is one thing, its arguments: nothing follows the first error. */
static struct value body_block(struct sema *s, const struct ast *body)
{
	struct value v = value_none(body->span);
	int errors = diag_errors(s->diag);

	for (int i = 0; i < body->n_children && !diag_full(s->diag); i++) {
		if (span_in_library(body->span) && diag_errors(s->diag) > errors)
			return value_error();
		if (i + 1 == body->n_children)
			v = body_last(s, body->child[i]);
		else
			check_statement(s, body->child[i]);
	}
	return v;
}

static struct value function_body(struct sema *s, const struct function *f, bool alone)
{
	const struct ast *body = f->ast->child[3];
	struct value v;

	if (body->kind == AST_BLOCK)
		return body_block(s, body);
	s->alone = alone;
	v = eval_expr(s, body);
	s->alone = false;
	return v;
}

static struct value expand(struct sema *s, const struct function *f, struct binding *b,
			   int n, struct call *call)
{
	struct sema outer = *s;
	struct value v = value_error();
	int errors = diag_errors(s->diag);
	bool alone = s->alone;

	s->call = call;
	s->loop = NULL;
	s->mask = NULL;
	s->wall = NULL;
	s->scope = f->scope;
	scope_push(s, SCOPE_FUNCTION)->limit = f->order + 1;
	if (bind_names(s, b, n))
		v = function_body(s, f, alone);
	if (diag_errors(s->diag) == errors && f->ast->child[2] &&
	    !value_fits_type(s, f->ast->child[2], &v,
			     arena_printf(s->arena, "what `%s` gives", f->name)))
		v = value_error();
	s->call = outer.call;
	s->loop = outer.loop;
	s->mask = outer.mask;
	s->wall = outer.wall;
	s->scope = outer.scope;
	if (diag_errors(s->diag) > errors)
		v = value_error();
	return v;
}

static bool is_const(const struct binding *b)
{
	return ast_is(b->parameter->child[1], AST_NAME) &&
	       strcmp(b->parameter->child[1]->text, "const") == 0;
}

static void call_constants(struct sema *s, struct call *call, const struct binding *b)
{
	struct value *constant = arena_new_array(s->arena, call->n + 1, struct value);

	for (int i = 0; i < call->n; i++)
		constant[i] = is_const(&b[i]) ? b[i].value : value_error();
	call->constant = constant;
}

/* Is one of the constants smaller than in the call around? Then the calls end. */
static bool constants_fall(const struct call *inner, const struct call *outer)
{
	int64_t now, then;

	for (int i = 0; i < inner->n; i++)
		if (value_is_integer(&inner->constant[i], &now) &&
		    value_is_integer(&outer->constant[i], &then) && now < then)
			return true;
	return false;
}

static bool may_call(struct sema *s, const struct call *call)
{
	const struct function *f = call->function;
	const struct call *same = NULL;
	int depth = 0;

	for (const struct call *c = call->up; c; c = c->up, depth++)
		if (!same && c->function == f)
			same = c;
	if (depth >= CALL_DEPTH) {
		sema_fail(s, DIAG_ENDLESS_CALL, call->at,
			  "calls are nested more than %d deep", CALL_DEPTH);
		sema_hint(s, "Let an `if` over the `const` argument end them.");
		return false;
	}
	if (!same || constants_fall(call, same))
		return true;
	sema_fail(s, DIAG_ENDLESS_CALL, call->at,
		  "`%s` calls itself without a smaller `const` argument", f->name);
	sema_hint(s, "Calls are expanded when the program is compiled: give it a "
		     "parameter like `level: const`, and call it with `level - 1`.");
	return false;
}

/* The defaults of a function in C see what stands above it. */
static struct value external_call(struct sema *s, const struct function *f,
				  struct binding *b, int n, struct span at)
{
	struct value v[MAX_EXTERN_PARAMS];
	struct scope *scope = s->scope;

	for (int i = 0; i < n; i++) {
		s->scope = b[i].ast ? scope : f->scope;
		v[i] = b[i].ast ? b[i].value : eval_expr(s, b[i].parameter->child[2]);
		s->scope = scope;
		if (v[i].kind == VALUE_ERROR)
			return v[i];
	}
	return extern_call(s, f->external, v, at);
}

/* A call whose parameters are bound; it stands at `at`. */
static struct value bound_call(struct sema *s, const struct function *f, struct binding *b,
			       int n, struct span at)
{
	struct call *call = arena_new_object(s->arena, struct call);
	bool alone = s->alone;
	struct value v;
	int effects;

	s->alone = false;
	if (f->external)
		return external_call(s, f, b, n, at);
	*call = (struct call){ .up = s->call, .function = f, .at = at, .n = n };
	call_constants(s, call, b);
	if (!may_call(s, call))
		return value_error();
	effects = s->effects;
	s->alone = alone;
	v = expand(s, f, b, n, call);
	s->alone = false;
	if (s->effects > effects && !alone && v.kind != VALUE_ERROR) {
		v = sema_failed(
			s, DIAG_CALL_ALONE, at,
			"a call of `%s`, which changes or prints something, stands alone",
			f->name);
		sema_hint(s,
			  "Make it a statement, or the whole right side of one: `let r = "
			  "%s(...)`.",
			  f->name);
	}
	v.span = at;
	return v;
}

static struct value function_call(struct sema *s, const struct function *f,
				  const struct ast *a, bool alone)
{
	struct binding b[PARAMETERS];
	int n;

	if (!bind_asts(s, f, a, b, &n) || !bind_values(s, b, n) || !bind_apart(s, b, n))
		return value_error();
	s->alone = alone;
	return bound_call(s, f, b, n, a->span);
}

struct value function_apply(struct sema *s, const struct value *function,
			    const struct value *arg, int n, const struct ast *at)
{
	const struct function *f = function->as.function;
	const struct ast *list = f->ast->child[1];
	struct binding b[PARAMETERS];

	if (list->n_children != n || n > PARAMETERS)
		return sema_failed(s, DIAG_WRONG_ARGUMENTS, at->span,
				   "a function of %d argument%s is needed here, and this "
				   "one takes %d",
				   n, n == 1 ? "" : "s", list->n_children);
	for (int i = 0; i < n; i++) {
		if (list->child[i]->kind == AST_VAR_PARAMETER)
			return sema_failed(s, DIAG_WRONG_ARGUMENTS, at->span,
					   "this function changes its arguments");
		b[i] = (struct binding){ list->child[i], at, arg[i] };
	}
	return bound_call(s, f, b, n, at->span);
}

struct value function_expand(struct sema *s, const struct function *f,
			     const struct value *argument)
{
	const struct ast *list = f->ast->child[1], *name = f->ast->child[0];
	struct call call = { .function = f, .at = name->span, .n = list->n_children };
	struct binding b[PARAMETERS];
	struct value v;

	if (call.n > PARAMETERS)
		return sema_failed(s, DIAG_WRONG_ARGUMENTS, list->span,
				   "more than %d parameters", PARAMETERS);
	for (int i = 0; i < call.n; i++)
		b[i] = (struct binding){ list->child[i], list->child[i]->child[0],
					 argument[i] };
	if (!bind_apart(s, b, call.n))
		return value_error();
	call_constants(s, &call, b);
	s->alone = true;
	v = expand(s, f, b, call.n, &call);
	s->alone = false;
	return v;
}

/* ---- conversions: T(x)
 * ---------------------------------------------------------------------------- */

static struct value conversion(struct sema *s, enum elem e, const struct ast *a)
{
	struct value v;

	if (a->n_children != 2 || a->child[1]->kind == AST_NAMED)
		return sema_failed(s, DIAG_WRONG_ARGUMENTS, a->span,
				   "`%s` takes one argument", elem_text(e));
	v = eval_expr(s, a->child[1]);
	if (v.kind == VALUE_ERROR || !operands_meet(s, &v, 1, a->span))
		return value_error();
	if (e == ELEM_STR || value_elem(&v) == ELEM_STR) {
		v = sema_failed(s, DIAG_WRONG_TYPE, a->span,
				"texts and numbers do not convert");
		sema_hint(s, "A number goes into a text by interpolation: `\"{a}\"`.");
		return v;
	}
	if (elem_kind(value_elem(&v)) == KIND_COMPLEX && e != ELEM_BOOL &&
	    elem_kind(e) != KIND_COMPLEX) {
		v = sema_failed(s, DIAG_WRONG_TYPE, a->span,
				"a complex number is no %s", elem_text(e));
		sema_hint(s, "Take a part of it: `%s(real(...))`.", elem_text(e));
		return v;
	}
	v.span = a->span;
	/* of a field and of positions the type is meant as written */
	v.weak = v.weak && value_is_scalar(&v);
	return value_cast(s, v, e);
}

/* ---- all calls
 * --------------------------------------------------------------------------------------
 */

static struct value callee_of(struct sema *s, const struct ast *a)
{
	struct symbol *symbol;
	struct value v = { .kind = VALUE_BUILTIN, .span = a->span };

	if (a->kind == AST_DOT && a->child[1]->kind == AST_NAME) {
		struct value base = eval_expr(s, a->child[0]);

		if (base.kind == VALUE_GRID && strcmp(a->child[1]->text, "extend") == 0)
			return sema_failed(s, DIAG_WRONG_ARGUMENTS, a->span,
					   "`extend` is called: `extend(x: 1)`");
		return base.kind == VALUE_ERROR ? base : eval_expr(s, a);
	}
	if (a->kind != AST_NAME)
		return eval_expr(s, a);
	symbol = scope_find(s, a->text);
	if (!symbol && s->prelude)
		symbol = scope_find_in(s->prelude, a->text);
	if (symbol) {
		v = symbol->value;
		v.span = a->span;
		return v;
	}
	v.as.builtin = map_get(s->builtins, a->text);
	if (v.as.builtin)
		return v;
	v.kind = VALUE_TYPE;
	v.as.elem = elem_named(a->text);
	if (v.as.elem != ELEM_NONE)
		return v;
	scope_unknown(s, a->text, a->span);
	return value_error();
}

static bool is_extend(const struct ast *callee)
{
	return callee->kind == AST_DOT && strcmp(callee->child[1]->text, "extend") == 0;
}

struct value call_eval(struct sema *s, const struct ast *a)
{
	bool alone = s->alone;
	struct value callee, v;

	s->alone = false;
	if (is_extend(a->child[0])) {
		v = eval_expr(s, a->child[0]->child[0]);
		if (v.kind == VALUE_GRID)
			return grid_extend(s, v.as.grid, a);
		if (v.kind == VALUE_ERROR)
			return v;
	}
	callee = callee_of(s, ast_bare(a->child[0]));
	switch (callee.kind) {
	case VALUE_ERROR:
		return callee;
	case VALUE_FUNCTION:
		return function_call(s, callee.as.function, a, alone);
	case VALUE_BUILTIN:
		s->alone = alone;
		v = builtin_call(s, callee.as.builtin, a);
		s->alone = false;
		if (v.kind != VALUE_ERROR)
			v.span = a->span;
		return v;
	case VALUE_TYPE:
		return conversion(s, callee.as.elem, a);
	default:
		return sema_failed(s, DIAG_WRONG_ARGUMENTS, a->child[0]->span,
				   "%s cannot be called", value_text(s, &callee));
	}
}
