/* array/verify.c - the rules of air.h, checked
 *
 * Walks a program in the order of its text and gives the first complaint, with the
 * statement and the node it is about; NULL when there is none. Runs after each pass in
 * check builds, so it must not mind how a program was made. What statements do to fields
 * is in verify_field.c.
 */
#include "array/verify.h"
#include "array/walk.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "array/scalar.h"

static void verify_block(struct verifier *v, const struct air_block *b);
static const char *name_of(enum air_stmt_kind kind);

bool verify_fail(struct verifier *v, const char *format, ...)
{
	const struct air_stmt *s = v->stmt;
	struct arena *a = v->p->arena;
	va_list values;
	char text[512];

	if (v->complaint)
		return false;
	va_start(values, format);
	vsnprintf(text, sizeof text, format, values);
	va_end(values);
	if (s && s->span.source) {
		struct place at = span_place(s->span);

		v->complaint = arena_printf(a, "%s:%d:%d: %s: %s", s->span.source->name,
		                            at.line, at.column, name_of(s->kind), text);
	} else {
		v->complaint = arena_printf(a, "%s: %s", s ? name_of(s->kind) : "program",
		                            text);
	}
	return false;
}

/* parts of statements; verify.h */

static bool reads_field(const struct air_expr *e)
{
	struct air_walk w = air_walk_of(e);
	bool found = false;

	for (int i = 0; i < w.n; i++)
		found |= w.node[i]->op == AIR_READ;
	air_walk_free(&w);
	return found;
}

bool verify_scalar(struct verifier *v, const struct air_expr *e, enum elem type,
                          const char *what)
{
	if (!e)
		return verify_fail(v, "no %s", what);
	if (!verify_expr(v, e, NULL))
		return false;
	if (e->grid || reads_field(e))
		return verify_fail(v, "%s is not a scalar", what);
	if (type != ELEM_NONE && e->elem != type)
		return verify_fail(v, "%s is %s, not %s", what, elem_text(e->elem),
		                   elem_text(type));
	return true;
}

bool verify_var(struct verifier *v, const struct air_stmt *s, enum elem type)
{
	if (!s->var)
		return verify_fail(v, "no variable");
	if (s->var->elem != type)
		return verify_fail(v, "%s is %s, not %s", s->var->name,
		                   elem_text(s->var->elem), elem_text(type));
	if (v->outside_var && v->outside_var[s->var->id])
		return verify_fail(v, "%s is of outside of the local block", s->var->name);
	v->set_var[s->var->id] = 1;
	return true;
}

bool verify_live(struct verifier *v, const struct air_field *f)
{
	if (!f)
		return verify_fail(v, "no field");
	if (!v->live_field[f->id])
		return verify_fail(v, "%s is used where it does not live", f->name);
	return true;
}

/* A value of this type whose grid is within `grid`. */
bool verify_value(struct verifier *v, const struct air_expr *e, enum elem type,
                         const struct grid *grid)
{
	if (!e)
		return verify_fail(v, "no value");
	if (!verify_expr(v, e, NULL))
		return false;
	if (e->elem != type)
		return verify_fail(v, "value is %s, not %s", elem_text(e->elem),
		                   elem_text(type));
	if (e->grid && !grid_contains(grid, e->grid))
		return verify_fail(v, "value on %s is not within %s", e->grid->name,
		                   grid->name);
	return true;
}

static bool verify_text(struct verifier *v, const struct air_text *t)
{
	for (int i = 0; i < t->n && !v->complaint; i++) {
		const struct air_piece *piece = &t->piece[i];

		if (piece->kind == PIECE_FIELD)
			verify_live(v, piece->field);
		else if (piece->kind == PIECE_TEXT && !piece->text)
			verify_fail(v, "a piece of text is missing");
		else if (piece->kind == PIECE_SCALAR)
			verify_scalar(v, piece->value, ELEM_NONE, "printed value");
	}
	return !v->complaint;
}

static bool verify_formats(struct verifier *v, const struct air_text *t)
{
	struct format_spec spec;

	for (int i = 0; i < t->n; i++) {
		const struct air_piece *piece = &t->piece[i];
		const char *format = piece->format ? piece->format : "";

		if (piece->kind == PIECE_SCALAR &&
		    (!format_parse(format, &spec) ||
		     !format_fits(&spec, scalar_format(piece->value->elem))))
			return verify_fail(v, "format `%s` does not fit %s", format,
			                   elem_text(piece->value->elem));
	}
	return true;
}

