/* compiler/sema/guard.c - with --check: are indices of lists within them?
 *
 * An index that varies from point to point is clamped. In front of the statement whose
 * points look up, a program that is run with --check looks whether it would have to be:
 *
 *	if checking { bad[region] = index < 0 or index >= n where mask
 *	              far = argmax(bad), check not any(bad) }
 *
 * Indices that cannot leave the list, as that of a local axis as long as the list, have
 * no such code.
 */
#include "sema/checker.h"

#include "array/walk.h"

/* What an integer can be; known: false says that it can be anything. */
struct interval { bool known; int64_t lo, hi; };

static struct interval interval_of(const struct air_expr *e);

static struct interval anything(void)
{
	return (struct interval){ 0 };
}

static struct interval from_to(int64_t lo, int64_t hi)
{
	return (struct interval){ true, lo, hi };
}

static struct interval index_interval(const struct air_place *at)
{
	int64_t n = at->axis->constant_size;

	if (n < 0 || at->ext == EXT_OPEN)
		return anything();
	return from_to(at->offset, at->offset + n + at->ext - 1);
}

static struct interval join(struct interval a, struct interval b)
{
	if (!a.known || !b.known)
		return anything();
	return from_to(a.lo < b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi);
}

static struct interval join_args(const struct air_expr *e, int first)
{
	struct interval all = interval_of(e->arg[first]);

	for (int i = first + 1; i < e->n_args; i++)
		all = join(all, interval_of(e->arg[i]));
	return all;
}

static struct interval modulus(const struct air_expr *divisor)
{
	int64_t n;

	return air_constant(divisor, &n, NULL) && n > 0 ? from_to(0, n - 1) : anything();
}

static struct interval sum(struct interval a, struct interval b, int sign)
{
	int64_t lo, hi;

	if (!a.known || !b.known ||
	    __builtin_add_overflow(a.lo, sign > 0 ? b.lo : -b.hi, &lo) ||
	    __builtin_add_overflow(a.hi, sign > 0 ? b.hi : -b.lo, &hi))
		return anything();
	return from_to(lo, hi);
}

static struct interval interval_of(const struct air_expr *e)
{
	int64_t i;

	if (air_constant(e, &i, NULL))
		return i > INT64_MIN ? from_to(i, i) : anything();
	switch (e->op) {
	case AIR_INDEX:
		return index_interval(&e->as.at);
	case AIR_ADD:
		return sum(interval_of(e->arg[0]), interval_of(e->arg[1]), 1);
	case AIR_SUB:
		return sum(interval_of(e->arg[0]), interval_of(e->arg[1]), -1);
	case AIR_MOD:
		return modulus(e->arg[1]);
	case AIR_SELECT:
	case AIR_LOOKUP:
		return join_args(e, 1);
	case AIR_CAST:
		return e->arg[0]->elem == ELEM_BOOL ? from_to(0, 1)
		       : e->elem == ELEM_I64        ? interval_of(e->arg[0])
						    : anything();
	default:
		return anything();
	}
}

static bool may_leave(const struct air_expr *look_up)
{
	struct interval index = interval_of(look_up->arg[0]);

	return look_up->arg[0]->grid &&
	       !(index.known && index.lo >= 0 && index.hi < look_up->n_args - 1);
}

/* ---- the statements -------------------------------------------------------------- */

static const struct air_expr *op2(struct sema *s, enum air_op op, enum elem elem,
				  const struct air_expr *a, const struct air_expr *b)
{
	const struct air_expr *arg[2] = { a, b };

	return air_op(s->air, op, elem, arg, 2, a->span);
}

static const struct air_expr *outside(struct sema *s, const struct air_expr *index, int n)
{
	const struct air_expr *zero = air_int(s->air, ELEM_I64, 0);
	const struct air_expr *last = air_int(s->air, ELEM_I64, n - 1);

	return op2(s, AIR_OR, ELEM_BOOL, op2(s, AIR_LT, ELEM_BOOL, index, zero),
		   op2(s, AIR_LT, ELEM_BOOL, last, index));
}

