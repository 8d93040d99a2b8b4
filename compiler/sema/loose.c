/* compiler/sema/loose.c - expressions over names of axes that have no grid yet
 *
 * `x.at` alone belongs to no grid: it is written over an axis of the loose family,
 * and rewritten over a real axis of that name when it meets a field, an
 * assignment's target, or, alone, the one grid that has such axes.
 */
#include "sema/checker.h"

#include <string.h>

#include "support/strbuf.h"

struct rewriting {
	struct sema *s;
	leaf_fn *leaf;
	void *context;
	struct map *done;
};

static const struct air_expr *rewrite(struct rewriting *r, const struct air_expr *e);

static const struct air_expr *rewrite_node(struct rewriting *r, const struct air_expr *e)
{
	const struct air_expr **arg =
		arena_new_array(r->s->arena, e->n_args, const struct air_expr *);
	bool same = true;

	for (int i = 0; i < e->n_args; i++) {
		arg[i] = rewrite(r, e->arg[i]);
		same = same && arg[i] == e->arg[i];
	}
	return same ? e : air_rebuild(r->s->air, e, arg);
}

static const struct air_expr *rewrite(struct rewriting *r, const struct air_expr *e)
{
	const struct air_expr *done = map_get(r->done, e);

	if (done)
		return done;
	done = e->n_args && e->op != AIR_RANDOM ? rewrite_node(r, e)
						: r->leaf(r->context, e);
	map_set(r->done, e, (void *)done);
	return done;
}

/* e with its leaves replaced. */
const struct air_expr *expr_rewrite(struct sema *s, const struct air_expr *e,
				    leaf_fn *leaf, void *context)
{
	struct rewriting r = { s, leaf, context, map_new(s->arena, MAP_POINTERS) };

	return rewrite(&r, e);
}

/* The axis of g's family that a loose axis names: of g itself before others. */
static struct axis *family_axis(const struct grid *g, const struct grid *target,
				const char *name)
{
	struct axis *found = grid_axis_named(g, name);

	if (!found && target && target->family == g->family)
		found = grid_axis_named(target, name);
	for (int i = 0; !found && i < g->family->n_axes; i++)
		if (g->family->axis[i]->name == name)
			found = g->family->axis[i];
	return found;
}

/* The axis a of grid g, which may be given by its name only; NULL: there is none. */
struct axis *axis_in(struct sema *s, const struct axis *a, struct grid *g)
{
	if (a->family == s->loose)
		return grid_axis_named(g, a->name);
	return grid_axis_index(g, a) >= 0 ? (struct axis *)a : NULL;
}

struct settling {
	struct sema *s;
	struct grid *grid;
	bool open; /* its end decides how long the axes are */
};

static const struct air_expr *settle_leaf(void *context, const struct air_expr *e)
{
	struct settling *c = context;
	struct air_place at;

	if (e->op != AIR_INDEX && e->op != AIR_COORD && e->op != AIR_SIZE &&
	    e->op != AIR_STEP)
		return e;
	if (e->as.at.axis->family != c->s->loose)
		return e;
	at = e->as.at;
	at.axis = family_axis(c->grid, c->s->target, e->as.at.axis->name);
	at.ext = c->open && !at.axis->local ? EXT_OPEN : grid_ext(c->grid, at.axis);
	return air_at_place(c->s->air, e->op, at, e->span);
}

static const char *first_missing(struct sema *s, uint32_t loose, const struct grid *g)
{
	for (int i = 0; i < s->loose->n_axes; i++)
		if (loose >> i & 1 && !family_axis(g, s->target, s->loose->axis[i]->name))
			return s->loose->axis[i]->name;
	return NULL;
}

static struct value settle(struct sema *s, struct value v, struct grid *g, bool open)
{
	struct settling c = { s, g, open };
	const char *missing;

