/* schedule/print.c - the text form of a plan: mpac --emit=plan
 *
 * Arrays first, with their halos and walls; then the statements in order. A run names
 * its kernel, its points, what it needs of ghosts and what becomes of buffers.
 */
#include "schedule/plan.h"

struct printer {
	FILE *out;
	int depth;
};

static void indent(const struct printer *w)
{
	for (int i = 0; i < w->depth; i++)
		fputs("    ", w->out);
}

/* "x 1..1, y 0..2" of the axes where there is something. */
static void print_widths(const struct printer *w, const struct grid *g,
                         const int64_t (*width)[2])
{
	const char *between = "";

	for (int a = 0; a < g->n_axes; a++) {
		if (!width[a][0] && !width[a][1])
			continue;
		fprintf(w->out, "%s%s %lld..%lld", between, g->axis[a]->name,
		        (long long)width[a][0], (long long)width[a][1]);
		between = ", ";
	}
	if (!*between)
		fputs("none", w->out);
}

static bool any_width(const struct grid *g, const int64_t (*width)[2])
{
	for (int a = 0; a < g->n_axes; a++)
		if (width[a][0] || width[a][1])
			return true;
	return false;
}

static void print_call(const struct printer *w, const struct plan_call *c)
{
	fprintf(w->out, "%s(", c->kernel->name);
	for (int v = 0; v < c->kernel->n_views; v++)
		fprintf(w->out, "%s%s%s", v ? ", " : "", c->bind[v].array->field->name,
		        c->bind[v].buffer == BUFFER_SECOND ? ".new" : "");
	for (int i = 0; i < c->kernel->n_scalars; i++) {
		const struct plan_scalar *s = &c->scalar[i];

		fprintf(w->out, "; $%d = ", i);
		if (s->kind == SCALAR_EXPR)
			air_expr_print(s->expr, w->out);
		else
			fputs(s->kind == SCALAR_SEED ? "seed" : s->axis->name, w->out);
		if (s->kind == SCALAR_AXIS_LO)
			fputs(".lo", w->out);
	}
	putc(')', w->out);
}

static void print_walls(const struct printer *w, const struct plan_array *a)
{
	const struct grid *g = a->field->grid;

	for (int i = 0; i < g->n_axes; i++)
		for (int side = 0; side < 2; side++) {
			const struct plan_wall *wall = a->wall[i][side];

			if (!wall)
				continue;
			fprintf(w->out, "    wall %s.%s%s: ", g->axis[i]->name,
			        side ? "hi" : "lo", wall->mirrors ? " mirrors" : "");
			print_call(w, &wall->call);
			putc('\n', w->out);
		}
}

static void print_array(const struct printer *w, const struct plan_array *a)
{
	fprintf(w->out, "array %s: %s on %s halo ", a->field->name, elem_text(a->field->elem),
	        a->field->grid->name);
	print_widths(w, a->field->grid, a->halo);
	if (any_width(a->field->grid, a->grown)) {
		fputs(" grown ", w->out);
		print_widths(w, a->field->grid, a->grown);
	}
	fputs(a->second ? " twice\n" : "\n", w->out);
	print_walls(w, a);
}

static void print_bound(const struct printer *w, const struct air_expr *e)
{
	if (e)
		air_expr_print(e, w->out);
}

static void print_region(const struct printer *w, const struct plan_run *r)
{
	fprintf(w->out, " on %s[", r->grid->name);
	for (int a = 0; a < r->grid->n_axes; a++) {
		const struct air_slice *s = &r->region.axis[a];

		fputs(a ? ", " : "", w->out);
		if (s->part != PART_ALL)
			print_bound(w, s->lo);
		if (s->part != PART_AT)
			putc(':', w->out);
		if (s->part == PART_RANGE)
			print_bound(w, s->hi);
		if (s->part == PART_RANGE && s->step != 1)
			fprintf(w->out, ":%lld", (long long)s->step);
	}
	putc(']', w->out);
	if (any_width(r->grid, r->grow)) {
		fputs(" grown ", w->out);
		print_widths(w, r->grid, r->grow);
	}
	putc('\n', w->out);
}

