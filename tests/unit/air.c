/* tests/unit/air.c - building, folding, rewriting and printing of AIR */
#include <math.h>

#include "array/scalar.h"
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

START_TEST(promotion_is_numpys)
{
	ck_assert_int_eq(elem_promote(ELEM_I32, ELEM_F32), ELEM_F64);
	ck_assert_int_eq(elem_promote(ELEM_F32, ELEM_U8), ELEM_F32);
	ck_assert_int_eq(elem_promote(ELEM_U8, ELEM_I32), ELEM_I32);
	ck_assert_int_eq(elem_promote(ELEM_BOOL, ELEM_U8), ELEM_U8);
	ck_assert_int_eq(elem_promote(ELEM_C64, ELEM_F64), ELEM_C128);
	ck_assert_int_eq(elem_promote(ELEM_C64, ELEM_F32), ELEM_C64);
	ck_assert_int_eq(elem_promote(ELEM_STR, ELEM_F64), ELEM_NONE);
	ck_assert_int_eq(elem_named("i32"), ELEM_I32);
	ck_assert_int_eq(elem_named("int"), ELEM_NONE);
}
END_TEST

START_TEST(grids_of_the_same_axes_are_one)
{
	struct grid *g = grid(p, "plate", "x:4 y:5");
	struct grid *x = grid_of(&p->types, g->family, &g->axis[0], 1);
	struct grid *y = grid_of(&p->types, g->family, &g->axis[1], 1);

	ck_assert_ptr_eq(x, grid_of(&p->types, g->family, &g->axis[0], 1));
	ck_assert_str_eq(x->name, "plate[x]");
	ck_assert_ptr_eq(grid_join(&p->types, y, x), g);
	ck_assert_ptr_eq(grid_join(&p->types, g, x), g);
	ck_assert(grid_contains(g, y) && !grid_contains(y, g));
	ck_assert_ptr_null(grid_join(&p->types, g, grid(p, "rod", "x:4")));
	ck_assert_ptr_eq(grid_axis_named(g, "y"), g->axis[1]);
}
END_TEST

START_TEST(equal_expressions_are_one)
{
	struct air_field *u = field(p, "u", ELEM_F64, grid(p, "g", "x:8 y:8"));
	const struct air_expr *a = add(p, at(p, u, 1, 0), at(p, u, -1, 0));

	ck_assert_ptr_eq(a, add(p, at(p, u, 1, 0), at(p, u, -1, 0)));
	ck_assert_ptr_ne(a, add(p, at(p, u, -1, 0), at(p, u, 1, 0)));
	ck_assert_ptr_ne(f64(p, 0.0), f64(p, -0.0));
	ck_assert_ptr_ne(f64(p, 1), air_real(p, ELEM_F32, 1));
	ck_assert_ptr_eq(air_string(p, "a"), air_string(p, "a"));
}
END_TEST

static int64_t fold_int(enum air_op op, enum elem e, int64_t a, int64_t b)
{
	const struct air_expr *x = op2(p, op, e, air_int(p, e, a), air_int(p, e, b));
	int64_t i;

	ck_assert(air_constant(x, &i, NULL));
	return i;
}

START_TEST(integers_wrap_and_floor)
{
	ck_assert_int_eq(fold_int(AIR_ADD, ELEM_U8, 250, 10), 4);
	ck_assert_int_eq(fold_int(AIR_MUL, ELEM_I32, 65536, 65536), 0);
	ck_assert_int_eq(fold_int(AIR_ADD, ELEM_I64, INT64_MAX, 1), INT64_MIN);
	ck_assert_int_eq(fold_int(AIR_FLOORDIV, ELEM_I64, -7, 2), -4);
	ck_assert_int_eq(fold_int(AIR_MOD, ELEM_I64, -7, 2), 1);
	ck_assert_int_eq(fold_int(AIR_MOD, ELEM_I64, 7, -2), -1);
	ck_assert_int_eq(fold_int(AIR_FLOORDIV, ELEM_I64, -1, 0), 0);
	ck_assert_int_eq(fold_int(AIR_MOD, ELEM_I64, 5, 0), 0);
	ck_assert_int_eq(fold_int(AIR_FLOORDIV, ELEM_I64, INT64_MIN, -1), INT64_MIN);
	ck_assert_int_eq(fold_int(AIR_POW, ELEM_I64, 3, 4), 81);
	ck_assert_int_eq(fold_int(AIR_POW, ELEM_I64, 3, -1), 0);
}
END_TEST

static int64_t cast_to(enum elem e, double f)
{
	int64_t i;

	ck_assert(air_constant(air_cast(p, f64(p, f), e), &i, NULL));
	return i;
}

