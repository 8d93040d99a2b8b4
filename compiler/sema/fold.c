/* compiler/sema/fold.c - reductions and scans along axes of a field
 *
 * Along axes that are all local a reduction is an expression, its terms from left to
 * right in the field's own type. Otherwise it is a FOLD statement, of what is stored;
 * where no axis is left, a whole reduction. Sums come in f64 or i64: who calls gives
 * them the type of the field.
 */
#include "sema/checker.h"

#include <string.h>

static bool is_sum(enum air_reduction r)
{
	return r == REDUCE_SUM || r == REDUCE_PROD;
}

static enum air_op fold_op(enum air_reduction r)
{
	switch (r) {
	case REDUCE_SUM:
		return AIR_ADD;
	case REDUCE_PROD:
		return AIR_MUL;
	case REDUCE_MIN:
		return AIR_MIN;
	case REDUCE_MAX:
		return AIR_MAX;
	case REDUCE_ANY:
		return AIR_OR;
	default:
		return AIR_AND;
	}
}

/* ---- along local axes ------------------------------------------------------- */

/* The terms of v at every point of a, folded from the left. */
static struct value fold_constant(struct sema *s, enum air_reduction r, struct value v,
				  const struct axis *a)
{
	struct value sum = value_fix(s, v, a, air_int(s->air, ELEM_I64, 0)), pair[2];

	for (int64_t i = 1; i < a->constant_size; i++) {
		pair[0] = sum;
		pair[1] = value_fix(s, v, a, air_int(s->air, ELEM_I64, i));
		sum = value_op(s, fold_op(r), value_elem(&v), pair, 2, v.span);
	}
	return sum;
}

/* The same for a field that has no other axis: a scalar made of its elements. */
static struct value fold_elements(struct sema *s, enum air_reduction r, struct value v,
				  const struct axis *a)
{
	struct value sum = v, pair[2];
	struct air_field *f = value_field(&v);

	for (int64_t i = 0; i < a->constant_size; i++) {
		struct air_stmt *st = sema_emit(s, STMT_ELEMENT, sema_place(s, v.span));

		st->var = var_new(s, sema_name(s, f->name), f->elem, v.span, false);
		st->field = f;
		st->index[0] = air_int(s->air, ELEM_I64, i);
		pair[0] = sum;
		pair[1] = value_scalar(air_read_var(s->air, st->var, v.span), v.span);
		sum = i ? value_op(s, fold_op(r), f->elem, pair, 2, v.span) : pair[1];
	}
	return sum;
}

static struct grid *grid_without(struct sema *s, const struct grid *g,
				 const struct axis *a)
{
	struct axis *rest[MAX_AXES];
	int ext[MAX_AXES], n = 0;

	for (int i = 0; i < g->n_axes; i++) {
		if (g->axis[i] == a)
			continue;
		ext[n] = g->ext[i];
		rest[n++] = g->axis[i];
	}
	if (!n)
		return NULL;
	return grid_closed(&s->air->types,
			   grid_of_extended(&s->air->types, rest, ext, n));
}

/* The statement; v is a field. */
static struct value fold_emit(struct sema *s, enum air_reduction r, struct value v,
			      unsigned axes, const char *name)
{
	struct air_fold *fold = arena_new_object(s->arena, struct air_fold);
	struct grid *g = value_grid(&v);

	for (int i = g->n_axes - 1; i >= 0 && !reduction_is_scan(r); i--)
		if (axes >> i & 1)
			g = grid_without(s, g, value_grid(&v)->axis[i]);
	fold->from = value_field(&v);
	fold->axes = axes;
	fold->reduction = r;
	fold->to = sema_field_new(s, FIELD_DECLARED, sema_name(s, name),
				  air_reduced_elem(r, fold->from->elem), g);
	fold->to->span = sema_place(s, v.span);
	fold->to->made = true;
	sema_emit(s, STMT_FOLD, fold->to->span)->fold = fold;
	return value_field_of(s, fold->to, v.span);
}

static void accumulate(struct sema *s, struct air_field *f, struct value term)
{
	struct air_target target = { .field = f };
	struct air_stmt *st;

	for (int i = 0; i < MAX_AXES; i++)
		target.region.axis[i].step = 1;
	term = loose_end(s, term, f->grid);
	claims_check(s, &term, f->grid, NULL);
	guard_look_ups(s, term.as.expr, f->grid, &(struct guarded){ NULL, NULL });
	target.value = term.as.expr;
	st = sema_emit(s, STMT_ASSIGN, sema_place(s, term.span));
	st->n_targets = 1;
	st->target = arena_copy(s->arena, &target, sizeof target);
}

