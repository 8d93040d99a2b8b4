/* compiler/sema/expr.c - expressions, one kind of node at a time
 *
 * An AST expression becomes a value. What cannot be pure (reductions, elements,
 * draws, texts) is appended to the current block on the way.
 */
#include "sema/checker.h"

#include <math.h>
#include <string.h>

static struct value wall_word(struct sema *s, const char *name, struct span at)
{
	static const struct {
		const char *name;
		enum air_mirror mirror;
	} words[] = {
		{ "edge", MIRROR_EDGE },
		{ "symmetric", MIRROR_SYMMETRIC },
		{ "reflect", MIRROR_REFLECT },
		{ "antisymmetric", MIRROR_SYMMETRIC },
	};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		struct value v;

		if (strcmp(name, words[i].name) != 0)
			continue;
		v = value_strong(air_mirror(s->air, s->wall->field, words[i].mirror, at),
				 at);
		return i == 3 ? value_unary(s, AST_OP_NEG, v, at) : v;
	}
	return value_none(at);
}

static struct value named_constant(struct sema *s, const char *name, struct span at)
{
	static const struct {
		const char *name;
		double value;
	} constants[] = {
		{ "pi", 0x1.921fb54442d18p+1 },
		{ "e", 0x1.5bf0a8b145769p+1 },
		{ "inf", INFINITY },
		{ "nan", NAN },
	};

	for (size_t i = 0; i < sizeof constants / sizeof *constants; i++)
		if (strcmp(name, constants[i].name) == 0)
			return value_scalar(
				air_real(s->air, ELEM_F64, constants[i].value), at);
	return value_none(at);
}

static struct value builtin_name(struct sema *s, const char *name, struct span at)
{
	struct symbol *symbol = s->prelude ? scope_find_in(s->prelude, name) : NULL;
	struct value v = { .kind = VALUE_BUILTIN, .span = at };

	if (symbol) {
		v = symbol->value;
		v.span = at;
		return v;
	}
	v.as.builtin = map_get(s->builtins, name);
	if (v.as.builtin)
		return v;
	if (elem_named(name) != ELEM_NONE) {
		v.kind = VALUE_TYPE;
		v.as.elem = elem_named(name);
		return v;
	}
	scope_unknown(s, name, at);
	return value_error();
}

static struct value eval_name(struct sema *s, const struct ast *a)
{
	struct symbol *symbol;
	struct value v;

	if (s->wall) {
		v = wall_word(s, a->text, a->span);
		if (v.kind != VALUE_NONE)
			return v;
	}
	symbol = scope_find(s, a->text);
	if (symbol) {
		v = symbol->value;
		v.span = a->span;
		return v;
	}
	if (scope_axis_known(s, a->text)) {
		const struct axis *axis = scope_loose_axis(s, a->text);

		return axis ? value_of_axis(axis, a->span)
			    : sema_failed(s, DIAG_NO_AXIS, a->span,
					  "too many names of axes");
	}
	v = named_constant(s, a->text, a->span);
	return v.kind == VALUE_NONE ? builtin_name(s, a->text, a->span) : v;
}

static void append(struct air_block *to, const struct air_block *from)
{
	if (!from->first)
		return;
	if (to->last)
		to->last->next = from->first;
	else
		to->first = from->first;
	to->last = from->last;
}

/* `and` and `or` of scalars whose right side has statements of its own: they run
 * only when they decide. */
static struct value short_cut(struct sema *s, const struct ast *a, struct value left,
			      struct value right, const struct air_block *hoisted)
{
	struct air_var *var =
		var_new(s, sema_name(s, ast_op_text(a->op)), ELEM_BOOL, a->span, false);
	const struct air_expr *read = air_read_var(s->air, var, a->span), *decides = read;
	struct air_stmt *st = sema_emit(s, STMT_SET, a->span);
	struct air_block *around = s->block;

	st->var = var;
	st->value = left.as.expr;
	if (a->op == AST_OP_OR)
		decides = air_op(s->air, AIR_NOT, ELEM_BOOL, &read, 1, a->span);
	st = sema_emit(s, STMT_IF, a->span);
	st->value = decides;
	append(&st->body, hoisted);
	s->block = &st->body;
	st = sema_emit(s, STMT_SET, a->span);
	st->var = var;
	st->value = right.as.expr;
	s->block = around;
	return value_scalar(read, a->span);
}

static struct value eval_logic(struct sema *s, const struct ast *a)
{
	struct value left = eval_expr(s, a->child[0]), right;
	struct air_block *around = s->block, hoisted = { 0 };
	struct value v[2];