/* scalars and control */

static void verify_set(struct verifier *v, const struct air_stmt *s)
{
	if (verify_scalar(v, s->value, ELEM_NONE, "value"))
		verify_var(v, s, s->value->elem);
}

static void verify_random(struct verifier *v, const struct air_stmt *s)
{
	verify_scalar(v, s->value, ELEM_I64, "key");
	verify_var(v, s, ELEM_F64);
}

/* var = an answer of this type that depends on nothing in the program */
static void verify_integer(struct verifier *v, const struct air_stmt *s)
{
	verify_var(v, s, ELEM_I64);
}

static void verify_flag(struct verifier *v, const struct air_stmt *s)
{
	verify_var(v, s, ELEM_BOOL);
}

static void verify_clock(struct verifier *v, const struct air_stmt *s)
{
	verify_var(v, s, ELEM_F64);
}

static void verify_string(struct verifier *v, const struct air_stmt *s)
{
	if (verify_text(v, &s->text) && verify_formats(v, &s->text))
		verify_var(v, s, ELEM_STR);
}

static void verify_print(struct verifier *v, const struct air_stmt *s)
{
	if (verify_text(v, &s->text))
		verify_formats(v, &s->text);
}

static void verify_check(struct verifier *v, const struct air_stmt *s)
{
	verify_scalar(v, s->value, ELEM_BOOL, "condition");
	verify_print(v, s);
}

static void verify_if(struct verifier *v, const struct air_stmt *s)
{
	verify_scalar(v, s->value, ELEM_BOOL, "condition");
	verify_block(v, &s->body);
	verify_block(v, &s->other);
}

static void verify_jump(struct verifier *v, const struct air_stmt *s)
{
	(void)s;
	if (v->loops == 0)
		verify_fail(v, "stands outside a loop");
}

static void verify_for(struct verifier *v, const struct air_stmt *s)
{
	verify_scalar(v, s->from, ELEM_I64, "start of range");
	verify_scalar(v, s->to, ELEM_I64, "end of range");
	verify_scalar(v, s->by, ELEM_I64, "step of range");
	verify_var(v, s, ELEM_I64);
	v->loops++;
	verify_block(v, &s->body);
	v->loops--;
}

static void verify_loop(struct verifier *v, const struct air_stmt *s)
{
	v->loops++;
	verify_block(v, &s->body);
	v->loops--;
}

static void verify_item(struct verifier *v, const struct air_stmt *s,
                        const struct air_item *item)
{
	verify_scalar(v, item->name, ELEM_STR, "name of dataset");
	if (!!item->field + !!item->value + !!item->var != 1)
		verify_fail(v, "an item is a field, a value or a variable");
	else if (item->field && verify_live(v, item->field) && s->kind == STMT_LOAD &&
	         item->field->kind != FIELD_DECLARED)
		verify_fail(v, "stage %s is loaded", item->field->name);
	else if (item->value && s->kind == STMT_LOAD)
		verify_fail(v, "a value is loaded");
	else if (item->value)
		verify_scalar(v, item->value, ELEM_NONE, "value");
	else if (item->var && s->kind != STMT_LOAD)
		verify_fail(v, "a variable is saved");
	else if (item->var)
		v->set_var[item->var->id] = 1;
	for (int i = 0; i < MAX_AXES; i++) {
		if (item->first[i])
			verify_scalar(v, item->first[i], ELEM_F64, "place of an axis");
		if (item->step[i])
			verify_scalar(v, item->step[i], ELEM_F64, "spacing of an axis");
		if (!item->first[i] != !item->step[i])
			verify_fail(v, "an axis has a place or a spacing only");
	}
}

static void verify_file(struct verifier *v, const struct air_stmt *s)
{
	verify_scalar(v, s->value, ELEM_STR, "name of file");
	if (s->n_items < 1)
		verify_fail(v, "no items");
	else if (s->kind == STMT_PLOT && (s->n_items > 1 || !s->item[0].field))
		verify_fail(v, "one field is drawn");
	for (int i = 0; i < s->n_items; i++)
		verify_item(v, s, &s->item[i]);
}

