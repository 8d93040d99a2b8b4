/* schedule/uses.c - what drafts read and what they write
 *
 * Questions that passes ask. A value depends on the fields and variables in it, and, as
 * its reads may leave the grid, on those in the conditions of these fields.
 */
#include "schedule/draft.h"

int64_t pick_beyond(const struct axis *a, const struct air_expr *index, int side)
{
	int64_t last = a->constant_size - 1, beyond;

	if (index->op != AIR_CONST || (side && last < 0))
		return 0;
	beyond = side ? index->as.i - last : -index->as.i;
	return beyond > 0 ? beyond : 0;
}

bool pick_is_inside(const struct axis *a, const struct air_expr *index)
{
	return !pick_beyond(a, index, 0) && !pick_beyond(a, index, 1);
}

void run_change(struct draft_run *r, draft_change *change, void *with)
{
	for (int i = 0; i < r->output.n; i++) {
		struct draft_output *x = &r->output.item[i];
		bool whole = x->field->kind == FIELD_STAGE && x->field->value == x->value;

		x->value = change(with, x->value);
		if (whole)
			x->field->value = x->value;
	}
	for (int i = 0; i < r->result.n; i++)
		r->result.item[i].value = change(with, r->result.item[i].value);
}

const struct air_expr *expr_changed(void *with, const struct air_expr *e)
{
	const struct expr_change *c = with;
	struct air_walk w = air_walk_of(e);
	const struct air_expr **to = xmalloc((size_t)w.n * sizeof *to), *result;

	for (int i = 0; i < w.n; i++) {
		const struct air_expr *x = w.node[i], **arg;
		bool same = true;

		to[i] = c->to(c->with, x);
		if (to[i])
			continue;
		arg = xmalloc((size_t)x->n_args * sizeof *arg + 1);
		for (int j = 0; j < x->n_args; j++) {
			arg[j] = to[air_walk_place(&w, x->arg[j])];
			same &= arg[j] == x->arg[j];
		}
		to[i] = same ? x : air_rebuild(c->s->air, x, arg);
		free(arg);
	}
	result = to[w.n - 1];
	free(to);
	air_walk_free(&w);
	return result;
}

struct air_walk run_walk(const struct draft_run *r)
{
	struct air_walk w = { 0 };

	for (int i = 0; i < r->output.n; i++)
		air_walk_add(&w, r->output.item[i].value);
	for (int i = 0; i < r->result.n; i++)
		air_walk_add(&w, r->result.item[i].value);
	air_walk_sort(&w);
	return w;
}

static bool walk_reads(const struct air_walk *w, const struct air_field *f)
{
	for (int i = 0; i < w->n; i++)
		if (w->node[i]->op == AIR_READ && w->node[i]->as.read.field == f)
			return true;
	return false;
}

bool run_reads_field(const struct draft_run *r, const struct air_field *f)
{
	struct air_walk w = run_walk(r);
	bool found = walk_reads(&w, f);

	air_walk_free(&w);
	return found;
}

static bool cuts_use_field(const struct air_stmt *st, const struct air_field *f)
{
	for (int i = 0; st->kind == STMT_GRID && i < st->family->n_base; i++)
		if (st->family->cuts[i].cost == f)
			return true;
	return false;
}

bool host_uses_field(const struct air_stmt *st, const struct air_field *f)
{
	if (cuts_use_field(st, f))
		return true;
	for (int i = 0; i < st->text.n; i++)
		if (st->text.piece[i].kind == PIECE_FIELD && st->text.piece[i].field == f)
			return true;
	for (int i = 0; i < st->n_items; i++)
		if (st->item[i].field == f)
			return true;
	if (st->copy && (st->copy->from == f || st->copy->to == f))
		return true;
	return st->field == f || (st->fold && (st->fold->from == f || st->fold->to == f));
}

bool walls_use_field(const struct air_program *p, const struct air_field *f)
{
	bool found = false;

	for (int i = 0; i < p->n_fields && !found; i++)
		for (int a = 0; a < MAX_AXES && !found; a++)
			for (int side = 0; side < 2 && !found; side++) {
				const struct air_ghost *g = &p->field[i]->ghost[a][side];
				struct air_walk w;

				if (g->kind != GHOST_EXPR)
					continue;
				w = air_walk_of(g->value);
				found = walk_reads(&w, f);
				air_walk_free(&w);
			}
	return found;
}

struct air_field *run_stage(const struct draft_run *r)
{
	if (r->output.n != 1 || r->result.n || r->output.item[0].field->kind != FIELD_STAGE)
		return NULL;
	return r->output.item[0].field;
}

