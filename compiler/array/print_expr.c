/* array/print_expr.c - the text form of expressions
 *
 * Infix with all its parentheses; constants other than i64 and f64 name their type. A part
 * that is used twice, or that lies deep, is printed once and called %1, %2, ...; so
 * the text is as long as the expression is big, and recursion is bounded.
 */
#include "array/print.h"

#include <stdlib.h>
#include <string.h>

enum { DEEP = 24 };

static const char *const infix[AIR_OP_COUNT] = {
	[AIR_ADD] = "+", [AIR_SUB] = "-", [AIR_MUL] = "*", [AIR_DIV] = "/",
	[AIR_FLOORDIV] = "//", [AIR_MOD] = "%", [AIR_POW] = "^", [AIR_EQ] = "==",
	[AIR_NE] = "!=", [AIR_LT] = "<", [AIR_LE] = "<=", [AIR_AND] = "and",
	[AIR_OR] = "or",
};

static void print_node(const struct air_names *n, const struct air_expr *e, FILE *out);

void air_print_text(const char *text, FILE *out)
{
	putc('"', out);
	for (; *text; text++)
		if (*text == '\n')
			fputs("\\n", out);
		else if (*text == '\t')
			fputs("\\t", out);
		else if (*text == '"' || *text == '\\')
			fprintf(out, "\\%c", *text);
		else
			putc(*text, out);
	putc('"', out);
}

/* The shortest decimal that reads back as f. */
static void print_real(double f, bool narrow, FILE *out)
{
	char text[64];
	int digits = 1;

	do
		snprintf(text, sizeof text, "%.*g", digits, f);
	while ((narrow ? strtof(text, NULL) != (float)f : strtod(text, NULL) != f) &&
	       ++digits <= 17);
	fputs(text, out);
	if (!strpbrk(text, ".en"))
		fputs(".0", out);
}

static void print_constant(const struct air_expr *e, FILE *out)
{
	switch (elem_kind(e->elem)) {
	case KIND_BOOL:
		fputs(e->as.i ? "true" : "false", out);
		return;
	case KIND_REAL:
		print_real(e->as.f, e->elem == ELEM_F32, out);
		break;
	case KIND_TEXT:
		air_print_text(e->as.text, out);
		return;
	default:
		fprintf(out, "%lld", (long long)e->as.i);
	}
	if (e->elem != ELEM_I64 && e->elem != ELEM_F64)
		fprintf(out, ":%s", elem_text(e->elem));
}

static void print_offset(const char *axis, int64_t offset, FILE *out)
{
	fputs(axis, out);
	if (offset)
		fprintf(out, "%+lld", (long long)offset);
}

/* u, u[x+1], f[q=3, x-1] */
static void print_read(const struct air_names *n, const struct air_expr *e, FILE *out)
{
	const struct air_field *f = e->as.read.field;
	const char *before = "[";

	fputs(f->name, out);
	for (int i = 0; i < f->grid->n_axes; i++) {
		const struct air_select *at = &e->as.read.at[i];
		const char *axis = f->grid->axis[i]->name;

		if (at->pick == PICK_OFFSET && !at->offset)
			continue;
		fputs(before, out);
		before = ", ";
		if (at->pick == PICK_OFFSET) {
			print_offset(axis, at->offset, out);
			continue;
		}
		fprintf(out, "%s=", axis);
		air_print_part(n, at->index, out);
	}
	if (before[0] == ',')
		putc(']', out);
}

static void print_axis_of(const struct air_place *at, const char *what, FILE *out)
{
	fputs(at->axis->name, out);
	if (at->ext)
		fprintf(out, ".extend(%d)", at->ext);
	fprintf(out, ".%s", what);
}

static void print_leaf(const struct air_names *n, const struct air_expr *e, FILE *out)
{
	static const char *const mirror[] = { "edge", "symmetric", "reflect" };

	switch (e->op) {
	case AIR_CONST:
		print_constant(e, out);
		break;
	case AIR_VAR:
		fputs(e->as.var->name, out);
		break;
	case AIR_READ:
		print_read(n, e, out);
		break;
	case AIR_INDEX:
		if (e->as.at.offset)
			putc('(', out);
		print_offset(e->as.at.axis->name, e->as.at.offset, out);
		if (e->as.at.offset)
			putc(')', out);
		break;
	case AIR_COORD:
		print_axis_of(&e->as.at, "at", out);
		if (e->as.at.offset)
			fprintf(out, "[%+lld]", (long long)e->as.at.offset);
		break;
	case AIR_MIRROR:
		fputs(mirror[e->as.mirror], out);
		break;
	case AIR_EXTERN:
		fprintf(out, "extern %s()", e->as.function->name);
		break;
	default:
		print_axis_of(&e->as.at, air_op_text(e->op), out);
	}
}

