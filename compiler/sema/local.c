/* compiler/sema/local.c - rank-local code: `local { … }`, rank, ranks, bounds
 *
 * In a local block values may differ between ranks. That none of them leaves it and that
 * no rank waits for another there is seen where statements of AIR are made: one that
 * all ranks take part in is refused, and so is setting a variable of outside.
 */
#include "sema/checker.h"

/* What the statement would do, for messages; NULL: it concerns one rank alone. */
static const char *all_ranks(enum air_stmt_kind kind)
{
	if (stmt_is_local(kind))
		return NULL;
	switch (kind) {
	case STMT_GRID:
		return "a grid is made by all ranks together";
	case STMT_FIELD:
	case STMT_STAGE:
		return "fields are computed by all ranks together";
	case STMT_ASSIGN:
	case STMT_COPY:
		return "a field is assigned by all ranks together";
	case STMT_REDUCE:
	case STMT_FOLD:
		return "a reduction is of all ranks together";
	case STMT_ELEMENT:
		return "an element of a field is handed to all ranks by the one that owns "
		       "it";
	case STMT_DRAW:
	case STMT_RANDOM:
		return "random numbers are drawn by all ranks together";
	case STMT_SAVE:
	case STMT_LOAD:
	case STMT_SHAPE:
	case STMT_PLOT:
	case STMT_EXISTS:
		return "files are read and written by all ranks together";
	case STMT_CLOCK:
		return "`clock` gives all ranks the same time";
	case STMT_LOCAL:
		return "a `local` block stands in another";
	default:
		return "this is done by all ranks together";
	}
}

/* One thing out of place may be several statements. */
static bool told_before(struct sema *s, struct span at)
{
	struct span told = s->local->told;

	s->local->told = at;
	return told.source == at.source && told.begin == at.begin;
}

void local_refuse(struct sema *s, struct span at, const char *why)
{
	if (told_before(s, at))
		return;
	sema_fail(s, DIAG_NOT_LOCAL, at, "in a `local` block each rank is alone, and %s",
		  why);
	sema_hint(s, "Do it before the block, and use the value there.");
}

void local_check_statement(struct sema *s, enum air_stmt_kind kind, struct span at)
{
	const char *why = all_ranks(kind);

	if (why)
		local_refuse(s, at, why);
}

bool local_may_set(struct sema *s, const struct air_var *v, struct span at)
{
	if (!s->local || v->id >= s->local->n_vars)
		return true;
	sema_fail(s, DIAG_NOT_LOCAL, at, "`%s` stands outside of the `local` block",
		  v->name);
	sema_hint(s, LOCAL_HINT);
	return false;
}

void check_local(struct sema *s, const struct ast *a)
{
	struct local_block local = { .n_vars = s->air->n_vars }, *outer = s->local;
	struct air_block *around = s->block;
	struct air_stmt *st = sema_emit(s, STMT_LOCAL, a->span);

	if (!outer)
		s->local = &local;
	s->block = &st->body;
	check_block(s, a->child[0]);
	s->block = around;
	s->local = outer;
	s->effects++;
}

/* ---- rank, ranks, bounds ----------------------------------------------------------- */

static bool is_local(struct sema *s, const struct arguments *a)
{
	if (s->local)
		return true;
	sema_fail(s, DIAG_NOT_LOCAL, a->at, "`%s` differs between ranks", a->name);
	sema_hint(s, "It can be used in a `local { ... }` block only.");
	return false;
}

static struct value asked(struct sema *s, struct arguments *a, enum air_stmt_kind kind)
{
	struct air_stmt *st = sema_emit(s, kind, sema_place(s, a->at));

	st->var = var_new(s, sema_name(s, a->name), ELEM_I64, a->at, false);
	return value_strong(air_read_var(s->air, st->var, a->at), a->at);
}

struct value rank_call(struct sema *s, struct arguments *a, int data)
{
	(void)data;
	return is_local(s, a) ? asked(s, a, STMT_RANK) : value_error();
}

struct value ranks_call(struct sema *s, struct arguments *a, int data)
{
	(void)data;
	return asked(s, a, STMT_RANKS);
}

static struct value bound(struct sema *s, struct arguments *a, struct grid *g, int axis,
			  int side)
{
	struct value v = asked(s, a, STMT_BOUND);
	struct air_stmt *st = s->block->last;

	st->grid = g;
	st->axis = g->axis[axis];
	st->to = air_int(s->air, ELEM_I64, side);
	return v;
}

/* [first, past the last] of each axis. */
struct value bounds_call(struct sema *s, struct arguments *a, int data)
{
	struct value v = a->value[0], axis[MAX_AXES], side[2];
	struct grid *g = v.kind == VALUE_GRID ? v.as.grid : value_grid(&v);

	(void)data;
	if (!is_local(s, a))
		return value_error();
	if (!g)
		return sema_failed(s, DIAG_WRONG_ARGUMENTS, v.span,
				   "`bounds` is of a field or grid, and this is %s",
				   value_text(s, &v));
	for (int i = 0; i < g->n_axes; i++) {
		for (int k = 0; k < 2; k++)
			side[k] = bound(s, a, g, i, k);
		axis[i] = value_list(s, VALUE_LIST, side, 2, a->at);
	}
	return value_list(s, VALUE_LIST, axis, g->n_axes, a->at);
}
