/* compiler/sema/show.c - what is shown of a value that was typed at the prompt
 *
 * takes: a value   gives: a statement that prints it, or a text that says what it is
 * What has no value in a program - grids, functions, modules - is described.
 */
#include "sema/checker.h"

#include <string.h>

static void words(struct sema *s, struct air_text *text, const char *words)
{
	text_add(s, text, (struct air_piece){ .kind = PIECE_TEXT, .text = words });
}

/* ---- what it is -------------------------------------------------------------- */

static const char *grid_text(struct sema *s, const struct grid *g)
{
	const char *text = g->name;

	if (strchr(text, '[') || g->family->anonymous)
		return text;
	for (int i = 0; i < g->n_axes; i++)
		text = arena_printf(s->arena, "%s%s%s", text, i ? ", " : "[",
				    g->axis[i]->name);
	return arena_printf(s->arena, "%s]", text);
}

/* As it was written, up to what it gives. */
static const char *function_text(struct sema *s, const struct function *f)
{
	const struct ast *parameters = f->ast->child[1];
	const char *text = "";

	for (int i = 0; parameters && i < parameters->n_children; i++)
		text = arena_printf(s->arena, "%s%s%s", text, i ? ", " : "",
				    parameters->child[i]->child[0]->text);
	return f->ast->child[0]->kind == AST_NAME
		       ? arena_printf(s->arena, "fn %s(%s)", f->name, text)
		       : arena_printf(s->arena, "(%s) -> ...", text);
}

static const char *items_text(struct sema *s, const struct value *v)
{
	const char *text = v->kind == VALUE_LIST ? "[" : "(";

	for (int i = 0; i < v->as.list.n; i++)
		text = arena_printf(s->arena, "%s%s%s", text, i ? ", " : "",
				    prompt_text(s, &v->as.list.item[i]));
	return arena_printf(s->arena, "%s%c", text, v->kind == VALUE_LIST ? ']' : ')');
}

static const char *expr_text(struct sema *s, const struct value *v)
{
	const char *elem = elem_text(v->as.expr->elem);

	if (value_is_scalar(v))
		return elem;
	if (!value_grid(v))
		return arena_printf(s->arena, "field %s", elem);
	return arena_printf(s->arena, "field %s on %s", elem,
			    grid_text(s, value_grid(v)));
}

/* "field f64 on plate[x, y]" */
const char *prompt_text(struct sema *s, const struct value *v)
{
	switch (v->kind) {
	case VALUE_EXPR:
		return expr_text(s, v);
	case VALUE_AXIS:
		return arena_printf(s->arena, "axis %s", v->as.axis->name);
	case VALUE_GRID:
		return arena_printf(s->arena, "grid %s", grid_text(s, v->as.grid));
	case VALUE_LIST:
	case VALUE_TUPLE:
		return items_text(s, v);
	case VALUE_FUNCTION:
		return function_text(s, v->as.function);
	case VALUE_BUILTIN:
		return arena_printf(s->arena, "fn %s(...)", v->as.builtin->name);
	case VALUE_MODULE:
		return arena_printf(s->arena, "module %s", v->as.module->name);
	case VALUE_TYPE:
		return elem_text(v->as.elem);
	default:
		return "nothing";
	}
}

/* ---- what it is worth --------------------------------------------------------- */

/* plate[x: 64, y: 32] */
static struct air_text show_grid(struct sema *s, const struct grid *g)
{
	struct air_text text = text_plain(s, "grid ");

	if (!g->family->anonymous)
		words(s, &text,
		      arena_strndup(s->arena, g->name, strcspn(g->name, "[")));
	for (int i = 0; i < g->n_axes; i++) {
		words(s, &text,
		      arena_printf(s->arena, "%s%s: ", i ? ", " : "[", g->axis[i]->name));
		text_add(s, &text,
			 (struct air_piece){ .kind = PIECE_SCALAR,
					     .value = air_size(s->air, g, i),
					     .format = "" });
	}
	words(s, &text, "]");
	return text;
}

static bool is_text(const struct value *v)
{
	return v->kind == VALUE_EXPR && value_is_scalar(v) && value_elem(v) == ELEM_STR;
}

void prompt_show(struct sema *s, struct value v)
{
	const char *quote = is_text(&v) ? "\"" : "";
	struct air_text text = { 0 };

	switch (v.kind) {
	case VALUE_ERROR:
	case VALUE_NONE:
		return;
	case VALUE_EXPR:
	case VALUE_AXIS:
	case VALUE_LIST:
	case VALUE_TUPLE:
		words(s, &text, quote);
		if (!text_value(s, &text, v))
			return;
		words(s, &text, quote);
		break;
	case VALUE_GRID:
		text = show_grid(s, v.as.grid);
		break;
	default:
		text = text_plain(s, prompt_text(s, &v));
		break;
	}
	sema_emit(s, STMT_PRINT, v.span)->text = text;
}
