/* schedule/draft.c - AIR's statements become drafts
 *
 * Whole-field statements become runs. Targets that are assigned at once share a run
 * where they have the same points; where they do not, their values are first put into
 * stages made up here, so that all are computed before anything is written.
 */
#include <assert.h>
#include <string.h>
#include "schedule/draft.h"

struct draft *draft_add(struct sched *s, struct draft_block *b, enum draft_kind kind)
{
	struct draft *d = arena_new_object(s->arena, struct draft);

	d->kind = kind;
	if (b->last)
		b->last->next = d;
	else
		b->first = d;
	b->last = d;
	return d;
}

struct draft_run *draft_run_new(struct sched *s, struct span span, struct grid *g)
{
	struct draft_run *r = arena_new_object(s->arena, struct draft_run);

	r->span = span;
	r->grid = g;
	for (int a = 0; a < MAX_AXES; a++)
		r->region.axis[a].step = 1;
	return r;
}

const struct air_expr *draft_read(struct sched *s, struct air_field *f, struct span span)
{
	struct air_select at[MAX_AXES] = { 0 };

	return air_read(s->air, f, at, span);
}

const struct air_expr *draft_masked(struct sched *s, const struct air_stmt *st, int i)
{
	const struct air_target *t = &st->target[i];
	const struct air_expr *arg[3] = { st->mask, t->value, NULL };

	if (!st->mask)
		return t->value;
	arg[2] = draft_read(s, t->field, st->span);
	return air_op(s->air, AIR_SELECT, t->field->elem, arg, 3, st->span);
}

struct air_field *draft_part(struct sched *s, const char *what, const struct draft_run *of,
                             const struct air_expr *value)
{
	const char *name = arena_printf(s->arena, "%s.%d", what, s->air->n_fields);
	struct air_field *f = air_field_new(s->air, FIELD_STAGE, name, value->elem, of->grid,
	                                    value->span);

	f->value = value;
	for (int a = 0; a < of->grid->n_axes; a++)
		for (int side = 0; side < 2 && !of->grid->axis[a]->periodic; side++)
			f->ghost[a][side].kind = GHOST_COMPUTED;
	return f;
}

static bool slice_is_whole(const struct air_slice *x)
{
	return x->part == PART_ALL ||
	       (x->part == PART_RANGE && !x->lo && !x->hi && x->step == 1);
}

bool region_is_whole(const struct air_region *r, int n_axes)
{
	for (int a = 0; a < n_axes; a++)
		if (!slice_is_whole(&r->axis[a]))
			return false;
	return true;
}

bool region_equal(const struct air_region *a, const struct air_region *b, int n_axes)
{
	for (int i = 0; i < n_axes; i++) {
		const struct air_slice *x = &a->axis[i], *y = &b->axis[i];

		if (slice_is_whole(x) && slice_is_whole(y))
			continue;
		if (x->part != y->part || x->lo != y->lo || x->hi != y->hi || x->step != y->step)
			return false;
	}
	return true;
}

bool reads_point(const struct air_expr *e)
{
	if (e->op != AIR_READ)
		return false;
	for (int a = 0; a < e->as.read.field->grid->n_axes; a++)
		if (e->as.read.at[a].pick != PICK_OFFSET || e->as.read.at[a].offset)
			return false;
	return true;
}

bool reads_within(const struct grid *g, const struct air_expr *e)
{
	if (!reads_point(e))
		return false;
	for (int a = 0; a < g->n_axes; a++)
		if (grid_exceeds(g, a, e->as.read.field->grid))
			return false;
	return true;
}

static struct draft_run *run_add(struct sched *s, struct draft_block *b, struct span span,
                                 struct grid *g)
{
	struct draft *d = draft_add(s, b, DRAFT_RUN);

	return d->run = draft_run_new(s, span, g);
}

static void output_add(struct sched *s, struct draft_run *r, struct air_field *f,
                       const struct air_expr *value)
{
	struct draft_output out = { .field = f, .value = value };

	vec_push(s->arena, &r->output, out);
}

