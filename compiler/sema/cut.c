/* compiler/sema/cut.c - `cuts` of a grid: where blocks start, as written or by a cost
 *
 * A list gives the starts of all blocks and the end; they are checked here as far as
 * they are known, else when the grid is made. A cost is a field on one axis that is as
 * long as the axis it cuts; the run time makes its sums even.
 */
#include "sema/checker.h"

#include <string.h>

/* Fails, now or when it runs, unless the condition holds; false: told now. */
static bool require(struct sema *s, struct value condition, struct span at,
		    const char *text)
{
	struct air_stmt *check;
	int64_t known;

	if (condition.kind == VALUE_ERROR)
		return false;
	if (air_constant(condition.as.expr, &known, NULL)) {
		if (!known)
			sema_fail(s, DIAG_BAD_GRID, at, "%s", text);
		return known;
	}
	check = sema_emit(s, STMT_CHECK, sema_place(s, at));
	check->value = condition.as.expr;
	check->text = text_plain(s, text);
	return true;
}

static struct value integer(struct sema *s, int64_t i, struct span at)
{
	return value_scalar(air_int(s->air, ELEM_I64, i), at);
}

/* The starts rise from 0, and the end is the axis'. */
static bool starts_fit(struct sema *s, const struct value *v, int n, const struct axis *a)
{
	struct value size = value_scalar(a->size, v[n - 1].span);
	const char *text = arena_printf(s->arena, "the cuts of `%s` begin with 0", a->name);

	if (!require(s,
		     value_binary(s, AST_OP_EQ, v[0], integer(s, 0, v[0].span), v[0].span),
		     v[0].span, text))
		return false;
	text = arena_printf(s->arena, "the cuts of `%s` do not fall", a->name);
	for (int i = 1; i < n; i++)
		if (!require(s, value_binary(s, AST_OP_LE, v[i - 1], v[i], v[i].span),
			     v[i].span, text))
			return false;
	text = arena_printf(s->arena, "the cuts of `%s` end with its number of points",
			    a->name);
	return require(s, value_binary(s, AST_OP_EQ, v[n - 1], size, v[n - 1].span),
		       v[n - 1].span, text);
}

/* As many as `procs` says, where it is given. */
static bool parts_fit(struct sema *s, const struct value *list, const struct axis *a)
{
	struct value parts = integer(s, list->as.list.n - 1, list->span), procs;

	if (!a->family->n_procs)
		return true;
	procs = value_scalar(a->family->procs[a->rank], list->span);
	return require(s, value_binary(s, AST_OP_EQ, procs, parts, list->span), list->span,
		       arena_printf(s->arena,
				    "`procs` and `cuts` give `%s` different numbers of parts",
				    a->name));
}

static void cuts_listed(struct sema *s, const struct value *list, const struct axis *a,
			struct cuts *to)
{
	int n = list->as.list.n;
	struct value *v = arena_new_array(s->arena, n + 1, struct value);
	const struct air_expr **at =
		arena_new_array(s->arena, n + 1, const struct air_expr *);

	if (n < 2) {
		sema_fail(s, DIAG_BAD_GRID, list->span,
			  "`cuts` takes the starts of all blocks, and the end");
		return;
	}
	for (int i = 0; i < n; i++) {
		v[i] = list->as.list.item[i];
		if (v[i].kind == VALUE_LIST || !value_is_scalar(&v[i])) {
			sema_fail(s, DIAG_WRONG_TYPE, v[i].span,
				  "a cut is an integer, and this is %s",
				  value_text(s, &v[i]));
			return;
		}
		if (!value_convert(s, &v[i], ELEM_I64, "a cut"))
			return;
		v[i] = var_hold(s, v[i], sema_name(s, "cut"));
		at[i] = v[i].as.expr;
	}
	if (!starts_fit(s, v, n, a) || !parts_fit(s, list, a))
		return;
	to->n = n;
	to->at = at;
}

static bool is_balanced(const struct ast *a)
{
	return a->kind == AST_CALL && a->child[0]->kind == AST_NAME &&
	       strcmp(a->child[0]->text, "balanced") == 0;
}

static void cuts_balanced(struct sema *s, const struct ast *a, const struct axis *x,
			  struct cuts *to)
{
	struct value v = value_error(), size, points;

	if (a->n_children == 2)
		v = value_operand(s, eval_expr(s, a->child[1]));
	else
		sema_fail(s, DIAG_WRONG_ARGUMENTS, a->span, "`balanced` takes a field");
	v = loose_settle_alone(s, v);
	if (v.kind == VALUE_ERROR)
		return;
	if (!value_grid(&v) || value_grid(&v)->n_axes != 1 ||
	    elem_kind(value_elem(&v)) == KIND_COMPLEX) {
		sema_fail(s, DIAG_WRONG_TYPE, v.span,
			  "a cost is a field of one axis, and this is %s%s",
			  value_text(s, &v), value_grid(&v) ? " of several" : "");
		return;
	}
	if (!value_field(&v))
		v = stage_new(s, v, sema_name(s, "cost"));
	if (v.kind == VALUE_ERROR)
		return;
	size = value_scalar(x->size, v.span);
	points = value_scalar(air_size(s->air, value_grid(&v), 0), v.span);
	if (require(s, value_binary(s, AST_OP_EQ, points, size, v.span), v.span,
		    arena_printf(s->arena, "the cost of `%s` has another number of points",
				 x->name)))
		to->cost = value_field(&v);
}

static void cuts_entry(struct sema *s, const struct ast *entry, struct family *f)
{
	int i = -1;
	struct value v;

	if (entry->kind != AST_KEYED) {
		sema_fail(s, DIAG_BAD_GRID, entry->span,
			  "`cuts` takes a list for an axis: `cuts(%s: [0, ...])`",
			  f->axis[0]->name);
		return;
	}
	for (int k = 0; k < f->n_base; k++)
		if (f->axis[k]->name == entry->child[0]->text)
			i = k;
	if (i < 0 || !family_may_cut(f, i)) {
		sema_fail(s, i < 0 ? DIAG_NO_AXIS : DIAG_BAD_GRID, entry->child[0]->span,
			  i < 0 ? "`%s` is not an axis of `%s`" : "`%s` of `%s` is not cut",
			  entry->child[0]->text, f->name);
		return;
	}
	if (f->cuts[i].n || f->cuts[i].cost) {
		sema_fail(s, DIAG_BAD_GRID, entry->span, "`%s` is given twice",
			  entry->child[0]->text);
		return;
	}
	if (is_balanced(entry->child[1])) {
		cuts_balanced(s, entry->child[1], f->axis[i], &f->cuts[i]);
		return;
	}
	v = eval_expr(s, entry->child[1]);
	if (v.kind == VALUE_LIST)
		cuts_listed(s, &v, f->axis[i], &f->cuts[i]);
	else if (v.kind != VALUE_ERROR)
		sema_fail(s, DIAG_WRONG_TYPE, v.span,
			  "the cuts of an axis are a list or `balanced(cost)`, and this is "
			  "%s",
			  value_text(s, &v));
}

/* cuts(x: [0, 100, n], y: balanced(cost)); after `split` and `procs`. */
void clause_cuts(struct sema *s, const struct ast *a, struct family *f)
{
	if (a->n_children == 1)
		sema_fail(s, DIAG_BAD_GRID, a->span,
			  "`cuts` takes a list for an axis: `cuts(%s: [0, ...])`",
			  f->axis[0]->name);
	for (int i = 1; i < a->n_children; i++)
		cuts_entry(s, a->child[i], f);
}
