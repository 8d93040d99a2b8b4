/* compiler/sema/loop.c - loops, and which of them are unrolled
 *
 * A loop over a list is unrolled always, one over a constant range where its body
 * needs the variable as a constant: in the offset of a shift, as a function's
 * argument, as an exponent, or to choose among lists, axes, fields or functions.
 */
#include "sema/checker.h"

#include <string.h>

/* ---- does the body need the variable as a constant? ---------------------------------
 */

static bool mentions(const struct ast *a, const char *name)
{
	if (!a)
		return false;
	if (a->kind == AST_NAME && a->text == name)
		return true;
	for (int i = 0; i < a->n_children; i++)
		if (mentions(a->child[i], name))
			return true;
	return false;
}

static bool is_function(const struct sema *s, const struct ast *callee)
{
	struct symbol *symbol;

	if (callee->kind == AST_DOT)
		return true;
	if (callee->kind != AST_NAME)
		return false;
	symbol = scope_find(s, callee->text);
	return symbol ? symbol->value.kind == VALUE_FUNCTION &&
			       !symbol->value.as.function->external
		      : scope_find_in(s->prelude, callee->text) != NULL;
}

/* Entries that are no scalars: lists, axes, fields, functions. */
static bool chooses_lists(const struct sema *s, const struct ast *base)
{
	struct symbol *symbol = base->kind == AST_NAME ? scope_find(s, base->text) : NULL;

	if (base->kind == AST_CALL && ast_is(base->child[0], AST_NAME))
		return strcmp(base->child[0]->text, "axes") == 0;
	if (!symbol || (symbol->value.kind != VALUE_LIST &&
			symbol->value.kind != VALUE_TUPLE))
		return false;
	for (int i = 0; i < symbol->value.as.list.n; i++)
		if (!value_is_scalar(&symbol->value.as.list.item[i]))
			return true;
	return false;
}

static bool is_shift_by(const struct ast *entry, const char *name)
{
	const struct ast *left = entry;

	while (left->kind == AST_BINARY &&
	       (left->op == AST_OP_ADD || left->op == AST_OP_SUB))
		left = left->child[0];
	return left != entry && left->kind == AST_NAME && left->text != name &&
	       mentions(entry, name);
}

static bool needs_here(const struct sema *s, const struct ast *a, const char *name)
{
	if (a->kind == AST_SELECT) {
		for (int i = 1; i < a->n_children; i++)
			if (is_shift_by(a->child[i], name) ||
			    (chooses_lists(s, a->child[0]) &&
			     mentions(a->child[i], name)))
				return true;
	} else if (a->kind == AST_CALL && is_function(s, a->child[0])) {
		for (int i = 1; i < a->n_children; i++)
			if (mentions(a->child[i], name))
				return true;
	} else if (a->kind == AST_BINARY && a->op == AST_OP_POW) {
		return mentions(a->child[1], name);
	}
	return false;
}

static bool needs_constant(const struct sema *s, const struct ast *body,
			   const struct ast *a, const char *name)
{
	if (!a)
		return false;
	if (needs_here(s, a, name))
		return true;
	if (a->kind == AST_LET && a->child[0]->kind == AST_NAME &&
	    a->child[0]->text != name && mentions(a->child[3], name) &&
	    needs_constant(s, body, body, a->child[0]->text))
		return true;
	for (int i = 0; i < a->n_children; i++)
		if (needs_constant(s, body, a->child[i], name))
			return true;
	return false;
}

/* Does a statement of this kind stand in the body, outside of loops in it? */
static bool body_has(const struct ast *a, enum ast_kind kind)
{
	if (!a)
		return false;
	if (a->kind == kind)
		return true;
	for (int i = 0; i < a->n_children; i++)
		if (a->child[i] && a->child[i]->kind != AST_FOR &&
		    a->child[i]->kind != AST_WHILE && body_has(a->child[i], kind))
			return true;
	return false;
}

/* ---- bodies
 * ----------------------------------------------------------------------------- */

static void loop_body(struct sema *s, struct loop *loop, const struct ast *name,
		      struct value variable, const struct ast *body)
{
	loop->up = s->loop;
	loop->call = s->call;
	loop->local = s->local;
	s->loop = loop;
	scope_push(s, SCOPE_BLOCK);
	if (name)
		scope_add(s, name, SYMBOL_LOOP, variable);
	check_statements(s, body);
	scope_pop(s);
	s->loop = loop->up;
}

static void break_if(struct sema *s, const struct air_expr *condition, struct span at)
{
	struct air_block *around = s->block;
	struct air_stmt *st = sema_emit(s, STMT_IF, at);

	st->value = condition;
	s->block = &st->body;
	sema_emit(s, STMT_BREAK, at);
	s->block = around;
}

/* Unrolled bodies that can be left stand in loops that run once: the bodies in one
 * each, which both `break` and `continue` leave, and all in another, which is left
 * when the variable says that it was a `break`. */
