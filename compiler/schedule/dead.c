/* schedule/dead.c - drops stages that nobody reads and reductions that nobody wants
 *
 * The same holds for fields that were made for slices: the copies into them go too, and
 * grids on which there is nothing then.
 * What a dropped run read may become dead in turn, so it is repeated until nothing is.
 */
#include "schedule/draft.h"

struct live {
	struct sched *s;
	bool *field, *var, *family;
	bool dropped;
};

static void see_family(struct live *l, const struct family *f)
{
	for (; f && !l->family[f->id]; f = f->parent)
		l->family[f->id] = true;
}

static void see_expr(struct live *l, const struct air_expr *e)
{
	struct air_walk w;

	if (!e)
		return;
	w = air_walk_of(e);
	for (int i = 0; i < w.n; i++) {
		if (w.node[i]->op == AIR_READ)
			l->field[w.node[i]->as.read.field->id] = true;
		if (w.node[i]->op == AIR_VAR)
			l->var[w.node[i]->as.var->id] = true;
		if (w.node[i]->op == AIR_SIZE || w.node[i]->op == AIR_INDEX)
			see_family(l, w.node[i]->as.at.axis->family);
	}
	air_walk_free(&w);
}

static void see_region(struct live *l, const struct air_region *r)
{
	for (int a = 0; a < MAX_AXES; a++) {
		see_expr(l, r->axis[a].lo);
		see_expr(l, r->axis[a].hi);
	}
}

static void see_run(struct live *l, const struct draft_run *r)
{
	for (int i = 0; i < r->output.n; i++) {
		see_expr(l, r->output.item[i].value);
		for (int a = 0; a < MAX_AXES; a++)
			see_expr(l, r->output.item[i].at[a].index);
	}
	for (int i = 0; i < r->result.n; i++)
		see_expr(l, r->result.item[i].value);
	see_region(l, &r->region);
	if (r->output.n || r->result.n)
		see_family(l, r->grid->family);
}

static void see_text(struct live *l, const struct air_text *t)
{
	for (int i = 0; i < t->n; i++) {
		see_expr(l, t->piece[i].value);
		if (t->piece[i].field)
			l->field[t->piece[i].field->id] = true;
	}
}

static void see_host(struct live *l, const struct air_stmt *st)
{
	see_expr(l, st->value);
	see_expr(l, st->from);
	see_expr(l, st->to);
	see_expr(l, st->by);
	for (int a = 0; a < MAX_AXES; a++)
		see_expr(l, st->index[a]);
	see_text(l, &st->text);
	for (int i = 0; i < st->n_items; i++) {
		see_expr(l, st->item[i].name);
		see_expr(l, st->item[i].value);
		for (int a = 0; a < MAX_AXES; a++) {
			see_expr(l, st->item[i].first[a]);
			see_expr(l, st->item[i].step[a]);
		}
		if (st->item[i].field)
			l->field[st->item[i].field->id] = true;
	}
	if (st->copy) {
		see_region(l, &st->copy->to_region);
		see_region(l, &st->copy->from_region);
		l->field[st->copy->from->id] = true;
	}
	if (st->fold)
		l->field[st->fold->from->id] = true;
	if (st->field && st->kind != STMT_FIELD)
		l->field[st->field->id] = true;
	if (st->field && !st->field->made)
		see_family(l, st->field->grid->family);
	if (st->grid)
		see_family(l, st->grid->family);
}

static void see_block(struct live *l, const struct draft_block *b)
{
	for (const struct draft *d = b->first; d; d = d->next) {
		if (d->run)
			see_run(l, d->run);
		else
			see_host(l, d->air);
		see_block(l, &d->body);
		see_block(l, &d->other);
	}
}

static void see_slice(struct live *l, const struct axis_slice *x)
{
	if (!x)
		return;
	see_expr(l, x->start);
	see_expr(l, x->from->start);
}