static void depend_on(struct depends *d, const struct air_expr *e);

static void depend_on_field(struct depends *d, const struct air_field *f)
{
	if (d->field[f->id])
		return;
	d->field[f->id] = true;
	for (int a = 0; a < f->grid->n_axes; a++)
		for (int side = 0; side < 2; side++)
			if (f->ghost[a][side].kind == GHOST_EXPR)
				depend_on(d, f->ghost[a][side].value);
}

static void depend_on(struct depends *d, const struct air_expr *e)
{
	struct air_walk w = air_walk_of(e);

	for (int i = 0; i < w.n; i++) {
		if (w.node[i]->op == AIR_READ)
			depend_on_field(d, w.node[i]->as.read.field);
		if (w.node[i]->op == AIR_VAR)
			d->var[w.node[i]->as.var->id] = true;
	}
	air_walk_free(&w);
}

struct depends depends_of(struct sched *s, const struct air_expr *e)
{
	struct depends d;

	d.field = arena_new_array(s->arena, (size_t)s->air->n_fields + 1, bool);
	d.var = arena_new_array(s->arena, (size_t)s->air->n_vars + 1, bool);
	depend_on(&d, e);
	return d;
}

static bool run_writes(const struct draft_run *r, const struct depends *of)
{
	for (int i = 0; i < r->output.n; i++)
		if (of->field[r->output.item[i].field->id])
			return true;
	for (int i = 0; i < r->result.n; i++)
		if (of->var[r->result.item[i].var->id])
			return true;
	return false;
}

static bool host_writes(const struct air_stmt *st, const struct depends *of)
{
	if (st->var && of->var[st->var->id])
		return true;
	for (int i = 0; st->kind == STMT_LOAD && i < st->n_items; i++)
		if (st->item[i].field ? of->field[st->item[i].field->id]
		                      : of->var[st->item[i].var->id])
			return true;
	if (st->kind == STMT_COPY)
		return of->field[st->copy->to->id];
	if (st->kind == STMT_FOLD)
		return of->field[st->fold->to->id];
	return st->kind == STMT_FIELD && of->field[st->field->id];
}

bool block_writes(const struct draft_block *b, const struct depends *of)
{
	for (const struct draft *d = b->first; d; d = d->next)
		if (draft_writes(d, of))
			return true;
	return false;
}

bool draft_writes(const struct draft *d, const struct depends *of)
{
	if (d->run ? run_writes(d->run, of) : host_writes(d->air, of))
		return true;
	return block_writes(&d->body, of) || block_writes(&d->other, of);
}

struct growth {
	struct sched *s;
	bool *grows;
	bool more;
};

static bool has_computed_ghosts(const struct air_field *f)
{
	for (int a = 0; a < f->grid->n_axes; a++)
		for (int side = 0; side < 2; side++)
			if (f->ghost[a][side].kind == GHOST_COMPUTED &&
			    !f->grid->axis[a]->periodic)
				return true;
	return false;
}

static void growth_read(struct growth *g, const struct grid *at, const struct air_expr *read,
                        bool beyond)
{
	const struct air_field *f = read->as.read.field;

	if (g->grows[f->id] || !has_computed_ghosts(f) || (reads_within(at, read) && !beyond))
		return;
	g->grows[f->id] = g->more = true;
}

static void growth_block(struct growth *g, const struct draft_block *b)
{
	for (const struct draft *d = b->first; d; d = d->next) {
		struct air_walk w = { 0 };
		bool beyond = false;

		for (int i = 0; d->run && i < d->run->output.n; i++)
			beyond |= g->grows[d->run->output.item[i].field->id];
		if (d->run)
			w = run_walk(d->run);
		for (int i = 0; i < w.n; i++)
			if (w.node[i]->op == AIR_READ)
				growth_read(g, d->run->grid, w.node[i], beyond);
		air_walk_free(&w);
		growth_block(g, &d->body);
		growth_block(g, &d->other);
	}
}

bool *stages_growing(struct sched *s)
{
	struct growth g = { .s = s, .more = true };

	g.grows = arena_new_array(s->arena, (size_t)s->air->n_fields + 1, bool);
	for (int i = 0; i < s->air->n_fields; i++)
		g.grows[i] = has_computed_ghosts(s->air->field[i]) &&
		             (walls_use_field(s->air, s->air->field[i]) ||
		              air_keeps_field(s->air, s->air->field[i]));
	while (g.more) {
		g.more = false;
		growth_block(&g, &s->body);
	}
	return g.grows;
}
