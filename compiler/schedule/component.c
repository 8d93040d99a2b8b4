/* schedule/component.c - runs that write components of fields over a grid without them
 *
 * A run over plate[x, y, q] whose local axes are short and of constant length can as well
 * be a run over plate[x, y] with a value for each q: statements for single components
 * then share kernels with each other and with what has no components at all, and what is
 * looked up by q becomes a constant. A field written into its second buffer this way
 * must get all its components; those that the run does not compute are copied.
 */
#include <string.h>
#include "schedule/draft.h"

enum { COMPONENTS_MOST = 64, NODES_MOST = 4000 };

/* Does a value not have components of its own: drawn, or read along a local axis, where
 * it may leave it? */
static bool is_whole(const struct air_expr *e)
{
	struct air_walk w = air_walk_of(e);
	bool found = false;

	for (int i = 0; i < w.n && !found; i++) {
		const struct air_expr *x = w.node[i];

		found = x->op == AIR_RANDOM;
		for (int a = 0; x->op == AIR_READ && a < x->as.read.field->grid->n_axes; a++)
			found |= x->as.read.field->grid->axis[a]->local &&
			         x->as.read.at[a].pick == PICK_OFFSET &&
			         x->as.read.at[a].offset;
	}
	air_walk_free(&w);
	return found;
}

static bool is_constant_at(const struct air_slice *x, int64_t n)
{
	return x->part == PART_AT && x->lo->op == AIR_CONST && x->lo->as.i >= 0 &&
	       x->lo->as.i < n;
}

/* How many components a region has along the grid's local axes; 0: not known, too many,
 * or none. The others must be whole. */
static int components_of(const struct grid *g, const struct air_region *r)
{
	int64_t n = 1;
	bool any = false, left = false;

	for (int a = 0; a < g->n_axes; a++) {
		const struct axis *x = g->axis[a];
		struct air_region one = { .axis = { r->axis[a] } };

		if (!x->local && !region_is_whole(&one, 1))
			return 0;
		left |= !x->local;
		any |= x->local;
		if (!x->local || is_constant_at(&r->axis[a], x->constant_size))
			continue;
		if (!region_is_whole(&one, 1) || x->constant_size < 1)
			return 0;
		n *= x->constant_size;
		if (n > COMPONENTS_MOST)
			return 0;
	}
	return any && left ? (int)n : 0;
}

static struct grid *without_local(struct sched *s, const struct grid *g)
{
	struct axis *axis[MAX_AXES];
	int ext[MAX_AXES], n = 0;

	for (int a = 0; a < g->n_axes; a++) {
		if (g->axis[a]->local)
			continue;
		ext[n] = g->ext[a];
		axis[n++] = g->axis[a];
	}
	return grid_of_extended(&s->air->types, axis, ext, n);
}

/* The places of component `which` along the local axes, as FIXED selections. */
static void component_at(struct sched *s, const struct grid *g, const struct air_region *r,
                         int which, struct air_select *at)
{
	for (int a = g->n_axes - 1; a >= 0; a--) {
		const struct axis *x = g->axis[a];

		if (!x->local)
			continue;
		at[a].pick = PICK_FIXED;
		if (r && r->axis[a].part == PART_AT) {
			at[a].index = r->axis[a].lo;
			continue;
		}
		at[a].index = air_int(s->air, ELEM_I64, which % x->constant_size);
		which /= (int)x->constant_size;
	}
}

static const struct air_expr *value_at(struct sched *s, const struct grid *g,
                                       const struct air_expr *e, const struct air_select *at)
{
	for (int a = 0; a < g->n_axes; a++)
		if (at[a].pick == PICK_FIXED)
			e = air_fix(s->air, e, g->axis[a], at[a].index);
	return e;
}

void component_add(struct sched *s, struct draft_run *to, const struct grid *g,
                   const struct draft_component *c)
{
	for (int i = 0; i < components_of(g, c->region); i++) {
		struct draft_output out = { .field = c->field };

		component_at(s, g, c->region, i, out.at);
		out.value = value_at(s, g, c->value, out.at);
		vec_push(s->arena, &to->output, out);
	}
}