START_TEST(casts_truncate_and_clamp)
{
	ck_assert_int_eq(cast_to(ELEM_I64, NAN), 0);
	ck_assert_int_eq(cast_to(ELEM_U8, 300.0), 255);
	ck_assert_int_eq(cast_to(ELEM_U8, -1.0), 0);
	ck_assert_int_eq(cast_to(ELEM_I32, -1e10), INT32_MIN);
	ck_assert_int_eq(cast_to(ELEM_I64, 1e30), INT64_MAX);
	ck_assert_int_eq(cast_to(ELEM_I64, -2.9), -2);
	ck_assert_int_eq(cast_to(ELEM_BOOL, NAN), 1);
	ck_assert_int_eq(fold_int(AIR_ADD, ELEM_U8, 300, 0), 44);
}
END_TEST

static double fold_real(enum air_op op, double a, double b)
{
	double f;

	ck_assert(air_constant(op2(p, op, ELEM_F64, f64(p, a), f64(p, b)), NULL, &f));
	return f;
}

START_TEST(reals_are_numpys)
{
	ck_assert_double_eq(fold_real(AIR_FLOORDIV, -7.5, 2), -4);
	ck_assert_double_eq(fold_real(AIR_MOD, -7.5, 2), 0.5);
	ck_assert(signbit(fold_real(AIR_MOD, 4, -2)));
	ck_assert(isnan(fold_real(AIR_MOD, 4, 0)) && isinf(fold_real(AIR_FLOORDIV, 4, 0)));
	ck_assert(isnan(fold_real(AIR_MAX, NAN, 1)) && isnan(fold_real(AIR_MIN, 1, NAN)));
	ck_assert(!signbit(fold_real(AIR_MAX, -0.0, 0.0)));
	ck_assert(signbit(fold_real(AIR_MIN, 0.0, -0.0)));
}
END_TEST

START_TEST(powers_square_from_the_highest_bit)
{
	double f, x = 1.1, x2 = x * x, x3 = x2 * x;

	ck_assert(air_constant(air_powi(p, f64(p, x), 6, nowhere), NULL, &f));
	ck_assert(f == x3 * x3);
	ck_assert(air_constant(air_powi(p, f64(p, NAN), 0, nowhere), NULL, &f));
	ck_assert(f == 1);
}
END_TEST

START_TEST(only_exact_simplifications_are_made)
{
	struct grid *g = grid(p, "g", "x:8");
	struct air_field *u = field(p, "u", ELEM_F64, g);
	struct air_field *k = field(p, "k", ELEM_I64, g);
	const struct air_expr *x = here(p, u), *i = here(p, k);
	const struct air_expr *on[] = { air_int(p, ELEM_BOOL, 1), f64(p, 2), x };

	ck_assert_ptr_eq(mul(p, x, f64(p, 1)), x);
	ck_assert_ptr_ne(add(p, x, f64(p, 0)), x);
	ck_assert_ptr_eq(add(p, x, f64(p, -0.0)), x);
	ck_assert_ptr_eq(sub(p, x, f64(p, 0)), x);
	ck_assert_ptr_ne(sub(p, x, f64(p, -0.0)), x);
	ck_assert_ptr_eq(add(p, i64(p, 0), i), i);
	ck_assert_int_eq(mul(p, x, f64(p, 0))->op, AIR_MUL);
	ck_assert_ptr_eq(op1(p, AIR_NEG, ELEM_F64, op1(p, AIR_NEG, ELEM_F64, x)), x);
	/* the value of a select keeps the grid it is to have */
	ck_assert_ptr_eq(air_op(p, AIR_SELECT, ELEM_F64, on, 3, nowhere)->grid, g);
}
END_TEST

START_TEST(shift_moves_reads_and_positions)
{
	struct grid *g = grid(p, "g", "x:8 y:8");
	struct air_field *u = field(p, "u", ELEM_F64, g);
	const struct air_expr *x = air_cast(p, index_of(p, g, 0), ELEM_F64);
	const struct air_expr *e = add(p, mul(p, at(p, u, 1, 0), x), at(p, u, 0, -1));
	const struct air_expr *s = air_shift(p, e, g->axis[0], -3);
	struct air_reach r = air_reach_of(s, u);

	ck_assert_int_eq(r.lo[0], -3);
	ck_assert_int_eq(r.hi[0], 0);
	ck_assert_int_eq(r.lo[1], -1);
	ck_assert_int_eq(r.diagonal, 2);
	ck_assert_ptr_eq(air_shift(p, s, g->axis[0], 3), e);
	ck_assert(air_reads_shifted(e, g->axis[0]));
	ck_assert(!air_reads_shifted(x, g->axis[0]));
}
END_TEST

START_TEST(fix_takes_a_component)
{
	struct grid *g = grid(p, "g", "x:8 q:9l");
	struct air_field *f = field(p, "f", ELEM_F64, g);
	const struct air_expr *q = air_cast(p, index_of(p, g, 1), ELEM_F64);
	const struct air_expr *e = air_fix(p, mul(p, here(p, f), q), g->axis[1], i64(p, 3));

	ck_assert_int_eq(e->grid->n_axes, 1);
	ck_assert_int_eq(e->arg[0]->as.read.at[1].pick, PICK_FIXED);
	ck_assert_ptr_eq(e->arg[1], f64(p, 3));
}
END_TEST

