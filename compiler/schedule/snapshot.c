/* schedule/snapshot.c - stages keep the boundaries they were defined with
 *
 * A stage has the value it had where it was defined, ghosts included; but walls are
 * filled when ghosts are read. Where the conditions of a stage hold scalars or fields
 * that change later in its block, they get copies taken just before the stage. Must run
 * before any other pass; rewrites the stage's conditions.
 */
#include "schedule/draft.h"

struct snapshot {
	struct sched *s;
	struct draft_block *block;
	struct draft *before, *stage;        /* copies are put between these */
	VEC(struct air_replace) copies;
};

static void keep_field(struct sched *s, struct draft_block *b, struct draft *before,
                       struct draft *stage);

static bool is_read_beyond(const struct draft_block *b, const struct air_field *f)
{
	for (const struct draft *d = b->first; d; d = d->next) {
		struct air_walk w = { 0 };
		bool found = false;

		if (d->run)
			w = run_walk(d->run);
		for (int i = 0; i < w.n && !found; i++)
			found = w.node[i]->op == AIR_READ && w.node[i]->as.read.field == f &&
			        !reads_within(d->run->grid, w.node[i]);
		air_walk_free(&w);
		if (found || is_read_beyond(&d->body, f) || is_read_beyond(&d->other, f))
			return true;
	}
	return false;
}

/* Is what e depends on written after the stage? */
static bool changes_later(const struct snapshot *c, const struct air_expr *e)
{
	struct depends of = depends_of(c->s, e);

	for (const struct draft *d = c->stage->next; d; d = d->next)
		if (draft_writes(d, &of))
			return true;
	return false;
}

static void put_before(struct snapshot *c, struct draft *d)
{
	*(c->before ? &c->before->next : &c->block->first) = d;
	d->next = c->stage;
	c->before = d;
}

static const struct air_expr *copy_of(const struct snapshot *c, const struct air_expr *e)
{
	for (int i = 0; i < c->copies.n; i++)
		if (c->copies.item[i].from == e)
			return c->copies.item[i].to;
	return NULL;
}

static void copy_put(struct snapshot *c, const struct air_expr *from, const struct air_expr *to)
{
	vec_push(c->s->arena, &c->copies, (struct air_replace){ from, to });
}

static void copy_var(struct snapshot *c, const struct air_expr *e)
{
	struct air_program *p = c->s->air;
	const char *name = arena_printf(p->arena, "%s.then", e->as.var->name);
	struct air_var *v = air_var_new(p, name, e->elem, e->span);
	struct air_stmt *set = arena_new_object(p->arena, struct air_stmt);
	struct draft *d = arena_new_object(c->s->arena, struct draft);

	*set = (struct air_stmt){ .kind = STMT_SET, .span = e->span, .var = v, .value = e };
	d->kind = DRAFT_HOST;
	d->air = set;
	put_before(c, d);
	copy_put(c, e, air_read_var(p, v, e->span));
}

static struct air_field *copied_field(struct snapshot *c, struct air_field *f)
{
	struct air_program *p = c->s->air;
	const char *name = arena_printf(p->arena, "%s.then", f->name);
	struct air_field *to = air_field_new(p, FIELD_STAGE, name, f->elem, f->grid, f->span);
	struct draft *d = arena_new_object(c->s->arena, struct draft), *last = c->before;
	struct draft_output out = { .field = to, .value = draft_read(c->s, f, f->span) };

	for (int a = 0; a < f->grid->n_axes; a++)
		for (int side = 0; side < 2; side++)
			to->ghost[a][side] = f->ghost[a][side];
	to->value = out.value;
	d->kind = DRAFT_RUN;
	d->run = draft_run_new(c->s, f->span, f->grid);
	vec_push(c->s->arena, &d->run->output, out);
	put_before(c, d);
	keep_field(c->s, c->block, last, d);
	return to;
}

static void copy_read(struct snapshot *c, const struct air_expr *e)
{
	struct air_field *of = e->as.read.field, *to = NULL;

	for (int i = 0; i < c->copies.n && !to; i++)
		if (c->copies.item[i].from->op == AIR_READ &&
		    c->copies.item[i].from->as.read.field == of)
			to = c->copies.item[i].to->as.read.field;
	if (!to)
		to = copied_field(c, of);
	copy_put(c, e, air_read(c->s->air, to, e->as.read.at, e->span));
}

static void copy_parts(struct snapshot *c, const struct air_expr *e)
{
	struct air_walk w = air_walk_of(e);

	for (int i = 0; i < w.n; i++) {
		const struct air_expr *x = w.node[i];

		if ((x->op != AIR_VAR && x->op != AIR_READ) || copy_of(c, x) ||
		    !changes_later(c, x))
			continue;
		(x->op == AIR_VAR ? copy_var : copy_read)(c, x);
	}
	air_walk_free(&w);
}

/* The conditions of the field that `stage` makes; `before`: what stands before it. */
static void keep_field(struct sched *s, struct draft_block *b, struct draft *before,
                       struct draft *stage)
{
	struct snapshot c = { .s = s, .block = b, .before = before, .stage = stage };
	struct air_field *f = stage->run->output.item[0].field;

	for (int a = 0; a < f->grid->n_axes; a++)
		for (int side = 0; side < 2; side++) {
			struct air_ghost *g = &f->ghost[a][side];

			if (g->kind != GHOST_EXPR)
				continue;
			copy_parts(&c, g->value);
			g->value = air_replace(s->air, g->value, c.copies.item, c.copies.n);
		}
}

static void keep_in(struct sched *s, struct draft_block *b)
{
	struct draft *before = NULL, *next;

	for (struct draft *d = b->first; d; before = d, d = next) {
		const struct air_field *f = d->run ? run_stage(d->run) : NULL;

		next = d->next;
		keep_in(s, &d->body);
		keep_in(s, &d->other);
		if (f && (is_read_beyond(&s->body, f) || walls_use_field(s->air, f)))
			keep_field(s, b, before, d);
	}
}

void keep_boundaries(struct sched *s)
{
	keep_in(s, &s->body);
}
