/* compiler/sema/io.c - printing, assertions
 *
 * A printed line is a list of pieces. Formats are checked against types here, so
 * that a program never fails on one.
 */
#include "sema/checker.h"

#include <string.h>

#include "array/scalar.h"

/* ---- pieces
 * ------------------------------------------------------------------------------ */

void text_add(struct sema *s, struct air_text *text, struct air_piece piece)
{
	struct air_piece *all = arena_new_array(s->arena, text->n + 1, struct air_piece);

	if (piece.kind == PIECE_TEXT && !*piece.text)
		return;
	if (text->n)
		memcpy(all, text->piece, (size_t)text->n * sizeof *all);
	all[text->n++] = piece;
	text->piece = all;
}

static void add_words(struct sema *s, struct air_text *text, const char *words)
{
	text_add(s, text, (struct air_piece){ .kind = PIECE_TEXT, .text = words });
}

struct air_text text_plain(struct sema *s, const char *words)
{
	struct air_text text = { 0 };

	add_words(s, &text, words);
	return text;
}

static bool format_good(struct sema *s, const char *format, const struct value *v)
{
	struct format_spec spec;

	if (!format_parse(format, &spec)) {
		sema_fail(s, DIAG_BAD_FORMAT, v->span, "`%s` is no format", format);
		sema_hint(s,
			  "A format is [[fill]align][sign][0][width][,][.precision] and "
			  "one of d e f g s x %%.");
		return false;
	}
	if (format_fits(&spec, scalar_format(value_elem(v))))
		return true;
	sema_fail(s, DIAG_BAD_FORMAT, v->span, "the format `%s` does not fit %s", format,
		  value_text(s, v));
	return false;
}

static bool add_value(struct sema *s, struct air_text *text, struct value v,
		      const char *format);

static bool add_items(struct sema *s, struct air_text *text, const struct value *v,
		      const char *format)
{
	bool list = v->kind == VALUE_LIST;

	add_words(s, text, list ? "[" : "(");
	for (int i = 0; i < v->as.list.n; i++) {
		if (i)
			add_words(s, text, ", ");
		if (!add_value(s, text, v->as.list.item[i], format))
			return false;
	}
	add_words(s, text, list ? "]" : ")");
	return true;
}

static bool add_field(struct sema *s, struct air_text *text, struct value v,
		      const char *format)
{
	if (s->local) {
		local_refuse(s, v.span, "a whole field is printed by all together");
		return false;
	}
	if (*format) {
		sema_fail(s, DIAG_BAD_FORMAT, v.span, "a whole field takes no format");
		return false;
	}
	v = loose_settle_alone(s, v);
	if (v.kind != VALUE_ERROR && !value_grid(&v))
		return add_value(s, text, v, format);
	if (v.kind != VALUE_ERROR && !value_field(&v))
		v = stage_new(s, v, sema_name(s, "printed"));
	if (v.kind == VALUE_ERROR)
		return false;
	text_add(s, text,
		 (struct air_piece){ .kind = PIECE_FIELD, .field = value_field(&v) });
	return true;
}

static bool add_value(struct sema *s, struct air_text *text, struct value v,
		      const char *format)
{
	v = value_operand(s, v);
	if (v.kind == VALUE_ERROR)
		return false;
	if (v.kind == VALUE_LIST || v.kind == VALUE_TUPLE)
		return add_items(s, text, &v, format);
	if (v.kind == VALUE_NONE) {
		sema_fail(s, DIAG_WRONG_TYPE, v.span, "this call gives no value to print");
		return false;
	}
	if (v.kind != VALUE_EXPR) {
		sema_fail(s, DIAG_WRONG_TYPE, v.span, "%s cannot be printed",
			  value_text(s, &v));
		return false;
	}
	if (!value_is_scalar(&v))
		return add_field(s, text, v, format);
	if (!format_good(s, format, &v))
		return false;
	text_add(s, text,
		 (struct air_piece){
			 .kind = PIECE_SCALAR, .value = v.as.expr, .format = format });
	return true;
}

bool text_value(struct sema *s, struct air_text *text, struct value v)
{
	return add_value(s, text, v, "");
}

/* The pieces of a text with holes, or of any value. */
bool text_pieces(struct sema *s, const struct ast *a, struct air_text *text)
{
	if (a->kind != AST_TEXT) {
		struct value v = eval_expr(s, a);

		if (v.kind == VALUE_ERROR)
			return false;
		v.span = a->span;
		return add_value(s, text, v, "");
	}
	if (!a->n_children)
		add_words(s, text, a->text ? a->text : "");
	for (int i = 0; i < a->n_children; i++) {
		const struct ast *part = a->child[i];
		struct value v;

		if (part->kind == AST_PIECE) {
			add_words(s, text, part->text);
			continue;
		}
		v = eval_expr(s, part->child[0]);
		v.span = part->child[0]->span;
		if (v.kind == VALUE_ERROR ||
		    !add_value(s, text, v, part->text ? part->text : ""))
			return false;
	}
	return true;
}