static const struct air_var *unrolled_begin(struct sema *s, const struct ast *a,
					    bool breaks)
{
	const struct air_var *left = NULL;
	struct air_stmt *st;

	if (breaks) {
		st = sema_emit(s, STMT_SET, a->span);
		st->var = left =
			var_new(s, sema_name(s, "left"), ELEM_BOOL, a->span, true);
		st->value = air_int(s->air, ELEM_BOOL, 0);
	}
	s->block = &sema_emit(s, STMT_LOOP, a->span)->body;
	return left;
}

static void unroll(struct sema *s, const struct ast *a, struct value list,
		   enum loop_kind kind)
{
	bool breaks = body_has(a->child[2], AST_BREAK);
	bool leaves = breaks || body_has(a->child[2], AST_CONTINUE);
	const struct air_var *left = NULL;
	struct air_block *around = s->block;

	if (leaves)
		left = unrolled_begin(s, a, breaks);
	for (int i = 0; i < list.as.list.n && !diag_full(s->diag); i++) {
		struct loop loop = { .kind = kind, .unrolled = true, .left = left };
		struct air_block *outer = s->block;

		if (leaves)
			s->block = &sema_emit(s, STMT_LOOP, a->span)->body;
		loop.count =
			kind == LOOP_RANGE
				? list.as.list.item[i]
				: value_scalar(air_int(s->air, ELEM_I64, i), a->span);
		loop_body(s, &loop, a->child[0], list.as.list.item[i], a->child[2]);
		if (leaves)
			sema_emit(s, STMT_BREAK, a->span);
		s->block = outer;
		if (left)
			break_if(s, air_read_var(s->air, left, a->span), a->span);
	}
	if (leaves)
		sema_emit(s, STMT_BREAK, a->span);
	s->block = around;
}

/* ---- ranges
 * ------------------------------------------------------------------------------ */

struct range {
	const struct air_expr *from, *to, *by;
	bool constant;
	int64_t first, count, step;
};

static bool range_read(struct sema *s, const struct ast *a, struct range *r)
{
	const struct ast *by = a->n_children > 2 ? a->child[2] : NULL;
	int64_t last, span;

	r->from = eval_i64(s, a->child[0], "a bound of a range");
	r->to = eval_i64(s, a->child[1], "a bound of a range");
	r->by = by ? eval_i64(s, by, "the step of a range")
		   : air_int(s->air, ELEM_I64, 1);
	if (!r->from || !r->to || !r->by)
		return false;
	r->constant = air_constant(r->from, &r->first, NULL) &&
		      air_constant(r->to, &last, NULL);
	if (air_constant(r->by, &r->step, NULL) && r->step == 0) {
		sema_fail(s, DIAG_OUT_OF_RANGE, by->span,
			  "the step of a range cannot be 0");
		return false;
	}
	r->constant = r->constant && air_constant(r->by, &r->step, NULL);
	if (!r->constant)
		return true;
	span = r->step > 0 ? last - r->first : r->first - last;
	r->count = span <= 0 ? 0 : (span - 1) / (r->step > 0 ? r->step : -r->step) + 1;
	return true;
}

static struct value range_list(struct sema *s, const struct range *r, struct span at)
{
	struct value *item = arena_new_array(s->arena, r->count + 1, struct value);

	for (int64_t i = 0; i < r->count; i++)
		item[i] = value_scalar(air_int(s->air, ELEM_I64, r->first + i * r->step),
				       at);
	return value_list(s, VALUE_LIST, item, (int)r->count, at);
}

/* What a comprehension runs over, as a list; false: told. */
bool iterable_constant(struct sema *s, const struct ast *a, struct value *list)
{
	struct range r;

	if (a->kind != AST_RANGE) {
		*list = eval_expr(s, a);
		if (list->kind != VALUE_LIST && list->kind != VALUE_ERROR)
			*list = sema_failed(
				s, DIAG_WRONG_TYPE, a->span,
				"only ranges and lists can be run over, and this is %s",
				value_text(s, list));
		return list->kind == VALUE_LIST;
	}
	if (!range_read(s, a, &r))
		return false;
	if (!r.constant) {
		sema_fail(s, DIAG_NOT_CONSTANT, a->span,
			  "a comprehension runs over constants");
		sema_hint(s, "Use a `for` loop and a `var`.");
		return false;
	}
	if (r.count > UNROLL_MOST) {
		sema_fail(s, DIAG_OUT_OF_RANGE, a->span,
			  "a comprehension of more than %d terms", UNROLL_MOST);
		return false;
	}
	*list = range_list(s, &r, a->span);
	return true;
}

static void for_range(struct sema *s, const struct ast *a, const struct range *r)
{
	struct air_var *var =
		var_new(s, a->child[0]->text, ELEM_I64, a->child[0]->span, false);
	struct loop loop = { .kind = LOOP_RANGE };
	struct air_block *around = s->block;
	struct air_stmt *st = sema_emit(s, STMT_FOR, a->child[0]->span);

	st->var = var;
	st->from = r->from;
	st->to = r->to;
	st->by = r->by;
	s->block = &st->body;
	loop.count = value_scalar(air_read_var(s->air, var, a->child[0]->span),
				  a->child[0]->span);
	loop_body(s, &loop, a->child[0], loop.count, a->child[2]);
	s->block = around;
}

