/* tests/unit/llvm.c - kernels built by hand, compiled, and compared with C
 *
 * All kernels of a test become one object, which cc makes a shared library with what
 * they call; each operation runs over all tuples of awkward values and is compared with
 * array/scalar.h, bit for bit.
 */
#include <dlfcn.h>
#include <inttypes.h>
#include <math.h>
#include <unistd.h>

#include "array/scalar.h"
#include "backend/llvm/emit.h"
#include "make_kir.h"
#include "mpa/program.h"
#include "support/diag.h"
#include "support/vec.h"
#include "unit.h"

/* ---- from kernels to functions ------------------------------------------- */

struct library {
	struct arena *arena;
	struct plan plan;
	VEC(struct kir_kernel *) kernel;
	void *handle;
};

static void library_add(struct library *l, struct make_kir *m)
{
	m->kernel.id = l->kernel.n;
	vec_push(l->arena, &l->kernel, &m->kernel);
}

/* What kernels call: a sink here is a text that grows. */
static const char callees[] =
	"#include <stdint.h>\n#include <string.h>\n"
	"struct mpa_sink { char *to; int64_t size, calls, longest, at[6]; };\n"
	"void mpa_sink_add(struct mpa_sink *s, const void *v, int64_t n, const int64_t "
	"*at)\n"
	"{ memcpy(s->to, v, n * s->size); s->to += n * s->size; s->calls++;\n"
	"  if (n > s->longest) s->longest = n;\n"
	"  memcpy(s->at, at, 2 * sizeof *at); }\n";

struct sink {
	char *to;
	int64_t size, calls, longest, at[6];
};

static void write_text(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	ck_assert_ptr_nonnull(f);
	fputs(text, f);
	ck_assert_int_eq(fclose(f), 0);
}

static void library_write(struct library *l, const char *path, const char *cpu, int level)
{
	struct backend_options o = {
		.program = "test", .cpu = cpu, .level = level, .verify = true
	};
	struct diag *d = diag_new();
	struct emit *e = emit_new(&l->plan, &o, d);
	FILE *out = fopen(path, "w");

	ck_assert(e && out);
	for (int i = 0; i < l->kernel.n; i++)
		LLVMSetLinkage(kernel_emit(e, l->kernel.item[i]), LLVMExternalLinkage);
	ck_assert(emit_verify(e, "test") && target_optimise(e) &&
		  target_write(e, FORM_OBJECT, out));
	ck_assert_int_eq(fclose(out), 0);
	emit_free(e);
	diag_free(d);
}

static void library_open(struct library *l, const char *cpu, int level)
{
	char folder[] = "/tmp/mpa-llvm-XXXXXX", command[256], object[64], source[64],
	     so[64];

	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(object, sizeof object, "%s/kernels.o", folder);
	snprintf(source, sizeof source, "%s/callees.c", folder);
	snprintf(so, sizeof so, "%s/kernels.so", folder);
	library_write(l, object, cpu, level);
	write_text(source, callees);
	snprintf(command, sizeof command, "cc -shared -fPIC -O1 -o %s %s %s -lm", so,
		 object, source);
	ck_assert_int_eq(system(command), 0);
	l->handle = dlopen(so, RTLD_NOW);
	ck_assert_msg(l->handle != NULL, "%s", dlerror());
	unlink(object), unlink(source), unlink(so), rmdir(folder);
}

static mpa_kernel_fn *library_find(struct library *l, const char *name)
{
	mpa_kernel_fn *f;
	void *symbol = dlsym(l->handle, name);

	ck_assert_msg(symbol != NULL, "%s", name);
	memcpy(&f, &symbol, sizeof f);
	return f;
}

static void library_close(struct library *l)
{
	dlclose(l->handle);
	arena_free(l->arena);
}

/* ---- awkward values ------------------------------------------------------ */

static const double reals[] = {
	0,
	-0.0,
	1,
	-1,
	0.5,
	-0.5,
	1.5,
	2.5,
	-2.5,
	3,
	-7,
	0.1,
	1e-310,
	-5e-324,
	1e300,
	-1e300,
	INFINITY,
	-INFINITY,
	NAN,
	2147483648.5,
	-2147483649.0,
	9.3e18,
	-9.3e18,
	255.9,
	-0.9,
	3.14159265358979,
	1e-45,
	8388609.5,
	16777217,
	64,
	-3,
	1e30,
};
static const int64_t ints[] = {
	0,
	1,
	-1,
	2,
	-2,
	3,
	7,
	-7,
	INT64_MIN,
	INT64_MAX,
	INT64_MIN + 1,
	INT32_MIN,
	INT32_MAX,
	255,
	256,
	-128,
	100,
	64,
	63,
	1ll << 40,
};

