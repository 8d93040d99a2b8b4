/* compiler/sema/meet.c - slices where they meet other fields, or a target
 *
 * Positions of a slice become points of another grid: what is read of it is copied there,
 * straight from where the slice came from. At the points of a target that lie a few
 * points beside those of the slice, on the same axes, a shifted read is the same.
 */
#include "sema/checker.h"

#include <string.h>

enum { SHIFT_MOST = 8 }; /* farther points are copied: ghosts would be wide */

bool value_is_positional(const struct value *v)
{
	return value_grid(v) && value_grid(v)->family->positional;
}

/* May v be read beside its points, or all of them at once? false: told that not. */
bool value_is_free(struct sema *s, const struct value *v)
{
	if (v->kind != VALUE_EXPR || !v->pinned)
		return true;
	sema_fail(s, DIAG_SHAPES, v->span,
		  "a slice in this was taken to the points that are assigned to, where it "
		  "met names of axes or fields of the target, and has no others");
	sema_hint(s, "Compute this before the assignment, and give it a name with `let`.");
	return false;
}

/* Axes of the same name pair; the others in order, if as many are left on both sides.
 * pair: for each axis of g that of p, or -1. */
static bool axes_pair(const struct grid *p, const struct grid *g,
		      const struct air_region *region, int *pair)
{
	bool taken[MAX_AXES] = { false };
	int left = p->n_axes, next = 0, free = 0;

	for (int i = 0; i < g->n_axes; i++) {
		struct axis *same = grid_axis_named(p, g->axis[i]->name);

		pair[i] = -1;
		if (region->axis[i].part == PART_AT)
			continue;
		free += !same;
		if (!same)
			continue;
		pair[i] = grid_axis_index(p, same);
		taken[pair[i]] = true;
		left--;
	}
	if (left == 0)
		return true;
	for (int i = 0; left == free && i < g->n_axes; i++) {
		if (pair[i] >= 0 || region->axis[i].part == PART_AT)
			continue;
		while (taken[next])
			next++;
		pair[i] = next;
		taken[next] = true;
	}
	return left == free;
}

struct meeting { /* of a positional value with the points of another grid */
	struct sema *s;
	const struct grid *from;
	struct grid *to;
	struct air_region region; /* of `to`, whose axes are all paired */
	int pair[MAX_AXES];
	struct span at;
	bool pinned; /* not all of its points: nothing may be read beside them */
	bool failed;
	VEC(struct air_replace) copies;
};

/* The grid on which copies are: g without the axes along which they do not vary. */
static bool meeting_begin(struct meeting *m, const struct grid *g,
			  const struct air_region *region)
{
	struct air_region all;
	struct axis *axis[MAX_AXES];
	int pair[MAX_AXES], ext[MAX_AXES], n = 0;

	region_clear(&all);
	region_clear(&m->region);
	if (!axes_pair(m->from, g, region ? region : &all, pair)) {
		sema_fail(m->s, DIAG_SHAPES, m->at,
			  "the axes of `%s` do not pair with those of `%s`",
			  m->from->name, g->name);
		sema_hint(m->s, "Axes pair by name, or in order if as many are left.");
		return false;
	}
	for (int i = 0; i < g->n_axes; i++) {
		if (pair[i] < 0)
			continue;
		axis[n] = g->axis[i];
		ext[n] = g->ext[i];
		m->region.axis[n] = region ? region->axis[i] : all.axis[i];
		m->pair[n++] = pair[i];
	}
	m->to = grid_of_extended(&m->s->air->types, axis, ext, n);
	m->pinned = region && !region_same(region, &all, g->n_axes);
	return true;
}

/* The first point of a part, if it is the same for every size at which it has one. */
static bool part_begins(const struct air_slice *slice, const struct part *p, int64_t *at)
{
	*at = 0;
	if (air_constant(p->start, at, NULL))
		return true;
	return slice->lo && air_constant(slice->lo, at, NULL) && *at >= 0;
}

/* How far beside axis k of the target axis i of the slice's field lies; counts: of both. */
static bool axis_offset(struct meeting *m, const struct air_copy *c, int k, int64_t *offset,
			const struct air_expr *counts[2])
{
	struct sema *s = m->s;
	int i = c->pair[k];
	const struct air_slice *from = &c->from_region.axis[i], *to = &m->region.axis[k];
	struct part a = part_of(s, from, air_size(s->air, c->from->grid, i));
	struct part b = part_of(s, to, air_size(s->air, m->to, k));
	int64_t first[2];

	counts[0] = a.count;
	counts[1] = b.count;
	if (c->from->grid->axis[i] != m->to->axis[k] || from->part == PART_AT ||
	    a.step != b.step || a.step < 1 || !part_begins(from, &a, &first[0]) ||
	    !part_begins(to, &b, &first[1]))
		return false;
	*offset = first[0] - first[1];
	return *offset >= -SHIFT_MOST && *offset <= SHIFT_MOST;
}

