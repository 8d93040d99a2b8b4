/* compiler/sema/grid.c - grids, their axes, and what is asked of them
 *
 * A declared grid opens a family; grids derived from it choose axes of that family
 * or add local ones.
 */
#include "sema/checker.h"
#include "support/habit.h"

#include <string.h>

enum { BASE_AXES = 4 };

struct axis_read { /* of attributes */
	const struct ast *over, *nodes, *periodic, *local;
};

static void attributes_read(const struct ast *list, struct axis_read *r)
{
	memset(r, 0, sizeof *r);
	for (int i = 0; i < list->n_children; i++) {
		const struct ast *a = list->child[i];

		if (a->kind == AST_OVER)
			r->over = a;
		else if (a->kind == AST_NODES)
			r->nodes = a;
		else if (a->kind == AST_PERIODIC)
			r->periodic = a;
		else if (a->kind == AST_AXIS_LOCAL)
			r->local = a;
	}
}

static bool attributes_fit(struct sema *s, const struct ast *list,
			   const struct axis_read *r)
{
	int given = !!r->over + !!r->nodes + !!r->periodic + !!r->local;

	if (given < list->n_children) {
		sema_fail(s, DIAG_BAD_GRID, list->span, "an attribute is given twice");
		return false;
	}
	if (r->over && r->nodes) {
		sema_fail(s, DIAG_BAD_GRID, r->nodes->span,
			  "an axis is `over` or `nodes`, not both");
		return false;
	}
	if (r->nodes && r->periodic) {
		sema_fail(s, DIAG_BAD_GRID, r->periodic->span,
			  "an axis with `nodes` cannot be periodic");
		sema_hint(s, "Its first and last point would be the same: use `over`.");
		return false;
	}
	return true;
}

static const struct air_expr *held(struct sema *s, const struct air_expr *e,
				   const char *name)
{
	return var_hold(s, value_scalar(e, e->span), sema_name(s, name)).as.expr;
}

static bool axis_ends(struct sema *s, const struct ast *range, struct axis *a)
{
	const struct air_expr **end[2] = { &a->lo, &a->hi };
	double from, to;
	int64_t i;

	if (range->n_children > 2 && range->child[2]) {
		sema_fail(s, DIAG_BAD_GRID, range->child[2]->span,
			  "an interval has no step");
		return false;
	}
	for (int k = 0; k < 2; k++) {
		struct value v = eval_scalar(s, range->child[k], "an end of an axis");

		if (v.kind == VALUE_ERROR ||
		    !value_convert(s, &v, ELEM_F64, "an end of an axis"))
			return false;
		*end[k] = held(s, v.as.expr, a->name);
	}
	if (air_constant(a->lo, &i, &from) && air_constant(a->hi, &i, &to) && from == to) {
		sema_fail(s, DIAG_BAD_GRID, range->span, "`%s` has no length", a->name);
		sema_hint(s, "Its ends differ: `0..1`.");
		return false;
	}
	return true;
}

static bool axis_size(struct sema *s, const struct ast *size, struct axis *a)
{
	int64_t least = a->place == AXIS_NODES ? 2 : 1, n;

	a->size = eval_i64(s, size, "the size of an axis");
	if (!a->size)
		return false;
	a->constant_size = -1;
	if (!air_constant(a->size, &n, NULL)) {
		a->size = held(s, a->size, a->name);
		return true;
	}
	a->constant_size = n;
	if (n >= least)
		return true;
	sema_fail(s, DIAG_BAD_GRID, size->span, "an axis has at least %s",
		  least == 1 ? "one point" : "two points when it is given by `nodes`");
	return false;
}

static bool axis_read(struct sema *s, const struct ast *ast, struct axis *a)
{
	struct axis_read r;

	attributes_read(ast->child[2], &r);
	memset(a, 0, sizeof *a);
	a->name = ast->child[0]->text;
	a->span = ast->child[0]->span;
	a->periodic = r.periodic;
	a->local = r.local;
	a->place = r.over ? AXIS_OVER : r.nodes ? AXIS_NODES : AXIS_INDEX;
	if (!attributes_fit(s, ast->child[2], &r) || !axis_size(s, ast->child[1], a))
		return false;
	if (r.over || r.nodes)
		return axis_ends(s, (r.over ? r.over : r.nodes)->child[0], a);
	return true;
}

