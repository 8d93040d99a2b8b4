/* compiler/sema/operator.c - operators between values
 *
 * Types as in NumPy; bools count; `/` of integers is real; a power with a constant
 * integer exponent is repeated squaring.
 */
#include "sema/checker.h"

static const enum air_op air_ops[AST_OP_COUNT] = {
	[AST_OP_ADD] = AIR_ADD,
	[AST_OP_SUB] = AIR_SUB,
	[AST_OP_MUL] = AIR_MUL,
	[AST_OP_DIV] = AIR_DIV,
	[AST_OP_FLOORDIV] = AIR_FLOORDIV,
	[AST_OP_MOD] = AIR_MOD,
	[AST_OP_EQ] = AIR_EQ,
	[AST_OP_NE] = AIR_NE,
	[AST_OP_LT] = AIR_LT,
	[AST_OP_LE] = AIR_LE,
	[AST_OP_GT] = AIR_LT,
	[AST_OP_GE] = AIR_LE,
	[AST_OP_AND] = AIR_AND,
	[AST_OP_OR] = AIR_OR,
};

static struct value no_texts(struct sema *s, enum ast_op op, struct span at)
{
	struct value e = sema_failed(s, DIAG_WRONG_TYPE, at,
				     "`%s` does not work on texts", ast_op_text(op));

	sema_hint(s, "Texts join by interpolation: `\"{a}{b}\"`.");
	return e;
}

/* What complex numbers lack: an order, and whole quotients. */
static struct value no_complex(struct sema *s, enum ast_op op, struct span at)
{
	struct value e =
		sema_failed(s, DIAG_WRONG_TYPE, at,
			    "`%s` does not work on complex numbers", ast_op_text(op));

	sema_hint(s, "Take a real of them: `abs(...)`, `real(...)` or `imag(...)`.");
	return e;
}

static struct value arithmetic(struct sema *s, enum ast_op op, struct value *v,
			       struct span at)
{
	enum elem e;

	if (!operands_unify(s, v, 2, at))
		return value_error();
	e = v[0].as.expr->elem;
	if (e == ELEM_STR)
		return no_texts(s, op, at);
	if (elem_kind(e) == KIND_COMPLEX && (op == AST_OP_FLOORDIV || op == AST_OP_MOD))
		return no_complex(s, op, at);
	if (op == AST_OP_DIV && elem_kind(e) <= KIND_INT)
		e = ELEM_F64;
	if (e == ELEM_BOOL)
		e = ELEM_I64;
	for (int i = 0; i < 2; i++)
		v[i] = value_cast(s, v[i], e);
	return value_op(s, air_ops[op], e, v, 2, at);
}

static struct value comparison(struct sema *s, enum ast_op op, struct value *v,
			       struct span at)
{
	bool order = op != AST_OP_EQ && op != AST_OP_NE;

	if (!operands_unify(s, v, 2, at))
		return value_error();
	if (order && v[0].as.expr->elem == ELEM_STR)
		return no_texts(s, op, at);
	if (order && elem_kind(v[0].as.expr->elem) == KIND_COMPLEX)
		return no_complex(s, op, at);
	if (order && v[0].as.expr->elem == ELEM_BOOL)
		for (int i = 0; i < 2; i++)
			v[i] = value_cast(s, v[i], ELEM_I64);
	if (op == AST_OP_GT || op == AST_OP_GE) {
		struct value left = v[0];

		v[0] = v[1];
		v[1] = left;
	}
	return value_op(s, air_ops[op], ELEM_BOOL, v, 2, at);
}

static bool all_bools(struct sema *s, enum ast_op op, const struct value *v, int n)
{
	for (int i = 0; i < n; i++) {
		if (v[i].as.expr->elem == ELEM_BOOL)
			continue;
		sema_fail(s, DIAG_WRONG_TYPE, v[i].span,
			  "`%s` needs a bool, and this is %s", ast_op_text(op),
			  value_text(s, &v[i]));
		sema_hint(s, "Compare it: `... != 0`.");
		return false;
	}
	return true;
}

static struct value logic(struct sema *s, enum ast_op op, struct value *v, struct span at)
{
	if (!operands_meet(s, v, 2, at) || !all_bools(s, op, v, 2))
		return value_error();
	return value_op(s, air_ops[op], ELEM_BOOL, v, 2, at);
}

static struct value power_constant(struct sema *s, struct value a, int64_t k,
				   struct span at)
{
	struct value v[2];
	enum elem e = a.as.expr->elem == ELEM_BOOL ? ELEM_I64 : a.as.expr->elem;

	a = value_cast(s, a, e);
	if (k < 0 && elem_kind(e) == KIND_INT) {
		struct value error =
			sema_failed(s, DIAG_WRONG_TYPE, at,
				    "an integer to a negative power is no integer");

		sema_hint(s, "Make the base real: `2.0 ^ -1`.");
		return error;
	}
	v[1] = a;
	v[1].span = at;
	v[1].as.expr =
		air_powi(s->air, a.as.expr, (int)(k < 0 ? -k : k), sema_place(s, at));
	if (k >= 0)
		return v[1];
	v[0] = value_cast(s, value_scalar(air_real(s->air, ELEM_F64, 1.0), at), e);
	return value_op(s, AIR_DIV, e, v, 2, at);
}

struct value value_power(struct sema *s, struct value a, struct value b, struct span at)
{
	struct value v[2] = { a, b };
	int64_t k;

	if (!operands_meet(s, v, 2, at))
		return value_error();
	if (v[0].as.expr->elem == ELEM_STR || v[1].as.expr->elem == ELEM_STR)
		return no_texts(s, AST_OP_POW, at);
	if (value_is_integer(&v[1], &k) &&
	    ((k >= -64 && k <= 64) ||
	     (k < 0 && elem_kind(value_elem(&v[0])) <= KIND_INT)))
		return power_constant(s, v[0], k, at);
	if (!operands_unify(s, v, 2, at))
		return value_error();
	if (v[0].as.expr->elem == ELEM_BOOL)
		for (int i = 0; i < 2; i++)
			v[i] = value_cast(s, v[i], ELEM_I64);
	return value_op(s, AIR_POW, v[0].as.expr->elem, v, 2, at);
}

struct value value_binary(struct sema *s, enum ast_op op, struct value a, struct value b,
			  struct span at)
{
	struct value v[2] = { a, b };

	switch (op) {
	case AST_OP_POW:
		return value_power(s, a, b, at);
	case AST_OP_AND:
	case AST_OP_OR:
		return logic(s, op, v, at);
	case AST_OP_EQ:
	case AST_OP_NE:
	case AST_OP_LT:
	case AST_OP_LE:
	case AST_OP_GT:
	case AST_OP_GE:
		return comparison(s, op, v, at);
	default:
		return arithmetic(s, op, v, at);
	}
}

struct value value_unary(struct sema *s, enum ast_op op, struct value a, struct span at)
{
	if (!operands_meet(s, &a, 1, at))
		return value_error();
	if (op == AST_OP_NOT)
		return all_bools(s, op, &a, 1)
			       ? value_op(s, AIR_NOT, ELEM_BOOL, &a, 1, at)
			       : value_error();
	if (a.as.expr->elem == ELEM_STR)
		return no_texts(s, op, at);
	if (a.as.expr->elem == ELEM_BOOL)
		a = value_cast(s, a, ELEM_I64);
	if (op == AST_OP_POS)
		return a;
	return value_op(s, AIR_NEG, a.as.expr->elem, &a, 1, at);
}
