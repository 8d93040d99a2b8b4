/* compiler/sema/convert.c - what operands become before they meet
 *
 * Operands settle in one family, then take one element type: NumPy's promotion,
 * but scalars and positions are weak and take the type of a field of the same or
 * a higher kind. Every conversion is a CAST in AIR.
 */
#include "sema/checker.h"

#include <math.h>

static bool unrelated(struct sema *s, const struct grid *a, const struct grid *b,
		      struct span at)
{
	sema_fail(s, DIAG_UNRELATED_GRIDS, at,
		  "fields of `%s` and `%s` cannot be combined", a->name, b->name);
	sema_note(s, a->family->span, "`%s` is declared here", a->family->name);
	sema_note(s, b->family->span, "`%s` is declared here", b->family->name);
	sema_hint(s, "Only a grid, what is derived from it and itself with more local "
		     "axes are "
		     "related; derive one of the two from the other, or combine them position "
		     "by position: `a[:]`.");
	return false;
}

/* Operands that are axes become indices; names of axes settle where a field is met.
 * False when some operand is no expression, or grids are unrelated (told). */
bool operands_meet(struct sema *s, struct value *v, int n, struct span at)
{
	struct grid *home = NULL;

	for (int i = 0; i < n; i++) {
		v[i] = value_operand(s, v[i]);
		if (v[i].kind == VALUE_ERROR)
			return false;
		if (v[i].kind != VALUE_EXPR) {
			sema_fail(s, DIAG_WRONG_TYPE, v[i].span,
				  "%s cannot be computed with", value_text(s, &v[i]));
			return false;
		}
	}
	if (!slices_meet(s, v, n))
		return false;
	for (int i = 0; i < n; i++) {
		if (!value_grid(&v[i]))
			continue;
		if (home && home->family != value_grid(&v[i])->family)
			return unrelated(s, home, value_grid(&v[i]), at);
		home = home ? grid_join(&s->air->types, home, value_grid(&v[i]))
			    : value_grid(&v[i]);
	}
	for (int i = 0; home && i < n; i++) {
		v[i] = loose_meet(s, v[i], home);
		if (v[i].kind == VALUE_ERROR)
			return false;
	}
	return true;
}

bool constant_fits(const struct air_expr *e, enum elem elem)
{
	int64_t i;
	double f;

	if (!air_constant(e, &i, &f))
		return true;
	if (elem_kind(e->elem) == KIND_REAL)
		return elem != ELEM_F32 || !isfinite(f) || isfinite((float)f);
	if (elem_kind(e->elem) != KIND_INT)
		return true;
	switch (elem) {
	case ELEM_U8:
		return i >= 0 && i <= 255;
	case ELEM_I32:
		return i >= INT32_MIN && i <= INT32_MAX;
	default:
		return elem != ELEM_BOOL;
	}
}

/* The type of a weak w met with the strong type e. */
static enum elem weak_meets(const struct value *w, enum elem e)
{
	enum elem_kind mine = elem_kind(w->as.expr->elem), other = elem_kind(e);
	int64_t i;

	if (mine < other && other >= KIND_INT)
		return e;
	if (mine == other && (mine == KIND_REAL || mine == KIND_COMPLEX))
		return e;
	if (mine == KIND_INT && other == KIND_INT && air_constant(w->as.expr, &i, NULL) &&
	    constant_fits(w->as.expr, e))
		return e;
	if (mine == KIND_COMPLEX)
		return elem_complex(e);
	return elem_promote(w->as.expr->elem, e);
}

/* The common type of operands, ELEM_NONE when there is none (texts and numbers). */
enum elem elem_common(const struct value *v, int n)
{
	enum elem strong = ELEM_NONE, weak = ELEM_NONE, all;

