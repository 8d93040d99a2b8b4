/* array/simplify.c - what is the same without an operation, bit for bit
 *
 * Looks at one operation and its arguments while it is built. Every rule holds for NaN,
 * -0 and wrapping integers; the caller keeps types and grids.
 */
#include "array/simplify.h"

#include "array/scalar.h"

static bool is_int(const struct air_expr *e, int64_t i)
{
	return e->op == AIR_CONST && elem_kind(e->elem) <= KIND_INT && e->as.i == i;
}

static bool is_one(const struct air_expr *e)
{
	return is_int(e, 1) || (e->op == AIR_CONST && elem_kind(e->elem) == KIND_REAL &&
	                        e->as.f == 1);
}

/* What can be added without a change: 0 to integers, -0 to reals. */
static bool is_nothing(const struct air_expr *e, double real_zero)
{
	union scalar zero = { .f = real_zero };

	return is_int(e, 0) || (e->op == AIR_CONST && elem_kind(e->elem) == KIND_REAL &&
	                        scalar_equal(ELEM_F64, (union scalar){ .f = e->as.f }, zero));
}

static const struct air_expr *simple_logic(const struct air_expr *e)
{
	bool stop = e->op == AIR_OR;         /* x or true, x and false */

	for (int i = 0; i < 2; i++) {
		if (is_int(e->arg[i], stop))
			return e->arg[i];
		if (is_int(e->arg[i], !stop))
			return e->arg[!i];
	}
	return e->arg[0] == e->arg[1] ? e->arg[0] : NULL;
}

static const struct air_expr *simple_select(const struct air_expr *e)
{
	if (e->arg[0]->op == AIR_CONST)
		return e->arg[0]->as.i ? e->arg[1] : e->arg[2];
	return e->arg[1] == e->arg[2] ? e->arg[1] : NULL;
}

static const struct air_expr *simple_lookup(const struct air_expr *e)
{
	int64_t i = e->arg[0]->as.i, last = e->n_args - 2;

	if (e->arg[0]->op != AIR_CONST)
		return NULL;
	return e->arg[1 + (i < 0 ? 0 : i > last ? last : i)];
}

/* Both parts of one number. */
static const struct air_expr *simple_complex(const struct air_expr *e)
{
	const struct air_expr *re = e->arg[0], *im = e->arg[1];

	return re->op == AIR_REAL && im->op == AIR_IMAG && re->arg[0] == im->arg[0]
	               ? re->arg[0] : NULL;
}

const struct air_expr *expr_simpler(const struct air_expr *e)
{
	const struct air_expr *const *x = e->arg;

	switch (e->op) {
	case AIR_NEG:
	case AIR_NOT:
		return x[0]->op == e->op ? x[0]->arg[0] : NULL;
	case AIR_ADD:
		return is_nothing(x[1], -0.0) ? x[0] : is_nothing(x[0], -0.0) ? x[1] : NULL;
	case AIR_SUB:
		return is_nothing(x[1], 0.0) ? x[0] : NULL;
	case AIR_MUL:
		return is_one(x[1]) ? x[0] : is_one(x[0]) ? x[1] : NULL;
	case AIR_DIV:
		return is_one(x[1]) ? x[0] : NULL;
	case AIR_FLOORDIV:
		return is_int(x[1], 1) ? x[0] : NULL;
	case AIR_POWI:
		return e->as.i == 1 ? x[0] : NULL;
	case AIR_MIN:
	case AIR_MAX:
		return x[0] == x[1] ? x[0] : NULL;
	case AIR_AND:
	case AIR_OR:
		return simple_logic(e);
	case AIR_SELECT:
		return simple_select(e);
	case AIR_LOOKUP:
		return simple_lookup(e);
	case AIR_COMPLEX:
		return simple_complex(e);
	case AIR_REAL:
	case AIR_IMAG:
		return x[0]->op == AIR_COMPLEX ? x[0]->arg[e->op == AIR_IMAG] : NULL;
	case AIR_CAST:
		return x[0]->elem == e->elem ? x[0] : NULL;
	default:
		return NULL;
	}
}
