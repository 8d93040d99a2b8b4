/* schedule/inline.c - stages that are recomputed where they are used, not stored
 *
 * Allowed where nothing that the value depends on is written between the stage and any
 * use, loops considered, and where a shifted read of the stage means the shifted value:
 * not beyond walls with a condition of its own, not where the value counts points of a
 * periodic axis, not for random numbers. Done where it saves traffic: the stage is used
 * once, or is cheap. One use that may not be inlined, and the stage is stored.
 */
#include "schedule/draft.h"

enum {
	COST_LIMIT = 64,                     /* of all the work that is done again */
	COST_BROADCAST = 4                   /* along axes that the stage lacks */
};

/* What is known of the uses of a stage. */
struct uses {
	struct sched *s;
	struct air_field *stage;
	struct depends depends;
	bool dirty;                          /* written since the stage was made */
	bool refused;
	int n_runs, n_reads;
	bool displaced, broadcast;
};

static int cost_of(const struct air_expr *e)
{
	switch (e->op) {
	case AIR_CONST:
	case AIR_VAR:
	case AIR_READ:
	case AIR_INDEX:
	case AIR_SIZE:
	case AIR_STEP:
	case AIR_MIRROR:
	case AIR_COMPLEX:
	case AIR_REAL:
	case AIR_IMAG:
		return 0;
	case AIR_COORD:
	case AIR_POWI:
	case AIR_FLOOR:
	case AIR_CEIL:
	case AIR_ROUND:
	case AIR_TRUNC:
		return 2;
	case AIR_DIV:
	case AIR_SQRT:
	case AIR_MOD:
	case AIR_FLOORDIV:
		return 6;
	case AIR_LOOKUP:
		return e->n_args / 2;
	case AIR_RANDOM:
	case AIR_EXTERN:
	case AIR_POW:
		return 40;
	default:
		return e->op >= AIR_CBRT ? 20 : 1;
	}
}

struct shape {
	int cost, reads;
	bool random;
	bool counts[MAX_AXES];               /* positions along the stage's axes */
	bool ghosts_count[MAX_AXES];         /* the same, in conditions of what it reads */
};

static void see_positions(const struct air_expr *e, const struct air_field *stage, bool *counts)
{
	struct air_walk w = air_walk_of(e);

	for (int i = 0; i < w.n; i++)
		if (w.node[i]->op == AIR_INDEX || w.node[i]->op == AIR_COORD) {
			int a = grid_axis_index(stage->grid, w.node[i]->as.at.axis);

			if (a >= 0)
				counts[a] = true;
		}
	air_walk_free(&w);
}

static void see_conditions(const struct air_field *read, const struct air_field *stage,
                           struct shape *x)
{
	for (int a = 0; a < read->grid->n_axes; a++)
		for (int side = 0; side < 2; side++)
			if (read->ghost[a][side].kind == GHOST_EXPR)
				see_positions(read->ghost[a][side].value, stage,
				              x->ghosts_count);
}

static struct shape shape_of(const struct air_field *stage)
{
	struct air_walk w = air_walk_of(stage->value);
	struct shape x = { 0 };

	for (int i = 0; i < w.n; i++) {
		const struct air_expr *e = w.node[i];

		if (!e->grid)
			continue;
		x.cost += cost_of(e);
		x.reads += e->op == AIR_READ;
		x.random |= e->op == AIR_RANDOM;
		if (e->op == AIR_READ)
			see_conditions(e->as.read.field, stage, &x);
	}
	air_walk_free(&w);
	see_positions(stage->value, stage, x.counts);
	return x;
}

/* Does this read of the stage, from points of g, mean the value at that place? */
static bool read_allowed(const struct air_field *f, const struct shape *x,
                         const struct air_select *at, const struct grid *g)
{
	for (int a = 0; a < f->grid->n_axes; a++) {
		int place = grid_axis_index(g, f->grid->axis[a]);
		bool longer = place >= 0 && grid_exceeds(g, place, f->grid);

		if (at[a].pick == PICK_OFFSET && !at[a].offset && !longer)
			continue;
		if (longer && f->ghost[a][1].kind == GHOST_EXPR)
			return false;
		if (x->random)
			return false;
		if (at[a].pick == PICK_FIXED) {
			if (air_reads_shifted(f->value, f->grid->axis[a]) ||
			    !pick_is_inside(f->grid->axis[a], at[a].index))
				return false;        /* it may leave the axis */
			continue;
		}
		if (f->grid->axis[a]->periodic ? x->counts[a] || x->ghosts_count[a]
		                               : f->ghost[a][at[a].offset > 0].kind == GHOST_EXPR)
			return false;
	}
	return true;
}