	for (int i = 0; i < n; i++) {
		enum elem e = v[i].as.expr->elem, *into = v[i].weak ? &weak : &strong;

		if ((e == ELEM_STR) != (v[0].as.expr->elem == ELEM_STR))
			return ELEM_NONE;
		*into = *into == ELEM_NONE || e == ELEM_STR ? e : elem_promote(*into, e);
	}
	if (strong == ELEM_NONE || strong == ELEM_STR || weak == ELEM_STR)
		return strong == ELEM_NONE ? weak : strong;
	all = strong;
	for (int i = 0; i < n; i++)
		if (v[i].weak)
			all = elem_promote(all, weak_meets(&v[i], strong));
	return all;
}

struct value value_cast(struct sema *s, struct value v, enum elem e)
{
	if (v.kind == VALUE_EXPR && v.as.expr->elem != e)
		v.as.expr = air_cast(s->air, v.as.expr, e);
	return v;
}

/* Operands of one family and of one type; false when told that they are not. */
bool operands_unify(struct sema *s, struct value *v, int n, struct span at)
{
	enum elem e;

	if (!operands_meet(s, v, n, at))
		return false;
	e = elem_common(v, n);
	if (e == ELEM_NONE) {
		sema_fail(s, DIAG_WRONG_TYPE, at,
			  "a text and a number cannot be combined");
		sema_hint(s, "Texts join by interpolation: `\"{a}{b}\"`.");
		return false;
	}
	for (int i = 0; i < n; i++)
		v[i] = value_cast(s, v[i], e);
	return true;
}

/* An assignment's conversion: within a kind or upwards. */
bool value_convert(struct sema *s, struct value *v, enum elem e, const char *what)
{
	enum elem_kind from, to = elem_kind(e);

	*v = value_operand(s, *v);
	if (v->kind == VALUE_ERROR)
		return false;
	if (v->kind != VALUE_EXPR) {
		sema_fail(s, DIAG_WRONG_TYPE, v->span, "%s is %s, not a value of %s",
			  what, value_text(s, v), elem_text(e));
		return false;
	}
	from = elem_kind(v->as.expr->elem);
	if ((from == KIND_TEXT) != (to == KIND_TEXT)) {
		sema_fail(s, DIAG_WRONG_TYPE, v->span, "%s is of %s, not of %s", what,
			  elem_text(v->as.expr->elem), elem_text(e));
		return false;
	}
	if (from > to) {
		sema_fail(s, DIAG_NARROWING, v->span,
			  "%s is of %s, which does not fit into %s", what,
			  elem_text(v->as.expr->elem), elem_text(e));
		if (from == KIND_COMPLEX)
			sema_hint(s, "Take a part of it: `real(...)`, `imag(...)` or "
				     "`abs(...)`.");
		else
			sema_hint(s, "Convert it with `%s(...)` if that is meant.",
				  elem_text(e));
		return false;
	}
	if (from == to && v->as.expr->op == AIR_CONST && !constant_fits(v->as.expr, e)) {
		sema_fail(s, DIAG_NARROWING, v->span,
			  "%s is a constant that does not fit into %s", what,
			  elem_text(e));
		sema_hint(s, "Convert it with `%s(...)` if that is meant.", elem_text(e));
		return false;
	}
	*v = value_cast(s, *v, e);
	return true;
}

/* What operands that met hold, claim and lack together; with no expression yet. */
struct value value_joined(struct sema *s, const struct value *v, int n, struct span at)
{
	struct value r = { .kind = VALUE_EXPR, .span = at, .weak = true };

	r.uneven = lengths_differ(v, n);
	for (int i = 0; i < n; i++) {
		r.weak = r.weak && v[i].weak;
		r.loose |= v[i].loose;
		r.open = r.open || v[i].open;
		r.pinned = r.pinned || v[i].pinned;
		r.stencil |= v[i].stencil;
		r.claims = claims_join(s, r.claims, v[i].claims);
	}
	return r;
}

/* An operation on operands that met. */
struct value value_op(struct sema *s, enum air_op op, enum elem e, struct value *v, int n,
		      struct span at)
{
	const struct air_expr *arg[16];
	struct value r = value_joined(s, v, n, at);

	for (int i = 0; i < n; i++)
		arg[i] = v[i].as.expr;
	r.as.expr = air_op(s->air, op, e, arg, n, sema_place(s, at));
	return r;
}
