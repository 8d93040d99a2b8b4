/* compiler/sema/slice.c - slices as values
 *
 * A slice is a field on a grid of its own, filled by a COPY; what it was copied from is
 * remembered. Where it meets a field of another grid, or a target, it is copied again,
 * straight from there, to the points where it is read: so all reads of a statement are
 * of one family. Copies whose result nobody reads in the end cost nothing.
 */
#include "sema/checker.h"

#include <string.h>

/* ---- copies ------------------------------------------------------------------------- */

/* A field that no declaration made: what is copied into it may go unread. */
static struct air_field *made_field(struct sema *s, const char *stem, enum elem e,
				    struct grid *g, struct span at)
{
	struct air_field *f =
		sema_field_new(s, FIELD_DECLARED, sema_name(s, stem), e, g);

	f->made = true;
	f->span = sema_place(s, at);
	field_note_of(s, f)->unnamed = true;
	sema_emit(s, STMT_FIELD, f->span)->field = f;
	return f;
}

/* Counts that are known must be equal; the others are compared when it runs. */
static bool counts_fit(struct sema *s, const struct air_copy *c, struct span at)
{
	for (int i = 0; i < c->to->grid->n_axes; i++) {
		int k = c->pair[i];
		int64_t to, from;

		if (k < 0 ||
		    !air_constant(part_of(s, &c->to_region.axis[i],
					  air_size(s->air, c->to->grid, i))
					  .count,
				  &to, NULL) ||
		    !air_constant(part_of(s, &c->from_region.axis[k],
					  air_size(s->air, c->from->grid, k))
					  .count,
				  &from, NULL) ||
		    to == from)
			continue;
		sema_fail(s, DIAG_SHAPES, at,
			  "%s of %lld point%s along `%s` meets %lld along `%s`",
			  c->from->grid->family->anonymous ? "an array" : "a slice",
			  (long long)from, from == 1 ? "" : "s",
			  c->from->grid->axis[k]->name, (long long)to,
			  c->to->grid->axis[i]->name);
		return false;
	}
	return true;
}

static bool copy_emit(struct sema *s, const struct air_copy *c, struct span at)
{
	struct air_stmt *st;

	if (!counts_fit(s, c, at))
		return false;
	st = sema_emit(s, STMT_COPY, sema_place(s, at));
	st->copy = arena_copy(s->air->arena, c, sizeof *c);
	return true;
}

/* ---- slices ------------------------------------------------------------------------- */

struct origin { /* of the values of a made field, along its own axes */
	struct air_field *from;
	struct air_region region;
	int axis[MAX_AXES];            /* of `from`, for each axis of the field */
	const struct air_block *block; /* where it was copied ... */
	int changes;                   /* ... and when */
};

/* Whence f's values can still be had, or NULL: from f itself only. */
static const struct origin *origin_of(const struct sema *s, const struct air_field *f)
{
	const struct origin *o = field_note_of(s, f)->origin;

	return o && o->block == s->block && o->changes == s->changes ? o : NULL;
}

static void origin_set(struct sema *s, const struct air_copy *c)
{
	struct origin *o = arena_new_object(s->arena, struct origin);

	o->from = c->from;
	o->region = c->from_region;
	memcpy(o->axis, c->pair, sizeof o->axis);
	o->block = s->block;
	o->changes = s->changes;
	field_note_of(s, c->to)->origin = o;
}

/* What v reads, if that is a field or a component of one: then its region is that of v,
 * with the component. */
static struct air_field *value_source(const struct value *v, const struct air_region *of,
				      struct air_region *region)
{
	const struct air_expr *e = v->as.expr;
	struct air_field *f = e->op == AIR_READ ? e->as.read.field : NULL;

	region_clear(region);
	for (int i = 0; f && i < f->grid->n_axes; i++) {
		const struct air_select *at = &e->as.read.at[i];

		if (at->pick == PICK_FIXED) {
			region->axis[i].part = PART_AT;
			region->axis[i].lo = at->index;
		} else if (at->offset) {
			return NULL;
		} else {
			int k = grid_axis_index(value_grid(v), f->grid->axis[i]);

			region->axis[i] = of->axis[k];
		}
	}
	return f;
}

/* e, evaluated in that region only. */
struct air_field *slice_evaluate(struct sema *s, struct value v,
				 const struct air_region *region, struct span at)
{
	struct air_field *f;
	struct air_target target = { .region = *region };
	struct air_stmt *st;

	v = loose_end(s, v, grid_closed(&s->air->types, value_grid(&v)));
	if (v.kind == VALUE_ERROR || !value_is_even(s, &v))
		return NULL;
	claims_check(s, &v, value_grid(&v), region);
	f = made_field(s, "selected", value_elem(&v), value_grid(&v), at);
	target.field = f;
	target.value = v.as.expr;
	st = sema_emit(s, STMT_ASSIGN, f->span);
	st->n_targets = 1;
	st->target = arena_copy(s->air->arena, &target, sizeof target);
	s->changes--; /* nothing that has a name */
	return f;
}

struct value slice_value(struct sema *s, struct value v, struct air_region *region,
			 const struct ast *a)
{
	struct air_copy c = { 0 };
	struct grid *g;
	int n = 0;

	v = loose_end(s, v, grid_closed(&s->air->types, value_grid(&v)));
	region_hold(s, region);
	c.from = value_source(&v, region, &c.from_region);
	if (!c.from) {
		c.from = slice_evaluate(s, v, region, a->span);
		c.from_region = *region;
	}
	if (!c.from)
		return value_error();
	g = grid_sliced(s, value_grid(&v), region, true, a);
	if (!g)
		return value_error();
	c.to = made_field(s, "slice", c.from->elem, g, a->span);
	region_clear(&c.to_region);
	for (int i = 0; i < value_grid(&v)->n_axes; i++)
		if (region->axis[i].part != PART_AT)
			c.pair[n++] = grid_axis_index(c.from->grid,
						      value_grid(&v)->axis[i]);
	if (!copy_emit(s, &c, a->span))
		return value_error();
	origin_set(s, &c);
	return value_field_of(s, c.to, a->span);
}

/* ---- where slices meet others ------------------------------------------------------- */

bool value_is_positional(const struct value *v)
{
	return value_grid(v) && value_grid(v)->family->positional;
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
	return true;
}

static const struct air_expr *meeting_read(struct meeting *m, struct air_field *f)
{
	const struct origin *o = origin_of(m->s, f);
	struct air_copy c = { .from = o ? o->from : f, .to_region = m->region };

	region_clear(&c.from_region);
	if (o)
		c.from_region = o->region;
	c.to = made_field(m->s, "slice", f->elem, m->to, m->at);
	for (int i = 0; i < m->to->n_axes; i++)
		c.pair[i] = o ? o->axis[m->pair[i]] : m->pair[i];
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

/* Operands of several families of which some are positional come to one of them: that of
 * the first other one, or of the first of all; to the target where names of axes or
 * fields of its family are among them, so that they mean its points. */
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
		if (g && (!home || (home->family->positional && !g->family->positional)))
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