/* As many terms as the run says: a field that a loop adds to. */
static struct value fold_loop(struct sema *s, enum air_reduction r, struct value v,
			      const struct axis *a)
{
	struct grid *g = grid_without(s, value_grid(&v), a);
	const struct air_expr *size = air_at(s->air, AIR_SIZE, a, 0, v.span);
	struct air_block *around = s->block;
	struct value pair[2], k;
	struct air_field *f;
	struct air_stmt *st;

	f = sema_field_new(s, FIELD_DECLARED, sema_name(s, "along"), value_elem(&v), g);
	f->span = v.span;
	sema_emit(s, STMT_FIELD, v.span)->field = f;
	accumulate(s, f, value_fix(s, v, a, air_int(s->air, ELEM_I64, 0)));
	st = sema_emit(s, STMT_FOR, v.span);
	st->var = var_new(s, sema_name(s, a->name), ELEM_I64, v.span, false);
	st->from = air_int(s->air, ELEM_I64, 1);
	st->to = size;
	st->by = air_int(s->air, ELEM_I64, 1);
	s->block = &st->body;
	k = value_scalar(air_read_var(s->air, st->var, v.span), v.span);
	pair[0] = value_field_of(s, f, v.span);
	pair[1] = value_fix(s, v, a, k.as.expr);
	accumulate(s, f, value_op(s, fold_op(r), value_elem(&v), pair, 2, v.span));
	s->block = around;
	field_note_of(s, f)->unnamed = false;
	return value_field_of(s, f, v.span);
}

/* A scalar of a field that has but one, long, local axis. */
static struct value fold_only(struct sema *s, enum air_reduction r, struct value v,
			      const char *name)
{
	struct air_stmt *st;
	struct air_field *f;

	if (!is_sum(r) || elem_kind(value_elem(&v)) != KIND_REAL)
		return reduce_whole(s, r, v, name);
	v = fold_emit(s, r == REDUCE_SUM ? REDUCE_CUMSUM : REDUCE_CUMPROD, v, 1, name);
	f = value_field(&v);
	st = sema_emit(s, STMT_ELEMENT, sema_place(s, v.span));
	st->var = var_new(s, sema_name(s, name), f->elem, v.span, false);
	st->field = f;
	st->index[0] = air_int(s->air, ELEM_I64, -1);
	return value_scalar(air_read_var(s->air, st->var, v.span), v.span);
}

static struct value fold_local(struct sema *s, enum air_reduction r, struct value v,
			       const struct axis *a, const char *name)
{
	bool alone = value_grid(&v)->n_axes == 1;
	bool fits = a->constant_size >= 0 && a->constant_size <= UNROLL_LIMIT;

	/* what is shifted may leave the axis: its points alone are summed */
	if (air_reads_shifted(v.as.expr, a) || (alone && !value_field(&v)))
		v = stage_new(s, v, sema_name(s, "terms"));
	if (v.kind == VALUE_ERROR)
		return v;
	if (alone)
		return fits ? fold_elements(s, r, v, a) : fold_only(s, r, v, name);
	return fits ? fold_constant(s, r, v, a) : fold_loop(s, r, v, a);
}

static bool all_local(const struct grid *g, unsigned axes)
{
	for (int i = 0; i < g->n_axes; i++)
		if (axes >> i & 1 && !g->axis[i]->local)
			return false;
	return true;
}

static struct value fold_each_local(struct sema *s, enum air_reduction r, struct value v,
				    unsigned axes, const char *name)
{
	const struct grid *g = value_grid(&v);

	if (is_sum(r) && elem_kind(value_elem(&v)) <= KIND_INT)
		v = value_cast(s, v, ELEM_I64);
	for (int i = 0; i < g->n_axes && v.kind != VALUE_ERROR; i++)
		if (axes >> i & 1)
			v = fold_local(s, r, v, g->axis[i], name);
	return v;
}

/* ---- along any -------------------------------------------------------------- */

