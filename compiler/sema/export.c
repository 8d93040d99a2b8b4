/* compiler/sema/export.c - `export fn`: functions that programs in C call
 *
 * A scalar parameter has a type; any other takes a declared field of the top level. A
 * function is generic, so it is expanded for each choice of fields that its parameters'
 * types admit and that it makes sense for; each expansion is an entry. What they all
 * do is seen from a loop around them: they may be called in any order, any time.
 */
#include "sema/checker.h"

#include <string.h>

enum { CHOICES_MOST = 256 };

struct choice {
	const struct function *f;
	struct air_export *x;
	struct air_field **field;    /* all that there are */
	int n_fields;
	int pick[MAX_EXTERN_PARAMS]; /* per parameter that is a field: which of them */
	struct value argument[MAX_EXTERN_PARAMS];
};

void check_export(struct sema *s, const struct ast *a)
{
	const struct function *f;

	if (s->scope->kind != SCOPE_MODULE) {
		sema_fail(s, DIAG_BAD_PLACE, a->span,
			  "`export` stands at the top level of a file");
		return;
	}
	f = check_fn(s, a);
	if (s->scope == s->main)
		vec_push(s->arena, &s->exports, f);
}

/* ---- the signature ----------------------------------------------------------------- */

static bool is_field_type(const struct ast *type)
{
	return !type || type->kind == AST_FIELD_TYPE;
}

static bool read_parameter(struct sema *s, const struct ast *p, struct air_export_param *to)
{
	const struct ast *type = p->child[1];
	enum elem e;

	to->name = p->child[0]->text;
	to->changes = p->kind == AST_VAR_PARAMETER;
	if (is_field_type(type))
		return true;
	if (type->kind == AST_NAME &&
	    (strcmp(type->text, "axis") == 0 || strcmp(type->text, "const") == 0)) {
		sema_fail(s, DIAG_WRONG_TYPE, type->span,
			  "a program in C gives scalars and fields only");
		return false;
	}
	e = elem_of_type(s, type);
	if (e == ELEM_NONE)
		return false;
	if (elem_kind(e) == KIND_COMPLEX) {
		sema_fail(s, DIAG_WRONG_TYPE, type->span,
			  "a program in C gives no complex scalars");
		sema_hint(s, "Take the real and the imaginary part as two scalars.");
		return false;
	}
	if (to->changes) {
		sema_fail(s, DIAG_WRONG_ARGUMENTS, p->span,
			  "a scalar that is given by a program in C cannot be changed");
		sema_hint(s, "Let the function give the new value.");
		return false;
	}
	to->var = var_new(s, sema_name(s, to->name), e, p->span, false);
	return true;
}

static bool read_signature(struct sema *s, const struct function *f, struct air_export *x)
{
	const struct ast *list = f->ast->child[1];
	struct air_export_param *param =
		arena_new_array(s->arena, list->n_children + 1, struct air_export_param);
	bool good = true;

	if (list->n_children > MAX_EXTERN_PARAMS) {
		sema_fail(s, DIAG_WRONG_ARGUMENTS, list->span,
			  "an exported function has at most %d parameters",
			  MAX_EXTERN_PARAMS);
		return false;
	}
	x->doc = sema_doc(s, f->ast->doc);
	x->param = param;
	x->n_params = list->n_children;
	for (int i = 0; i < x->n_params; i++) {
		good = read_parameter(s, list->child[i], &param[i]) && good;
		x->n_fields += param[i].var == NULL;
	}
	return good;
}

/* ---- choices of fields ------------------------------------------------------------- */

/* The next choice, the last parameter first; false: there was none. */
static bool next_choice(struct choice *c)
{
	for (int i = c->x->n_fields - 1; i >= 0; i--) {
		if (++c->pick[i] < c->n_fields)
			return true;
		c->pick[i] = 0;
	}
	return false;
}

static void bind_choice(struct sema *s, struct choice *c)
{
	int field = 0;

	for (int i = 0; i < c->x->n_params; i++) {
		const struct ast *p = c->f->ast->child[1]->child[i];
		const struct air_var *v = c->x->param[i].var;

		c->argument[i] =
			v ? value_scalar(air_read_var(s->air, v, p->span), p->span)
			  : value_field_of(s, c->field[c->pick[field++]], p->span);
	}
}

static void keep_result(struct sema *s, struct air_export *x, struct value v)
{
	struct air_stmt *set;

	if (v.kind == VALUE_ERROR)
		return;
	v = v.kind == VALUE_NONE ? v : value_operand(s, v);
	if (v.kind != VALUE_NONE && !value_is_scalar(&v)) {
		sema_fail(s, DIAG_WRONG_TYPE, x->span,
			  "an exported function gives a scalar or nothing, and this is %s",
			  value_text(s, &v));
		sema_hint(s, "Give it a `var` parameter for the field.");
		return;
	}
	if (x->n_entries &&
	    (x->result ? x->result->elem : ELEM_NONE) !=
		    (v.kind == VALUE_NONE ? ELEM_NONE : value_elem(&v))) {
		sema_fail(s, DIAG_WRONG_TYPE, x->span,
			  "what `%s` gives is of one type for some fields, and of another "
			  "for others",
			  x->name);
		sema_hint(s, "Write the type of the result behind the `)`.");
		return;
	}
	if (v.kind == VALUE_NONE)
		return;
	if (elem_kind(value_elem(&v)) == KIND_COMPLEX) {
		sema_fail(s, DIAG_WRONG_TYPE, x->span,
			  "`%s` gives a complex number, and a program in C takes none",
			  x->name);
		sema_hint(s, "Let two functions give the real and the imaginary part.");
		return;
	}
	if (!x->result)
		x->result = var_new(s, sema_name(s, x->name), value_elem(&v), x->span,
				    true);
	set = sema_emit(s, STMT_SET, x->span);
	set->var = x->result;
	set->value = v.as.expr;
}