START_TEST(inline_puts_the_shifted_value)
{
	struct grid *g = grid(p, "g", "x:8");
	struct air_field *u = field(p, "u", ELEM_F64, g);
	struct air_field *s = stage(p, "s", g, add(p, at(p, u, 1, 0), at(p, u, -1, 0)));
	const struct air_expr *e = air_inline(p, sub(p, at(p, s, 1, 0), here(p, s)), s);

	ck_assert_ptr_eq(e->arg[0], add(p, at(p, u, 2, 0), here(p, u)));
	ck_assert_ptr_eq(e->arg[1], s->value);
}
END_TEST

START_TEST(long_sums_need_no_stack)
{
	struct grid *g = grid(p, "g", "x:8");
	struct air_field *u = field(p, "u", ELEM_F64, g);
	const struct air_expr *e = here(p, u);
	struct air_field_set set = { .arena = arena };
	FILE *sink = fopen("/dev/null", "w");

	for (int i = 1; i < 30000; i++)
		e = add(p, e, at(p, u, i, 0));
	ck_assert_int_eq(air_reach_of(air_shift(p, e, g->axis[0], 1), u).hi[0], 30000);
	air_fields_read(e, &set);
	ck_assert_int_eq(set.n, 1);
	air_expr_print(e, sink);
	fclose(sink);
}
END_TEST

static void check_print(const struct air_expr *e, const char *expected)
{
	char *text;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	air_expr_print(e, out);
	fclose(out);
	ck_assert_str_eq(text, expected);
	free(text);
}

START_TEST(print_names_what_is_shared)
{
	struct grid *g = grid(p, "g", "x:8 y:8");
	struct air_field *u = field(p, "u", ELEM_F64, g);
	const struct air_expr *d = sub(p, at(p, u, 1, 0), at(p, u, 0, -2));

	check_print(mul(p, f64(p, 0.1), d), "(0.1 * (u[x+1] - u[y-2]))");
	check_print(mul(p, d, d), "%1 = (u[x+1] - u[y-2]); (%1 * %1)");
	check_print(air_cast(p, here(p, u), ELEM_F32), "f32(u)");
	check_print(air_real(p, ELEM_F32, 0.1f), "0.1:f32");
	check_print(air_powi(p, here(p, u), 3, nowhere), "powi(u, 3)");
}
END_TEST

START_TEST(complex_arithmetic_is_of_parts)
{
	struct air_field *z = field(p, "z", ELEM_C128, grid(p, "g", "x:8 y:8"));
	const struct air_expr *one = here(p, z), *i = air_complex(p, f64(p, 0), f64(p, 1));
	const struct air_expr *re = air_part_of(p, one, 0), *im = air_part_of(p, one, 1);

	ck_assert_ptr_eq(air_complex(p, re, im), one);
	ck_assert(air_is_constant(i) && !air_is_constant(one));
	ck_assert_ptr_eq(air_part_of(p, mul(p, i, i), 0), f64(p, -1));
	ck_assert_ptr_eq(air_part_of(p, f64(p, 3), 1), f64(p, 0));
	ck_assert_int_eq(op1(p, AIR_ABS, ELEM_F64, one)->elem, ELEM_F64);
	check_print(add(p, one, one), "%1 = real(z); %2 = imag(z); complex((%1 + %1), (%2 + %2))");
	check_print(op2(p, AIR_EQ, ELEM_BOOL, one, i), "((real(z) == 0.0) and (imag(z) == 1.0))");
	check_print(air_cast(p, one, ELEM_C64), "complex(f32(real(z)), f32(imag(z)))");
}
END_TEST

static Suite *air_suite(void)
{
	Suite *s = suite_create("air");
	TCase *t = tcase_create("air");

	tcase_add_checked_fixture(t, set_up, tear_down);
	tcase_add_test(t, promotion_is_numpys);
	tcase_add_test(t, grids_of_the_same_axes_are_one);
	tcase_add_test(t, equal_expressions_are_one);
	tcase_add_test(t, integers_wrap_and_floor);
	tcase_add_test(t, casts_truncate_and_clamp);
	tcase_add_test(t, reals_are_numpys);
	tcase_add_test(t, powers_square_from_the_highest_bit);
	tcase_add_test(t, only_exact_simplifications_are_made);
	tcase_add_test(t, shift_moves_reads_and_positions);
	tcase_add_test(t, fix_takes_a_component);
	tcase_add_test(t, inline_puts_the_shifted_value);
	tcase_add_test(t, long_sums_need_no_stack);
	tcase_add_test(t, print_names_what_is_shared);
	tcase_add_test(t, complex_arithmetic_is_of_parts);
	suite_add_tcase(s, t);
	return s;
}

UNIT_MAIN(air_suite)
