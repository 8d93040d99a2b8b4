/* tests/unit/format.c - values as Python and NumPy print them; random numbers
 *
 * Answers are from Python 3.11, NumPy 1.24 and the Random123 known answers. */
#include <math.h>

#include "base/format.h"
#include "base/random.h"
#include "unit.h"

static void check_real(double value, const char *expected)
{
	char text[FORMAT_REAL];

	ck_assert_int_eq(format_real(text, value, false), strlen(expected));
	ck_assert_str_eq(text, expected);
}

START_TEST(reals_are_shortest)
{
	check_real(0.1, "0.1");
	check_real(1e-5, "1e-05");
	check_real(0.0001, "0.0001");
	check_real(100, "100.0");
	check_real(1e16, "1e+16");
	check_real(123456789012345680.0, "1.2345678901234568e+17");
	check_real(1234567890123456.0, "1234567890123456.0");
	check_real(-0.0, "-0.0");
	check_real(-NAN, "nan");
	check_real(-INFINITY, "-inf");
	check_real(5e-324, "5e-324");
	check_real(0x1p-44, "5.684341886080802e-14");
	check_real(9007199254740993.0, "9007199254740992.0");
	check_real(1.7976931348623157e308, "1.7976931348623157e+308");
}
END_TEST

START_TEST(single_reals_are_shortest_as_f32)
{
	char text[FORMAT_REAL];

	format_real(text, 0.1f, true);
	ck_assert_str_eq(text, "0.1");
	format_real(text, 16777216.0f, true);
	ck_assert_str_eq(text, "16777216.0");
}
END_TEST

static void check_format(const char *spec, enum format_kind kind, union format_value v,
                         const char *expected)
{
	struct format_spec s;
	char text[512];

	ck_assert(format_parse(spec, &s) && format_fits(&s, kind));
	ck_assert_int_eq(format_value(text, sizeof text, &s, kind, v), strlen(expected));
	ck_assert_str_eq(text, expected);
}

static void check_int(const char *spec, int64_t i, const char *expected)
{
	check_format(spec, FORMAT_INT, (union format_value){ .i = i }, expected);
}

static void check_f64(const char *spec, double f, const char *expected)
{
	check_format(spec, FORMAT_F64, (union format_value){ .f = f }, expected);
}

static void check_text(const char *spec, const char *t, const char *expected)
{
	check_format(spec, FORMAT_TEXT, (union format_value){ .text = t }, expected);
}

START_TEST(specs_are_pythons)
{
	check_int("", -42, "-42");
	check_int("05d", -42, "-0042");
	check_int("+,", 1234567, "+1,234,567");
	check_int("08,", 1234, "0,001,234");
	check_int("x", -255, "-ff");
	check_int(".2f", 3, "3.00");
	check_int("*^9", 5, "****5****");
	check_f64(".3e", 12345.678, "1.235e+04");
	check_f64(".1", 5.0, "5e+00");
	check_f64(".3", 1.0, "1.0");
	check_f64("g", 1e-5, "1e-05");
	check_f64(".1%", 0.256, "25.6%");
	check_f64("10,.2f", -12345.678, "-12,345.68");
	check_f64("06", INFINITY, "000inf");
	check_f64(" .0f", 2.5, " 2");
	check_f64("", 0.1, "0.1");
	check_text(">6", "grün", "  grün");
	check_text("é^5.1s", "abc", "ééaéé");
	check_format("", FORMAT_BOOL, (union format_value){ .i = 1 }, "true");
	check_format("d", FORMAT_BOOL, (union format_value){ .i = 1 }, "1");
}
END_TEST

START_TEST(what_does_not_fit_is_refused)
{
	struct format_spec s;

	ck_assert(!format_parse("q", &s));
	ck_assert(!format_parse("5.", &s));
	ck_assert(!format_parse("99999d", &s));
	ck_assert(format_parse("d", &s) && !format_fits(&s, FORMAT_F64));
	ck_assert(format_parse(".2d", &s) && !format_fits(&s, FORMAT_INT));
	ck_assert(format_parse("x", &s) && !format_fits(&s, FORMAT_TEXT));
	ck_assert(format_parse("+s", &s) && !format_fits(&s, FORMAT_TEXT));
	ck_assert(format_parse("s", &s) && !format_fits(&s, FORMAT_INT));
}
END_TEST