/* A stage whose ghosts are computed reads f's ghosts, which must then be f's value. */
static bool user_allowed(const struct air_field *f, const struct draft_run *r)
{
	for (int i = 0; i < r->output.n; i++) {
		const struct air_field *to = r->output.item[i].field;

		for (int a = 0; a < to->grid->n_axes; a++) {
			int same = grid_axis_index(f->grid, to->grid->axis[a]);

			for (int side = 0; same >= 0 && side < 2; side++)
				if (to->ghost[a][side].kind == GHOST_COMPUTED &&
				    f->ghost[same][side].kind == GHOST_EXPR)
					return false;
		}
	}
	return true;
}

static bool is_displaced(const struct air_expr *read)
{
	for (int a = 0; a < read->as.read.field->grid->n_axes; a++)
		if (read->as.read.at[a].pick != PICK_OFFSET || read->as.read.at[a].offset)
			return true;
	return false;
}

static void see_run(struct uses *u, const struct draft_run *r, const struct shape *x)
{
	struct air_walk w = run_walk(r);
	int before = u->n_reads;

	for (int i = 0; i < w.n; i++) {
		const struct air_expr *e = w.node[i];

		if (e->op != AIR_READ || e->as.read.field != u->stage)
			continue;
		u->n_reads++;
		u->displaced |= is_displaced(e);
		u->refused |= !read_allowed(u->stage, x, e->as.read.at, r->grid);
	}
	air_walk_free(&w);
	if (u->n_reads == before)
		return;
	u->n_runs++;
	u->broadcast |= r->grid->n_axes > u->stage->grid->n_axes;
	u->refused |= u->dirty || !user_allowed(u->stage, r);
}

/* Everything that runs after the stage until its block ends. */
static void see_rest(struct uses *u, const struct draft *d, const struct shape *x)
{
	for (; d && !u->refused; d = d->next) {
		if (d->kind == DRAFT_RUN)
			see_run(u, d->run, x);
		else
			u->refused |= host_uses_field(d->air, u->stage);
		if (d->kind == DRAFT_LOOP || d->kind == DRAFT_FOR)
			u->dirty |= draft_writes(d, &u->depends);
		see_rest(u, d->body.first, x);
		see_rest(u, d->other.first, x);
		u->dirty |= draft_writes(d, &u->depends);
	}
}

static bool is_worth_it(const struct uses *u, const struct shape *x)
{
	if (u->broadcast && x->cost > COST_BROADCAST)
		return false;
	if (u->n_reads == 1 && !u->displaced)
		return true;
	return x->cost * u->n_reads <= COST_LIMIT && x->reads * u->n_reads <= COST_LIMIT;
}

static const struct air_expr *inlined(void *with, const struct air_expr *e)
{
	struct uses *u = with;

	return air_inline(u->s->air, e, u->stage);
}

static void inline_rest(struct uses *u, struct draft *d)
{
	for (; d; d = d->next) {
		if (d->kind == DRAFT_RUN && run_reads_field(d->run, u->stage))
			run_change(d->run, inlined, u);
		inline_rest(u, d->body.first);
		inline_rest(u, d->other.first);
	}
}

static bool inline_stage(struct sched *s, struct draft *d)
{
	struct uses u = { .s = s, .stage = run_stage(d->run) };
	struct shape x;

	if (!u.stage || walls_use_field(s->air, u.stage))
		return false;
	x = shape_of(u.stage);
	u.depends = depends_of(s, u.stage->value);
	see_rest(&u, d->next, &x);
	if (u.refused || !is_worth_it(&u, &x))
		return false;
	inline_rest(&u, d->next);
	return true;
}

static void inline_block(struct sched *s, struct draft_block *b)
{
	struct draft *kept = NULL;

	for (struct draft *d = b->first; d; d = d->next) {
		inline_block(s, &d->body);
		inline_block(s, &d->other);
		if (d->kind == DRAFT_RUN && inline_stage(s, d) &&
		    !air_keeps_field(s->air, d->run->output.item[0].field)) {
			*(kept ? &kept->next : &b->first) = d->next;
			continue;
		}
		kept = d;
	}
	b->last = kept;
}

void pass_inline(struct sched *s)
{
	inline_block(s, &s->body);
}
