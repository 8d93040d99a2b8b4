/* kernel/contract.c - a * b + c with one rounding, for --fast
 *
 * The rule: a sum or difference of reals of which an operand is a product, or a square,
 * is one fma; where both are, the first. What back ends then make is strict again, so
 * they agree, and a point's value does not depend on where it is computed.
 */
#include "kernel/kir.h"
#include "support/arena.h"
#include "support/vec.h"

struct contract {
	const struct kir_kernel *from;
	struct arena *arena;
	int *now;                            /* per instruction: its number from now on */
	VEC(struct kir_instr) instr;
};

static int emit(struct contract *c, struct kir_instr in, const int *arg, int n)
{
	in.n_args = n;
	in.arg = n ? arena_copy(c->arena, arg, (size_t)n * sizeof *arg) : NULL;
	vec_push(c->arena, &c->instr, in);
	return c->instr.n - 1;
}

static int emit_op(struct contract *c, const struct kir_instr *like, enum air_op op,
		   const int *arg, int n)
{
	struct kir_instr in = { .op = KIR_AIR, .elem = like->elem, .span = like->span,
				.as.air = { .op = op } };

	return emit(c, in, arg, n);
}

static bool is_op(const struct kir_instr *in, enum air_op op)
{
	return in->op == KIR_AIR && in->as.air.op == op;
}

/* The factors of a product, as numbered now. */
static bool factors(const struct contract *c, int i, int factor[2])
{
	const struct kir_instr *in = &c->from->instr[i];

	if (!is_op(in, AIR_MUL) && !(is_op(in, AIR_POWI) && in->as.air.exponent == 2))
		return false;
	factor[0] = c->now[in->arg[0]];
	factor[1] = c->now[in->arg[in->n_args - 1]];
	return true;
}

/* a*b + c, a*b - c, c + a*b or c - a*b; -1: it is none of these. */
static int fused(struct contract *c, const struct kir_instr *in)
{
	bool sub = is_op(in, AIR_SUB);
	int arg[3], other;

	if (elem_kind(in->elem) != KIND_REAL || (!sub && !is_op(in, AIR_ADD)))
		return -1;
	if (factors(c, in->arg[0], arg)) {
		other = c->now[in->arg[1]];
		arg[2] = sub ? emit_op(c, in, AIR_NEG, &other, 1) : other;
	} else if (factors(c, in->arg[1], arg)) {
		arg[0] = sub ? emit_op(c, in, AIR_NEG, &arg[0], 1) : arg[0];
		arg[2] = c->now[in->arg[0]];
	} else {
		return -1;
	}
	return emit_op(c, in, AIR_FMA, arg, 3);
}

static int copied(struct contract *c, const struct kir_instr *in)
{
	struct kir_instr copy = *in;
	int *arg = arena_new_array(c->arena, (size_t)in->n_args + 1, int);

	for (int i = 0; i < in->n_args; i++)
		arg[i] = c->now[in->arg[i]];
	if (in->op == KIR_LOAD || in->op == KIR_STORE)
		for (int a = 0; a < MAX_AXES; a++)
			if (copy.as.access.at[a].base >= 0)
				copy.as.access.at[a].base = c->now[copy.as.access.at[a].base];
	return emit(c, copy, arg, in->n_args);
}

static void need(const struct kir_instr *in, bool *needed)
{
	for (int i = 0; i < in->n_args; i++)
		needed[in->arg[i]] = true;
	if (in->op != KIR_LOAD && in->op != KIR_STORE)
		return;
	for (int a = 0; a < MAX_AXES; a++)
		if (in->as.access.at[a].base >= 0)
			needed[in->as.access.at[a].base] = true;
}

/* Products of which all uses were fused go. */
static void sweep(struct contract *c, struct kir_kernel *k)
{
	bool *needed = arena_new_array(c->arena, (size_t)k->n_instrs + 1, bool);

	for (int i = k->n_instrs - 1; i >= 0; i--) {
		enum kir_op op = k->instr[i].op;

		needed[i] |= op == KIR_STORE || op == KIR_REDUCE;
		if (needed[i])
			need(&k->instr[i], needed);
	}
	c->now = arena_new_array(c->arena, (size_t)k->n_instrs + 1, int);
	c->instr.item = NULL;
	c->instr.n = c->instr.room = 0;
	c->from = k;
	for (int i = 0; i < k->n_instrs; i++)
		if (needed[i])
			c->now[i] = copied(c, &k->instr[i]);
	k->instr = c->instr.item;
	k->n_instrs = c->instr.n;
}

void kir_contract(struct kir_kernel *k, struct arena *a)
{
	struct contract c = { .from = k, .arena = a };

	c.now = arena_new_array(a, (size_t)k->n_instrs + 1, int);
	for (int i = 0; i < k->n_instrs; i++) {
		int one = fused(&c, &k->instr[i]);

		c.now[i] = one >= 0 ? one : copied(&c, &k->instr[i]);
	}
	k->instr = c.instr.item;
	k->n_instrs = c.instr.n;
	sweep(&c, k);
}