void check_for(struct sema *s, const struct ast *a)
{
	const struct ast *over = a->child[1], *body = a->child[2];
	struct range r;
	struct value list;

	if (over->kind != AST_RANGE) {
		if (iterable_constant(s, over, &list))
			unroll(s, a, list, LOOP_OTHER);
		return;
	}
	if (!range_read(s, over, &r))
		return;
	if (r.constant && r.count <= UNROLL_LIMIT &&
	    needs_constant(s, body, body, a->child[0]->text))
		unroll(s, a, range_list(s, &r, over->span), LOOP_RANGE);
	else
		for_range(s, a, &r);
}

/* ---- while
 * ---------------------------------------------------------------------------------- */

static void set_count(struct sema *s, const struct air_var *count,
		      const struct air_expr *value)
{
	struct air_stmt *set = sema_emit(s, STMT_SET, value->span);

	set->var = count;
	set->value = value;
}

/* Iterations are counted where an `every` asks for them. */
static struct value iterations(struct sema *s, struct span at,
			       const struct air_var **count)
{
	*count = var_new(s, sema_name(s, "iteration"), ELEM_I64, at, true);
	set_count(s, *count, air_int(s->air, ELEM_I64, -1));
	return value_scalar(air_read_var(s->air, *count, at), at);
}

void check_while(struct sema *s, const struct ast *a)
{
	struct loop loop = { .kind = LOOP_OTHER };
	struct air_block *around = s->block;
	const struct air_var *count = NULL;
	const struct air_expr *condition;
	struct air_stmt *st;
	struct value one = value_scalar(air_int(s->air, ELEM_I64, 1), a->span);

	if (body_has(a->child[1], AST_EVERY))
		loop.count = iterations(s, a->span, &count);
	st = sema_emit(s, STMT_LOOP, a->child[0]->span);
	s->block = &st->body;
	condition = eval_condition(s, a->child[0], "the condition of a loop");
	if (condition)
		break_if(s, air_op(s->air, AIR_NOT, ELEM_BOOL, &condition, 1, a->span),
			 a->child[0]->span);
	if (count)
		set_count(s, count,
			  value_binary(s, AST_OP_ADD, loop.count, one, a->span).as.expr);
	loop_body(s, &loop, NULL, value_error(), a->child[1]);
	s->block = around;
}

/* ---- every, break, continue
 * ------------------------------------------------------------------- */

static bool in_loop(struct sema *s, struct span at, const char *what)
{
	if (s->loop && s->loop->call == s->call)
		return true;
	sema_fail(s, DIAG_BAD_PLACE, at, "`%s` stands inside a loop", what);
	return false;
}

void check_every(struct sema *s, const struct ast *a)
{
	const struct air_expr *n = eval_i64(s, a->child[0], "the count of `every`"),
			      *condition;
	struct air_block *around = s->block;
	struct value v, zero = value_scalar(air_int(s->air, ELEM_I64, 0), a->span);
	struct air_stmt *st;
	int64_t known;

	if (!in_loop(s, a->span, "every") || !n)
		return;
	if (air_constant(n, &known, NULL) && known < 1) {
		sema_fail(s, DIAG_OUT_OF_RANGE, a->child[0]->span,
			  "the count of `every` is at least 1");
		return;
	}
	v = value_binary(s, AST_OP_MOD, s->loop->count, value_scalar(n, a->span),
			 a->span);
	condition = value_binary(s, AST_OP_EQ, v, zero, a->span).as.expr;
	if (air_constant(condition, &known, NULL)) {
		if (known)
			check_block(s, a->child[1]);
		return;
	}
	st = sema_emit(s, STMT_IF, a->child[0]->span);
	st->value = condition;
	s->block = &st->body;
	check_block(s, a->child[1]);
	s->block = around;
}

void check_break(struct sema *s, const struct ast *a)
{
	bool leaves = a->kind == AST_BREAK;
	struct air_stmt *st;

	if (!in_loop(s, a->span, leaves ? "break" : "continue"))
		return;
	if (s->loop->local != s->local) {
		sema_fail(s, DIAG_NOT_LOCAL, a->span, "`%s` cannot leave a `local` block",
			  leaves ? "break" : "continue");
		sema_hint(s, LOCAL_HINT);
		return;
	}
	if (leaves && s->loop->unrolled) {
		st = sema_emit(s, STMT_SET, a->span);
		st->var = s->loop->left;
		st->value = air_int(s->air, ELEM_BOOL, 1);
	}
	sema_emit(s, leaves || s->loop->unrolled ? STMT_BREAK : STMT_CONTINUE, a->span);
}