static bool axes_read(struct sema *s, const struct ast *list, struct axis *axis)
{
	bool good = true;

	if (list->n_children > BASE_AXES) {
		sema_fail(s, DIAG_BAD_GRID, list->child[BASE_AXES]->span,
			  "a grid has at most %d axes", BASE_AXES);
		return false;
	}
	for (int i = 0; i < list->n_children; i++) {
		good = axis_read(s, list->child[i], &axis[i]) && good;
		scope_check_axis(s, axis[i].name, axis[i].span);
		for (int k = 0; k < i; k++) {
			if (axis[k].name != axis[i].name)
				continue;
			sema_fail(s, DIAG_DECLARED_TWICE, axis[i].span,
				  "the axis `%s` is named twice", axis[i].name);
			good = false;
		}
	}
	return good;
}

/* ---- split and procs ----------------------------------------------------------- */

static int base_axis_named(const struct family *f, const char *name)
{
	for (int i = 0; i < f->n_base; i++)
		if (f->axis[i]->name == name)
			return i;
	return -1;
}

static void clause_split(struct sema *s, const struct ast *a, struct family *f)
{
	f->split_given = true;
	if (a->n_children == 2 && ast_is(a->child[1], AST_NAME) &&
	    strcmp(a->child[1]->text, "none") == 0 &&
	    base_axis_named(f, a->child[1]->text) < 0) {
		f->split_none = true;
		return;
	}
	for (int i = 1; i < a->n_children; i++) {
		const struct ast *name = a->child[i];
		int k = ast_is(name, AST_NAME) ? base_axis_named(f, name->text) : -1;

		if (k < 0) {
			sema_fail(s, DIAG_NO_AXIS, name->span,
				  "`split` takes axes of `%s`", f->name);
			return;
		}
		if (f->axis[k]->local) {
			sema_fail(s, DIAG_BAD_GRID, name->span,
				  "the local axis `%s` is never cut", name->text);
			return;
		}
		f->split[k] = true;
	}
}

static void clause_procs(struct sema *s, const struct ast *a, struct family *f)
{
	int next = 1;

	for (int i = 0; i < f->n_base; i++) {
		if (!family_may_cut(f, i) || next == a->n_children) {
			f->procs[i] = air_int(s->air, ELEM_I64, 1);
			continue;
		}
		f->procs[i] = eval_i64(s, a->child[next++], "a number of ranks");
		if (!f->procs[i])
			return;
		f->procs[i] = held(s, f->procs[i], "procs");
	}
	if (next != a->n_children || a->n_children == 1)
		sema_fail(s, DIAG_BAD_GRID, a->span,
			  "`procs` takes a number for each axis that is cut");
	f->n_procs = f->n_base;
}

static void clauses_read(struct sema *s, const struct ast *list, struct family *f)
{
	const struct ast *procs = NULL, *cuts = NULL;

	for (int i = 0; i < list->n_children; i++) {
		const struct ast *a = list->child[i];
		const char *word = a->child[0]->text;

		if (strcmp(word, "split") == 0) {
			clause_split(s, a, f);
		} else if (strcmp(word, "procs") == 0) {
			procs = a;
		} else if (strcmp(word, "cuts") == 0) {
			cuts = a;
		} else {
			sema_fail(s, DIAG_BAD_GRID, a->child[0]->span,
				  "there is no `%s` of a grid", word);
			sema_hint(
				s,
				"After the axes may stand `split(...)`, `procs(...)` and "
				"`cuts(...)`.");
		}
	}
	if (procs)
		clause_procs(s, procs, f);
	if (cuts)
		clause_cuts(s, cuts, f);
}

static struct grid *grid_declare(struct sema *s, const struct ast *a, struct axis *proto)
{
	struct family *f =
		family_new(&s->air->types, a->child[0]->text, a->child[0]->span);
	int n = a->child[1]->n_children;
	struct grid *g;

	scope_add_family(s, f);
	for (int i = 0; i < n; i++)
		family_add_axis(&s->air->types, f, proto[i]);
	g = grid_of(&s->air->types, f, f->axis, n);
	clauses_read(s, a->child[2], f);
	sema_emit(s, STMT_GRID, a->child[0]->span)->family = f;
	return g;
}

void check_grid(struct sema *s, const struct ast *a)
{
	struct axis proto[BASE_AXES];
	struct value v = value_error();

	if (s->air->types.n_families + 1 >= MAX_FAMILIES)
		sema_fail(s, DIAG_BAD_GRID, a->span, "too many grids");
	else if (axes_read(s, a->child[1], proto))
		v = value_of_grid(grid_declare(s, a, proto), a->child[0]->span);
	scope_add(s, a->child[0], SYMBOL_GRID, v);
}