static void print_call(const struct air_names *n, const struct air_expr *e, FILE *out)
{
	const char *before = "(";

	if (e->op == AIR_CAST)
		fputs(elem_text(e->elem), out);
	else if (e->op == AIR_RANDOM)
		fprintf(out, "%s:%s:%s", e->as.i ? "normal" : "random", e->grid->name,
		        elem_text(e->elem));
	else if (e->op == AIR_EXTERN)
		fprintf(out, "extern %s", e->as.function->name);
	else
		fputs(air_op_text(e->op), out);
	for (int i = 0; i < e->n_args; i++, before = ", ") {
		fputs(before, out);
		air_print_part(n, e->arg[i], out);
	}
	if (e->op == AIR_POWI)
		fprintf(out, ", %lld", (long long)e->as.i);
	putc(')', out);
}

static void print_node(const struct air_names *n, const struct air_expr *e, FILE *out)
{
	if (!e->n_args) {
		print_leaf(n, e, out);
	} else if (infix[e->op]) {
		putc('(', out);
		air_print_part(n, e->arg[0], out);
		fprintf(out, " %s ", infix[e->op]);
		air_print_part(n, e->arg[1], out);
		putc(')', out);
	} else {
		print_call(n, e, out);
	}
}

void air_print_part(const struct air_names *n, const struct air_expr *e, FILE *out)
{
	int i = air_walk_place(&n->walk, e);

	if (i >= 0 && n->name[i])
		fprintf(out, "%%%d", n->name[i]);
	else
		print_node(n, e, out);
}

static void count_uses(const struct air_walk *w, const struct air_expr *e, int *uses)
{
	for (int j = 0; j < e->n_args; j++)
		uses[air_walk_place(w, e->arg[j])]++;
}

/* How deep the text of e nests, given which parts have names. */
static int height_of(const struct air_names *n, const struct air_expr *e, const int *height)
{
	int most = 0;

	for (int j = 0; j < e->n_args; j++) {
		int i = air_walk_place(&n->walk, e->arg[j]);

		if (!n->name[i] && height[i] > most)
			most = height[i];
	}
	return most + 1;
}

struct air_names air_names_of(const struct air_expr *const *root, int n_roots)
{
	struct air_names n = { 0 };
	int *uses, *height;

	for (int i = 0; i < n_roots; i++)
		if (root[i])
			air_walk_add(&n.walk, root[i]);
	if (!n.walk.n)
		return n;
	air_walk_sort(&n.walk);
	uses = xmalloc(n.walk.n * sizeof *uses);
	height = xmalloc(n.walk.n * sizeof *height);
	n.name = xmalloc(n.walk.n * sizeof *n.name);
	memset(uses, 0, n.walk.n * sizeof *uses);
	memset(n.name, 0, n.walk.n * sizeof *n.name);
	for (int i = 0; i < n.walk.n; i++)
		count_uses(&n.walk, n.walk.node[i], uses);
	for (int i = 0; i < n.walk.n; i++) {
		height[i] = height_of(&n, n.walk.node[i], height);
		if (n.walk.node[i]->n_args && (uses[i] > 1 || height[i] > DEEP))
			n.name[i] = ++n.n_names;
	}
	free(uses);
	free(height);
	return n;
}

void air_names_print(const struct air_names *n, const char *before, const char *after,
                     FILE *out)
{
	for (int i = 0; i < n->walk.n; i++) {
		if (!n->name[i])
			continue;
		fprintf(out, "%s%%%d = ", before, n->name[i]);
		print_node(n, n->walk.node[i], out);
		fputs(after, out);
	}
}

void air_names_free(struct air_names *n)
{
	air_walk_free(&n->walk);
	free(n->name);
}

void air_expr_print(const struct air_expr *e, FILE *out)
{
	struct air_names n = air_names_of(&e, 1);

	air_names_print(&n, "", "; ", out);
	air_print_part(&n, e, out);
	air_names_free(&n);
}