static void entry_add(struct sema *s, struct choice *c, struct air_stmt *st)
{
	struct air_entry *entry = arena_new_object(s->arena, struct air_entry);
	struct air_export *x = c->x;
	struct air_field **field =
		arena_new_array(s->arena, x->n_fields + 1, struct air_field *);
	const struct air_entry **all =
		arena_new_array(s->arena, x->n_entries + 1, const struct air_entry *);

	for (int i = 0; i < x->n_fields; i++)
		field[i] = c->field[c->pick[i]];
	*entry = (struct air_entry){ x, field, s->air->n_entries++ };
	if (x->n_entries)
		memcpy(all, x->entry, (size_t)x->n_entries * sizeof *all);
	all[x->n_entries++] = entry;
	x->entry = all;
	st->entry = entry;
}

/* The last statement; `before` is the one before it, or NULL. */
static void take_back(struct air_block *b, struct air_stmt *before)
{
	b->last = before;
	if (before)
		before->next = NULL;
	else
		b->first = NULL;
}

/* Expands the function; where `quiet`, what makes no sense is passed over. */
static void try_choice(struct sema *s, struct choice *c, bool quiet)
{
	struct air_block *around = s->block;
	struct air_stmt *before = around->last;
	struct air_stmt *st = sema_emit(s, STMT_EXPORT, c->x->span);
	struct diag *diag = s->diag;
	int errors;

	if (quiet)
		s->diag = diag_new();
	errors = diag_errors(s->diag);
	s->block = &st->body;
	bind_choice(s, c);
	keep_result(s, c->x, function_expand(s, c->f, c->argument));
	s->block = around;
	if (diag_errors(s->diag) == errors)
		entry_add(s, c, st);
	else
		take_back(around, before);
	if (quiet)
		diag_free(s->diag);
	s->diag = diag;
}

static bool few_choices(struct sema *s, const struct choice *c)
{
	int64_t n = 1;

	for (int i = 0; i < c->x->n_fields; i++)
		n = n > CHOICES_MOST ? n : n * c->n_fields;
	if (n <= CHOICES_MOST)
		return true;
	sema_fail(s, DIAG_WRONG_ARGUMENTS, c->x->span,
		  "there are more than %d choices of fields for `%s`", CHOICES_MOST,
		  c->x->name);
	sema_hint(s, "Let it take fewer fields: it can use those of the file by name.");
	return false;
}

static void emit_choices(struct sema *s, struct choice *c)
{
	if (c->x->n_fields && !c->n_fields) {
		sema_fail(s, DIAG_WRONG_ARGUMENTS, c->x->span,
			  "`%s` takes a field, and the file declares none", c->x->name);
		return;
	}
	if (!c->x->n_fields) {
		try_choice(s, c, false);
		return;
	}
	if (!few_choices(s, c))
		return;
	do
		try_choice(s, c, true);
	while (next_choice(c));
	if (!c->x->n_entries) {
		sema_fail(s, DIAG_WRONG_ARGUMENTS, c->x->span,
			  "no field of the file fits `%s`", c->x->name);
		sema_note(s, c->x->span, "this is what is wrong with the first one:");
		try_choice(s, c, false);
	}
}

/* ---- the end of the program -------------------------------------------------------- */

/* Fields of the top level, as declared. */
static void add_names(struct sema *s)
{
	const struct map *m = s->main->symbols;

	for (int i = 0; i < m->n; i++) {
		const struct symbol *symbol = m->entry[i].value;

		if (symbol->kind == SYMBOL_FIELD && value_field(&symbol->value))
			air_name_add(s->air, value_field(&symbol->value));
	}
}

void exports_emit(struct sema *s)
{
	struct air_block *around = s->block;
	struct air_stmt *loop;

	if (!s->in->exports || diag_errors(s->diag))
		return;
	add_names(s);
	if (!s->exports.n)
		return;
	loop = sema_emit(s, STMT_LOOP, (struct span){ 0 });
	s->block = &loop->body;
	for (int i = 0; i < s->exports.n; i++) {
		const struct function *f = s->exports.item[i];
		struct choice c = { .f = f, .field = s->air->name,
				    .n_fields = s->air->n_names };

		c.x = air_export_new(s->air, f->name, f->ast->child[0]->span);
		if (read_signature(s, f, c.x))
			emit_choices(s, &c);
	}
	sema_emit(s, STMT_BREAK, loop->span);
	s->block = around;
}
