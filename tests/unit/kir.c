/* tests/unit/kir.c - kernels made of expressions, and broken ones refused */
#include "kernel/maker.h"
#include "make_air.h"
#include "unit.h"

static struct arena *arena;
static struct air_program *p;

static void set_up(void)
{
	arena = arena_new();
	p = air_new(arena, "test.mpa");
}

static void tear_down(void)
{
	arena_free(arena);
}

static char *printed(const struct kir_kernel *k)
{
	static char text[4096];
	FILE *f = fmemopen(text, sizeof text, "w");

	kir_print(k, f);
	fclose(f);
	return text;
}

static struct kir_kernel *kernel_of(struct grid *g, struct air_field *to,
                                    const struct air_expr *e)
{
	struct kir_maker *m = kir_maker_new(arena, p, g, NULL);
	int value = kir_maker_value(m, e);
	struct kir_kernel *k;

	kir_maker_store(m, kir_maker_view(m, to), value, NULL);
	k = kir_maker_end(m, "test_1", nowhere);
	ck_assert_ptr_null(kir_verify(k));
	return k;
}

START_TEST(shared_parts_are_computed_once)
{
	struct grid *g = grid(p, "g", "x:8 y:8");
	struct air_field *u = field(p, "u", ELEM_F64, g), *v = field(p, "v", ELEM_F64, g);
	const struct air_expr *right = at(p, u, 1, 0), *d = sub(p, right, at(p, u, 0, -2));

	ck_assert_str_eq(printed(kernel_of(g, v, mul(p, d, d))),
	                 "kernel test_1 [x, y]\n"
	                 "  view u: f64 read\n"
	                 "  view v: f64 written\n"
	                 "  %0 = load f64 u[x+1, y]\n"
	                 "  %1 = load f64 u[x, y-2]\n"
	                 "  %2 = sub f64 %0, %1\n"
	                 "  %3 = mul f64 %2, %2\n"
	                 "  store v[x, y] = %3\n");
}
END_TEST

START_TEST(local_axes_are_outermost)
{
	struct grid *g = grid(p, "g", "x:8 y:8 q:9l");
	struct air_field *f = field(p, "f", ELEM_F32, g);
	struct air_select s[MAX_AXES] = { { .offset = 1 }, { 0 },
		                          { .pick = PICK_FIXED, .index = i64(p, 4) } };
	struct kir_kernel *k = kernel_of(g, f, air_read(p, f, s, nowhere));

	ck_assert_str_eq(k->loop_name[0], "q");
	ck_assert_int_eq(k->view[0].unit_axis, 1);
	ck_assert_str_eq(printed(k), "kernel test_1 [q, x, y]\n"
	                             "  view f: f32 read written\n"
	                             "  %0 = load f32 f[x+1, y, 4]\n"
	                             "  store f[x, y, q] = %0\n");
}
END_TEST

START_TEST(scalars_come_from_the_host_as_they_are_cast)
{
	struct grid *g = grid(p, "g", "x:8 y:8");
	struct air_field *u = field(p, "u", ELEM_F32, g);
	struct air_var *dt = air_var_new(p, "dt", ELEM_F64, nowhere);
	const struct air_expr *half = mul(p, air_read_var(p, dt, nowhere), f64(p, 0.5));
	struct kir_kernel *k =
		kernel_of(g, u, mul(p, air_cast(p, half, ELEM_F32), here(p, u)));

	ck_assert_int_eq(k->n_scalars, 1);
	ck_assert_int_eq(k->scalar[0], ELEM_F32);
	for (int i = 0; i < k->n_instrs; i++)
		ck_assert_int_eq(k->instr[i].elem, ELEM_F32);
}
END_TEST

static struct kir_kernel *wall_of(struct air_field *f, int axis, int side,
                                  const struct air_expr *e)
{
	struct kir_wall *w = arena_new_object(arena, struct kir_wall);
	struct kir_maker *m;
	struct kir_kernel *k;
	int value;

	*w = (struct kir_wall){ f, axis, side };
	m = kir_maker_new(arena, p, f->grid, w);
	value = kir_maker_value(m, e);
	kir_maker_store(m, kir_maker_view(m, f), value, NULL);
	k = kir_maker_end(m, "wall", nowhere);
	ck_assert_ptr_null(kir_verify(k));
	return k;
}

START_TEST(mirrors_look_inside)
{
	struct grid *g = grid(p, "g", "x:8 y:8");
	struct air_field *u = field(p, "u", ELEM_F64, g);
	const struct air_expr *s = air_mirror(p, u, MIRROR_SYMMETRIC, nowhere);
	const struct air_expr *r = air_mirror(p, u, MIRROR_REFLECT, nowhere);
	const struct air_expr *e = air_mirror(p, u, MIRROR_EDGE, nowhere);

	ck_assert_ptr_nonnull(strstr(printed(wall_of(u, 0, 0, s)), "load f64 u[-x-1, y]"));
	ck_assert_ptr_nonnull(strstr(printed(wall_of(u, 0, 0, r)), "load f64 u[-x, y]"));
	ck_assert_ptr_nonnull(strstr(printed(wall_of(u, 1, 0, e)), "load f64 u[x, 0]"));
	ck_assert_ptr_nonnull(strstr(printed(wall_of(u, 1, 1, s)), "load f64 u[x, -y+15]"));
	ck_assert_ptr_nonnull(strstr(printed(wall_of(u, 1, 1, r)), "load f64 u[x, -y+14]"));
	ck_assert_ptr_nonnull(strstr(printed(wall_of(u, 1, 1, e)), "load f64 u[x, 7]"));
}
END_TEST

