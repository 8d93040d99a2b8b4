/* compiler/sema/list.c - lists: entries by constant index, and look-up by any other
 *
 * A constant index gives the entry itself. Any other is a LOOKUP, whose index is
 * clamped where it varies from point to point (guard.c) and checked by the run where it
 * does not.
 */
#include "sema/checker.h"

static struct value list_outside(struct sema *s, int64_t i, int n, struct span at)
{
	return sema_failed(s, DIAG_OUT_OF_RANGE, at, "entry %lld of a list of %d",
			   (long long)i, n);
}

/* A run-time index, negative ones from the end; the run checks it. */
static struct value list_guard(struct sema *s, struct value index, int n)
{
	struct value zero = value_scalar(air_int(s->air, ELEM_I64, 0), index.span);
	struct value size = value_scalar(air_int(s->air, ELEM_I64, n), index.span);
	struct value low = value_binary(s, AST_OP_LT, index, zero, index.span);
	struct value v[3] = { low, value_binary(s, AST_OP_ADD, index, size, index.span),
			      index };
	struct air_stmt *check;

	index = value_op(s, AIR_SELECT, ELEM_I64, v, 3, index.span);
	v[0] = value_binary(s, AST_OP_LE, zero, index, index.span);
	v[1] = value_binary(s, AST_OP_LT, index, size, index.span);
	check = sema_emit(s, STMT_CHECK, index.span);
	check->value = value_binary(s, AST_OP_AND, v[0], v[1], index.span).as.expr;
	check->text = text_plain(
		s, arena_printf(s->arena, "the index is outside of a list of %d", n));
	return index;
}

static struct value list_look_up(struct sema *s, struct value list, struct value index,
				 struct span at)
{
	int n = list.as.list.n;
	struct value *v = arena_new_array(s->arena, n + 1, struct value);
	const struct air_expr **arg =
		arena_new_array(s->arena, n + 1, const struct air_expr *);
	struct value r = index;

	for (int i = 0; i < n; i++) {
		if (list.as.list.item[i].kind != VALUE_EXPR)
			return sema_failed(
				s, DIAG_NOT_CONSTANT, at,
				"only a list of scalars takes an index of the run");
		v[i + 1] = list.as.list.item[i];
		arg[i + 1] = v[i + 1].as.expr;
	}
	arg[0] = index.as.expr;
	r.span = at;
	r.as.expr =
		air_op(s->air, AIR_LOOKUP, arg[1]->elem, arg, n + 1, sema_place(s, at));
	return r;
}

struct value list_entry(struct sema *s, struct value list, struct value index,
			struct span at)
{
	return list_look_up(s, list, index, at);
}

static struct value list_at(struct sema *s, struct value list, struct value index,
			    struct span at)
{
	int n = list.as.list.n;
	int64_t i;

	index = value_operand(s, index);
	if (index.kind == VALUE_ERROR)
		return index;
	if (elem_kind(value_elem(&index)) != KIND_INT)
		return sema_failed(s, DIAG_WRONG_TYPE, index.span,
				   "the index of a list is an integer, and this is %s",
				   value_text(s, &index));
	if (value_is_integer(&index, &i)) {
		struct value v;

		if (i < -n || i >= n)
			return list_outside(s, i, n, index.span);
		v = list.as.list.item[i < 0 ? i + n : i];
		v.span = at;
		return v;
	}
	if (!n)
		return sema_failed(s, DIAG_OUT_OF_RANGE, at, "the list is empty");
	index = value_cast(s, index, ELEM_I64);
	if (value_is_scalar(&index))
		index = list_guard(s, index, n);
	return list_look_up(s, list, index, at);
}

/* The entries lo:hi:step, all constant. */
static struct value list_slice(struct sema *s, struct value list, const struct ast *a)
{
	struct value *item =
		arena_new_array(s->arena, list.as.list.n + 1, struct value);
	struct air_slice slice = { 0 };
	int64_t start, count;
	struct part p;

	if (!region_slice(s, a, &slice))
		return value_error();
	p = part_of(s, &slice, air_int(s->air, ELEM_I64, list.as.list.n));
	if (!air_constant(p.start, &start, NULL) || !air_constant(p.count, &count, NULL))
		return sema_failed(s, DIAG_NOT_CONSTANT, a->span,
				   "the bounds of a slice of a list are constants");
	for (int64_t i = 0; i < count; i++)
		item[i] = list.as.list.item[start + i * p.step];
	return value_list(s, list.kind, item, (int)count, a->span);
}

struct value list_select(struct sema *s, struct value list, const struct ast *a)
{
	struct value v = list;

	for (int i = 1; i < a->n_children; i++) {
		if (v.kind != VALUE_LIST && v.kind != VALUE_TUPLE)
			return sema_failed(s, DIAG_BAD_SELECTION, a->child[i]->span,
					   "one index too many");
		if (a->child[i]->kind == AST_SLICE) {
			v = list_slice(s, v, a->child[i]);
			if (v.kind == VALUE_ERROR)
				return v;
			continue;
		}
		if (a->child[i]->kind == AST_NAMED || a->child[i]->kind == AST_AXIS)
			return sema_failed(s, DIAG_BAD_SELECTION, a->child[i]->span,
					   "a list takes an index");
		v = list_at(s, v, eval_expr(s, a->child[i]), a->span);
		if (v.kind == VALUE_ERROR)
			return v;
	}
	return v;
}