static bool shares_run(const struct air_stmt *st)
{
	const struct air_target *first = &st->target[0];

	for (int i = 1; i < st->n_targets; i++) {
		const struct air_target *t = &st->target[i];

		if (t->field->grid != first->field->grid ||
		    !region_equal(&t->region, &first->region, t->field->grid->n_axes))
			return false;
		for (int j = 0; j < i; j++)
			if (st->target[j].field == t->field)
				return false;
	}
	return true;
}

static void draft_together(struct sched *s, const struct air_stmt *st, struct draft_block *b)
{
	struct draft_run *r = run_add(s, b, st->span, st->target[0].field->grid);

	r->region = st->target[0].region;
	for (int i = 0; i < st->n_targets; i++)
		output_add(s, r, st->target[i].field, draft_masked(s, st, i));
}

static struct air_field *value_first(struct sched *s, const struct air_stmt *st, int i,
                                     struct draft_block *b)
{
	const struct air_target *t = &st->target[i];
	const char *name = arena_printf(s->arena, "%s.%d", t->field->name, i);
	struct air_field *f = air_field_new(s->air, FIELD_STAGE, name, t->field->elem,
	                                    t->field->grid, st->span);
	struct draft_run *r = run_add(s, b, st->span, f->grid);

	f->value = draft_masked(s, st, i);
	r->region = t->region;
	output_add(s, r, f, f->value);
	return f;
}

static void draft_apart(struct sched *s, const struct air_stmt *st, struct draft_block *b)
{
	struct air_field **value =
		arena_new_array(s->arena, (size_t)st->n_targets, struct air_field *);

	for (int i = 0; i < st->n_targets; i++)
		value[i] = value_first(s, st, i, b);
	for (int i = 0; i < st->n_targets; i++) {
		const struct air_target *t = &st->target[i];
		struct draft_run *r = run_add(s, b, st->span, t->field->grid);

		r->region = t->region;
		output_add(s, r, t->field, draft_read(s, value[i], st->span));
	}
}

static void draft_assign(struct sched *s, const struct air_stmt *st, struct draft_block *b)
{
	struct draft_run *r;

	if (shares_run(st)) {
		draft_together(s, st, b);
		return;
	}
	r = assign_by_components(s, st);
	if (r && components_missing(s, r) <= r->output.n)
		draft_add(s, b, DRAFT_RUN)->run = r;
	else
		draft_apart(s, st, b);
}

static void draft_stage(struct sched *s, const struct air_stmt *st, struct draft_block *b)
{
	struct draft_run *r = run_add(s, b, st->span, st->field->grid);

	output_add(s, r, st->field, st->field->value);
}

static void draft_reduce(struct sched *s, const struct air_stmt *st, struct draft_block *b)
{
	struct grid *g = st->grid ? st->grid : st->value->grid;
	struct draft_run *r = run_add(s, b, st->span, g);
	struct draft_result x = { st->var, st->reduction, st->value };

	assert(g);
	vec_push(s->arena, &r->result, x);
}

static enum draft_kind kind_of(const struct air_stmt *st)
{
	return st->kind == STMT_IF      ? DRAFT_IF
	       : st->kind == STMT_LOOP  ? DRAFT_LOOP
	       : st->kind == STMT_FOR   ? DRAFT_FOR
	       : st->kind == STMT_LOCAL ? DRAFT_LOCAL
	       : st->kind == STMT_EXPORT ? DRAFT_EXPORT
	                                : DRAFT_HOST;
}

static void draft_stmts(struct sched *s, const struct air_block *from, struct draft_block *to)
{
	for (const struct air_stmt *st = from->first; st; st = st->next) {
		struct draft *d;

		if (st->kind == STMT_ASSIGN) {
			draft_assign(s, st, to);
		} else if (st->kind == STMT_STAGE) {
			draft_stage(s, st, to);
		} else if (st->kind == STMT_REDUCE) {
			draft_reduce(s, st, to);
		} else {
			d = draft_add(s, to, kind_of(st));
			d->air = st;
			draft_stmts(s, &st->body, &d->body);
			draft_stmts(s, &st->other, &d->other);
		}
	}
}

void draft_program(struct sched *s)
{
	draft_stmts(s, &s->air->body, &s->body);
}