static void check_array(enum format_kind kind, int dim, const int64_t *size,
                        const union format_value *v, const char *expected)
{
	char *text;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	format_array(out, kind, dim, size, v);
	fclose(out);
	ck_assert_str_eq(text, expected);
	free(text);
}

START_TEST(arrays_are_numpys)
{
	union format_value real[] = { { .f = 1 }, { .f = -2.5 }, { .f = NAN }, { .f = 0.125 } };
	union format_value wide[] = { { .f = 1e-10 }, { .f = 1 }, { .f = 0 }, { .f = -2e100 } };
	union format_value flag[] = { { .i = 1 }, { .i = 0 } };
	int64_t square[] = { 2, 2 }, row[] = { 4 };

	check_array(FORMAT_F64, 2, square, real, "[[ 1.    -2.5  ]\n [   nan  0.125]]");
	check_array(FORMAT_F64, 1, row, wide, "[ 1.e-010  1.e+000  0.e+000 -2.e+100]");
	check_array(FORMAT_BOOL, 1, (int64_t[]){ 2 }, flag, "[ true false]");
}
END_TEST

START_TEST(big_arrays_are_cut)
{
	int64_t size[] = { 2000, 3 }, kept[2];
	union format_value v[18];

	ck_assert_int_eq(format_array_kept(2, size, kept), 18);
	for (int i = 0; i < 18; i++)
		v[i].i = i < 9 ? i : 6000 - 18 + i;
	check_array(FORMAT_INT, 2, size, v,
	            "[[   0    1    2]\n [   3    4    5]\n [   6    7    8]\n ...\n"
	            " [5991 5992 5993]\n [5994 5995 5996]\n [5997 5998 5999]]");
	ck_assert(!format_array_cut(2, (int64_t[]){ 100, 10 }));
	ck_assert(format_array_cut(2, (int64_t[]){ INT64_MAX, INT64_MAX }));
}
END_TEST

static void check_philox(const uint32_t c[4], const uint32_t k[2], const uint32_t expected[4])
{
	uint32_t word[4];

	random_philox(c, k, word);
	ck_assert_mem_eq(word, expected, sizeof word);
}

START_TEST(philox_gives_the_known_answers)
{
	uint32_t one = 0xffffffff;

	check_philox((uint32_t[4]){ 0 }, (uint32_t[2]){ 0 },
	             (uint32_t[]){ 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8 });
	check_philox((uint32_t[]){ one, one, one, one }, (uint32_t[]){ one, one },
	             (uint32_t[]){ 0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd });
	check_philox((uint32_t[]){ 0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344 },
	             (uint32_t[]){ 0xa4093822, 0x299f31d0 },
	             (uint32_t[]){ 0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1 });
}
END_TEST

START_TEST(draws_have_the_right_moments)
{
	double sum = 0, normal = 0, square = 0;
	int n = 100000;

	for (int i = 0; i < n; i++) {
		double u = random_uniform(7, i, 3), z = random_normal(7, i, 3);

		ck_assert(u >= 0 && u < 1);
		ck_assert(random_uniform_f32(7, i, 3) < 1);
		sum += u;
		normal += z;
		square += z * z;
	}
	ck_assert_double_eq_tol(sum / n, 0.5, 0.005);
	ck_assert_double_eq_tol(normal / n, 0, 0.015);
	ck_assert_double_eq_tol(square / n, 1, 0.02);
}
END_TEST

static Suite *format_suite(void)
{
	Suite *s = suite_create("format");
	TCase *t = tcase_create("format");

	tcase_add_test(t, reals_are_shortest);
	tcase_add_test(t, single_reals_are_shortest_as_f32);
	tcase_add_test(t, specs_are_pythons);
	tcase_add_test(t, what_does_not_fit_is_refused);
	tcase_add_test(t, arrays_are_numpys);
	tcase_add_test(t, big_arrays_are_cut);
	suite_add_tcase(s, t);
	return s;
}

static Suite *random_suite(void)
{
	Suite *s = suite_create("random");
	TCase *t = tcase_create("random");

	tcase_add_test(t, philox_gives_the_known_answers);
	tcase_add_test(t, draws_have_the_right_moments);
	suite_add_tcase(s, t);
	return s;
}

UNIT_MAIN(format_suite, random_suite)