static void print_needs(const struct printer *w, const struct plan_run *r)
{
	for (int i = 0; i < r->n_needs; i++) {
		const struct plan_need *n = &r->need[i];

		indent(w);
		fprintf(w->out, "  need %s ", n->array->field->name);
		print_widths(w, n->array->field->grid, n->width);
		fprintf(w->out, " diagonal %d\n", n->diagonal);
	}
	if (any_width(r->grid, r->margin)) {
		indent(w);
		fputs("  margin ", w->out);
		print_widths(w, r->grid, r->margin);
		putc('\n', w->out);
	}
}

static void print_arrays(const struct printer *w, const char *what,
                         struct plan_array *const *a, int n)
{
	if (!n)
		return;
	indent(w);
	fprintf(w->out, "  %s", what);
	for (int i = 0; i < n; i++)
		fprintf(w->out, " %s", a[i]->field->name);
	putc('\n', w->out);
}

static void print_run(const struct printer *w, const struct plan_run *r)
{
	indent(w);
	fputs("run ", w->out);
	print_call(w, &r->call);
	print_region(w, r);
	print_needs(w, r);
	print_arrays(w, "commit", r->commit, r->n_commits);
	for (int i = 0; i < r->n_swaps; i++)
		print_arrays(w, "swap", r->swap[i], 2);
	print_arrays(w, "changed", r->changed, r->n_changed);
	for (int i = 0; i < r->n_results; i++) {
		indent(w);
		fprintf(w->out, "  result %s = %s\n", r->result[i].var->name,
		        air_reduction_text(r->result[i].reduction));
	}
}

static void print_block(struct printer *w, const struct plan_block *b);

static void print_nested(struct printer *w, const struct plan_block *b)
{
	w->depth++;
	print_block(w, b);
	w->depth--;
	indent(w);
}

static void print_if(struct printer *w, const struct plan_stmt *st)
{
	indent(w);
	fputs("if ", w->out);
	air_expr_print(st->air->value, w->out);
	fputs(" {\n", w->out);
	print_nested(w, &st->body);
	if (st->other.first) {
		fputs("} else {\n", w->out);
		print_nested(w, &st->other);
	}
	fputs("}\n", w->out);
}

static void print_loop(struct printer *w, const struct plan_stmt *st)
{
	indent(w);
	if (st->kind == PLAN_FOR) {
		fprintf(w->out, "for %s in ", st->air->var->name);
		air_expr_print(st->air->from, w->out);
		fputs("..", w->out);
		air_expr_print(st->air->to, w->out);
		fputs(" by ", w->out);
		air_expr_print(st->air->by, w->out);
		fputs(" {\n", w->out);
	} else {
		fputs("loop {\n", w->out);
	}
	print_nested(w, &st->body);
	fputs("}\n", w->out);
}

static void print_own(struct printer *w, const struct plan_stmt *st)
{
	indent(w);
	if (st->kind == PLAN_EXPORT)
		fprintf(w->out, "export %d %s {\n", st->air->entry->id,
		        st->air->entry->function->name);
	else
		fputs("local {\n", w->out);
	print_nested(w, &st->body);
	fputs("}\n", w->out);
}

static void print_stmt(struct printer *w, const struct plan_stmt *st)
{
	switch (st->kind) {
	case PLAN_HOST:
		air_stmt_print(st->air, w->depth, w->out);
		break;
	case PLAN_RUN:
		print_run(w, st->run);
		break;
	case PLAN_SWAP:
		print_arrays(w, "swap", st->swap, 2);
		break;
	case PLAN_IF:
		print_if(w, st);
		break;
	case PLAN_LOOP:
	case PLAN_FOR:
		print_loop(w, st);
		break;
	case PLAN_LOCAL:
	case PLAN_EXPORT:
		print_own(w, st);
		break;
	}
}

static void print_block(struct printer *w, const struct plan_block *b)
{
	for (const struct plan_stmt *st = b->first; st; st = st->next)
		print_stmt(w, st);
}

void plan_print(const struct plan *p, FILE *out)
{
	struct printer w = { .out = out };

	for (int i = 0; i < p->n_arrays; i++)
		print_array(&w, p->array[i]);
	print_block(&w, &p->body);
}
