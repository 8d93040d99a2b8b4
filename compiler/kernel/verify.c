/* kernel/verify.c - is this a kernel?
 *
 * Checked after it is made, in check builds: arguments come first, types fit, indices
 * are affine in loops that exist, every view is used as it says.
 */
#include <string.h>
#include "kernel/kir.h"

static const char *verify_index(const struct kir_kernel *k, const struct kir_index *x, int at)
{
	if (x->loop < -1 || x->loop >= k->n_loops)
		return "an index along a loop that is not there";
	if (x->coefficient < -1 || x->coefficient > 1)
		return "an index that is not affine with coefficient -1, 0 or 1";
	if ((x->loop >= 0) != (x->coefficient != 0))
		return "an index with a loop and no coefficient, or the reverse";
	if (x->base >= at)
		return "an index whose base comes later";
	if (x->base >= 0 && k->instr[x->base].elem != ELEM_I64)
		return "an index whose base is not i64";
	if (x->base >= 0 && k->instr[x->base].op != KIR_SCALAR)
		return "an index whose base is not a scalar";
	return NULL;
}

static const char *verify_access(const struct kir_kernel *k, int at)
{
	const struct kir_instr *in = &k->instr[at];
	const struct kir_access *a = &in->as.access;
	const struct kir_view *v;
	const char *wrong = NULL;

	if (a->view < 0 || a->view >= k->n_views)
		return "an access to a view that is not there";
	v = &k->view[a->view];
	if (v->elem != in->elem)
		return "an access of another type than its view";
	if (in->op == KIR_LOAD ? !v->read : !v->written)
		return "an access that its view does not declare";
	for (int i = 0; i < v->n_axes && !wrong; i++)
		wrong = verify_index(k, &a->at[i], at);
	return wrong;
}

static const char *verify_args(const struct kir_kernel *k, int at)
{
	const struct kir_instr *in = &k->instr[at];

	for (int i = 0; i < in->n_args; i++) {
		if (in->arg[i] < 0 || in->arg[i] >= at)
			return "an argument that does not come before its use";
		if (k->instr[in->arg[i]].op == KIR_STORE ||
		    k->instr[in->arg[i]].op == KIR_REDUCE)
			return "an argument that is no value";
	}
	return NULL;
}

static bool is_predicate(enum air_op op)
{
	return (op >= AIR_EQ && op <= AIR_NOT) || (op >= AIR_ISNAN && op <= AIR_ISFINITE);
}

/* The arguments of an elementwise operation from `first` on have one type. */
static const char *verify_types(const struct kir_kernel *k, const struct kir_instr *in,
                                int first)
{
	enum elem e = k->instr[in->arg[first]].elem;

	for (int i = first; i < in->n_args; i++)
		if (k->instr[in->arg[i]].elem != e)
			return "an operation on two types";
	if (is_predicate(in->as.air.op) ? in->elem != ELEM_BOOL
	                                : in->as.air.op != AIR_CAST && in->elem != e)
		return "an operation with the wrong type of result";
	return NULL;
}

static const char *verify_extern(const struct kir_kernel *k, const struct kir_instr *in)
{
	const struct air_extern *f = in->as.air.function;

	if (!f || in->n_args != f->n_params || in->elem != f->elem)
		return "a call of a function that is another one";
	for (int i = 0; i < in->n_args; i++)
		if (k->instr[in->arg[i]].elem != f->param[i])
			return "an argument of the wrong type";
	return NULL;
}

static const char *verify_parts(const struct kir_kernel *k, const struct kir_instr *in)
{
	enum elem whole = in->as.air.op == AIR_COMPLEX ? in->elem : k->instr[in->arg[0]].elem;
	enum elem part = in->as.air.op == AIR_COMPLEX ? k->instr[in->arg[0]].elem : in->elem;

	if (elem_kind(whole) != KIND_COMPLEX || part != elem_part(whole))
		return "parts of another precision than the number";
	return in->n_args == 2 && k->instr[in->arg[1]].elem != part
	               ? "a number of two different parts" : NULL;
}

static const char *verify_air(const struct kir_kernel *k, const struct kir_instr *in)
{
	enum air_op op = in->as.air.op;
	bool chooses = op == AIR_SELECT || op == AIR_LOOKUP;

	if (op < AIR_NEG || op >= AIR_RANDOM)
		return "an operation that is not elementwise";
	if (op == AIR_EXTERN)
		return verify_extern(k, in);
	if (op == AIR_LOOKUP ? in->n_args < 2 : in->n_args != air_op_arity(op))
		return "an operation with the wrong number of arguments";
	if (op == AIR_SELECT && k->instr[in->arg[0]].elem != ELEM_BOOL)
		return "a choice by something that is not bool";
	if (op == AIR_COMPLEX || op == AIR_REAL || op == AIR_IMAG)
		return verify_parts(k, in);
	if (op == AIR_LOOKUP && k->instr[in->arg[0]].elem != ELEM_I64)
		return "a look-up by something that is not i64";
	return verify_types(k, in, chooses);
}

static const char *verify_instr(const struct kir_kernel *k, int at)
{
	const struct kir_instr *in = &k->instr[at];
	const char *wrong = verify_args(k, at);

	if (wrong)
		return wrong;
	switch (in->op) {
	case KIR_SCALAR:
		if (in->as.slot < 0 || in->as.slot >= k->n_scalars ||
		    k->scalar[in->as.slot] != in->elem)
			return "a scalar from a slot that does not hold it";
		return elem_kind(in->elem) == KIND_COMPLEX ? "a scalar of more than 8 bytes"
		                                           : NULL;
	case KIR_INDEX:
		return in->as.loop < 0 || in->as.loop >= k->n_loops
		               ? "an index of a loop that is not there"
		               : NULL;
	case KIR_LOAD:
	case KIR_STORE:
		return verify_access(k, at);
	case KIR_REDUCE:
		if (in->as.slot < 0 || in->as.slot >= k->n_reductions ||
		    k->reduction[in->as.slot] != in->elem)
			return "a reduction that does not take what it is given";
		return NULL;
	case KIR_RANDOM:
		return in->n_args != 3 ? "a random number without its three arguments" : NULL;
	case KIR_AIR:
		return verify_air(k, in);
	default:
		return NULL;
	}
}

static bool is_symbol(const char *s)
{
	return *s && !strchr("0123456789", *s) &&
	       strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") ==
	               strlen(s);
}

const char *kir_verify(const struct kir_kernel *k)
{
	if (!is_symbol(k->name))
		return "a name that is no symbol";
	if (k->n_loops < 1 || k->n_loops > MAX_AXES)
		return "a kernel without loops";
	for (int i = 0; i < k->n_instrs; i++) {
		const char *wrong = verify_instr(k, i);

		if (wrong)
			return wrong;
	}
	return NULL;
}