	s->block = &hoisted;
	right = eval_expr(s, a->child[1]);
	s->block = around;
	if (hoisted.first && value_is_scalar(&left) && value_elem(&left) == ELEM_BOOL &&
	    value_is_scalar(&right) && value_elem(&right) == ELEM_BOOL)
		return short_cut(s, a, left, right, &hoisted);
	append(s->block, &hoisted);
	v[0] = left;
	v[1] = right;
	return value_binary(s, a->op, v[0], v[1], a->span);
}

static struct value eval_items(struct sema *s, const struct ast *a, enum value_kind kind)
{
	struct value *item = arena_new_array(s->arena, a->n_children + 1, struct value);
	bool good = true;

	for (int i = 0; i < a->n_children; i++) {
		item[i] = eval_expr(s, a->child[i]);
		good = good && item[i].kind != VALUE_ERROR;
	}
	return good ? value_list(s, kind, item, a->n_children, a->span) : value_error();
}

static bool lists_of_scalars(struct sema *s, struct value *v)
{
	struct value *item = (struct value *)v->as.list.item;
	int lists = 0;

	for (int i = 0; i < v->as.list.n; i++) {
		lists += item[i].kind == VALUE_LIST;
		if (item[i].kind == VALUE_LIST || value_is_scalar(&item[i]))
			continue;
		sema_fail(s, DIAG_WRONG_TYPE, item[i].span,
			  "a list holds scalars, and this is %s",
			  value_text(s, &item[i]));
		return false;
	}
	if (lists && lists < v->as.list.n) {
		sema_fail(s, DIAG_WRONG_TYPE, v->span,
			  "a list holds scalars or lists, not both");
		return false;
	}
	return lists || !v->as.list.n || operands_unify(s, item, v->as.list.n, v->span);
}

static struct value eval_list(struct sema *s, const struct ast *a)
{
	struct value v = eval_items(s, a, VALUE_LIST);

	if (v.kind == VALUE_ERROR || !lists_of_scalars(s, &v))
		return value_error();
	return v;
}

static struct value module_name(struct sema *s, struct module *m, const struct ast *name)
{
	struct symbol *symbol = scope_find_in(m->scope, name->text);
	struct value v;

	if (!symbol)
		return sema_failed(s, DIAG_UNKNOWN_NAME, name->span,
				   "the module `%s` has no `%s`", m->name, name->text);
	v = symbol->value;
	v.span = name->span;
	return v;
}

static struct value eval_dot(struct sema *s, const struct ast *a)
{
	const struct ast *name = a->child[1];
	struct value base = eval_expr(s, a->child[0]);

	if (base.kind == VALUE_ERROR)
		return base;
	if (base.kind == VALUE_MODULE)
		return module_name(s, base.as.module, name);
	if (base.kind == VALUE_AXIS)
		return axis_attribute(s, base, name, a->span);
	if (base.kind == VALUE_GRID)
		return grid_attribute(s, base.as.grid, name,
				      arena_printf(s->arena, "`%s`", base.as.grid->name),
				      a->span);
	if (strcmp(name->text, "local") == 0)
		return sema_not_yet(s, name->span, "`.local`");
	if (value_grid(&base))
		return grid_attribute(s, grid_closed(&s->air->types, value_grid(&base)),
				      name, value_text(s, &base), a->span);
	return sema_failed(s, DIAG_UNKNOWN_NAME, name->span, "%s has no `.%s`",
			   value_text(s, &base), name->text);
}

struct value eval_text(struct sema *s, const struct ast *a)
{
	if (!a->n_children)
		return value_scalar(air_string(s->air, a->text ? a->text : ""), a->span);
	return text_join(s, a);
}

static bool is_logic(const struct ast *a)
{
	return a->op == AST_OP_AND || a->op == AST_OP_OR;
}

/* A chain a + b + c ... is as long as it likes: no recursion along its left side. */
static struct value eval_binary(struct sema *s, const struct ast *a)
{
	VEC(const struct ast *) chain = { 0 };
	struct value left, right;

	if (is_logic(a))
		return eval_logic(s, a);
	for (; a->kind == AST_BINARY && !is_logic(a); a = a->child[0])
		vec_push(NULL, &chain, a);
	left = eval_expr(s, a);
	while (chain.n) {
		a = vec_pop(&chain);
		right = eval_expr(s, a->child[1]);
		if (left.kind != VALUE_ERROR)
			left = right.kind == VALUE_ERROR
				       ? right
				       : value_binary(s, a->op, left, right, a->span);
	}
	vec_free(&chain);
	return left;
}

static struct value eval_unary(struct sema *s, const struct ast *a)
{
	struct value v = eval_expr(s, a->child[0]);

	return v.kind == VALUE_ERROR ? v : value_unary(s, a->op, v, a->span);
}

