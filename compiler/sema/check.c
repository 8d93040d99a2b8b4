/* compiler/sema/check.c - the check of a program from top to bottom, and its messages
 */
#include "sema/checker.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "support/intern.h"

/* ---- messages
 * --------------------------------------------------------------------------- */

bool span_in_library(struct span at)
{
	return at.source && at.source->library;
}

/* Inside the library a place means nothing to the user: the call of it does. */
struct span sema_place(const struct sema *s, struct span at)
{
	const struct call *c = s->call;

	while (c && span_in_library(at)) {
		at = c->at;
		c = c->up;
	}
	return at;
}

static void note_calls(struct sema *s, struct span at)
{
	for (const struct call *c = s->call; c; c = c->up) {
		if (c->at.source && !span_in_library(c->at) && !span_equal(c->at, at))
			diag_note(s->diag, c->at, "in this call of `%s`",
				  c->function->name);
	}
}

static void fail_text(struct sema *s, enum diag_code code, struct span at,
		      const char *text)
{
	at = sema_place(s, at);
	diag_error(s->diag, code, at, "%s", text);
	note_calls(s, at);
}

static const char *format_text(struct sema *s, const char *format, va_list values)
{
	char text[1024];

	vsnprintf(text, sizeof text, format, values);
	return arena_strdup(s->arena, text);
}

void sema_fail(struct sema *s, enum diag_code code, struct span at, const char *format,
	       ...)
{
	va_list values;

	va_start(values, format);
	fail_text(s, code, at, format_text(s, format, values));
	va_end(values);
}

struct value sema_failed(struct sema *s, enum diag_code code, struct span at,
			 const char *format, ...)
{
	va_list values;

	va_start(values, format);
	fail_text(s, code, at, format_text(s, format, values));
	va_end(values);
	return value_error();
}

struct value sema_not_yet(struct sema *s, struct span at, const char *what)
{
	return sema_failed(s, DIAG_NOT_IMPLEMENTED, at, "%s is not implemented yet",
			   what);
}

void sema_hint(struct sema *s, const char *format, ...)
{
	va_list values;

	va_start(values, format);
	diag_hint(s->diag, "%s", format_text(s, format, values));
	va_end(values);
}

void sema_note(struct sema *s, struct span at, const char *format, ...)
{
	va_list values;

	va_start(values, format);
	if (at.source && !span_in_library(at))
		diag_note(s->diag, at, "%s", format_text(s, format, values));
	va_end(values);
}

/* ---- small helpers of all files
 * --------------------------------------------------------------- */

/* "sum.3": no name of a program holds a dot. */
const char *sema_name(struct sema *s, const char *stem)
{
	size_t length = strcspn(stem, ".");

	return arena_printf(s->arena, "%.*s.%d", (int)length, stem, ++s->made_up);
}

/* A doc comment without the blanks that lines begin with, and without the last line's
 * end; "" if there is none. */
const char *sema_doc(struct sema *s, const char *doc)
{
	char *text = arena_strdup(s->arena, doc ? doc : ""), *to = text;
	bool start = true;

	for (const char *from = text; *from; from++) {
		if (!start || *from != ' ')
			*to++ = *from;
		start = *from == '\n';
	}
	while (to > text && (to[-1] == '\n' || to[-1] == ' '))
		to--;
	*to = 0;
	return text;
}

struct air_stmt *sema_emit(struct sema *s, enum air_stmt_kind kind, struct span at)
{
	if (s->local)
		local_check_statement(s, kind, at);
	s->changes += kind == STMT_ASSIGN || kind == STMT_LOAD;
	return air_stmt_new(s->air, s->block, kind, at);
}

/* ---- the program
 * --------------------------------------------------------------------------------- */

/* Grids of the loose family are nobody's: they leave, and ids close up. */
void sema_drop_loose_grids(struct sema *s)
{
	struct types *t = &s->air->types;
	int n = 0;

	for (int i = 0; i < t->n_grids; i++) {
		if (t->grid[i]->family == s->loose)
			continue;
		t->grid[n] = t->grid[i];
		t->grid[n]->id = n;
		n++;
	}
	t->n_grids = n;
}

void sema_begin(struct sema *s, const struct sema_input *in)
{
	s->in = in;
	s->arena = in->arena;
	s->diag = in->diag;
	s->air = air_new(in->arena, in->source->name);
	s->air->doc = sema_doc(s, in->program->doc);
	s->block = &s->air->body;
	s->modules = map_new(in->arena, MAP_POINTERS);
	s->builtins = map_new(in->arena, MAP_TEXTS);
	s->nowhere = arena_new_object(in->arena, struct types);
	s->nowhere->arena = in->arena;
	s->loose = family_new(s->nowhere, "no grid", (struct span){ 0 });
	builtins_add(s);
	for (int i = 0; i < in->n_overrides; i++)
		in->override[i].used = false;
}

struct air_program *sema_program(const struct sema_input *in)
{
	struct sema s = { 0 };

	sema_begin(&s, in);
	if (!module_prelude(&s))
		return NULL;
	s.main = scope_push(&s, SCOPE_MODULE);
	check_statements(&s, in->program);
	check_overrides(&s);
	exports_emit(&s);
	if (diag_errors(in->diag))
		return NULL;
	sema_drop_loose_grids(&s);
	return s.air;
}
