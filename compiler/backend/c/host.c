/* backend/c/host.c - the plan's tree to the function `body`
 *
 * takes: a plan   gives: static void body(struct mpa_session *s), which sets parameters
 * and then does what the program says, calling the run time for whatever touches
 * arrays, files or other ranks. Loops and conditions are C's own.
 */
#include "backend/c/host.h"
#include "support/arena.h"
#include "support/diag.h"

#include <assert.h>

static void emit_statements(struct c_host *h, const struct plan_block *b);

/* ---- statements of the host ------------------------------------------------------ */

/* After a call that ends the program, or asks the end of the local block to do so. */
static void leave_program(struct c_host *h)
{
	if (h->local)
		c_line(h->c, "goto %s;", h->local);
	else
		c_line(h->c, "return;");
}

/* Fails with a text unless the condition holds; a NULL text takes the message. */
static void check(struct c_host *h, const char *holds, const struct air_text *text,
		  const char *message, struct span at)
{
	c_line(h->c, "if (!(%s)) {", holds);
	if (text) {
		c_pieces(h, text);
	} else {
		c_line(h->c, "mpa_out_begin(s);");
		c_line(h->c, "mpa_out_text(s, %s);", c_text(h->c, message));
	}
	c_line(h->c, "mpa_%s_fail(s, %s);", h->local ? "local" : "out", c_where(h->c, at));
	leave_program(h);
	c_line(h->c, "}");
}

static void emit_fold(struct c_host *h, const struct air_stmt *s)
{
	const struct air_fold *f = s->fold;

	c_line(h->c, "mpa_fold(s, %s, %d, %d, %u, %d);", c_where(h->c, s->span),
	       c_array(h, f->to), c_array(h, f->from), f->axes, (int)f->reduction);
}

static void emit_text(struct c_host *h, const struct air_stmt *s)
{
	c_pieces(h, &s->text);
	if (s->kind == STMT_PRINT)
		c_line(h->c, "mpa_out_print(s, %s);", c_where(h->c, s->span));
	else
		c_set(h, s->var, "mpa_out_take(s)");
}

static void emit_exit(struct c_host *h, const struct air_stmt *s)
{
	c_line(h->c, "mpa_%s(s, %s);", h->local ? "local_exit" : "exit",
	       c_scalar(h, s->value));
	leave_program(h);
}

static const char *random_call(struct c_host *h, const struct air_stmt *s)
{
	return arena_printf(h->c->arena, "mpa_%s_scalar(s, %s)", s->normal ? "normal" : "random",
			    c_scalar(h, s->value));
}

/* var = a call of the run time without arguments of the statement */
static const char *answer(struct c_host *h, const struct air_stmt *s)
{
	switch (s->kind) {
	case STMT_DRAW:
		return "mpa_draw(s)";
	case STMT_CLOCK:
		return "mpa_clock(s)";
	case STMT_RANKS:
		return "mpa_ranks(s)";
	case STMT_RANK:
		return "mpa_rank(s)";
	case STMT_CHECKING:
		return "mpa_checking(s) != 0";
	case STMT_RANDOM:
		return random_call(h, s);
	case STMT_SET:
		return c_scalar(h, s->value);
	default:
		assert(s->kind == STMT_BOUND);
		return arena_printf(h->c->arena, "mpa_bound(s, %d, %d, %s)",
				    c_grid(h->c, s->grid), s->axis->id, c_scalar(h, s->to));
	}
}

static void emit_jump(struct c_host *h, const struct air_stmt *s)
{
	switch (s->kind) {
	case STMT_BREAK:
		c_line(h->c, "break;");
		break;
	case STMT_CONTINUE:
		c_line(h->c, "continue;");
		break;
	case STMT_EXIT:
		emit_exit(h, s);
		break;
	default:
		diag_error(h->c->diag, DIAG_INTERNAL, s->span,
			   "the plan has a statement of AIR (%d) that the host cannot run",
			   (int)s->kind);
	}
}