static int count_values(enum elem e)
{
	if (e == ELEM_BOOL)
		return 2;
	return elem_kind(e) == KIND_REAL ? (int)(sizeof reals / sizeof *reals)
					 : (int)(sizeof ints / sizeof *ints);
}

static union scalar pick_value(enum elem e, int i)
{
	if (elem_kind(e) == KIND_REAL)
		return scalar_cast(ELEM_F64, e, (union scalar){ .f = reals[i] });
	return scalar_cast(ELEM_I64, e,
			   (union scalar){ .i = e == ELEM_BOOL ? i : ints[i] });
}

static void put_value(enum elem e, void *array, int64_t i, union scalar x)
{
	switch (e) {
	case ELEM_BOOL:
	case ELEM_U8:
		((uint8_t *)array)[i] = (uint8_t)x.i;
		break;
	case ELEM_I32:
		((int32_t *)array)[i] = (int32_t)x.i;
		break;
	case ELEM_I64:
		((int64_t *)array)[i] = x.i;
		break;
	case ELEM_F32:
		((float *)array)[i] = (float)x.f;
		break;
	default:
		((double *)array)[i] = x.f;
		break;
	}
}

static union scalar get_value(enum elem e, const void *array, int64_t i)
{
	switch (e) {
	case ELEM_BOOL:
	case ELEM_U8:
		return (union scalar){ .i = ((const uint8_t *)array)[i] };
	case ELEM_I32:
		return (union scalar){ .i = ((const int32_t *)array)[i] };
	case ELEM_I64:
		return (union scalar){ .i = ((const int64_t *)array)[i] };
	case ELEM_F32:
		return (union scalar){ .f = ((const float *)array)[i] };
	default:
		return (union scalar){ .f = ((const double *)array)[i] };
	}
}

/* Two NaNs count as the same bits. */
static bool same(enum elem e, union scalar a, union scalar b)
{
	if (elem_kind(e) == KIND_REAL && isnan(a.f) && isnan(b.f))
		return true;
	return scalar_equal(e, a, b);
}

/* ---- every operation ----------------------------------------------------- */

struct trial {
	enum air_op op;
	enum elem elem, from[3];
	int n, exponent;
	char name[64];
};

struct trials {
	struct library library;
	VEC(struct trial) trial;
};

static void add_trial(struct trials *t, struct trial x)
{
	struct make_kir *m;
	int arg[3], out, value;

	snprintf(x.name, sizeof x.name, "op%d_%s_%s_%d", (int)x.op, elem_text(x.from[0]),
		 elem_text(x.elem), x.exponent);
	m = make_kir(t->library.arena, x.name, 1);
	for (int i = 0; i < x.n; i++)
		arg[i] = make_load(m, make_view(m, "in", x.from[i], 1, READ), 0, 0);
	out = make_view(m, "out", x.elem, 1, WRITE);
	value = make_instr(m, make_air(x.op, x.elem, x.exponent), x.n, arg[0],
			   x.n > 1 ? arg[1] : 0, x.n > 2 ? arg[2] : 0);
	make_store(m, out, 0, 0, value);
	library_add(&t->library, m);
	vec_push(t->library.arena, &t->trial, x);
}

static void add_same(struct trials *t, enum air_op op, enum elem e, int n, int exponent)
{
	add_trial(t, (struct trial){ .op = op,
				     .elem = e,
				     .from = { e, e, e },
				     .n = n,
				     .exponent = exponent });
}

static void add_real_trials(struct trials *t, enum elem e)
{
	static const int exponent[] = { 0, 1, 2, 3, 7, 10, 64 };

	for (int op = AIR_ABS; op <= AIR_HYPOT; op++)
		if (op < AIR_ISNAN || op > AIR_ISFINITE)
			add_same(t, op, e, op >= AIR_ATAN2 ? 2 : 1, 0);
		else
			add_trial(t, (struct trial){ .op = op,
						     .elem = ELEM_BOOL,
						     .from = { e },
						     .n = 1 });
	for (int op = AIR_ADD; op <= AIR_POW; op++)
		add_same(t, op, e, 2, 0);
	for (int i = 0; i < 7; i++)
		add_same(t, AIR_POWI, e, 1, exponent[i]);
	add_same(t, AIR_FMA, e, 3, 0);
}