static void verify_exists(struct verifier *v, const struct air_stmt *s)
{
	verify_scalar(v, s->value, ELEM_STR, "name of file");
	verify_var(v, s, ELEM_BOOL);
}

static void verify_shape(struct verifier *v, const struct air_stmt *s)
{
	verify_scalar(v, s->value, ELEM_STR, "name of file");
	if (s->n_items != 1)
		verify_fail(v, "no dataset");
	else
		verify_scalar(v, s->item[0].name, ELEM_STR, "name of dataset");
	verify_scalar(v, s->from, ELEM_I64, "axis");
	verify_var(v, s, ELEM_I64);
}

static void verify_exit(struct verifier *v, const struct air_stmt *s)
{
	verify_scalar(v, s->value, ELEM_I64, "status");
}

static void verify_backend(struct verifier *v, const struct air_stmt *s)
{
	verify_scalar(v, s->value, ELEM_STR, "name");
}

/* What is set in it is set nowhere outside, nor may it be read there. */
static void verify_local(struct verifier *v, const struct air_stmt *s)
{
	size_t n = v->p->n_vars;
	char *outside = xmalloc(n + 1), *around = v->outside_var;
	int loops = v->loops;

	if (around)
		verify_fail(v, "local blocks are nested");
	memcpy(outside, v->set_var, n);
	v->outside_var = outside;
	v->loops = 0;
	verify_block(v, &s->body);
	v->loops = loops;
	v->outside_var = around;
	memcpy(v->set_var, outside, n);
	free(outside);
}

static void verify_export(struct verifier *v, const struct air_stmt *s)
{
	const struct air_export *x = s->entry ? s->entry->function : NULL;
	int loops = v->loops, field = 0;

	if (!x || s->entry->id < 0 || s->entry->id >= v->p->n_entries) {
		verify_fail(v, "no entry");
		return;
	}
	for (int i = 0; i < x->n_params; i++)
		if (x->param[i].var)
			v->set_var[x->param[i].var->id] = 1;
		else
			verify_live(v, s->entry->field[field++]);
	v->loops = 0;
	verify_block(v, &s->body);
	v->loops = loops;
	if (x->result && !v->set_var[x->result->id])
		verify_fail(v, "gives no value");
}

static void verify_bound(struct verifier *v, const struct air_stmt *s)
{
	if (!s->grid || !s->axis || !v->live_axis[s->axis->family->id][s->axis->rank])
		verify_fail(v, "no grid or axis that is known");
	else if (verify_scalar(v, s->to, ELEM_I64, "side"))
		verify_var(v, s, ELEM_I64);
}

/* the rules of each kind of statement */
static const struct {
	const char *name;
	void (*verify)(struct verifier *v, const struct air_stmt *s);
} statements[] = {
	[STMT_GRID] = { "grid", verify_grid },
	[STMT_FIELD] = { "field", verify_declaration },
	[STMT_ASSIGN] = { "assign", verify_assign },
	[STMT_STAGE] = { "stage", verify_stage },
	[STMT_COPY] = { "copy", verify_copy },
	[STMT_SET] = { "set", verify_set },
	[STMT_REDUCE] = { "reduce", verify_reduce },
	[STMT_FOLD] = { "fold", verify_fold },
	[STMT_ELEMENT] = { "element", verify_element },
	[STMT_DRAW] = { "draw", verify_integer },
	[STMT_RANDOM] = { "random", verify_random },
	[STMT_TEXT] = { "text", verify_string },
	[STMT_IF] = { "if", verify_if },
	[STMT_LOOP] = { "loop", verify_loop },
	[STMT_FOR] = { "for", verify_for },
	[STMT_BREAK] = { "break", verify_jump },
	[STMT_CONTINUE] = { "continue", verify_jump },
	[STMT_CHECK] = { "check", verify_check },
	[STMT_PRINT] = { "print", verify_print },
	[STMT_SAVE] = { "save", verify_file },
	[STMT_LOAD] = { "load", verify_file },
	[STMT_SHAPE] = { "shape", verify_shape },
	[STMT_PLOT] = { "plot", verify_file },
	[STMT_EXISTS] = { "exists", verify_exists },
	[STMT_CLOCK] = { "clock", verify_clock },
	[STMT_EXIT] = { "exit", verify_exit },
	[STMT_BACKEND] = { "backend", verify_backend },
	[STMT_RANKS] = { "ranks", verify_integer },
	[STMT_CHECKING] = { "checking", verify_flag },
	[STMT_LOCAL] = { "local", verify_local },
	[STMT_RANK] = { "rank", verify_integer },
	[STMT_EXPORT] = { "export", verify_export },
	[STMT_BOUND] = { "bound", verify_bound },
};

