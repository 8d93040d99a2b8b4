/* schedule/split.c - cuts very large runs into several
 *
 * The time that making code takes grows faster than kernels do. A part of the value that
 * is about a piece long is computed first, into a stage that the rest reads at the point;
 * the next piece takes the same storage if it alone reads it.
 */
#include "schedule/draft.h"

enum { PIECE = 1000, PIECE_IN_TESTS = 5 };

struct splitter {
	struct sched *s;
	struct draft_run *run;
	int64_t most;                        /* nodes of a piece */
	struct air_field *last;              /* what the last piece was put into */
};

struct piece {
	const struct air_expr *part, *read;
};

/* The largest part that makes a piece, sizes counted as of trees; NULL: there is none. */
static const struct air_expr *find_piece(const struct splitter *p, const struct air_walk *w)
{
	int64_t *size = xmalloc((size_t)w->n * sizeof *size), best = p->most / 8;
	const struct air_expr *found = NULL;

	for (int i = 0; i < w->n; i++) {
		const struct air_expr *e = w->node[i];

		size[i] = 1;
		for (int j = 0; j < e->n_args; j++)
			size[i] += size[air_walk_place(w, e->arg[j])];
		if (size[i] > INT32_MAX)
			size[i] = INT32_MAX;
		if (e->grid && e->n_args && size[i] > best && size[i] <= p->most) {
			best = size[i];
			found = e;
		}
	}
	free(size);
	return found;
}

static const struct air_expr *is_part(void *with, const struct air_expr *e)
{
	const struct piece *p = with;

	return e == p->part ? p->read : NULL;
}

static void put(struct splitter *p, struct piece what)
{
	struct expr_change change = { p->s, is_part, &what };

	run_change(p->run, expr_changed, &change);
}

/* Stages may be computed beyond walls, and their pieces with them: then a piece reads the
 * ghosts of the one before it, which must not change meanwhile. */
static bool may_grow(const struct draft_run *r)
{
	for (int i = 0; i < r->output.n; i++)
		if (r->output.item[i].field && r->output.item[i].field->kind == FIELD_STAGE)
			return true;
	return false;
}

/* Takes a piece out of the run; NULL: it is small enough, or cannot be cut. */
static struct draft_run *split_piece(struct splitter *p)
{
	struct air_walk w = run_walk(p->run);
	const struct air_expr *e = w.n > 2 * p->most ? find_piece(p, &w) : NULL, *read;
	struct draft_output out = { .value = e };
	struct draft_run *r;

	air_walk_free(&w);
	if (!e)
		return NULL;
	out.field = draft_part(p->s, "piece", p->run, e);
	read = draft_read(p->s, out.field, e->span);
	put(p, (struct piece){ e, read });
	if (p->last && p->last->elem == e->elem && !may_grow(p->run) &&
	    !run_reads_field(p->run, p->last)) {
		out.field = p->last;
		put(p, (struct piece){ read, draft_read(p->s, out.field, e->span) });
	}
	p->last = out.field;
	r = draft_run_new(p->s, p->run->span, p->run->grid);
	r->region = p->run->region;
	vec_push(p->s->arena, &r->output, out);
	return r;
}

static void split_block(struct sched *s, struct draft_block *b)
{
	for (struct draft **link = &b->first; *link; link = &(*link)->next) {
		struct splitter p = { .s = s, .run = (*link)->run,
			              .most = s->tiny ? PIECE_IN_TESTS : PIECE };
		struct draft_run *r;

		split_block(s, &(*link)->body);
		split_block(s, &(*link)->other);
		while (p.run && (r = split_piece(&p))) {
			struct draft *d = arena_new_object(s->arena, struct draft);

			d->kind = DRAFT_RUN;
			d->run = r;
			d->next = *link;
			*link = d;
			link = &d->next;
		}
	}
}

void pass_split(struct sched *s)
{
	split_block(s, &s->body);
}

bool plan_has_large_kernel(const struct plan *p)
{
	enum { LARGE = 700 };

	for (int i = 0; i < p->n_kernels; i++)
		if (p->kernel[i]->n_instrs > LARGE)
			return true;
	return false;
}