static void add_int_trials(struct trials *t, enum elem e)
{
	static const int exponent[] = { 0, 1, 2, 5, 63 };

	for (int op = AIR_ADD; op <= AIR_POW; op++)
		if (op != AIR_DIV)
			add_same(t, op, e, 2, 0);
	for (int i = 0; i < 5; i++)
		add_same(t, AIR_POWI, e, 1, exponent[i]);
	add_same(t, AIR_ABS, e, 1, 0);
	add_same(t, AIR_SIGN, e, 1, 0);
}

static void add_all_trials(struct trials *t)
{
	add_real_trials(t, ELEM_F64);
	add_real_trials(t, ELEM_F32);
	add_int_trials(t, ELEM_U8);
	add_int_trials(t, ELEM_I32);
	add_int_trials(t, ELEM_I64);
	add_same(t, AIR_AND, ELEM_BOOL, 2, 0);
	add_same(t, AIR_OR, ELEM_BOOL, 2, 0);
	add_same(t, AIR_NOT, ELEM_BOOL, 1, 0);
	for (enum elem e = ELEM_BOOL; e <= ELEM_F64; e++) {
		for (int op = AIR_EQ; op <= AIR_LE; op++)
			add_trial(t, (struct trial){ .op = op,
						     .elem = ELEM_BOOL,
						     .from = { e, e },
						     .n = 2 });
		for (enum elem to = ELEM_BOOL; to <= ELEM_F64; to++)
			add_trial(t, (struct trial){ .op = AIR_CAST,
						     .elem = to,
						     .from = { e },
						     .n = 1 });
		add_trial(t, (struct trial){ .op = AIR_SELECT,
					     .elem = e,
					     .from = { ELEM_BOOL, e, e },
					     .n = 3 });
		if (e == ELEM_BOOL)
			continue;
		add_same(t, AIR_NEG, e, 1, 0);
		add_same(t, AIR_MIN, e, 2, 0);
		add_same(t, AIR_MAX, e, 2, 0);
	}
}

/* Argument j of point i: the points go through all tuples of values. */
static union scalar argument(const struct trial *x, int j, int64_t i)
{
	for (int k = 0; k < j; k++)
		i /= count_values(x->from[k]);
	return pick_value(x->from[j], (int)(i % count_values(x->from[j])));
}

static void check_point(const struct trial *x, const void *out, int64_t i)
{
	union scalar arg[3] = { 0 }, right, got = get_value(x->elem, out, i);

	for (int j = 0; j < x->n; j++)
		arg[j] = argument(x, j, i);
	right = scalar_op(x->op, x->from[x->n - 1], x->elem, arg, x->exponent);
	if (!same(x->elem, got, right))
		ck_abort_msg("%s of %.17g (%" PRId64 "), %.17g (%" PRId64
			     "), %.17g: %.17g (%" PRId64 ") is not %.17g (%" PRId64 ")",
			     x->name, arg[0].f, arg[0].i, arg[1].f, arg[1].i, arg[2].f,
			     got.f, got.i, right.f, right.i);
}

static void run_trial(struct trials *t, const struct trial *x)
{
	struct mpa_view view[4] = { 0 };
	int64_t n = 1, lo = 0;

	for (int j = 0; j < x->n; j++)
		n *= count_values(x->from[j]);
	for (int j = 0; j <= x->n; j++) {
		view[j].origin = malloc((size_t)n * 8);
		view[j].stride[0] = 1;
		for (int64_t i = 0; j < x->n && i < n; i++)
			put_value(x->from[j], view[j].origin, i, argument(x, j, i));
	}
	library_find(&t->library, x->name)(&(struct mpa_frame){ .view = view }, &lo, &n);
	for (int64_t i = 0; i < n; i++)
		check_point(x, view[x->n].origin, i);
	for (int j = 0; j <= x->n; j++)
		free(view[j].origin);
}

static void try_all(const char *cpu, int level)
{
	struct trials t = { .library.arena = arena_new() };

	add_all_trials(&t);
	library_open(&t.library, cpu, level);
	for (int i = 0; i < t.trial.n; i++)
		run_trial(&t, &t.trial.item[i]);
	library_close(&t.library);
}

START_TEST(operations_on_this_machine)
{
	try_all(NULL, 3);
}
END_TEST

START_TEST(operations_on_the_oldest_machine)
{
	try_all("x86-64", 1);
}
END_TEST

/* ---- loops, views, reductions -------------------------------------------- */

enum { ROWS = 9, PITCH = 1100 };

static struct mpa_view plane(double *values)
{
	return (struct mpa_view){ values, { PITCH, 1 } };
}

static void fill(double *values, int n)
{
	for (int i = 0; i < n; i++)
		values[i] = sin(i) / 3;
}

