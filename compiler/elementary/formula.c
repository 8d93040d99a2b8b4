/* elementary/formula.c - building formulas
 *
 * Goes in: a name and operations in order. Comes out: a list of instructions, each of a
 * known type, arguments before uses; wrong types are caught when it is built.
 */
#include "elementary/formula.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

static const struct { const char *args; char result; } ops[FORMULA_OPS] = {
#define ROW(id, name, args, result, text) [FORMULA_##id] = { args, result },
#include "elementary/formula.def"
#undef ROW
};

static bool same(const struct formula_instr *a, const struct formula_instr *b)
{
	return a->op == b->op && a->n_args == b->n_args &&
	       memcmp(a->arg, b->arg, (size_t)a->n_args * sizeof *a->arg) == 0 &&
	       memcmp(&a->as, &b->as, sizeof a->as) == 0;
}

/* Operations have no effects, so one instruction serves all that are equal. */
static int push(struct formula *f, struct formula_instr instr)
{
	for (int i = 0; i < f->n_instrs; i++)
		if (same(&f->instr[i], &instr))
			return i;
	assert(f->n_instrs < MAX_FORMULA);
	f->instr[f->n_instrs] = instr;
	return f->n_instrs++;
}

struct formula *formula_new(struct arena *a, const char *name, int n_args)
{
	struct formula *f = arena_new_object(a, struct formula);

	*f = (struct formula){ .arena = a, .name = name, .n_args = n_args, .result = -1 };
	f->instr = arena_new_array(a, MAX_FORMULA, struct formula_instr);
	for (int i = 0; i < n_args; i++)
		push(f, (struct formula_instr){ FORMULA_ARG, 'd', .as.i = (uint64_t)i });
	return f;
}

int f_const(struct formula *f, double value)
{
	struct formula_instr instr = { FORMULA_CONST, 'd', .as.i = 0 };

	instr.as.d = value;
	return push(f, instr);
}

int f_word(struct formula *f, uint64_t value)
{
	return push(f, (struct formula_instr){ FORMULA_WORD, 'i', .as.i = value });
}

static void check_arg(const struct formula *f, int arg, char type)
{
	assert(0 <= arg && arg < f->n_instrs && f->instr[arg].type == type);
	(void)f;
	(void)arg;
	(void)type;
}

int f_table(struct formula *f, const struct formula_table *t, int index)
{
	check_arg(f, index, 'i');
	return push(f, (struct formula_instr){ FORMULA_TABLE, 'd', 1, { index }, .as.table = t });
}

int f_rare(struct formula *f, int when, const struct formula *callee, int x, int y)
{
	int n = callee->n_args;

	check_arg(f, when, 'b');
	check_arg(f, x, 'd');
	if (n == 2)
		check_arg(f, y, 'd');
	return push(f, (struct formula_instr){ FORMULA_RARE, 'd', 1 + n, { when, x, y },
	                                       .as.callee = callee });
}

int formula_op(struct formula *f, enum formula_op op, int a, int b, int c, uint64_t k)
{
	struct formula_instr instr = { op, ops[op].result, (int)strlen(ops[op].args),
	                               { a, b, c }, .as.i = k };

	for (int i = 0; i < instr.n_args; i++)
		check_arg(f, instr.arg[i], ops[op].args[i]);
	return push(f, instr);
}

#define UNARY(name, id) \
	int f_##name(struct formula *f, int a) { return formula_op(f, FORMULA_##id, a, -1, -1, 0); }
#define BINARY(name, id)                                    \
	int f_##name(struct formula *f, int a, int b)       \
	{                                                   \
		return formula_op(f, FORMULA_##id, a, b, -1, 0); \
	}
#define TERNARY(name, id)                                    \
	int f_##name(struct formula *f, int a, int b, int c) \
	{                                                    \
		return formula_op(f, FORMULA_##id, a, b, c, 0); \
	}
#define SHIFT(name, id)                                            \
	int f_##name(struct formula *f, int a, int k)              \
	{                                                          \
		assert(0 <= k && k < 64);                          \
		return formula_op(f, FORMULA_##id, a, -1, -1, (uint64_t)k); \
	}

BINARY(add, ADD)
BINARY(sub, SUB)
BINARY(mul, MUL)
BINARY(div, DIV)
TERNARY(fma, FMA)
UNARY(sqrt, SQRT)
UNARY(neg, NEG)
UNARY(abs, ABS)
UNARY(rint, RINT)
BINARY(lt, LT)
BINARY(le, LE)
BINARY(eq, EQ)
UNARY(bits, BITS)
UNARY(double, DOUBLE)
BINARY(iadd, IADD)
BINARY(isub, ISUB)
BINARY(imul, IMUL)
BINARY(iand, IAND)
BINARY(ior, IOR)
BINARY(ixor, IXOR)
SHIFT(shl, SHL)
SHIFT(shr, SHR)
SHIFT(sar, SAR)
BINARY(ilt, ILT)
BINARY(ieq, IEQ)
BINARY(and, AND)
BINARY(or, OR)
UNARY(not, NOT)
TERNARY(select, SELECT)
TERNARY(iselect, ISELECT)

int f_horner(struct formula *f, int x, const double *c, int n)
{
	int sum = f_const(f, c[n - 1]);

	for (int i = n - 2; i >= 0; i--)
		sum = f_fma(f, sum, x, f_const(f, c[i]));
	return sum;
}

int f_estrin(struct formula *f, int x, const double *c, int n)
{
	int half = 1, power = x;

	if (n == 1)
		return f_const(f, c[0]);
	while (2 * half < n) {
		half *= 2;
		power = f_mul(f, power, power);
	}
	return f_fma(f, f_estrin(f, x, c + half, n - half), power, f_estrin(f, x, c, half));
}

struct f_pair f_two_sum(struct formula *f, int a, int b)
{
	int s = f_add(f, a, b), bb = f_sub(f, s, a);
	int lo = f_add(f, f_sub(f, a, f_sub(f, s, bb)), f_sub(f, b, bb));

	return (struct f_pair){ s, lo };
}

struct f_pair f_fast_two_sum(struct formula *f, int a, int b)
{
	int s = f_add(f, a, b);

	return (struct f_pair){ s, f_sub(f, b, f_sub(f, s, a)) };
}

struct f_pair f_two_prod(struct formula *f, int a, int b)
{
	int p = f_mul(f, a, b);

	return (struct f_pair){ p, f_fma(f, a, b, f_neg(f, p)) };
}
