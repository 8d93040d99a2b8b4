/* array/print.c - the text form of a program: mpac --emit=air
 *
 * A statement is a line, after a line for each part of its expressions that is shared
 * or deep; blocks are indented; the conditions of a field stand below it.
 */
#include "array/print.h"

#include <stdlib.h>
#include <string.h>

struct printer {
	FILE *out;
	int depth;
};

static const char *const reduction_text[] = { "sum", "prod", "min",    "max",
	                                      "any", "all",  "argmin", "argmax",
	                                      "cumsum", "cumprod" };

const char *air_reduction_text(enum air_reduction r)
{
	return reduction_text[r];
}

static void print_block(struct printer *w, const struct air_block *b);

static void indent(const struct printer *w)
{
	for (int i = 0; i < w->depth; i++)
		fputs("    ", w->out);
}

/* Defines the shared parts of what one line will print. */
static struct air_names begin_line(struct printer *w, const struct air_expr *const *e,
                                   int n)
{
	struct air_names names = air_names_of(e, n);
	char before[64] = "";

	for (int i = 0; i < w->depth && i < 12; i++)
		strcat(before, "    ");
	air_names_print(&names, before, "\n", w->out);
	indent(w);
	return names;
}

/* A line of one expression between two texts. */
static void print_line(struct printer *w, const char *before, const struct air_expr *e,
                       const char *after)
{
	struct air_names n = begin_line(w, &e, 1);

	fputs(before, w->out);
	air_print_part(&n, e, w->out);
	fputs(after, w->out);
	air_names_free(&n);
}

static void print_axis(struct printer *w, const struct axis *a)
{
	static const char *const place[] = { "", " over ", " nodes " };

	fprintf(w->out, "%s: ", a->name);
	air_expr_print(a->size, w->out);
	if (a->place != AXIS_INDEX) {
		fputs(place[a->place], w->out);
		air_expr_print(a->lo, w->out);
		fputs("..", w->out);
		air_expr_print(a->hi, w->out);
	}
	fputs(a->periodic ? " periodic" : "", w->out);
	fputs(a->local ? " local" : "", w->out);
}

static void print_split(struct printer *w, const struct family *f)
{
	const char *before = " split(";

	if (f->split_given && f->split_none)
		fputs(" split none", w->out);
	for (int i = 0; f->split_given && !f->split_none && i < f->n_base; i++)
		if (f->split[i]) {
			fprintf(w->out, "%s%s", before, f->axis[i]->name);
			before = ", ";
		}
	if (before[0] == ',')
		putc(')', w->out);
	for (int i = 0; i < f->n_procs; i++) {
		fputs(i ? ", " : " procs(", w->out);
		air_expr_print(f->procs[i], w->out);
	}
	if (f->n_procs)
		putc(')', w->out);
}

static void print_cuts(struct printer *w, const struct family *f)
{
	const char *before = " cuts(";

	for (int i = 0; i < f->n_base; i++) {
		const struct cuts *c = &f->cuts[i];

		if (!c->n && !c->cost)
			continue;
		fprintf(w->out, "%s%s: ", before, f->axis[i]->name);
		before = ", ";
		if (c->cost)
			fprintf(w->out, "balanced(%s)", c->cost->name);
		for (int k = 0; k < c->n; k++) {
			fputs(k ? ", " : "[", w->out);
			air_expr_print(c->at[k], w->out);
		}
		fputs(c->n ? "]" : "", w->out);
	}
	if (before[0] == ',')
		putc(')', w->out);
}

/* The declared axes, or the one that is added. */
static void print_family(struct printer *w, const struct family *f, const struct axis *added)
{
	indent(w);
	fprintf(w->out, "grid %s[", f->name);
	if (added) {
		fputs("..., ", w->out);
		print_axis(w, added);
		fputs("]\n", w->out);
		return;
	}
	for (int i = 0; i < f->n_base; i++) {
		fputs(i ? ", " : "", w->out);
		print_axis(w, f->axis[i]);
	}
	putc(']', w->out);
	print_split(w, f);
	print_cuts(w, f);
	putc('\n', w->out);
}

static void print_ghosts(struct printer *w, const struct air_field *f)
{
	w->depth++;
	for (int i = 0; i < f->grid->n_axes; i++)
		for (int side = 0; side < 2; side++) {
			const struct air_ghost *g = &f->ghost[i][side];
			char before[256];

			if (g->kind == GHOST_NONE)
				continue;
			snprintf(before, sizeof before, "%s.%s = %s", f->grid->axis[i]->name,
			         side ? "hi" : "lo",
			         g->kind == GHOST_COMPUTED ? "computed\n" : "");
			if (g->kind == GHOST_EXPR) {
				print_line(w, before, g->value, "\n");
			} else {
				indent(w);
				fputs(before, w->out);
			}
		}
	w->depth--;
}