static void shape_add(struct meeting *m, struct air_text *text, const char *before,
		      const struct air_expr *counts[][2], int side)
{
	text_add(m->s, text, (struct air_piece){ .kind = PIECE_TEXT, .text = before });
	for (int k = 0; k < m->to->n_axes; k++) {
		text_add(m->s, text,
			 (struct air_piece){ .kind = PIECE_TEXT, .text = k ? ", " : "(" });
		text_add(m->s, text,
			 (struct air_piece){ .kind = PIECE_SCALAR,
					     .value = counts[k][side],
					     .format = "" });
	}
	text_add(m->s, text, (struct air_piece){ .kind = PIECE_TEXT, .text = ")" });
}

/* Fails when it runs if the counts differ, as a copy would. */
static void counts_check(struct meeting *m, const struct air_expr *counts[][2])
{
	struct sema *s = m->s;
	const struct air_expr *all = air_int(s->air, ELEM_BOOL, 1);
	struct air_stmt *check;

	for (int k = 0; k < m->to->n_axes; k++) {
		const struct air_expr *both[2] = { all, NULL };

		if (counts[k][0] == counts[k][1])
			continue;
		both[1] = air_op(s->air, AIR_EQ, ELEM_BOOL, counts[k], 2, m->at);
		all = air_op(s->air, AIR_AND, ELEM_BOOL, both, 2, m->at);
	}
	if (air_constant(all, NULL, NULL))
		return;
	check = sema_emit(s, STMT_CHECK, sema_place(s, m->at));
	check->value = all;
	shape_add(m, &check->text, "a slice of shape ", counts, 0);
	shape_add(m, &check->text, " does not fit points of shape ", counts, 1);
}

/* The copy as a read at an offset, or NULL: it is not one. */
static const struct air_expr *meeting_shift(struct meeting *m, const struct air_copy *c)
{
	struct air_select at[MAX_AXES] = { 0 };
	const struct air_expr *counts[MAX_AXES][2];

	if (!m->pinned || c->from->grid->family != m->to->family ||
	    c->from->grid->n_axes != m->to->n_axes)
		return NULL;
	for (int k = 0; k < m->to->n_axes; k++)
		if (!axis_offset(m, c, k, &at[c->pair[k]].offset, counts[k]))
			return NULL;
	for (int k = 0; k < m->to->n_axes; k++) {
		struct count from = { counts[k][0], m->to->axis[k] };
		struct count to = { counts[k][1], m->to->axis[k] };

		m->failed |= !counts_fit(m->s, &from, &to, m->at);
	}
	if (m->failed)
		return NULL;
	counts_check(m, counts);
	return air_read(m->s->air, c->from, at, m->at);
}

/* When it failed: some scalar, for the rest of the expression to be made with. */
static const struct air_expr *meeting_read(struct meeting *m, struct air_field *f)
{
	const struct origin *o = origin_of(m->s, f);
	const struct air_expr *shifted;
	struct air_copy c = { .from = o ? o->from : f, .to_region = m->region };

	region_clear(&c.from_region);
	if (o)
		c.from_region = o->region;
	for (int i = 0; i < m->to->n_axes; i++)
		c.pair[i] = o ? o->axis[m->pair[i]] : m->pair[i];
	shifted = meeting_shift(m, &c);
	if (m->failed)
		return air_cast(m->s->air, air_int(m->s->air, ELEM_I64, 0), f->elem);
	if (shifted)
		return shifted;
	c.to = made_field(m->s, "slice", f->elem, m->to, m->at);
	if (!copy_emit(m->s, &c, m->at))
		m->failed = true;
	else if (m->to->family->positional)
		origin_set(m->s, &c);
	return value_field_of(m->s, c.to, m->at).as.expr;
}

static const struct air_expr *meeting_leaf(void *context, const struct air_expr *e)
{
	struct meeting *m = context;
	const struct air_expr *to;

	if (e->op != AIR_READ)
		return e;
	for (int i = 0; i < m->copies.n; i++)
		if (m->copies.item[i].from == e)
			return m->copies.item[i].to;
	to = meeting_read(m, e->as.read.field);
	vec_push(m->s->arena, &m->copies, (struct air_replace){ e, to });
	return to;
}