	if (v.kind != VALUE_EXPR || !v.loose)
		return v;
	missing = first_missing(s, v.loose, g);
	if (missing)
		return sema_failed(s, DIAG_NO_AXIS, v.span, "`%s` is not an axis of `%s`",
				   missing, g->name);
	v.as.expr = expr_rewrite(s, v.as.expr, settle_leaf, &c);
	v.loose = 0;
	v.open = open;
	return v;
}

/* A loose value as an expression over (the family of) g, at its points. */
struct value loose_settle(struct sema *s, struct value v, struct grid *g)
{
	return settle(s, v, g, false);
}

/* The same where it meets a field of g: the grid that both end up on may be another. */
struct value loose_meet(struct sema *s, struct value v, struct grid *g)
{
	return settle(s, v, g, true);
}

static const struct air_expr *end_leaf(void *context, const struct air_expr *e)
{
	struct settling *c = context;
	struct air_place at;

	if ((e->op != AIR_INDEX && e->op != AIR_COORD && e->op != AIR_SIZE) ||
	    e->as.at.ext != EXT_OPEN)
		return e;
	at = e->as.at;
	at.ext = grid_ext(c->grid, at.axis);
	return air_at_place(c->s->air, e->op, at, e->span);
}

/* An expression that ends up on g: places that met its fields are points of g. */
struct value loose_end(struct sema *s, struct value v, struct grid *g)
{
	struct settling c = { s, g, false };

	v = loose_settle(s, v, g);
	if (v.kind != VALUE_EXPR || !v.open)
		return v;
	v.as.expr = expr_rewrite(s, v.as.expr, end_leaf, &c);
	v.open = false;
	return v;
}

static bool family_has(struct sema *s, const struct family *f, uint32_t loose)
{
	for (int i = 0; i < s->loose->n_axes; i++) {
		bool found = !(loose >> i & 1);

		for (int k = 0; !found && k < f->n_axes; k++)
			found = f->axis[k]->name == s->loose->axis[i]->name;
		if (!found)
			return false;
	}
	return true;
}

const char *axis_list_text(struct sema *s, uint32_t loose)
{
	struct strbuf b = { 0 };
	char *text;

	for (int i = 0; i < s->loose->n_axes; i++)
		if (loose >> i & 1)
			strbuf_printf(&b, "%s`%s`", b.length ? ", " : "",
				      s->loose->axis[i]->name);
	text = strbuf_to_arena(&b, s->arena);
	strbuf_free(&b);
	return text;
}

/* A loose value used on its own: over the only declared family with its axes. */
struct value loose_settle_alone(struct sema *s, struct value v)
{
	struct types *t = &s->air->types;
	struct family *found = NULL;

	if (v.kind != VALUE_EXPR || !v.loose)
		return v;
	for (int i = 0; i < t->n_families; i++) {
		if (t->family[i]->parent || !scope_sees(s, t->family[i]) ||
		    !family_has(s, t->family[i], v.loose))
			continue;
		if (found) {
			struct value e = sema_failed(s, DIAG_WHICH_GRID, v.span,
						     "%s could belong to `%s` or to `%s`",
						     axis_list_text(s, v.loose),
						     found->name, t->family[i]->name);

			sema_hint(s, "Give it a grid: `field r on %s = ...`.",
				  found->name);
			return e;
		}
		found = t->family[i];
	}
	if (!found)
		return sema_failed(s, DIAG_WHICH_GRID, v.span, "no grid has the axes %s",
				   axis_list_text(s, v.loose));
	return loose_settle(s, v, grid_of(t, found, found->axis, found->n_base));
}

static const struct air_expr *freeze_leaf(void *context, const struct air_expr *e)
{
	struct sema *s = context;

	if (e->op != AIR_VAR || !var_is_mutable(s, e->as.var))
		return e;
	return var_hold(s, value_scalar(e, e->span), sema_name(s, e->as.var->name))
		.as.expr;
}

/* A loose value whose variables have the values they have now. */
struct value loose_freeze(struct sema *s, struct value v)
{
	v.as.expr = expr_rewrite(s, v.as.expr, freeze_leaf, s);
	return v;
}