static void print_field(struct printer *w, const struct air_field *f)
{
	fprintf(w->out, "%s %s: %s on %s", f->kind == FIELD_STAGE ? "stage" : "field",
	        f->name, elem_text(f->elem), f->grid->name);
}

static void print_stage(struct printer *w, const struct air_stmt *s)
{
	const struct air_field *f = s->field;
	struct air_names n = begin_line(w, &f->value, 1);

	print_field(w, f);
	fputs(" = ", w->out);
	air_print_part(&n, f->value, w->out);
	putc('\n', w->out);
	air_names_free(&n);
	print_ghosts(w, f);
}

static void print_slice(struct printer *w, const struct air_slice *s)
{
	if (s->part == PART_AT) {
		air_expr_print(s->lo, w->out);
		return;
	}
	if (s->part == PART_RANGE && s->lo)
		air_expr_print(s->lo, w->out);
	putc(':', w->out);
	if (s->part == PART_RANGE && s->hi)
		air_expr_print(s->hi, w->out);
	if (s->part == PART_RANGE && s->step != 1)
		fprintf(w->out, ":%lld", (long long)s->step);
}

static void print_part(struct printer *w, const struct air_field *f,
                       const struct air_region *region)
{
	int n = f->grid->n_axes, parts = 0;

	fputs(f->name, w->out);
	for (int i = 0; i < n; i++)
		parts += region->axis[i].part != PART_ALL;
	for (int i = 0; parts && i < n; i++) {
		fputs(i ? ", " : "[", w->out);
		print_slice(w, &region->axis[i]);
	}
	if (parts)
		putc(']', w->out);
}

/* "copy c = u[::2, ::2] (x y)": at each axis of c the one of u, "-" for none */
static void print_copy(struct printer *w, const struct air_stmt *s)
{
	const struct air_copy *c = s->copy;

	indent(w);
	fputs("copy ", w->out);
	print_part(w, c->to, &c->to_region);
	fputs(" = ", w->out);
	print_part(w, c->from, &c->from_region);
	fputs(" (", w->out);
	for (int i = 0; i < c->to->grid->n_axes; i++)
		fprintf(w->out, "%s%s", i ? " " : "",
		        c->pair[i] < 0 ? "-" : c->from->grid->axis[c->pair[i]]->name);
	fputs(")\n", w->out);
}

static void print_assign(struct printer *w, const struct air_stmt *s)
{
	const struct air_expr *few[8] = { 0 }, **root = few;
	struct air_names n;

	if (s->n_targets > 7)
		root = xmalloc((s->n_targets + 1) * sizeof *root);
	for (int i = 0; i < s->n_targets; i++)
		root[i] = s->target[i].value;
	root[s->n_targets] = s->mask;
	n = begin_line(w, root, s->n_targets + 1);
	for (int i = 0; i < s->n_targets; i++) {
		fputs(i ? "; " : "", w->out);
		print_part(w, s->target[i].field, &s->target[i].region);
		fputs(" = ", w->out);
		air_print_part(&n, s->target[i].value, w->out);
	}
	if (s->mask) {
		fputs(" where ", w->out);
		air_print_part(&n, s->mask, w->out);
	}
	putc('\n', w->out);
	air_names_free(&n);
	if (root != few)
		free(root);
}

static void print_pieces(struct printer *w, const struct air_text *t)
{
	for (int i = 0; i < t->n; i++) {
		const struct air_piece *piece = &t->piece[i];

		putc(' ', w->out);
		switch (piece->kind) {
		case PIECE_TEXT:
			air_print_text(piece->text, w->out);
			break;
		case PIECE_SCALAR:
			putc('{', w->out);
			air_expr_print(piece->value, w->out);
			if (piece->format && *piece->format)
				fprintf(w->out, ":%s", piece->format);
			putc('}', w->out);
			break;
		case PIECE_FIELD:
			fputs(piece->field->name, w->out);
			break;
		}
	}
	putc('\n', w->out);
}

static void print_texts(struct printer *w, const char *before, const struct air_text *t)
{
	indent(w);
	fputs(before, w->out);
	print_pieces(w, t);
}

/* var = name(value) and the like; value, field or both may be missing */
static void print_set(struct printer *w, const struct air_stmt *s, const char *name)
{
	struct air_names n = begin_line(w, &s->value, 1);

	fprintf(w->out, "%s = %s", s->var->name, name);
	if (s->value) {
		fputs(*name ? "(" : "", w->out);
		air_print_part(&n, s->value, w->out);
		fputs(*name ? ")" : "", w->out);
	}
	if (s->kind == STMT_REDUCE && s->grid)
		fprintf(w->out, " on %s", s->grid->name);
	putc('\n', w->out);
	air_names_free(&n);
}