void check_grid_name(struct sema *s, const struct ast *a)
{
	struct value v = eval_expr(s, a->child[1]);

	if (v.kind != VALUE_ERROR && v.kind != VALUE_GRID)
		v = sema_failed(s, DIAG_WRONG_TYPE, a->child[1]->span,
				"`grid` names a grid, and this is %s", value_text(s, &v));
	if (v.kind == VALUE_GRID && v.as.grid->name == v.as.grid->family->name &&
	    strpbrk(v.as.grid->name, "[("))
		v.as.grid->family->name = a->child[0]->text;
	if (v.kind == VALUE_GRID && strpbrk(v.as.grid->name, "[("))
		v.as.grid->name = a->child[0]->text;
	if (v.kind == VALUE_GRID && !scope_sees(s, v.as.grid->family))
		scope_add_family(s, v.as.grid->family);
	scope_add(s, a->child[0], SYMBOL_GRID, v);
}

/* ---- derived grids --------------------------------------------------------------- */

/* Is it made here, whatever way leads here? */
static bool axis_is_made(const struct sema *s, const struct axis *a)
{
	for (int i = 0; i < s->added.n; i++)
		if (s->added.item[i].axis == a)
			return block_holds(s->added.item[i].block, s->block);
	return true;
}

static struct axis *family_local(const struct sema *s, const struct family *f,
				 const struct axis *proto)
{
	for (int i = f->n_base; i < f->n_axes; i++)
		if (f->axis[i]->name == proto->name && f->axis[i]->size == proto->size &&
		    f->axis[i]->place == proto->place && f->axis[i]->lo == proto->lo &&
		    f->axis[i]->hi == proto->hi &&
		    f->axis[i]->periodic == proto->periodic && axis_is_made(s, f->axis[i]))
			return f->axis[i];
	return NULL;
}

/* Puts st behind the statement that makes the base axes of its family; false: there is
 * none. */
static bool put_behind(struct air_block *b, struct air_stmt *st)
{
	for (struct air_stmt *at = b->first; at; at = at->next) {
		if (at->kind != STMT_GRID || at->family != st->family || at->axis) {
			if (put_behind(&at->body, st) || put_behind(&at->other, st))
				return true;
			continue;
		}
		st->next = at->next;
		at->next = st;
		if (b->last == at)
			b->last = st;
		return true;
	}
	return false;
}

static bool axis_is_constant(const struct axis *a)
{
	return a->size->op == AIR_CONST && (!a->lo || a->lo->op == AIR_CONST) &&
	       (!a->hi || a->hi->op == AIR_CONST);
}

/* If it is constant it is made with its family, so that all branches and functions have
 * it; at the prompt that may be long ago. */
static void axis_emit(struct sema *s, struct axis *axis, struct span at)
{
	struct air_block early = { NULL, NULL };
	struct air_stmt *st;

	if (axis_is_constant(axis)) {
		if (s->local)
			local_check_statement(s, STMT_GRID, at);
		st = air_stmt_new(s->air, &early, STMT_GRID, at);
	} else {
		st = sema_emit(s, STMT_GRID, at);
		vec_push(s->arena, &s->added,
			 (struct added_axis){ .axis = axis, .block = s->block });
	}
	st->family = axis->family;
	st->axis = axis;
	if (early.first && !put_behind(&s->air->body, st))
		grid_first(s, st);
}

/* A local axis added to the family of g; alike ones are one. */
static struct axis *axis_added(struct sema *s, struct grid *g, const struct ast *a)
{
	struct axis proto, *axis;

	if (!axis_read(s, a, &proto))
		return NULL;
	if (!proto.local) {
		sema_fail(s, DIAG_BAD_GRID, a->span,
			  "an axis that is added to a grid is local");
		sema_hint(s, "Write `%s: ... local`.", proto.name);
		return NULL;
	}
	if (grid_axis_named(g, proto.name)) {
		sema_fail(s, DIAG_DECLARED_TWICE, proto.span, "`%s` has an axis `%s`",
			  g->name, proto.name);
		return NULL;
	}
	axis = family_local(s, g->family, &proto);
	if (axis)
		return axis;
	scope_check_axis(s, proto.name, proto.span);
	if (g->family->n_axes == MAX_FAMILY_AXES) {
		sema_fail(s, DIAG_BAD_GRID, a->span, "too many axes");
		return NULL;
	}
	axis = family_add_axis(&s->air->types, g->family, proto);
	axis_emit(s, axis, a->span);
	return axis;
}