static void emit_host(struct c_host *h, const struct air_stmt *s)
{
	struct c_code *c = h->c;

	switch (s->kind) {
	case STMT_GRID:
		c_grid_stmt(h, s);
		break;
	case STMT_FIELD:
		if (c->plan->of_field[s->field->id] && !s->field->made)
			c_line(c, "mpa_array_begin(s, %s, %d);", c_where(c, s->span),
			       c_array(h, s->field));
		break;
	case STMT_FOLD:
		emit_fold(h, s);
		break;
	case STMT_ELEMENT:
		c_element(h, s);
		break;
	case STMT_TEXT:
	case STMT_PRINT:
		emit_text(h, s);
		break;
	case STMT_CHECK:
		check(h, c_scalar(h, s->value), &s->text, NULL, s->span);
		break;
	case STMT_SAVE:
	case STMT_LOAD:
	case STMT_SHAPE:
	case STMT_PLOT:
	case STMT_EXISTS:
		c_file(h, s);
		break;
	case STMT_BACKEND:
		c_line(c, "mpa_backend(s, %s, %s);", c_where(c, s->span),
		       c_scalar(h, s->value));
		break;
	case STMT_SET:
	case STMT_DRAW:
	case STMT_RANDOM:
	case STMT_CLOCK:
	case STMT_RANKS:
	case STMT_CHECKING:
	case STMT_RANK:
	case STMT_BOUND:
		c_set(h, s->var, answer(h, s));
		break;
	default:
		emit_jump(h, s);
	}
}

/* ---- control ---------------------------------------------------------------------- */

static void emit_if(struct c_host *h, const struct plan_stmt *s)
{
	c_line(h->c, "if (%s) {", c_scalar(h, s->air->value));
	emit_statements(h, &s->body);
	c_line(h->c, "}");
	if (!s->other.first)
		return;
	c_line(h->c, "else {");
	emit_statements(h, &s->other);
	c_line(h->c, "}");
}

static void emit_body(struct c_host *h, const struct plan_stmt *s)
{
	bool outer = h->in_loop;

	if (h->c->options->resident && !h->local)
		c_line(h->c, "mpa_turn(s, %s);", c_where(h->c, s->air->span));
	h->in_loop = true;
	emit_statements(h, &s->body);
	h->in_loop = outer;
	c_line(h->c, "}");
}

static void emit_loop(struct c_host *h, const struct plan_stmt *s)
{
	c_line(h->c, "for (;;) {");
	emit_body(h, s);
}

static const char *step_by(struct c_host *h, const struct air_stmt *s)
{
	int64_t constant;
	const char *by;

	if (!s->by)
		return "1";
	by = c_scalar(h, s->by);
	if (!air_constant(s->by, &constant, NULL) || constant == 0)
		check(h, arena_printf(h->c->arena, "%s != 0", by), NULL,
		      "the step of a range is 0", s->by->span);
	return by;
}

static void emit_for(struct c_host *h, const struct plan_stmt *s)
{
	const struct air_stmt *air = s->air;
	struct c_code *c = h->c;
	const char *from = c_scalar(h, air->from), *to = c_scalar(h, air->to);
	const char *by = step_by(h, air), *turns = c_name(c, "turns"), *i = c_name(c, "i");

	c_line(c, "const int64_t %s = mpa_turns(%s, %s, %s);", turns, from, to, by);
	c_line(c, "for (int64_t %s = %s, left = %s; left != 0; %s = add_i64(%s, %s), left--) {",
	       i, from, turns, i, i, by);
	c_line(c, "%s = (%s)%s;", c_var(h, air->var), c_elem(air->var->elem), i);
	if (!h->in_loop && !h->local)
		c_line(c, "mpa_progress(s, %s, left, %s);", c_where(c, air->span), turns);
	emit_body(h, s);
}

static void emit_local(struct c_host *h, const struct plan_stmt *s)
{
	bool outer = h->in_loop;

	h->local = c_name(h->c, "local");
	h->in_loop = false;
	c_line(h->c, "mpa_local_begin(s);");
	emit_statements(h, &s->body);
	c_line(h->c, "goto %s;", h->local);
	c_line(h->c, "%s:", h->local);
	c_line(h->c, "mpa_local_end(s);");
	h->local = NULL;
	h->in_loop = outer;
}

static void emit_statement(struct c_host *h, const struct plan_stmt *s)
{
	switch (s->kind) {
	case PLAN_HOST:
		if (s->copy)
			c_copy(h, s->copy);
		else
			emit_host(h, s->air);
		break;
	case PLAN_RUN:
		c_run(h, s->run);
		break;
	case PLAN_SWAP:
		c_line(h->c, "mpa_array_swap(s, %d, %d);", s->swap[0]->id, s->swap[1]->id);
		break;
	case PLAN_IF:
		emit_if(h, s);
		break;
	case PLAN_LOOP:
		emit_loop(h, s);
		break;
	case PLAN_FOR:
		emit_for(h, s);
		break;
	case PLAN_LOCAL:
		emit_local(h, s);
		break;
	case PLAN_EXPORT: /* c_host makes a function of it */
		break;
	}
}