static const struct air_expr *reduced(struct sema *s, struct air_field *f,
				      enum air_reduction r, enum elem elem)
{
	struct value v = value_field_of(s, f, f->span);
	struct air_stmt *st = sema_emit(s, STMT_REDUCE, f->span);

	st->reduction = r;
	st->value = v.as.expr;
	st->grid = f->grid;
	st->var = var_new(s, sema_name(s, "outside"), elem, f->span, false);
	return air_read_var(s->air, st->var, f->span);
}

/* "... at point (i, j)", of a place in the grid's C order */
static struct air_text complaint(struct sema *s, const struct grid *g,
				 const struct air_expr *flat, int n)
{
	struct air_text text = text_plain(
		s, arena_printf(s->arena,
				"the index is outside of a list of %d, at point (", n));
	const struct air_expr *position[MAX_AXES];

	for (int i = g->n_axes - 1; i >= 0; i--) {
		const struct air_expr *size = air_size(s->air, g, i);

		position[i] = op2(s, AIR_MOD, ELEM_I64, flat, size);
		flat = op2(s, AIR_FLOORDIV, ELEM_I64, flat, size);
	}
	for (int i = 0; i < g->n_axes; i++) {
		text_add(s, &text, (struct air_piece){ .kind = PIECE_SCALAR,
						       .value = position[i],
						       .format = "" });
		text_add(s, &text, (struct air_piece){ .kind = PIECE_TEXT,
						       .text = i + 1 < g->n_axes ? ", " : ")" });
	}
	return text;
}

static void guard(struct sema *s, const struct air_expr *look_up, struct grid *g,
		  const struct guarded *where)
{
	struct span at = sema_place(s, look_up->span);
	int n = look_up->n_args - 1;
	struct air_target target = { 0 };
	const struct air_expr *any;
	struct air_stmt *st;

	target.field = made_field(s, "outside", ELEM_BOOL, g, at);
	if (where->region)
		target.region = *where->region;
	else
		region_clear(&target.region);
	target.value = outside(s, look_up->arg[0], n);
	st = sema_emit(s, STMT_ASSIGN, at);
	st->n_targets = 1;
	st->target = arena_copy(s->air->arena, &target, sizeof target);
	st->mask = where->mask;
	s->changes--; /* nothing that has a name */
	any = reduced(s, target.field, REDUCE_ANY, ELEM_BOOL);
	st = sema_emit(s, STMT_IF, at);
	st->value = any;
	s->block = &st->body;
	any = reduced(s, target.field, REDUCE_ARGMAX, ELEM_I64);
	st = sema_emit(s, STMT_CHECK, at);
	st->value = air_int(s->air, ELEM_BOOL, 0);
	st->text = complaint(s, g, any, n);
}

static bool seen(const struct air_walk *w, int k)
{
	for (int i = 0; i < k; i++)
		if (w->node[i]->op == AIR_LOOKUP && w->node[i]->arg[0] == w->node[k]->arg[0] &&
		    w->node[i]->n_args == w->node[k]->n_args)
			return true;
	return false;
}

static void open_block(struct sema *s, struct span at)
{
	struct air_stmt *st = sema_emit(s, STMT_CHECKING, sema_place(s, at));
	struct air_var *v = var_new(s, sema_name(s, "checking"), ELEM_BOOL, at, false);

	st->var = v;
	st = sema_emit(s, STMT_IF, sema_place(s, at));
	st->value = air_read_var(s->air, v, at);
	s->block = &st->body;
}

void guard_look_ups(struct sema *s, const struct air_expr *e, struct grid *g,
		    const struct guarded *where)
{
	struct air_block *around = s->block;
	struct air_walk w = air_walk_of(e);

	for (int i = 0; i < w.n && !s->local; i++) {
		struct air_block *inner;

		if (w.node[i]->op != AIR_LOOKUP || !may_leave(w.node[i]) || seen(&w, i))
			continue;
		if (s->block == around)
			open_block(s, e->span);
		inner = s->block;
		guard(s, w.node[i], g, where);
		s->block = inner;
	}
	s->block = around;
	air_walk_free(&w);
}
