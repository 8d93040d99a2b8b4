/* array/verify_expr.c - the rules of expressions
 *
 * Types and grids of each operation against its arguments, the payload of each leaf.
 * Each node is looked at once in a program; complaints name it as it prints.
 */
#include "array/verify.h"

#include <stdlib.h>
#include <string.h>
#include "array/walk.h"

/* What an operation asks of its arguments. */
enum rule { RULE_LEAF, RULE_NUMBERS, RULE_ORDERED, RULE_REALS, RULE_ASK, RULE_ASK_REAL,
	    RULE_BOOLS, RULE_SELECT, RULE_CAST, RULE_LOOKUP, RULE_RANDOM,
	    RULE_EXTERN,
	    RULE_COMPLEX, RULE_PART };

static enum rule rule_of(enum air_op op)
{
	switch (op) {
	case AIR_NEG: case AIR_ADD: case AIR_SUB: case AIR_MUL: case AIR_FLOORDIV:
	case AIR_MOD: case AIR_POW: case AIR_POWI: case AIR_ABS: case AIR_SIGN:
		return RULE_NUMBERS;
	case AIR_MIN: case AIR_MAX:
		return RULE_ORDERED;
	case AIR_EQ: case AIR_NE: case AIR_LT: case AIR_LE:
		return RULE_ASK;
	case AIR_ISNAN: case AIR_ISINF: case AIR_ISFINITE:
		return RULE_ASK_REAL;
	case AIR_AND: case AIR_OR: case AIR_NOT:
		return RULE_BOOLS;
	case AIR_SELECT:
		return RULE_SELECT;
	case AIR_CAST:
		return RULE_CAST;
	case AIR_LOOKUP:
		return RULE_LOOKUP;
	case AIR_COMPLEX:
		return RULE_COMPLEX;
	case AIR_REAL: case AIR_IMAG:
		return RULE_PART;
	case AIR_RANDOM:
		return RULE_RANDOM;
	case AIR_EXTERN:
		return RULE_EXTERN;
	default:
		return air_op_arity(op) == 0 ? RULE_LEAF : RULE_REALS;
	}
}

static bool fail_at(struct verifier *v, const struct air_expr *e, const char *what)
{
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);

	air_expr_print(e, out);
	fclose(out);
	verify_fail(v, "node %d, %.200s: %s", e->id, text, what);
	free(text);
	return false;
}

static bool args_are(const struct air_expr *e, int first, enum elem type)
{
	for (int i = first; i < e->n_args; i++)
		if (e->arg[i]->elem != type)
			return false;
	return true;
}

static bool is_number(enum elem e)
{
	return elem_kind(e) == KIND_INT || elem_kind(e) == KIND_REAL;
}

static const char *check_extern(const struct air_expr *e)
{
	const struct air_extern *f = e->as.function;

	if (e->n_args != f->n_params || e->elem != f->elem || e->elem == ELEM_STR)
		return "is no call of this function";
	for (int i = 0; i < e->n_args; i++)
		if (e->arg[i]->elem != f->param[i])
			return "an argument is of another type than the parameter";
	return NULL;
}

