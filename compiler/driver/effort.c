/* driver/effort.c - how much optimisation an item is worth
 *
 * takes: a plan, sizes as far as they are known   gives: a level for the back end
 * Optimising takes longer than a statement on a small grid runs. What an item does is
 * estimated by points, operations and turns of loops; the bits of results do not depend
 * on the level.
 */
#include "driver/session.h"

#include "schedule/plan.h"

/* Operations at points that take as long, not optimised, as optimising does. */
static const double SMALL = 2e7;
static const double TURNS = 1000; /* of a loop, and points along an axis: if unknown */

struct effort {
	const struct repl *r;
	double work;
};

static double points(const struct effort *e, const struct grid *g)
{
	double n = 1;

	for (int i = 0; i < g->n_axes; i++) {
		const struct axis *a = g->axis[i];
		int64_t known = mpa_host_size(e->r->run, a->id);

		n *= a->constant_size > 0 ? (double)a->constant_size
		     : known > 0          ? (double)known
					  : TURNS;
	}
	return n;
}

static double turns(const struct air_stmt *s)
{
	int64_t from, to, by = 1;
	double n;

	if (s->kind != STMT_FOR || !air_constant(s->from, &from, NULL) ||
	    !air_constant(s->to, &to, NULL) || (s->by && !air_constant(s->by, &by, NULL)) ||
	    by == 0)
		return TURNS;
	n = ((double)to - (double)from) / (double)by;
	return n > 1 ? n : 1;
}

static void add(struct effort *e, const struct plan_block *b, double times)
{
	for (const struct plan_stmt *s = b->first; s; s = s->next) {
		bool loop = s->kind == PLAN_LOOP || s->kind == PLAN_FOR;

		if (s->run)
			e->work += times * points(e, s->run->grid) *
				   s->run->call.kernel->n_instrs;
		add(e, &s->body, loop ? times * turns(s->air) : times);
		add(e, &s->other, times);
	}
}

int effort_of(const struct repl *r, const struct plan *p)
{
	struct effort e = { .r = r };

	add(&e, &p->body, 1);
	return e.work < SMALL ? 0 : r->o->level;
}