/* "fold rows = sum(u along y z)" */
static void print_fold(struct printer *w, const struct air_stmt *s)
{
	const struct air_fold *f = s->fold;

	indent(w);
	fputs("fold ", w->out);
	print_field(w, f->to);
	fprintf(w->out, " = %s(%s along", reduction_text[f->reduction], f->from->name);
	for (int i = 0; i < f->from->grid->n_axes; i++)
		if (f->axes >> i & 1)
			fprintf(w->out, " %s", f->from->grid->axis[i]->name);
	fputs(")\n", w->out);
	print_ghosts(w, f->to);
}

static void print_element(struct printer *w, const struct air_stmt *s)
{
	indent(w);
	fprintf(w->out, "%s = %s[", s->var->name, s->field->name);
	for (int i = 0; i < s->field->grid->n_axes; i++) {
		fputs(i ? ", " : "", w->out);
		air_expr_print(s->index[i], w->out);
	}
	fputs("]\n", w->out);
}

static void print_shape(struct printer *w, const struct air_stmt *s)
{
	indent(w);
	fprintf(w->out, "%s = shape(", s->var->name);
	air_expr_print(s->value, w->out);
	fputs(", ", w->out);
	air_expr_print(s->item[0].name, w->out);
	fputs(", ", w->out);
	air_expr_print(s->from, w->out);
	fputs(")\n", w->out);
}

static void print_if(struct printer *w, const struct air_stmt *s)
{
	print_line(w, "if ", s->value, " {\n");
	print_block(w, &s->body);
	indent(w);
	if (s->other.first) {
		fputs("} else {\n", w->out);
		print_block(w, &s->other);
		indent(w);
	}
	fputs("}\n", w->out);
}

static void print_loop(struct printer *w, const struct air_stmt *s)
{
	if (s->kind == STMT_FOR) {
		indent(w);
		fprintf(w->out, "for %s in ", s->var->name);
		air_expr_print(s->from, w->out);
		fputs("..", w->out);
		air_expr_print(s->to, w->out);
		fputs(" by ", w->out);
		air_expr_print(s->by, w->out);
		fputs(" {\n", w->out);
	} else {
		indent(w);
		fputs("loop {\n", w->out);
	}
	print_block(w, &s->body);
	indent(w);
	fputs("}\n", w->out);
}

static void print_check(struct printer *w, const struct air_stmt *s)
{
	print_line(w, "check ", s->value, ":");
	print_pieces(w, &s->text);
}

static void print_places(const struct air_item *item, FILE *out)
{
	for (int i = 0; i < MAX_AXES; i++) {
		if (!item->first[i])
			continue;
		fprintf(out, " %s from ", item->field->grid->axis[i]->name);
		air_expr_print(item->first[i], out);
		fputs(" by ", out);
		air_expr_print(item->step[i], out);
	}
}

static void print_file(struct printer *w, const struct air_stmt *s)
{
	indent(w);
	fputs(s->kind == STMT_SAVE   ? "save"
	      : s->kind == STMT_PLOT ? "plot"
	      : s->only              ? "load only"
	                             : "load", w->out);
	for (int i = 0; i < s->n_items; i++) {
		const struct air_item *item = &s->item[i];

		fputs(i ? ", " : " ", w->out);
		air_expr_print(item->name, w->out);
		fputs(" = ", w->out);
		if (item->value)
			air_expr_print(item->value, w->out);
		else
			fputs(item->field ? item->field->name : item->var->name, w->out);
		print_places(item, w->out);
	}
	fputs(s->kind == STMT_LOAD ? " from " : " in ", w->out);
	air_expr_print(s->value, w->out);
	putc('\n', w->out);
}

static void print_word(struct printer *w, const char *word)
{
	indent(w);
	fprintf(w->out, "%s\n", word);
}

static void print_local(struct printer *w, const struct air_stmt *s)
{
	print_word(w, "local {");
	print_block(w, &s->body);
	print_word(w, "}");
}

static void print_export(struct printer *w, const struct air_stmt *s)
{
	const struct air_export *x = s->entry->function;
	int field = 0;

	indent(w);
	fprintf(w->out, "export %s(", x->name);
	for (int i = 0; i < x->n_params; i++) {
		const struct air_export_param *p = &x->param[i];

		fprintf(w->out, "%s%s%s = %s", i ? ", " : "", p->changes ? "var " : "", p->name,
		        p->var ? p->var->name : s->entry->field[field++]->name);
	}
	fprintf(w->out, ")%s%s {\n", x->result ? " = " : "",
	        x->result ? x->result->name : "");
	print_block(w, &s->body);
	print_word(w, "}");
}