static struct value eval_node(struct sema *s, const struct ast *a)
{
	switch (a->kind) {
	case AST_NAME:
		return eval_name(s, a);
	case AST_INTEGER:
		return value_scalar(air_int(s->air, ELEM_I64, a->value.integer), a->span);
	case AST_BOOL:
		return value_scalar(air_int(s->air, ELEM_BOOL, a->value.integer),
				    a->span);
	case AST_REAL:
		return value_scalar(air_real(s->air, ELEM_F64, a->value.real), a->span);
	case AST_IMAGINARY:
		return value_scalar(air_complex(s->air, air_real(s->air, ELEM_F64, 0),
						air_real(s->air, ELEM_F64, a->value.real)),
				    a->span);
	case AST_TEXT:
		return eval_text(s, a);
	case AST_TUPLE:
		return eval_items(s, a, VALUE_TUPLE);
	case AST_LIST:
		return eval_list(s, a);
	case AST_LAMBDA:
		return eval_lambda(s, a);
	case AST_UNARY:
		return eval_unary(s, a);
	case AST_BINARY:
		return eval_binary(s, a);
	case AST_SELECT:
		return select_eval(s, a);
	case AST_DOT:
		return eval_dot(s, a);
	default:
		return sema_failed(s, DIAG_UNEXPECTED, a->span, "this is no expression");
	}
}

struct value eval_expr(struct sema *s, const struct ast *a)
{
	bool alone = s->alone;

	s->alone = false;
	if (a->kind == AST_PAREN) {
		struct value v = eval_expr(s, a->child[0]);

		v.span = a->span;
		return v;
	}
	if (a->kind == AST_CALL) {
		s->alone = alone;
		return call_eval(s, a);
	}
	return eval_node(s, a);
}

/* A statement's whole right side: a call there may have effects. */
struct value eval_whole(struct sema *s, const struct ast *a)
{
	struct value v;

	s->alone = true;
	v = eval_expr(s, a);
	s->alone = false;
	return v;
}

struct value eval_scalar(struct sema *s, const struct ast *a, const char *what)
{
	struct value v = value_operand(s, eval_expr(s, a));

	if (v.kind == VALUE_ERROR || value_is_scalar(&v))
		return v;
	sema_fail(s, DIAG_NOT_SCALAR, a->span, "%s is a scalar, and this is %s", what,
		  value_text(s, &v));
	if (v.kind == VALUE_EXPR && value_elem(&v) == ELEM_BOOL)
		sema_hint(s, "Points are chosen by masks: `where u > 3 { u = 0 }` assigns, "
			     "`where(u > 3, a, b)` is a value.");
	return value_error();
}

/* A constant integer. */
bool eval_integer(struct sema *s, const struct ast *a, const char *what, int64_t *i)
{
	struct value v = eval_scalar(s, a, what);

	if (v.kind == VALUE_ERROR)
		return false;
	if (value_is_integer(&v, i))
		return true;
	if (value_is_constant(&v)) {
		sema_fail(s, DIAG_WRONG_TYPE, a->span, "%s is an integer, and this is %s",
			  what, value_text(s, &v));
		return false;
	}
	sema_fail(s, DIAG_NOT_CONSTANT, a->span,
		  "%s is a constant, and this is known at run time only", what);
	sema_hint(
		s,
		"Constants are literals, `param ...: const`, what is made of them, and the "
		"variable of a loop of up to 64 turns.");
	return false;
}

/* A scalar integer as an AIR expression; NULL: told. */
const struct air_expr *eval_i64(struct sema *s, const struct ast *a, const char *what)
{
	struct value v = eval_scalar(s, a, what);

	if (v.kind == VALUE_ERROR)
		return NULL;
	if (elem_kind(value_elem(&v)) != KIND_INT) {
		sema_fail(s, DIAG_WRONG_TYPE, a->span, "%s is an integer, and this is %s",
			  what, value_text(s, &v));
		sema_hint(s, "Convert it: `i64(...)`.");
		return NULL;
	}
	return value_cast(s, v, ELEM_I64).as.expr;
}

/* A scalar bool; NULL: told. */
const struct air_expr *eval_condition(struct sema *s, const struct ast *a,
				      const char *what)
{
	struct value v = value_operand(s, eval_expr(s, a));

	if (v.kind == VALUE_ERROR)
		return NULL;
	if (value_is_field(&v)) {
		sema_fail(s, DIAG_NOT_SCALAR, a->span, "%s is one bool, and this is %s",
			  what, value_text(s, &v));
		sema_hint(s, "Reduce it with `any(...)` or `all(...)`, or use `where`.");
		return NULL;
	}
	if (value_elem(&v) == ELEM_BOOL)
		return v.as.expr;
	sema_fail(s, DIAG_WRONG_TYPE, a->span, "%s is a bool, and this is %s", what,
		  value_text(s, &v));
	return NULL;
}
