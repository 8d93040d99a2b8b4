/* elementary/formula.h - functions of reals as straight lines of exact operations
 *
 * A formula is a list of instructions over f64, words of 64 bits and bools, each
 * exact or rounded once (formula.def). It has no branches and no calls of a library, so
 * it vectorises in any loop and gives the same bits in a vector, in a scalar, on a CPU
 * and on a GPU. Back ends emit a formula as a function of their own; formula_print
 * writes it in C, which the compiler (folding, evaluator) and the runtime run.
 *
 * Two instructions are more than arithmetic. TABLE reads a constant table. RARE calls
 * another formula for the few arguments that need it: a branch that is nearly never
 * taken, where the callee's cost must not fall on every point.
 *
 * Building:
 *
 *	int n = f_rint(f, f_mul(f, x, f_const(f, INV_LN2)));
 *
 * A value is the number of its instruction; equal instructions are one.
 */
#ifndef ELEMENTARY_FORMULA_H
#define ELEMENTARY_FORMULA_H

#include "support/arena.h"

#include <stdint.h>
#include <stdio.h>

enum { FORMULA_ARGS = 3, MAX_FORMULA = 2000 };

enum formula_op {
	FORMULA_ARG,        /* as.i: which */
	FORMULA_CONST,      /* as.d */
	FORMULA_WORD,       /* as.i */
	FORMULA_TABLE,      /* arg 0: the index, 0 <= i < as.table->n; d */
	FORMULA_RARE,       /* arg 0: b; then d: as.callee of the rest where arg 0, else 0 */
#define ROW(id, name, args, result, text) FORMULA_##id,
#include "elementary/formula.def"
#undef ROW
	FORMULA_OPS
};

struct formula_table { const char *name; const double *value; int n; };

struct formula_instr {
	enum formula_op op;
	char type;                          /* 'd', 'i' or 'b' */
	int n_args, arg[FORMULA_ARGS];      /* earlier instructions */
	union {
		double d;
		uint64_t i;
		const struct formula_table *table;
		const struct formula *callee;
	} as;
};

struct formula {
	struct arena *arena;
	const char *name;                   /* "exp": a valid symbol */
	int n_args, n_instrs, result;
	struct formula_instr *instr;
};

/* Its arguments are instructions 0 to n_args - 1. */
struct formula *formula_new(struct arena *a, const char *name, int n_args);

int f_const(struct formula *f, double value);
int f_word(struct formula *f, uint64_t value);
int f_table(struct formula *f, const struct formula_table *t, int index);
int f_rare(struct formula *f, int when, const struct formula *callee, int x, int y);

/* the operations of formula.def, by number of arguments; shifts take k */
int formula_op(struct formula *f, enum formula_op op, int a, int b, int c, uint64_t k);
int f_add(struct formula *f, int a, int b);
int f_sub(struct formula *f, int a, int b);
int f_mul(struct formula *f, int a, int b);
int f_div(struct formula *f, int a, int b);
int f_fma(struct formula *f, int a, int b, int c);
int f_sqrt(struct formula *f, int a);
int f_neg(struct formula *f, int a);
int f_abs(struct formula *f, int a);
int f_rint(struct formula *f, int a);
int f_lt(struct formula *f, int a, int b);
int f_le(struct formula *f, int a, int b);
int f_eq(struct formula *f, int a, int b);
int f_bits(struct formula *f, int a);
int f_double(struct formula *f, int a);
int f_iadd(struct formula *f, int a, int b);
int f_isub(struct formula *f, int a, int b);
int f_imul(struct formula *f, int a, int b);
int f_iand(struct formula *f, int a, int b);
int f_ior(struct formula *f, int a, int b);
int f_ixor(struct formula *f, int a, int b);
int f_shl(struct formula *f, int a, int k);
int f_shr(struct formula *f, int a, int k);
int f_sar(struct formula *f, int a, int k);
int f_ilt(struct formula *f, int a, int b);
int f_ieq(struct formula *f, int a, int b);
int f_and(struct formula *f, int a, int b);
int f_or(struct formula *f, int a, int b);
int f_not(struct formula *f, int a);
int f_select(struct formula *f, int c, int a, int b);
int f_iselect(struct formula *f, int c, int a, int b);

/* c[0] + x (c[1] + x (...)): Horner's rule with fma; n coefficients */
int f_horner(struct formula *f, int x, const double *c, int n);
/* the same sum by pairs of powers (Estrin), where latency matters more than count */
int f_estrin(struct formula *f, int x, const double *c, int n);

/* unevaluated sums of two doubles, |lo| <= ulp(hi) / 2 (Dekker 1971, Knuth) */
struct f_pair { int hi, lo; };
struct f_pair f_two_sum(struct formula *f, int a, int b);       /* exact */
struct f_pair f_fast_two_sum(struct formula *f, int a, int b);  /* |a| >= |b|: exact */
struct f_pair f_two_prod(struct formula *f, int a, int b);      /* exact */

/* A C function `double mpa_NAME(double x0, ...)`; callees and tables come before. */
void formula_print(const struct formula *f, FILE *out);

#endif