static int stencil(struct make_kir *m, int u)
{
	int sum = make_op2(m, AIR_ADD, make_load(m, u, -1, 0), make_load(m, u, 1, 0));

	sum = make_op2(m, AIR_ADD, sum, make_load(m, u, 0, -1));
	sum = make_op2(m, AIR_ADD, sum, make_load(m, u, 0, 1));
	return make_op2(
		m, AIR_SUB, sum,
		make_op2(m, AIR_MUL, make_const(m, ELEM_F64, 4), make_load(m, u, 0, 0)));
}

static double stencil_in_c(const double *u, int y, int x)
{
	const double *c = u + y * PITCH + x;

	return c[-PITCH] + c[PITCH] + c[-1] + c[1] - 4 * c[0];
}

START_TEST(stencil_with_a_scalar)
{
	static double u[ROWS * PITCH], v[ROWS * PITCH];
	struct library l = { .arena = arena_new() };
	struct make_kir *m = make_kir(l.arena, "heat", 2);
	int from = make_view(m, "u", ELEM_F64, 2, READ);
	int to = make_view(m, "v", ELEM_F64, 2, READ | WRITE);
	double dt = 0.125;
	int64_t scalar, lo[2] = { 1, 1 }, hi[2] = { ROWS - 1, PITCH - 3 };
	struct mpa_view view[2] = { plane(u), plane(v) };
	int change = make_op2(m, AIR_MUL, make_scalar(m, ELEM_F64), stencil(m, from));

	make_store(m, to, 0, 0, make_op2(m, AIR_ADD, make_load(m, to, 0, 0), change));
	library_add(&l, m);
	library_open(&l, NULL, 3);
	fill(u, ROWS * PITCH);
	fill(v, ROWS * PITCH);
	memcpy(&scalar, &dt, sizeof dt);
	library_find(&l, "heat")(&(struct mpa_frame){ view, &scalar, NULL }, lo, hi);
	for (int y = 0; y < ROWS; y++)
		for (int x = 0; x < PITCH; x++) {
			double old = sin(y * PITCH + x) / 3;
			bool in = y >= lo[0] && y < hi[0] && x >= lo[1] && x < hi[1];

			ck_assert(v[y * PITCH + x] ==
				  (in ? old + dt * stencil_in_c(u, y, x) : old));
		}
	lo[0] = hi[0];
	library_find(&l, "heat")(&(struct mpa_frame){ view, &scalar, NULL }, lo, hi);
	library_close(&l);
}
END_TEST

/* Boxes that no near cache holds ask for memory ahead, also beyond their ends. */
START_TEST(large_boxes_run_in_chunks)
{
	enum { MANY = 600 };
	double *u = malloc(MANY * PITCH * sizeof *u), *v = calloc(MANY * PITCH, sizeof *v);
	struct library l = { .arena = arena_new() };
	struct make_kir *m = make_kir(l.arena, "large", 2);
	int from = make_view(m, "u", ELEM_F64, 2, READ), wrong = 0;
	int to = make_view(m, "v", ELEM_F64, 2, WRITE);
	int64_t lo[2] = { 1, 1 }, hi[2] = { MANY - 1, PITCH - 5 };
	struct mpa_view view[2] = { plane(u), plane(v) };

	make_store(m, to, 0, 0, stencil(m, from));
	library_add(&l, m);
	library_open(&l, NULL, 3);
	fill(u, MANY * PITCH);
	library_find(&l, "large")(&(struct mpa_frame){ view, NULL, NULL }, lo, hi);
	for (int y = 0; y < MANY; y++)
		for (int x = 0; x < PITCH; x++) {
			bool in = y >= lo[0] && y < hi[0] && x >= lo[1] && x < hi[1];

			wrong += v[y * PITCH + x] != (in ? stencil_in_c(u, y, x) : 0);
		}
	ck_assert_int_eq(wrong, 0);
	library_close(&l);
	free(u);
	free(v);
}
END_TEST

