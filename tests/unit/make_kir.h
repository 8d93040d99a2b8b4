/* tests/unit/make_kir.h - short names for building kernels by hand in tests
 *
 *	struct kir_kernel *k = kernel(a, "shift", 2);
 *	int u = view(k, "u", ELEM_F64, 2, READ), v = view(k, "v", ELEM_F64, 2, WRITE);
 *	put(k, v, 0, 0, op(k, AIR_NEG, ELEM_F64, 1, get(k, u, 0, 1)));
 *
 * Axes are loops, the last one contiguous.
 */
#ifndef TESTS_UNIT_MAKE_KIR_H
#define TESTS_UNIT_MAKE_KIR_H

#include <stdarg.h>
#include "kernel/kir.h"
#include "support/arena.h"

enum { MAKE_MAX = 64 };
enum { READ = 1, WRITE = 2 };

struct make_kir {
	struct kir_kernel kernel;
	struct arena *arena;
	struct kir_view view[MAKE_MAX];
	struct kir_instr instr[MAKE_MAX];
	enum elem scalar[MAKE_MAX], reduction[MAKE_MAX];
};

#define MAY_BE_UNUSED __attribute__((unused))

static struct make_kir *make_kir(struct arena *a, const char *name, int n_loops)
{
	static const char *const loop[] = { "z", "y", "x" };
	struct make_kir *m = arena_new_object(a, struct make_kir);

	m->arena = a;
	m->kernel = (struct kir_kernel){
		.name = arena_strdup(a, name),
		.n_loops = n_loops,
		.view = m->view,
		.instr = m->instr,
		.scalar = m->scalar,
		.reduction = m->reduction,
	};
	for (int i = 0; i < n_loops; i++)
		m->kernel.loop_name[i] = loop[3 - n_loops + i];
	return m;
}

static int make_view(struct make_kir *m, const char *name, enum elem e, int n_axes,
		     int use)
{
	m->view[m->kernel.n_views] = (struct kir_view){
		name, e, n_axes, n_axes - 1, (use & READ) != 0, (use & WRITE) != 0
	};
	return m->kernel.n_views++;
}

static int make_instr(struct make_kir *m, struct kir_instr in, int n, ...)
{
	int *arg = arena_new_array(m->arena, n + 1, int);
	va_list values;

	va_start(values, n);
	for (int i = 0; i < n; i++)
		arg[i] = va_arg(values, int);
	va_end(values);
	in.n_args = n;
	in.arg = arg;
	m->instr[m->kernel.n_instrs] = in;
	return m->kernel.n_instrs++;
}

/* The point of this kernel, plus offsets along the last two axes. */
static struct kir_access make_access(struct make_kir *m, int view, int64_t y, int64_t x)
{
	struct kir_access a = { .view = view };
	int n = m->view[view].n_axes;

	for (int i = 0; i < n; i++)
		a.at[i] = (struct kir_index){ m->kernel.n_loops - n + i, 1, 0, -1 };
	a.at[n - 1].offset = x;
	if (n > 1)
		a.at[n - 2].offset = y;
	return a;
}

static int make_load(struct make_kir *m, int view, int64_t y, int64_t x)
{
	return make_instr(m,
			  (struct kir_instr){ .op = KIR_LOAD,
					      .elem = m->view[view].elem,
					      .as.access = make_access(m, view, y, x) },
			  0);
}

MAY_BE_UNUSED
static void make_store(struct make_kir *m, int view, int64_t y, int64_t x, int value)
{
	make_instr(m,
		   (struct kir_instr){ .op = KIR_STORE,
				       .elem = m->view[view].elem,
				       .as.access = make_access(m, view, y, x) },
		   1, value);
}

MAY_BE_UNUSED
static int make_scalar(struct make_kir *m, enum elem e)
{
	m->scalar[m->kernel.n_scalars] = e;
	return make_instr(m,
			  (struct kir_instr){ .op = KIR_SCALAR,
					      .elem = e,
					      .as.slot = m->kernel.n_scalars++ },
			  0);
}

MAY_BE_UNUSED
static int make_const(struct make_kir *m, enum elem e, double value)
{
	struct kir_instr in = { .op = KIR_CONST, .elem = e };

	if (elem_kind(e) == KIND_REAL)
		in.as.f = value;
	else
		in.as.i = (int64_t)value;
	return make_instr(m, in, 0);
}

MAY_BE_UNUSED
static void make_reduce(struct make_kir *m, int value)
{
	enum elem e = m->instr[value].elem;

	m->reduction[m->kernel.n_reductions] = e;
	make_instr(m,
		   (struct kir_instr){ .op = KIR_REDUCE,
				       .elem = e,
				       .as.slot = m->kernel.n_reductions++ },
		   1, value);
}

static struct kir_instr make_air(enum air_op op, enum elem e, int exponent)
{
	struct kir_instr in = { .op = KIR_AIR, .elem = e };

	in.as.air.op = op;
	in.as.air.exponent = exponent;
	return in;
}

MAY_BE_UNUSED
static int make_op2(struct make_kir *m, enum air_op op, int a, int b)
{
	return make_instr(m, make_air(op, m->instr[a].elem, 0), 2, a, b);
}

#endif
