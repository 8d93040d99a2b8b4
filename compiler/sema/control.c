/* compiler/sema/control.c - statements: one AST statement appends AIR statements
 */
#include "sema/checker.h"

static void check_if(struct sema *s, const struct ast *a);

static void else_part(struct sema *s, const struct ast *a)
{
	if (ast_is(a, AST_IF))
		check_if(s, a);
	else if (a)
		check_block(s, a);
}

/* A condition that is known chooses here: what is left out may not even make sense. */
static void check_if(struct sema *s, const struct ast *a)
{
	const struct air_expr *condition = eval_condition(s, a->child[0], "a condition");
	struct air_block *around = s->block;
	struct air_stmt *st;
	int64_t known;

	if (!condition)
		return;
	if (air_constant(condition, &known, NULL)) {
		if (known)
			check_block(s, a->child[1]);
		else
			else_part(s, a->child[2]);
		return;
	}
	st = sema_emit(s, STMT_IF, a->child[0]->span);
	st->value = condition;
	s->block = &st->body;
	check_block(s, a->child[1]);
	s->block = &st->other;
	else_part(s, a->child[2]);
	s->block = around;
}

static void check_eval(struct sema *s, const struct ast *a)
{
	const struct ast *e = a->child[0];
	int before = s->effects + s->assertions;
	struct value v = eval_whole(s, e);

	if (prompt_is_here(s)) {
		v.span = e->span;
		prompt_show(s, v);
		return;
	}
	if (v.kind == VALUE_ERROR || s->effects + s->assertions > before)
		return;
	if (v.kind == VALUE_NONE) {
		sema_fail(s, DIAG_UNUSED_VALUE, e->span,
			  "this call changes and prints nothing");
		return;
	}
	sema_fail(s, DIAG_UNUSED_VALUE, e->span, "this value goes unused");
	sema_hint(s, "Assign it, name it with `let`, or print it.");
}

static void check_backend(struct sema *s, const struct ast *a)
{
	struct air_stmt *st;

	if (s->air->types.n_families) {
		sema_fail(s, DIAG_BAD_PLACE, a->span,
			  "`backend` stands before the first grid");
		return;
	}
	st = sema_emit(s, STMT_BACKEND, a->span);
	st->value = air_string(s->air, a->child[0]->text ? a->child[0]->text : "");
}

static void check_wall(struct sema *s, const struct ast *a)
{
	if (s->local)
		local_refuse(s, a->span, "a boundary is the same on all ranks");
	else
		check_boundary(s, a);
}

static void check_function(struct sema *s, const struct ast *a)
{
	check_fn(s, a);
}

static void check_particles(struct sema *s, const struct ast *a)
{
	sema_not_yet(s, a->span, "`particles`");
	scope_add(s, a->child[0], SYMBOL_FIELD, value_error());
}

static void check_return(struct sema *s, const struct ast *a)
{
	sema_fail(s, s->local ? DIAG_NOT_LOCAL : DIAG_BAD_PLACE, a->span,
		  s->local  ? "`return` cannot leave a `local` block"
		  : s->call ? "`return` comes last in a function"
			    : "`return` stands in functions only");
}

static void (*const statements[])(struct sema *s, const struct ast *a) = {
	[AST_PARAM] = check_param,
	[AST_LET] = check_let,
	[AST_VAR] = check_var,
	[AST_GRID] = check_grid,
	[AST_GRID_NAME] = check_grid_name,
	[AST_FIELD] = check_field,
	[AST_FIELD_LIKE] = check_field_like,
	[AST_BOUNDARY] = check_wall,
	[AST_FN] = check_function,
	[AST_EXPORT] = check_export,
	[AST_EXTERN] = check_extern,
	[AST_BACKEND] = check_backend,
	[AST_IMPORT] = check_import,
	[AST_FROM] = check_from,
	[AST_PARTICLES] = check_particles,
	[AST_EVAL] = check_eval,
	[AST_ASSIGN] = check_assign,
	[AST_IF] = check_if,
	[AST_WHERE] = check_where,
	[AST_FOR] = check_for,
	[AST_WHILE] = check_while,
	[AST_EVERY] = check_every,
	[AST_LOCAL] = check_local,
	[AST_RETURN] = check_return,
	[AST_BREAK] = check_break,
	[AST_CONTINUE] = check_break,
};

static void statement(struct sema *s, const struct ast *a)
{
	if ((size_t)a->kind < sizeof statements / sizeof *statements && statements[a->kind])
		statements[a->kind](s, a);
	else
		sema_fail(s, DIAG_UNEXPECTED, a->span, "this is no statement");
}

/* Statements of a function are not where the call ends up: only its result is. */
void check_statement(struct sema *s, const struct ast *a)
{
	struct grid *outer = s->target;
	const struct air_region *region = s->region;

	s->target = NULL;
	s->region = NULL;
	statement(s, a);
	s->target = outer;
	s->region = region;
}

void check_statements(struct sema *s, const struct ast *list)
{
	for (int i = 0; i < list->n_children && !diag_full(s->diag); i++)
		check_statement(s, list->child[i]);
}

void check_block(struct sema *s, const struct ast *block)
{
	scope_push(s, SCOPE_BLOCK);
	check_statements(s, block);
	scope_pop(s);
}