/* Grids, walls and parameters, which stand outside the statements. */
static void see_declarations(struct live *l)
{
	const struct air_program *p = l->s->air;

	for (int i = 0; i < p->n_fields; i++)
		if (l->field[i] || air_keeps_field(p, p->field[i]))
			see_family(l, p->field[i]->grid->family);
	for (int i = p->types.n_families - 1; i >= 0; i--) {
		const struct family *f = p->types.family[i];

		if (f->positional && !l->family[i])
			continue;
		for (int a = 0; a < f->n_axes; a++) {
			see_expr(l, f->axis[a]->size);
			see_slice(l, f->axis[a]->slice);
			see_expr(l, f->axis[a]->lo);
			see_expr(l, f->axis[a]->hi);
		}
		for (int a = 0; a < f->n_procs; a++)
			see_expr(l, f->procs[a]);
		for (int a = 0; a < f->n_base; a++) {
			for (int k = 0; k < f->cuts[a].n; k++)
				see_expr(l, f->cuts[a].at[k]);
			if (f->cuts[a].cost)
				l->field[f->cuts[a].cost->id] = true;
		}
	}
	for (int i = 0; i < p->n_fields; i++)
		for (int a = 0; a < MAX_AXES; a++)
			for (int side = 0; side < 2; side++)
				see_expr(l, p->field[i]->ghost[a][side].value);
	for (int i = 0; i < p->n_params; i++)
		see_expr(l, p->param[i].value);
}

static void keep_results(struct live *l, struct draft_run *r)
{
	int kept = 0;

	for (int i = 0; i < r->result.n; i++)
		if (l->var[r->result.item[i].var->id] ||
		    air_keeps_var(l->s->air, r->result.item[i].var))
			r->result.item[kept++] = r->result.item[i];
	l->dropped |= kept < r->result.n;
	r->result.n = kept;
}

static bool may_drop(const struct live *l, const struct air_field *f)
{
	return (f->kind == FIELD_STAGE || f->made) && !air_keeps_field(l->s->air, f);
}

static void keep_outputs(struct live *l, struct draft_run *r)
{
	int kept = 0;

	for (int i = 0; i < r->output.n; i++) {
		const struct air_field *f = r->output.item[i].field;

		if (!may_drop(l, f) || l->field[f->id])
			r->output.item[kept++] = r->output.item[i];
	}
	l->dropped |= kept < r->output.n;
	r->output.n = kept;
}

static bool is_dead(struct live *l, struct draft_run *r)
{
	keep_outputs(l, r);
	keep_results(l, r);
	return !r->output.n && !r->result.n;
}

static bool host_is_dead(struct live *l, const struct air_stmt *st)
{
	const struct air_field *f = st->kind == STMT_COPY    ? st->copy->to
	                            : st->kind == STMT_FOLD  ? st->fold->to
	                            : st->kind == STMT_FIELD ? st->field
	                                                     : NULL;

	if (st->kind == STMT_GRID)
		return st->family->positional && st->family->parent &&
		       !l->family[st->family->id];
	return f && may_drop(l, f) && !l->field[f->id];
}

static void drop_in(struct live *l, struct draft_block *b)
{
	struct draft *kept = NULL;

	for (struct draft *d = b->first; d; d = d->next) {
		drop_in(l, &d->body);
		drop_in(l, &d->other);
		if (d->kind == DRAFT_RUN ? is_dead(l, d->run)
		                         : d->kind == DRAFT_HOST && host_is_dead(l, d->air)) {
			*(kept ? &kept->next : &b->first) = d->next;
			l->dropped = true;
			continue;
		}
		kept = d;
	}
	b->last = kept;
}

void pass_dead(struct sched *s)
{
	struct live l = { .s = s, .dropped = true };

	while (l.dropped) {
		l.field = arena_new_array(s->arena, (size_t)s->air->n_fields + 1, bool);
		l.var = arena_new_array(s->arena, (size_t)s->air->n_vars + 1, bool);
		l.family = arena_new_array(s->arena,
		                           (size_t)s->air->types.n_families + 1, bool);
		l.dropped = false;
		see_block(&l, &s->body);
		see_declarations(&l);
		drop_in(&l, &s->body);
	}
}