static const char *name_of(enum air_stmt_kind kind)
{
	return (size_t)kind < sizeof statements / sizeof *statements ? statements[kind].name
	                                                             : "unknown";
}

static bool verify_place(struct verifier *v, const struct air_stmt *s)
{
	if (v->outside_var && s->kind != STMT_LOCAL && !stmt_is_local(s->kind))
		return verify_fail(v, "stands in a local block");
	if (!v->outside_var && (s->kind == STMT_RANK || s->kind == STMT_BOUND))
		return verify_fail(v, "stands outside of local blocks");
	return true;
}

static void verify_stmt(struct verifier *v, const struct air_stmt *s)
{
	if (!verify_place(v, s))
		return;
	if ((size_t)s->kind < sizeof statements / sizeof *statements)
		statements[s->kind].verify(v, s);
	else
		verify_fail(v, "unknown statement");
}

static void verify_block(struct verifier *v, const struct air_block *b)
{
	size_t n = v->p->n_fields;
	char *outside = xmalloc(n + 1);
	const struct air_stmt *s, *last = NULL;

	memcpy(outside, v->live_field, n);
	for (s = b->first; s && !v->complaint; s = s->next) {
		v->stmt = s;
		verify_stmt(v, s);
		last = s;
	}
	if (!v->complaint && last != b->last)
		verify_fail(v, "the end of a block is not its last statement");
	memcpy(v->live_field, outside, n);
	free(outside);
}

static void verify_params(struct verifier *v)
{
	for (int i = 0; i < v->p->n_params; i++) {
		const struct air_param *a = &v->p->param[i];

		verify_scalar(v, a->value, a->var->elem, "default of parameter");
		v->set_var[a->var->id] = 1;
	}
}

static void verify_ids(struct verifier *v)
{
	for (int i = 0; i < v->p->n_vars; i++)
		if (v->p->var[i]->id != i)
			verify_fail(v, "variable %s has id %d", v->p->var[i]->name,
			            v->p->var[i]->id);
	for (int i = 0; i < v->p->n_fields; i++)
		if (v->p->field[i]->id != i)
			verify_fail(v, "field %s has id %d", v->p->field[i]->name,
			            v->p->field[i]->id);
}

/* What earlier text has declared. */
static void assume_known(struct verifier *v)
{
	const struct air_program *p = v->p;

	for (int i = 0; i < p->known.n_fields; i++)
		v->declared_field[i] = v->live_field[i] = 1;
	memset(v->set_var, 1, (size_t)p->known.n_vars);
	for (int f = 0; f < p->types.n_families; f++)
		for (int a = 0; a < p->types.family[f]->n_axes; a++)
			v->live_axis[f][a] =
				p->types.family[f]->axis[a]->id < p->known.n_axes;
}

static char *flags(const struct air_program *p, int n)
{
	return arena_new_array(p->arena, n + 1, char);
}

const char *air_verify(const struct air_program *p)
{
	struct verifier v = { .p = p };

	v.seen_expr = arena_new_array(p->arena, p->n_exprs + 1, const struct air_expr *);
	v.live_field = flags(p, p->n_fields);
	v.declared_field = flags(p, p->n_fields);
	v.set_var = flags(p, p->n_vars);
	v.live_axis = arena_array(p->arena, p->types.n_families + 1, sizeof *v.live_axis);
	verify_ids(&v);
	assume_known(&v);
	verify_params(&v);
	if (!v.complaint)
		verify_block(&v, &p->body);
	v.stmt = NULL;
	for (int i = 0; i < p->n_fields && !v.complaint; i++)
		if (v.declared_field[i])
			verify_condition_names(&v, p->field[i]);
	return v.complaint;
}