/* A text with holes as a value. */
struct value text_join(struct sema *s, const struct ast *a)
{
	struct air_text text = { 0 };
	struct air_stmt *st;

	if (!text_pieces(s, a, &text))
		return value_error();
	for (int i = 0; i < text.n; i++)
		if (text.piece[i].kind == PIECE_FIELD)
			return sema_failed(s, DIAG_WRONG_TYPE, a->span,
					   "a whole field cannot be part of a text");
	st = sema_emit(s, STMT_TEXT, a->span);
	st->var = var_new(s, sema_name(s, "text"), ELEM_STR, a->span, false);
	st->text = text;
	return value_scalar(air_read_var(s->air, st->var, a->span), a->span);
}

static bool stands_alone(struct sema *s, const struct arguments *a)
{
	if (s->alone)
		return true;
	sema_fail(s, DIAG_CALL_ALONE, a->at, "`%s` is a statement and gives no value",
		  a->name);
	return false;
}

struct value print_call(struct sema *s, struct arguments *a, int data)
{
	struct air_text text = { 0 };
	bool good = stands_alone(s, a);

	(void)data;
	s->alone = false;
	for (int i = 0; i < a->n; i++) {
		if (i)
			add_words(s, &text, " ");
		good = text_pieces(s, a->ast[i], &text) && good;
	}
	if (!good)
		return value_error();
	sema_emit(s, STMT_PRINT, sema_place(s, a->at))->text = text;
	s->effects++;
	return value_none(a->at);
}

/* ---- assert, exit, clock
 * ------------------------------------------------------------------------ */

static struct air_text assert_text(struct sema *s, const struct arguments *a, bool *good)
{
	struct span at = a->ast[0]->span;
	struct air_text text = { 0 };

	*good = true;
	if (a->n > 1)
		*good = text_pieces(s, a->ast[1], &text);
	else
		text = text_plain(s, arena_printf(s->arena,
						  "the assertion `%.*s` does not hold",
						  (int)(at.end - at.begin),
						  at.source->text + at.begin));
	return text;
}

/* In the library assertions about constants are errors of the call. */
static bool assert_known(struct sema *s, const struct arguments *a,
			 const struct air_expr *condition, const struct air_text *text)
{
	int64_t holds;

	if (!air_constant(condition, &holds, NULL))
		return false;
	if (!holds && span_in_library(a->at) && text->n)
		sema_fail(s, DIAG_WRONG_ARGUMENTS, a->at, "%s", text->piece[0].text);
	return holds || span_in_library(a->at);
}

/* The text is made only when it is needed: then its parts are read too. */
struct value assert_call(struct sema *s, struct arguments *a, int data)
{
	const struct air_expr *condition;
	struct air_block *around = s->block, hoisted = { 0 };
	struct air_text text;
	struct air_stmt *st;
	bool good = stands_alone(s, a);

	(void)data;
	s->alone = false;
	condition = eval_condition(s, a->ast[0], "what is asserted");
	s->block = &hoisted;
	text = assert_text(s, a, &good);
	if (hoisted.first && condition) {
		s->block = around;
		st = sema_emit(s, STMT_IF, sema_place(s, a->at));
		st->value = air_op(s->air, AIR_NOT, ELEM_BOOL, &condition, 1, a->at);
		st->body = hoisted;
		s->block = &st->body;
		condition = air_int(s->air, ELEM_BOOL, 0);
	} else {
		s->block = around;
	}
	s->assertions++;
	if (condition && good && assert_known(s, a, condition, &text))
		return value_none(a->at);
	if (condition && good) {
		st = sema_emit(s, STMT_CHECK, sema_place(s, a->at));
		st->value = condition;
		st->text = text;
	}
	s->block = around;
	return condition && good ? value_none(a->at) : value_error();
}

struct value exit_call(struct sema *s, struct arguments *a, int data)
{
	const struct air_expr *status = air_int(s->air, ELEM_I64, 0);

	(void)data;
	if (a->n) {
		struct value v = value_operand(s, a->value[0]);

		if (!value_is_scalar(&v) || elem_kind(value_elem(&v)) != KIND_INT)
			return sema_failed(s, DIAG_WRONG_TYPE, v.span,
					   "an exit status is an integer");
		status = value_cast(s, v, ELEM_I64).as.expr;
	}
	sema_emit(s, STMT_EXIT, sema_place(s, a->at))->value = status;
	s->effects++;
	return value_none(a->at);
}

struct value clock_call(struct sema *s, struct arguments *a, int data)
{
	struct air_stmt *st = sema_emit(s, STMT_CLOCK, sema_place(s, a->at));

	(void)data;
	st->var = var_new(s, sema_name(s, "clock"), ELEM_F64, a->at, false);
	return value_scalar(air_read_var(s->air, st->var, a->at), a->at);
}