static void print_bound(struct printer *w, const struct air_stmt *s)
{
	indent(w);
	fprintf(w->out, "%s = bound(%s.%s, ", s->var->name, s->grid->name, s->axis->name);
	air_expr_print(s->to, w->out);
	fputs(")\n", w->out);
}

/* var = what the run time answers */
static const char *answer_text(const struct air_stmt *s)
{
	switch (s->kind) {
	case STMT_SET:
		return "";
	case STMT_REDUCE:
		return reduction_text[s->reduction];
	case STMT_DRAW:
		return "draw";
	case STMT_RANDOM:
		return s->normal ? "normal" : "random";
	case STMT_EXISTS:
		return "exists";
	case STMT_CLOCK:
		return "clock";
	case STMT_RANKS:
		return "ranks()";
	case STMT_RANK:
		return "rank()";
	default:
		return "checking";
	}
}

static void print_answer(struct printer *w, const struct air_stmt *s)
{
	print_set(w, s, answer_text(s));
}

static void print_grid(struct printer *w, const struct air_stmt *s)
{
	print_family(w, s->family, s->axis);
}

static void print_declaration(struct printer *w, const struct air_stmt *s)
{
	indent(w);
	print_field(w, s->field);
	putc('\n', w->out);
	print_ghosts(w, s->field);
}

static void print_string(struct printer *w, const struct air_stmt *s)
{
	indent(w);
	fprintf(w->out, "%s =", s->var->name);
	print_pieces(w, &s->text);
}

static void print_output(struct printer *w, const struct air_stmt *s)
{
	print_texts(w, "print", &s->text);
}

static void print_jump(struct printer *w, const struct air_stmt *s)
{
	print_word(w, s->kind == STMT_BREAK ? "break" : "continue");
}

static void print_asked(struct printer *w, const struct air_stmt *s)
{
	print_line(w, s->kind == STMT_EXIT ? "exit " : "backend ", s->value, "\n");
}

static void (*const printers[])(struct printer *w, const struct air_stmt *s) = {
	[STMT_GRID] = print_grid,         [STMT_FIELD] = print_declaration,
	[STMT_ASSIGN] = print_assign,     [STMT_STAGE] = print_stage,
	[STMT_COPY] = print_copy,         [STMT_SET] = print_answer,
	[STMT_REDUCE] = print_answer,     [STMT_FOLD] = print_fold,
	[STMT_ELEMENT] = print_element,   [STMT_DRAW] = print_answer,
	[STMT_RANDOM] = print_answer,     [STMT_TEXT] = print_string,
	[STMT_IF] = print_if,             [STMT_LOOP] = print_loop,
	[STMT_FOR] = print_loop,          [STMT_BREAK] = print_jump,
	[STMT_CONTINUE] = print_jump,     [STMT_CHECK] = print_check,
	[STMT_PRINT] = print_output,      [STMT_SAVE] = print_file,
	[STMT_LOAD] = print_file,         [STMT_SHAPE] = print_shape,
	[STMT_PLOT] = print_file,         [STMT_EXISTS] = print_answer,
	[STMT_CLOCK] = print_answer,      [STMT_EXIT] = print_asked,
	[STMT_BACKEND] = print_asked,     [STMT_RANKS] = print_answer,
	[STMT_CHECKING] = print_answer,   [STMT_LOCAL] = print_local,
	[STMT_RANK] = print_answer,       [STMT_EXPORT] = print_export,
	[STMT_BOUND] = print_bound,
};

static void print_stmt(struct printer *w, const struct air_stmt *s)
{
	printers[s->kind](w, s);
}

static void print_block(struct printer *w, const struct air_block *b)
{
	w->depth++;
	for (const struct air_stmt *s = b->first; s; s = s->next)
		print_stmt(w, s);
	w->depth--;
}

void air_stmt_print(const struct air_stmt *s, int depth, FILE *out)
{
	struct printer w = { .out = out, .depth = depth };

	print_stmt(&w, s);
}

static void print_extern(const struct air_extern *f, FILE *out)
{
	fprintf(out, "extern %s(", f->name);
	for (int i = 0; i < f->n_params; i++)
		fprintf(out, "%s%s", i ? ", " : "", elem_text(f->param[i]));
	fprintf(out, "): %s\n", elem_text(f->elem));
}

void air_print(const struct air_program *p, FILE *out)
{
	struct printer w = { .out = out, .depth = -1 };

	for (int i = 0; i < p->n_params; i++) {
		const struct air_param *a = &p->param[i];

		fprintf(out, "param %s: %s = ", a->var->name, elem_text(a->var->elem));
		air_expr_print(a->value, out);
		if (a->text && *a->text) {
			putc(' ', out);
			air_print_text(a->text, out);
		}
		putc('\n', out);
	}
	for (int i = 0; i < p->n_externs; i++)
		print_extern(p->external[i], out);
	print_block(&w, &p->body);
}