static const char *check_types(const struct air_expr *e)
{
	enum elem first = e->n_args ? e->arg[0]->elem : ELEM_NONE;
	bool real = elem_kind(e->elem) == KIND_REAL;

	switch (rule_of(e->op)) {
	case RULE_LEAF:
		return NULL;
	case RULE_NUMBERS:
		return is_number(e->elem) && args_are(e, 0, e->elem)
		               ? NULL : "takes numbers of its own type";
	case RULE_ORDERED:
		return (is_number(e->elem) || e->elem == ELEM_BOOL) && args_are(e, 0, e->elem)
		               ? NULL : "takes arguments of its own type";
	case RULE_REALS:
		return real && args_are(e, 0, e->elem) ? NULL : "takes reals of its own type";
	case RULE_ASK:
		if (elem_kind(first) == KIND_TEXT && (e->op == AIR_LT || e->op == AIR_LE))
			return "texts have no order";
		return e->elem == ELEM_BOOL && args_are(e, 0, first)
		               ? NULL : "compares two of one type, for a bool";
	case RULE_ASK_REAL:
		return e->elem == ELEM_BOOL && elem_kind(first) == KIND_REAL
		               ? NULL : "asks about a real, for a bool";
	case RULE_BOOLS:
		return e->elem == ELEM_BOOL && args_are(e, 0, ELEM_BOOL)
		               ? NULL : "takes and gives bools";
	case RULE_SELECT:
		return first == ELEM_BOOL && args_are(e, 1, e->elem)
		               ? NULL : "takes a bool and two of its own type";
	case RULE_CAST:
		return (is_number(e->elem) || e->elem == ELEM_BOOL) &&
		                       (is_number(first) || first == ELEM_BOOL)
		               ? NULL : "converts numbers and bools only";
	case RULE_LOOKUP:
		return e->n_args >= 2 && first == ELEM_I64 && args_are(e, 1, e->elem)
		               ? NULL : "takes an i64 and entries of its own type";
	case RULE_COMPLEX:
		return elem_kind(e->elem) == KIND_COMPLEX && args_are(e, 0, elem_part(e->elem))
		               ? NULL : "takes two reals of its own precision";
	case RULE_PART:
		return real && elem_kind(first) == KIND_COMPLEX && e->elem == elem_part(first)
		               ? NULL : "takes a complex number of its own precision";
	case RULE_RANDOM:
		return real && first == ELEM_I64 && !e->arg[0]->grid && e->grid &&
		                       (e->as.i == 0 || e->as.i == 1)
		               ? NULL : "draws reals on a grid by an i64 scalar";
	case RULE_EXTERN:
		return check_extern(e);
	}
	return "unknown operation";
}

/* The grid of an operation has the axes of its arguments, all and no others. */
static const char *check_grid(const struct air_expr *e)
{
	bool needed[MAX_AXES] = { false };

	if (e->op == AIR_RANDOM)
		return NULL;
	for (int i = 0; i < e->n_args; i++) {
		const struct grid *g = e->arg[i]->grid;

		if (!g)
			continue;
		if (!e->grid)
			return "a scalar has an argument with a grid";
		if (g->family != e->grid->family)
			return "an argument is of another family of grids";
		if (!grid_contains(e->grid, g))
			return "an argument has an axis more";
		for (int j = 0; j < g->n_axes; j++)
			needed[grid_axis_index(e->grid, g->axis[j])] = true;
	}
	for (int j = 0; e->grid && j < e->grid->n_axes; j++)
		if (!needed[j])
			return "has an axis that no argument has";
	return NULL;
}

static const char *check_args(const struct air_expr *e)
{
	int arity = air_op_arity(e->op);

	if (arity >= 0 && e->n_args != arity)
		return "wrong number of arguments";
	for (int i = 0; i < e->n_args; i++)
		if (e->arg[i]->id >= e->id)
			return "an argument was made later";
	if (e->op == AIR_POWI && (e->as.i < 0 || e->as.i > 64))
		return "exponent beyond 0..64";
	return NULL;
}

static const char *check_read(const struct air_expr *e)
{
	const struct air_field *f = e->as.read.field;
	int n = 0;

	if (e->elem != f->elem)
		return "is not of its field's type";
	for (int i = 0; i < f->grid->n_axes; i++) {
		const struct air_select *at = &e->as.read.at[i];

		if (at->pick == PICK_OFFSET) {
			if (!e->grid || n >= e->grid->n_axes ||
			    e->grid->axis[n] != f->grid->axis[i] ||
			    e->grid->ext[n] != f->grid->ext[i])
				return "has not the axes of its field that are not fixed";
			n++;
		} else if (!f->grid->axis[i]->local) {
			return "fixes a component along an axis that is not local";
		} else if (!at->index || at->index->elem != ELEM_I64 || at->index->grid) {
			return "a component is chosen by an i64 scalar";
		} else if (at->index->id >= e->id) {
			return "an argument was made later";
		}
	}
	return n == (e->grid ? e->grid->n_axes : 0) ? NULL : "has not the axes of its field";
}