bool fold_axes(struct sema *s, const struct arguments *a, int first,
	       const struct value *v, unsigned *axes)
{
	struct grid *g = value_grid(v);

	*axes = 0;
	if (!g) {
		sema_fail(s, DIAG_WRONG_ARGUMENTS, v->span,
			  "`%s` is of a field, and this is %s", a->name,
			  value_text(s, v));
		return false;
	}
	for (int i = first; i < a->n; i++) {
		const struct value *x = &a->value[i];
		struct axis *axis =
			x->kind == VALUE_AXIS ? axis_in(s, x->as.axis, g) : NULL;
		unsigned bit = axis ? 1u << grid_axis_index(g, axis) : 0;

		if (x->kind != VALUE_AXIS)
			sema_fail(s, DIAG_WRONG_ARGUMENTS, x->span,
				  "after the field stand axes to go along, and this is "
				  "%s",
				  value_text(s, x));
		else if (!axis)
			no_axis(s, x->as.axis, g, x->span);
		else if (*axes & bit)
			sema_fail(s, DIAG_WRONG_ARGUMENTS, x->span,
				  "the axis `%s` stands here twice", axis->name);
		if (!axis || *axes & bit)
			return false;
		*axes |= bit;
	}
	return true;
}

struct value fold_points(struct sema *s, const struct value *v, unsigned axes)
{
	struct grid *g = grid_closed(&s->air->types, value_grid(v));
	struct value n = value_scalar(air_int(s->air, ELEM_I64, 1), v->span);

	for (int i = 0; i < g->n_axes; i++)
		if (axes >> i & 1)
			n = value_binary(s, AST_OP_MUL, n,
					 value_scalar(air_size(s->air, g, i), v->span),
					 v->span);
	return n;
}

struct value fold_stored(struct sema *s, struct value v)
{
	return value_field(&v) ? v : stage_new(s, v, sema_name(s, "terms"));
}

/* Sums of complex numbers are of each part; v is stored. */
static struct value fold_parts(struct sema *s, struct value v, unsigned axes,
			       const char *name)
{
	enum elem e = value_elem(&v);
	struct value part[2];

	for (int i = 0; i < 2; i++) {
		part[i] =
			value_op(s, i ? AIR_IMAG : AIR_REAL, elem_part(e), &v, 1, v.span);
		part[i] = fold_along(s, REDUCE_SUM, part[i], axes, name);
		if (part[i].kind == VALUE_ERROR)
			return part[i];
	}
	return value_op(s, AIR_COMPLEX, ELEM_C128, part, 2, v.span);
}

struct value fold_along(struct sema *s, enum air_reduction r, struct value v,
			unsigned axes, const char *name)
{
	const struct grid *g = value_grid(&v);
	bool one = r == REDUCE_ARGMIN || r == REDUCE_ARGMAX || reduction_is_scan(r);

	if ((r == REDUCE_MIN || r == REDUCE_MAX) && value_elem(&v) == ELEM_BOOL)
		r = r == REDUCE_MIN ? REDUCE_ALL : REDUCE_ANY;
	if (one && axes & (axes - 1))
		return sema_failed(s, DIAG_WRONG_ARGUMENTS, v.span,
				   "`%s` goes along one axis", name);
	if (!one && all_local(g, axes))
		return fold_each_local(s, r, v, axes, name);
	if (!reduction_is_scan(r) && axes == (1u << g->n_axes) - 1)
		return reduce_whole(s, r, v, name);
	if (elem_kind(value_elem(&v)) == KIND_COMPLEX && r == REDUCE_SUM)
		return fold_parts(s, fold_stored(s, v), axes, name);
	if (reduction_is_scan(r) && elem_kind(value_elem(&v)) <= KIND_INT)
		v = value_cast(s, v, ELEM_I64);
	v = fold_stored(s, v);
	return v.kind == VALUE_ERROR ? v : fold_emit(s, r, v, axes, name);
}

struct value scan_call(struct sema *s, struct arguments *a, int which)
{
	struct value v;
	unsigned axes;

	if (names_alone(s, a))
		return value_error();
	v = loose_settle_alone(s, value_operand(s, a->value[0]));
	if (v.kind == VALUE_ERROR || !fold_axes(s, a, 1, &v, &axes))
		return value_error();
	if (value_elem(&v) == ELEM_STR)
		return sema_failed(s, DIAG_WRONG_TYPE, v.span,
				   "`%s` does not work on texts", a->name);
	if (!axes && value_grid(&v)->n_axes > 1) {
		v = sema_failed(s, DIAG_WRONG_ARGUMENTS, a->at,
				"`%s` needs the axis to go along", a->name);
		sema_hint(s, "Write `%s(u, %s)`.", a->name,
			  value_grid(&a->value[0])
				  ? value_grid(&a->value[0])->axis[0]->name
				  : "x");
		return v;
	}
	v = fold_along(s, which, v, axes ? axes : 1, a->name);
	v.span = a->at;
	return v;
}