START_TEST(reductions_come_in_chunks)
{
	static double u[ROWS * PITCH], sums[ROWS * PITCH];
	static char flags[ROWS * PITCH];
	struct library l = { .arena = arena_new() };
	struct make_kir *m = make_kir(l.arena, "reduce", 2);
	int from = make_view(m, "u", ELEM_F64, 2, READ), value = stencil(m, from), n = 0;
	struct sink sink[2] = { { (char *)sums, 8, 0, 0, { 0 } },
				{ flags, 1, 0, 0, { 0 } } };
	struct mpa_sink *sinks[2] = { (struct mpa_sink *)&sink[0],
				      (struct mpa_sink *)&sink[1] };
	int64_t lo[2] = { 1, 1 }, hi[2] = { 4, PITCH - 3 };
	struct mpa_view view[1] = { plane(u) };

	make_reduce(m, value);
	make_reduce(m, make_instr(m, make_air(AIR_LT, ELEM_BOOL, 0), 2,
				  make_const(m, ELEM_F64, 0), value));
	library_add(&l, m);
	library_open(&l, NULL, 3);
	fill(u, ROWS * PITCH);
	library_find(&l, "reduce")(&(struct mpa_frame){ view, NULL, sinks }, lo, hi);
	for (int64_t y = lo[0]; y < hi[0]; y++)
		for (int64_t x = lo[1]; x < hi[1]; x++, n++) {
			ck_assert(sums[n] == stencil_in_c(u, (int)y, (int)x));
			ck_assert_int_eq(flags[n], 0 < sums[n]);
		}
	ck_assert_int_eq((char *)(sums + n) - sink[0].to, 0);
	ck_assert_int_eq(sink[0].calls, 3 * 3);
	ck_assert_int_eq(sink[0].longest, 512);
	ck_assert_int_eq(sink[1].at[0], 3);
	ck_assert_int_eq(sink[1].at[1], 1 + 2 * 512);
	library_close(&l);
}
END_TEST

/* u[x] of the point mirrored about a row, a look-up by index, and a value of rows. */
START_TEST(indices_of_all_kinds)
{
	static double u[ROWS * PITCH], v[ROWS * PITCH], w[PITCH];
	struct library l = { .arena = arena_new() };
	struct make_kir *m = make_kir(l.arena, "mixed", 2);
	int from = make_view(m, "u", ELEM_F64, 2, READ),
	    row = make_view(m, "w", ELEM_F64, 1, READ);
	int to = make_view(m, "v", ELEM_F64, 2, WRITE), base = make_scalar(m, ELEM_I64),
	    a, b, c;
	struct kir_access mirrored = make_access(m, from, 0, 0),
			  of_row = make_access(m, row, 0, 0);
	int64_t scalar = 2, lo[2] = { 0, 0 }, hi[2] = { 7, 700 };
	struct mpa_view view[3] = { plane(u), { w, { 1 } }, plane(v) };

	mirrored.at[0] = (struct kir_index){ 0, -1, 6, -1 };
	mirrored.at[1] = (struct kir_index){ 1, -1, 700, base };
	of_row.at[0] = (struct kir_index){ 0, 1, 5, base };
	a = make_instr(m,
		       (struct kir_instr){
			       .op = KIR_LOAD, .elem = ELEM_F64, .as.access = mirrored },
		       0);
	b = make_instr(m,
		       (struct kir_instr){
			       .op = KIR_LOAD, .elem = ELEM_F64, .as.access = of_row },
		       0);
	c = make_instr(
		m, (struct kir_instr){ .op = KIR_INDEX, .elem = ELEM_I64, .as.loop = 1 },
		0);
	c = make_instr(m, make_air(AIR_LOOKUP, ELEM_F64, 0), 7, c,
		       make_const(m, ELEM_F64, 1), make_const(m, ELEM_F64, 2),
		       make_const(m, ELEM_F64, 4), make_const(m, ELEM_F64, 8),
		       make_const(m, ELEM_F64, 16), make_const(m, ELEM_F64, 32));
	make_store(m, to, 0, 0, make_op2(m, AIR_ADD, make_op2(m, AIR_MUL, a, b), c));
	library_add(&l, m);
	library_open(&l, NULL, 3);
	fill(u, ROWS * PITCH);
	fill(w, PITCH);
	library_find(&l, "mixed")(&(struct mpa_frame){ view, &scalar, NULL }, lo, hi);
	for (int y = 0; y < 7; y++)
		for (int x = 0; x < 700; x++)
			ck_assert(v[y * PITCH + x] ==
				  u[(6 - y) * PITCH + 702 - x] * w[y + 7] +
					  (1 << (x < 5 ? x : 5)));
	library_close(&l);
}
END_TEST

static Suite *llvm_suite(void)
{
	Suite *s = suite_create("llvm");
	TCase *t = tcase_create("kernels");

	tcase_set_timeout(t, 120);
	tcase_add_test(t, stencil_with_a_scalar);
	tcase_add_test(t, large_boxes_run_in_chunks);
	tcase_add_test(t, reductions_come_in_chunks);
	tcase_add_test(t, indices_of_all_kinds);
	tcase_add_test(t, operations_on_this_machine);
	tcase_add_test(t, operations_on_the_oldest_machine);
	suite_add_tcase(s, t);
	return s;
}

UNIT_MAIN(llvm_suite)