static struct axis *axis_entry(struct sema *s, struct grid *g, const struct ast *a)
{
	struct axis *axis = NULL;
	struct value v;

	if (a->kind == AST_AXIS)
		return axis_added(s, g, a);
	v = eval_expr(s, a);
	if (v.kind == VALUE_ERROR)
		return NULL;
	if (v.kind == VALUE_AXIS)
		axis = axis_in(s, v.as.axis, g);
	if (!axis)
		sema_fail(s, DIAG_NO_AXIS, a->span,
			  "in the brackets of a grid stand its axes");
	return axis;
}

/* plate[1:-1:2, 1:-1:2] */
static struct value grid_slice(struct sema *s, struct grid *g, const struct ast *a)
{
	struct air_region region;

	if (!select_region(s, a, g, &region))
		return value_error();
	region_hold(s, &region);
	g = grid_sliced(s, g, &region, false, a);
	return g ? value_of_grid(g, a->span) : value_error();
}

/* plate[x], plate[x, y, q: 9 local], plate[::2, ::2] */
struct value grid_select(struct sema *s, struct grid *g, const struct ast *a)
{
	struct axis *axis[MAX_AXES];
	int ext[MAX_AXES], n = a->n_children - 1;

	if (n > MAX_AXES)
		return sema_failed(s, DIAG_BAD_GRID, a->span,
				   "a grid has at most %d axes", MAX_AXES);
	for (int i = 1; i <= n; i++)
		if (a->child[i]->kind == AST_SLICE || a->child[i]->kind == AST_NAMED)
			return grid_slice(s, g, a);
	for (int i = 0; i < n; i++) {
		axis[i] = axis_entry(s, g, a->child[i + 1]);
		if (!axis[i])
			return value_error();
		ext[i] = grid_ext(g, axis[i]);
		for (int k = 0; k < i; k++)
			if (axis[k] == axis[i])
				return sema_failed(
					s, DIAG_DECLARED_TWICE, a->child[i + 1]->span,
					"the axis `%s` is named twice", axis[i]->name);
	}
	return value_of_grid(grid_of_extended(&s->air->types, axis, ext, n), a->span);
}

/* ---- what is asked of grids and axes ------------------------------------------------
 */

const struct air_expr *grid_size(struct sema *s, const struct grid *g)
{
	const struct air_expr *n = air_size(s->air, g, 0);

	for (int i = 1; i < g->n_axes; i++) {
		const struct air_expr *arg[2] = { n, air_size(s->air, g, i) };

		n = air_op(s->air, AIR_MUL, ELEM_I64, arg, 2, g->family->span);
	}
	return n;
}

struct value axis_attribute(struct sema *s, struct value base, const struct ast *name,
			    struct span at)
{
	static const struct {
		const char *word;
		enum air_op op;
	} words[] = { { "at", AIR_COORD }, { "step", AIR_STEP }, { "size", AIR_SIZE } };
	struct air_place place = { base.as.axis, base.ext, 0 };
	struct value v, e;

	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		if (strcmp(name->text, words[i].word) != 0)
			continue;
		v = value_scalar(
			air_at_place(s->air, words[i].op, place, sema_place(s, at)), at);
		if (place.axis->family == s->loose)
			v.loose = UINT32_C(1) << place.axis->rank;
		return v;
	}
	e = sema_failed(s, DIAG_UNKNOWN_NAME, name->span, "an axis has no `.%s`",
			name->text);
	sema_hint(s, "There are `.at`, `.step` and `.size`, and in a `boundary` `.lo` "
		     "and `.hi`.");
	return e;
}

/* of: what it is of, in messages */
struct value grid_attribute(struct sema *s, struct grid *g, const struct ast *name,
			    const char *of, struct span at)
{
	const char *habit = habit_hint(HABIT_MEMBER, name->text);
	struct axis *a = grid_axis_named(g, name->text);
	struct value e;

	if (a)
		return value_of_grid_axis(g, grid_axis_index(g, a), at);
	if (strcmp(name->text, "size") == 0)
		return value_scalar(grid_size(s, g), at);
	if (strcmp(name->text, "grid") == 0)
		return value_of_grid(g, at);
	e = sema_failed(s, DIAG_UNKNOWN_NAME, name->span, "%s has no `.%s`", of, name->text);
	sema_hint(s, "%s", habit ? habit : "There are its axes and `.size`.");
	return e;
}