START_TEST(later_periodic_axes_are_wrapped_in_walls)
{
	struct grid *g = grid(p, "g", "x:8p y:8 z:8p");
	struct air_field *u = field(p, "u", ELEM_I64, g);

	ck_assert_ptr_nonnull(strstr(printed(wall_of(u, 1, 0, index_of(p, g, 2))), "mod"));
	ck_assert_ptr_null(strstr(printed(wall_of(u, 1, 0, index_of(p, g, 0))), "mod"));
}
END_TEST

START_TEST(broken_kernels_are_refused)
{
	struct grid *g = grid(p, "g", "x:8 y:8");
	struct air_field *u = field(p, "u", ELEM_F64, g);
	const struct air_expr *two = f64(p, 2);
	struct kir_kernel *k = kernel_of(g, u, mul(p, two, here(p, u)));

	k->instr[1].as.access.at[0].loop = 2;
	ck_assert_str_eq(kir_verify(k), "an index along a loop that is not there");
	k->instr[1].as.access.at[0].loop = 0;
	k->view[0].read = false;
	ck_assert_str_eq(kir_verify(k), "an access that its view does not declare");
	k->view[0].read = true;
	k->instr[0].elem = ELEM_F32;
	ck_assert_str_eq(kir_verify(k), "an operation on two types");
}
END_TEST

START_TEST(products_are_fused_with_sums)
{
	struct grid *g = grid(p, "g", "x:8");
	struct air_field *u = field(p, "u", ELEM_F64, g), *v = field(p, "v", ELEM_F64, g);
	const struct air_expr *a = here(p, u), *b = at(p, u, 1, 0);
	const struct air_expr *left = sub(p, mul(p, a, b), mul(p, b, b));
	struct kir_kernel *k = kernel_of(g, v, sub(p, a, mul(p, left, b)));

	kir_contract(k, arena);
	ck_assert_ptr_null(kir_verify(k));
	ck_assert_str_eq(printed(k),
	                 "kernel test_1 [x]\n"
	                 "  view u: f64 read\n"
	                 "  view v: f64 written\n"
	                 "  %0 = load f64 u[x]\n"
	                 "  %1 = load f64 u[x+1]\n"
	                 "  %2 = mul f64 %1, %1\n"
	                 "  %3 = neg f64 %2\n"
	                 "  %4 = fma f64 %0, %1, %3\n"
	                 "  %5 = neg f64 %4\n"
	                 "  %6 = fma f64 %5, %1, %0\n"
	                 "  store v[x] = %6\n");
}
END_TEST

START_TEST(integers_are_not_fused)
{
	struct grid *g = grid(p, "g", "x:8");
	struct air_field *u = field(p, "u", ELEM_I64, g);
	const struct air_expr *a = here(p, u);
	struct kir_kernel *k = kernel_of(g, u, add(p, a, mul(p, a, a)));
	int n = k->n_instrs;

	kir_contract(k, arena);
	ck_assert_int_eq(k->n_instrs, n);
	ck_assert_ptr_null(strstr(printed(k), "fma"));
}
END_TEST

START_TEST(deep_expressions_do_not_recurse)
{
	struct grid *g = grid(p, "g", "x:8p y:8p");
	struct air_field *u = field(p, "u", ELEM_F64, g);
	const struct air_expr *e = here(p, u);

	for (int i = 0; i < 30000; i++)
		e = add(p, e, at(p, u, i % 173, i / 173));
	ck_assert_int_eq(kernel_of(g, u, e)->n_views, 1);
}
END_TEST

static Suite *kir_suite(void)
{
	Suite *s = suite_create("kir");
	TCase *c = tcase_create("kernels");

	tcase_add_checked_fixture(c, set_up, tear_down);
	tcase_add_test(c, shared_parts_are_computed_once);
	tcase_add_test(c, local_axes_are_outermost);
	tcase_add_test(c, scalars_come_from_the_host_as_they_are_cast);
	tcase_add_test(c, mirrors_look_inside);
	tcase_add_test(c, later_periodic_axes_are_wrapped_in_walls);
	tcase_add_test(c, broken_kernels_are_refused);
	tcase_add_test(c, products_are_fused_with_sums);
	tcase_add_test(c, integers_are_not_fused);
	tcase_add_test(c, deep_expressions_do_not_recurse);
	suite_add_tcase(s, c);
	return s;
}

UNIT_MAIN(kir_suite)