static const char *check_point(const struct air_expr *e)
{
	bool real = e->op == AIR_COORD || e->op == AIR_STEP;
	bool point = e->op == AIR_INDEX || e->op == AIR_COORD;

	if (e->elem != (real ? ELEM_F64 : ELEM_I64))
		return "is of the wrong type";
	if (e->as.at.ext == EXT_OPEN)
		return "is of no grid";
	if (e->as.at.ext && (e->op == AIR_STEP || (!point && e->as.at.axis->periodic)))
		return "is the same on every extension";
	if (!point)
		return e->grid ? "is a scalar" : NULL;
	if (!e->grid || e->grid->n_axes != 1 || e->grid->axis[0] != e->as.at.axis ||
	    e->grid->ext[0] != e->as.at.ext)
		return "lies on the grid of its axis";
	if (e->op == AIR_COORD && e->as.at.axis->place == AXIS_INDEX)
		return "a coordinate of an axis without an interval is its index";
	return NULL;
}

static const char *check_leaf(const struct air_expr *e, const struct air_field *mirror)
{
	switch (e->op) {
	case AIR_CONST:
		if (e->elem == ELEM_STR && !e->as.text)
			return "has no text";
		return e->grid ? "a constant is a scalar" : NULL;
	case AIR_VAR:
		return e->grid || e->elem != e->as.var->elem ? "is not its variable's type" : NULL;
	case AIR_READ:
		return check_read(e);
	case AIR_MIRROR:
		if (!mirror)
			return "a mirrored value outside a boundary condition";
		return e->elem != mirror->elem || e->grid != mirror->grid
		               ? "is not of its field's type" : NULL;
	default:
		return check_point(e);
	}
}

static const char *check_elem(const struct air_expr *e)
{
	if (e->elem <= ELEM_NONE || e->elem >= ELEM_COUNT)
		return "has no type";
	if (elem_kind(e->elem) == KIND_COMPLEX && e->op != AIR_VAR && e->op != AIR_READ &&
	    e->op != AIR_MIRROR && e->op != AIR_COMPLEX)
		return "is no operation on complex numbers";
	return e->elem == ELEM_STR && e->grid ? "a text has a grid" : NULL;
}

static const char *check_node(const struct air_expr *e, const struct air_field *mirror)
{
	const char *what = check_elem(e);

	if (!what && rule_of(e->op) == RULE_LEAF)
		return check_leaf(e, mirror);
	if (!what)
		what = check_args(e);
	if (!what)
		what = check_types(e);
	return what ? what : check_grid(e);
}

/* What depends on where e stands: names that are known there. */
static const char *check_names(struct verifier *v, const struct air_expr *e,
                               const struct air_field *mirror)
{
	if (mirror && e->op == AIR_RANDOM)
		return "a boundary condition draws random numbers";
	if (mirror)
		return NULL;
	if (e->op == AIR_READ && !v->live_field[e->as.read.field->id])
		return "the field is read where it does not live";
	if (e->op == AIR_VAR && !v->set_var[e->as.var->id])
		return "the variable is read before it is set";
	if ((e->op == AIR_SIZE || e->op == AIR_STEP) &&
	    !v->live_axis[e->as.at.axis->family->id][e->as.at.axis->rank])
		return "the grid is used before its statement";
	return NULL;
}

bool verify_expr(struct verifier *v, const struct air_expr *e,
                 const struct air_field *mirror)
{
	struct air_walk w = air_walk_of(e);

	for (int i = 0; i < w.n && !v->complaint; i++) {
		const struct air_expr *node = w.node[i];
		const struct air_expr **seen = &v->seen_expr[node->id];
		bool known = *seen == node && node->op != AIR_MIRROR;
		const char *what = known ? NULL : check_node(node, mirror);

		if (!what)
			what = check_names(v, node, mirror);
		if (!what && *seen && *seen != node)
			what = "another node has the same number";
		if (what)
			fail_at(v, node, what);
		*seen = node;
	}
	air_walk_free(&w);
	return !v->complaint;
}