static bool can_split(const struct draft_run *r)
{
	struct air_walk w;
	bool fits;

	for (int i = 0; i < r->output.n; i++)
		if (r->output.item[i].field->grid != r->grid ||
		    is_whole(r->output.item[i].value))
			return false;
	if (r->result.n || !components_of(r->grid, &r->region))
		return false;
	w = run_walk(r);
	fits = w.n * components_of(r->grid, &r->region) <= NODES_MOST;
	air_walk_free(&w);
	return fits;
}

struct draft_run *run_by_components(struct sched *s, struct draft_run *r)
{
	struct draft_run *to;

	if (!can_split(r))
		return NULL;
	to = draft_run_new(s, r->span, without_local(s, r->grid));
	for (int i = 0; i < r->output.n; i++) {
		struct draft_component c = { r->output.item[i].field, r->output.item[i].value,
			                     &r->region };

		component_add(s, to, r->grid, &c);
	}
	return to;
}

struct draft_run *assign_by_components(struct sched *s, const struct air_stmt *st)
{
	const struct grid *g = st->target[0].field->grid;
	struct draft_run *to;

	for (int i = 0; i < st->n_targets; i++)
		if (st->target[i].field->grid != g ||
		    components_of(g, &st->target[i].region) != 1 ||
		    is_whole(st->target[i].value))
			return NULL;
	if (st->mask && is_whole(st->mask))
		return NULL;
	to = draft_run_new(s, st->span, without_local(s, g));
	for (int i = 0; i < st->n_targets; i++) {
		const struct air_target *t = &st->target[i];
		struct draft_component c = { t->field, draft_masked(s, st, i), &t->region };

		component_add(s, to, g, &c);
		for (int j = 0; j < i; j++)
			if (output_same(&to->output.item[j], &to->output.item[i]))
				return NULL;
	}
	return to;
}

bool output_same(const struct draft_output *a, const struct draft_output *b)
{
	if (a->field != b->field)
		return false;
	for (int i = 0; i < a->field->grid->n_axes; i++)
		if (a->at[i].pick != b->at[i].pick || a->at[i].index != b->at[i].index)
			return false;
	return true;
}

static bool has_output(const struct draft_run *r, const struct draft_output *out)
{
	for (int i = 0; i < r->output.n; i++)
		if (output_same(&r->output.item[i], out))
			return true;
	return false;
}

/* Every component of f, by number, until there is none. */
static bool component_next(struct sched *s, const struct draft_run *r, struct air_field *f,
                           int which, struct draft_output *out)
{
	struct air_region all = { 0 };

	for (int a = 0; a < MAX_AXES; a++)
		all.axis[a].step = 1;
	*out = (struct draft_output){ .field = f };
	if (f->grid == r->grid || which >= components_of(f->grid, &all))
		return false;
	component_at(s, f->grid, NULL, which, out->at);
	return true;
}

static struct air_field *committed(const struct placing *p, int i)
{
	return i < p->commit.n ? p->commit.item[i] : NULL;
}

int components_missing(struct sched *s, const struct draft_run *r)
{
	struct placing p = placing_of(s, r);
	struct draft_output out;
	struct air_field *f;
	int missing = 0;

	for (int i = 0; (f = committed(&p, i)); i++)
		for (int c = 0; component_next(s, r, f, c, &out); c++)
			missing += !has_output(r, &out);
	return missing;
}

void components_complete(struct sched *s, struct draft_run *r)
{
	struct placing p = placing_of(s, r);
	struct draft_output out;
	struct air_field *f;

	for (int i = 0; (f = committed(&p, i)); i++)
		for (int c = 0; component_next(s, r, f, c, &out); c++) {
			if (has_output(r, &out))
				continue;
			out.value = air_read(s->air, f, out.at, r->span);
			vec_push(s->arena, &r->output, out);
		}
}