/* Each in a block of its own, so that the names of its values end with it. */
static void emit_statements(struct c_host *h, const struct plan_block *b)
{
	for (const struct plan_stmt *s = b->first; s; s = s->next) {
		bool jumps = s->air && (s->air->kind == STMT_BREAK || s->air->kind == STMT_CONTINUE);

		if (s->kind == PLAN_EXPORT)
			continue;
		c_place(h->c, s->kind == PLAN_RUN ? s->run->span
			      : s->air           ? s->air->span
						 : (struct span){ 0 });
		if (!jumps)
			c_line(h->c, "{");
		emit_statement(h, s);
		if (!jumps)
			c_line(h->c, "}");
	}
}

/* ---- the functions -------------------------------------------------------------------- */

/* The value from the command line, else the default, which may use earlier ones. */
static void emit_param(struct c_host *h, int k)
{
	const struct air_param *p = &h->c->plan->air->param[k];
	struct c_code *c = h->c;

	c_place(c, p->span);
	c_line(c, "{");
	c_line(c, "%s given;", c_memory(p->var->elem));
	c_line(c, "int64_t cell[2];");
	c_line(c, "if (mpa_param(s, cell, %d)) {", k);
	c_line(c, "memcpy(&given, cell, sizeof given);");
	c_line(c, "%s = given;", c_var(h, p->var));
	c_line(c, "}");
	c_line(c, "else {");
	c_set(h, p->var, c_scalar(h, p->value));
	c_line(c, "}");
	c_line(c, "}");
}

static void open_function(struct c_host *h, struct span at)
{
	c_place(h->c, at);
	c_line(h->c, "{");
	c_slots(h);
	c_line(h->c, "int64_t *const args = mpa_args(s);");
	c_line(h->c, "(void)args;");
}

/* void entry(session, arguments, result): arguments of 8 bytes, the result as in memory. */
static const char *emit_entry(struct c_host *h, const struct plan_stmt *s)
{
	struct c_code *c = h->c;
	const struct air_export *x = s->air->entry->function;
	const char *name = c_name(c, "entry");

	c_line(c, "%s", "");
	c_line(c, "static void %s(struct mpa_session *s, const int64_t *given, void *result)",
	       name);
	open_function(h, x->span);
	for (int i = 0; i < x->n_params; i++) {
		const struct air_var *v = x->param[i].var;
		const char *t = c_name(c, "t");

		if (!v)
			continue;
		c_line(c, "%s %s;", c_memory(v->elem), t);
		c_line(c, "memcpy(&%s, &given[%d], sizeof %s);", t, i, t);
		c_set(h, v, t);
	}
	emit_statements(h, &s->body);
	if (x->result)
		c_line(c, "MPA_PUT(result, %s, %s);", c_memory(x->result->elem),
		       c_var(h, x->result));
	c_line(c, "}");
	return name;
}

/* Exports stand in the last loop of a program. */
static void emit_entries(struct c_host *h, const struct plan_block *b)
{
	for (const struct plan_stmt *s = b->first; s; s = s->next) {
		if (s->kind == PLAN_EXPORT)
			h->c->entry[s->air->entry->id] = emit_entry(h, s);
		else if (s->kind == PLAN_LOOP)
			emit_entries(h, &s->body);
	}
}

void c_host(struct c_code *c)
{
	const struct air_program *air = c->plan->air;
	struct span start = air->body.first ? air->body.first->span : (struct span){ 0 };
	struct c_host h = { .c = c };

	c->entry = arena_new_array(c->arena, air->n_entries + 1, const char *);
	h.value = arena_new_array(c->arena, air->n_exprs + 1, const char *);
	h.stamp = arena_new_array(c->arena, air->n_exprs + 1, int);
	c_line(c, "%s", "");
	c_line(c, "static void body(struct mpa_session *s)");
	open_function(&h, start);
	for (int i = 0; i < air->n_params; i++)
		emit_param(&h, i);
	emit_statements(&h, &c->plan->body);
	c_line(c, "}");
	emit_entries(&h, &c->plan->body);
}