/* Is e made of fields of one grid, each at the point itself, and of scalars? */
static const struct air_expr *plain_leaf(void *context, const struct air_expr *e)
{
	const struct meeting *m = context;
	struct value v = { .kind = VALUE_EXPR, .as.expr = e };
	struct air_field *f = e->grid ? value_field(&v) : NULL;

	if (e->grid && !(f && f->grid == m->from))
		((struct meeting *)context)->failed = true;
	return e;
}

static bool is_plain(struct meeting *m, const struct air_expr *e)
{
	bool plain;

	expr_rewrite(m->s, e, plain_leaf, m);
	plain = !m->failed;
	m->failed = false;
	return plain;
}

/* v, which is positional, at the points of a part of g (NULL: of all). */
struct value slice_onto(struct sema *s, struct value v, struct grid *g,
			const struct air_region *region)
{
	struct meeting m = { .s = s, .at = v.span };

	m.from = grid_closed(&s->air->types, value_grid(&v));
	v = loose_end(s, v, (struct grid *)m.from);
	if (v.kind == VALUE_ERROR || !value_is_even(s, &v) || !meeting_begin(&m, g, region))
		return value_error();
	if (!is_plain(&m, v.as.expr)) {
		v = stage_new(s, v, sema_name(s, "slice"));
		if (v.kind == VALUE_ERROR)
			return v;
	}
	v.as.expr = expr_rewrite(s, v.as.expr, meeting_leaf, &m);
	v.claims = NULL;
	v.stencil = v.uneven = 0;
	v.pinned = m.pinned;
	return m.failed ? value_error() : v;
}

/* v, where names are of g, and slices are at the points of a part of it (NULL: all). */
struct value value_at(struct sema *s, struct value v, struct grid *g,
		      const struct air_region *region)
{
	v = loose_settle(s, v, g);
	if (v.kind == VALUE_EXPR && value_is_positional(&v) &&
	    value_grid(&v)->family != g->family)
		v = slice_onto(s, v, g, region);
	return v;
}

/* The part of f becomes v by a single copy; false: that is not possible. */
bool slice_assign(struct sema *s, struct air_field *f, const struct air_region *region,
		  const struct value *v, struct span at)
{
	struct air_field *from = value_field(v);
	const struct origin *o = from ? origin_of(s, from) : NULL;
	struct air_copy c = { .to = f, .to_region = *region };
	int pair[MAX_AXES];

	if (!from || !value_is_positional(v) || from->grid->family == f->grid->family ||
	    from->elem != f->elem || !axes_pair(from->grid, f->grid, region, pair))
		return false;
	c.from = o ? o->from : from;
	region_clear(&c.from_region);
	if (o)
		c.from_region = o->region;
	for (int i = 0; i < MAX_AXES; i++)
		c.pair[i] = i < f->grid->n_axes && pair[i] >= 0
				    ? (o ? o->axis[pair[i]] : pair[i])
				    : -1;
	copy_emit(s, &c, at);
	s->changes++;
	return true;
}

/* Is g, which comes later, rather than home where slices meet? */
static bool prefers(const struct grid *g, const struct grid *home)
{
	if (g->family->positional != home->family->positional)
		return home->family->positional;
	return g->family->positional && g->n_axes > home->n_axes;
}

/* Operands of several families of which some are positional come to one of them: that of
 * the first other one, or of the first of those with the most axes; to the target where
 * names of axes or fields of its family are among them, so that they mean its points. */
bool slices_meet(struct sema *s, struct value *v, int n)
{
	const struct air_region *region = NULL;
	struct grid *home = NULL;
	bool loose = false, aimed = false, positional = false;

	for (int i = 0; i < n; i++) {
		struct grid *g = value_grid(&v[i]);

		loose |= v[i].loose != 0;
		positional |= value_is_positional(&v[i]);
		aimed |= g && s->target && g->family == s->target->family;
		if (g && (!home || prefers(g, home)))
			home = g;
	}
	if (!positional)
		return true;
	if (s->region && s->target && (loose || aimed)) {
		home = s->target;
		region = s->region;
	}
	for (int i = 0; i < n; i++) {
		if (!value_is_positional(&v[i]) ||
		    value_grid(&v[i])->family == home->family)
			continue;
		v[i] = slice_onto(s, v[i], home, region);
		if (v[i].kind == VALUE_ERROR)
			return false;
	}
	return true;
}
