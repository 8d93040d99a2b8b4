/* tests/unit/check_reduce.c - exact sums, against long sums of integers; options as text
 */
#include <math.h>
#include <stdio.h>

#include "exec/exact.h"
#include "exec/line.h"
#include "exec/options.h"
#include "exec/reduce.h"
#include "unit.h"

static double sum_of(const double *value, int64_t n)
{
	struct exact x = { .pending = 0 };

	exact_add(&x, value, n);
	return exact_value(&x);
}

START_TEST(a_million_tenths_are_a_hundred_thousand)
{
	double *value = malloc(1000000 * sizeof *value);

	for (int i = 0; i < 1000000; i++)
		value[i] = 0.1;
	ck_assert(sum_of(value, 1000000) == 100000.0);
	for (int i = 0; i < 1000000; i++)
		value[i] = (double)0.1f;
	ck_assert(sum_of(value, 1000000) == 100000.00149011612);
	free(value);
}
END_TEST

START_TEST(cancellation_loses_nothing)
{
	const double value[] = { 1e308, 1, 1e308, 1e-300, -1e308, 5e-324, -1e308 };

	ck_assert(sum_of(value, 7) == 1);
	ck_assert(sum_of((double[]){ 1e16, 1, -1e16 }, 3) == 1);
	ck_assert(sum_of((double[]){ 5e-324, 5e-324 }, 2) == 1e-323);
	ck_assert(sum_of((double[]){ -5e-324, 2.2250738585072014e-308 }, 2) ==
		  2.225073858507201e-308);
	ck_assert(sum_of((double[]){ 1.5, -1.5 }, 2) == 0);
	ck_assert(!signbit(sum_of((double[]){ 1.5, -1.5 }, 2)));
}
END_TEST

START_TEST(ties_go_to_even)
{
	const double big = 9007199254740992.0; /* 2^53 */

	ck_assert(sum_of((double[]){ big, 1 }, 2) == big);
	ck_assert(sum_of((double[]){ big, 3 }, 2) == big + 4);
	ck_assert(sum_of((double[]){ big, 1, 1e-300 }, 3) == big + 2);
	ck_assert(sum_of((double[]){ -big, -1, -1e-300 }, 3) == -(big + 2));
}
END_TEST

START_TEST(infinities_and_nan_are_kept)
{
	ck_assert(sum_of((double[]){ 1, INFINITY, 3 }, 3) == INFINITY);
	ck_assert(sum_of((double[]){ 1, -INFINITY, 1e308 }, 3) == -INFINITY);
	ck_assert(isnan(sum_of((double[]){ -INFINITY, INFINITY }, 2)));
	ck_assert(isnan(sum_of((double[]){ 1, NAN, INFINITY }, 3)));
	ck_assert(sum_of((double[]){ 1.7e308, 1.7e308 }, 2) == INFINITY);
	ck_assert(sum_of(NULL, 0) == 0);
}
END_TEST

static double any_double(unsigned *seed, int spread)
{
	double x = (double)rand_r(seed) * 2147483648.0 + (double)rand_r(seed);

	x = ldexp(x, (int)(rand_r(seed) % (2 * spread + 1)) - spread);
	return rand_r(seed) % 2 ? x : -x;
}

/* Blocks, single values, any split and order give the same bits. */
START_TEST(the_order_does_not_matter)
{
	enum { N = 5000 };
	static const int spread[] = { 0, 20, 300, 950 };
	unsigned seed = (unsigned)_i + 1;
	double *value = malloc(N * sizeof *value);
	struct exact one = { .pending = 0 }, a = one, b = one;
	int64_t cut = 1 + rand_r(&seed) % (N - 1);

	for (int i = 0; i < N; i++)
		value[i] = any_double(&seed, spread[_i % 4]);
	for (int i = N - 1; i >= 0; i--)
		exact_add(&one, &value[i], 1);
	exact_add(&a, value, cut);
	exact_add(&b, value + cut, N - cut);
	exact_join(&b, &a);
	ck_assert(exact_value(&one) == sum_of(value, N));
	ck_assert(exact_value(&one) == exact_value(&b));
	free(value);
}
END_TEST

START_TEST(sums_of_integers_are_right)
{
	unsigned seed = (unsigned)_i + 77;
	double value[3000];
	__int128 sum = 0;

	for (int i = 0; i < 3000; i++) {
		int64_t v = (int64_t)rand_r(&seed) << (rand_r(&seed) % 22);

		v = rand_r(&seed) % 2 ? v : -v;
		value[i] = (double)v;
		sum += v;
	}
	ck_assert(sum_of(value, 3000) == (double)sum);
}
END_TEST

/* NumPy's rules: a NaN wins, the first of equals, and 0 above -0 where only the value
 * counts. */
static int64_t extreme_place(const double *value, int n, bool max, bool place)
{
	int best = 0;

	for (int i = 1; i < n && !isnan(value[best]); i++) {
		double a = value[best], b = value[i];

		if (isnan(b) || (max ? b > a : b < a))
			best = i;
		else if (!place && a == b &&
			 (max ? signbit(a) && !signbit(b) : signbit(b) && !signbit(a)))
			best = i;
	}
	return best;
}

START_TEST(extremes_follow_numpy)
{
	static const double special[] = { 0.0, -0.0, 1, -1, INFINITY, -INFINITY, NAN };
	static const enum mpa_reduction kind[] = { MPA_MIN, MPA_MAX, MPA_ARGMIN,
						   MPA_ARGMAX };
	unsigned seed = (unsigned)_i + 5;
	enum mpa_reduction r = kind[_i % 4];
	bool single = _i / 4 % 2, max = r == MPA_MAX || r == MPA_ARGMAX;
	bool place = r == MPA_ARGMIN || r == MPA_ARGMAX;
	struct mpa_sink sink = { .reduction = r,
				 .elem = single ? MPA_F32 : MPA_F64,
				 .n_loops = 1,
				 .stride = { 1 } };
	int n = 1 + rand_r(&seed) % 400, kinds = 1 + rand_r(&seed) % 7;
	double wide[400];
	float narrow[400];

	for (int i = 0; i < n; i++)
		wide[i] = narrow[i] = (float)special[rand_r(&seed) % kinds];
	for (int64_t i = 0, take; i < n; i += take) {
		take = 1 + rand_r(&seed) % 100;
		take = take < n - i ? take : n - i;
		mpa_sink_add(&sink, single ? (void *)(narrow + i) : (void *)(wide + i),
			     take, &i);
	}
	ck_assert(sink.extreme.any);
	if (place)
		ck_assert_int_eq(sink.extreme.place, extreme_place(wide, n, max, true));
	else
		ck_assert(memcmp(&sink.extreme.d,
				 &wide[extreme_place(wide, n, max, false)],
				 sizeof(double)) == 0);
}
END_TEST

static enum mpa_status parse(struct options *o, struct fault *fault, const char *one,
			     const char *two)
{
	static const struct mpa_param_info param[] = { { "n", MPA_I64, "points", "512" },
						       { "rate", MPA_F64, "", "0.5" },
						       { "wide", MPA_BOOL, "", "false" },
						       { "single", MPA_F32, "", "1" },
						       { "name", MPA_STR, "", "\"\"" },
						       { "c", MPA_C128, "", "1i" },
						       { "d", MPA_C64, "", "0" } };
	const struct mpa_program program = { .name = "prog",
					     .n_params = 7,
					     .param = param };
	char *argv[] = { "prog", (char *)one, (char *)two, NULL };

	fault_clear(fault);
	return command_parse(o, &program, two ? 3 : one ? 2 : 1, argv, fault);
}

START_TEST(parameters_are_read_by_their_types)
{
	struct options o;
	struct fault f;
	double real, part[2];
	float single, narrow[2];

	ck_assert_int_eq(parse(&o, &f, "--n=1_000", "--rate=2"), MPA_OK);
	ck_assert(o.given[0] && o.given[1] && !o.given[2]);
	ck_assert_int_eq(*o.value[0], 1000);
	memcpy(&real, o.value[1], sizeof real);
	ck_assert(real == 2);
	command_free(&o);
	ck_assert_int_eq(parse(&o, &f, "--wide", "--single=0.1"), MPA_OK);
	memcpy(&single, o.value[3], sizeof single);
	ck_assert(*o.value[2] == 1 && single == 0.1f);
	command_free(&o);
	ck_assert_int_eq(parse(&o, &f, "--c=(1e-3-2j)", "--d=0.1i"), MPA_OK);
	memcpy(part, o.value[5], sizeof part);
	memcpy(narrow, o.value[6], sizeof narrow);
	ck_assert(part[0] == 1e-3 && part[1] == -2 && narrow[0] == 0 && narrow[1] == 0.1f);
	command_free(&o);
	ck_assert_int_eq(parse(&o, &f, "--threads=3", "--procs=2x3"), MPA_OK);
	ck_assert(o.threads == 3 && o.n_procs == 2 && o.proc[1] == 3);
	command_free(&o);
}
END_TEST

static const struct refused {
	const char *argument, *message;
} refused[] = {
	{ "--m=3", "there is no option --m; did you mean --n?" },
	{ "--theads=3", "there is no option --theads; did you mean --threads?" },
	{ "--colour=red", "there is no option --colour; --help lists them" },
	{ "--n=many", "--n needs an integer, but it is \"many\"" },
	{ "--n=1.5", "--n needs an integer, but it is \"1.5\"" },
	{ "--n=99999999999999999999",
	  "--n needs an integer, but it is \"99999999999999999999\"" },
	{ "--rate=fast", "--rate needs a number, but it is \"fast\"" },
	{ "--rate", "--rate needs a value: --rate=0.5" },
	{ "--c=1+2", "--c needs a number as 1.5, 2i or 1-2i, but it is \"1+2\"" },
	{ "--c=(2i", "--c needs a number as 1.5, 2i or 1-2i, but it is \"(2i\"" },
	{ "--c=1+2i)", "--c needs a number as 1.5, 2i or 1-2i, but it is \"1+2i)\"" },
	{ "--threads=0", "--threads needs a positive integer, but it is \"0\"" },
	{ "--procs=2y3", "--procs needs a process grid such as 2x3, but it is \"2y3\"" },
	{ "--backend=cud",
	  "--backend needs cpu, cuda or auto, but it is \"cud\"; did you mean cuda?" },
	{ "n=3", "\"n=3\" is no option: options are --name=value" },
	{ "@/nonexistent/file",
	  "cannot read the options in /nonexistent/file: No such file or directory" },
};
enum { N_REFUSED = sizeof refused / sizeof *refused };

START_TEST(wrong_options_are_named)
{
	struct options o;
	struct fault f;

	ck_assert_int_ne(parse(&o, &f, refused[_i].argument, NULL), MPA_OK);
	ck_assert_str_eq(f.text, refused[_i].message);
	command_free(&o);
}
END_TEST

START_TEST(a_file_holds_options_a_line_each)
{
	char path[] = "/tmp/check_reduce.XXXXXX", argument[64];
	int file = mkstemp(path);
	FILE *out = fdopen(file, "w");
	struct options o;
	struct fault f;

	fprintf(out, "# a comment\n--n=7\n\n  --name=a b\r\n--rate=1e-3");
	fclose(out);
	snprintf(argument, sizeof argument, "@%s", path);
	ck_assert_int_eq(parse(&o, &f, argument, "--n=8"), MPA_OK);
	ck_assert_int_eq(*o.value[0], 8);
	ck_assert_str_eq(*(char **)o.value[4], "a b");
	command_free(&o);
	remove(path);
}
END_TEST

/* The fast way gives the bits of the careful one, or says that it cannot. */
static void check_line(struct line *line, const void *value, int64_t n, int64_t bytes)
{
	char fast[16] = { 0 }, careful[16] = { 0 };

	for (int way = 0; way < 2; way++) {
		line_begin(line, way == 1);
		for (int64_t i = 0; i < n; i += 300)
			line_add(line, (const char *)value + i * bytes,
				 n - i < 300 ? n - i : 300);
		if (!line_end(line, way ? careful : fast)) {
			ck_assert_int_eq(way, 0);
			memcpy(fast, "again", 6);
		}
	}
	if (strcmp(fast, "again") != 0)
		ck_assert_mem_eq(fast, careful, 8);
}

START_TEST(lines_are_reduced_as_whole_fields)
{
	static const enum mpa_reduction all[] = { MPA_SUM, MPA_PROD,   MPA_MIN,
						  MPA_MAX, MPA_ARGMIN, MPA_ARGMAX };
	unsigned seed = (unsigned)_i;
	int64_t n = 1 + rand_r(&seed) % 700;
	double value[700];
	float narrow[700];

	for (int64_t i = 0; i < n; i++) {
		value[i] = any_double(&seed, 1 + _i % 60);
		if (rand_r(&seed) % 20 == 0)
			value[i] = i > 0 ? value[i / 2] : -0.0;
		if (_i % 9 == 0 && rand_r(&seed) % 50 == 0)
			value[i] = (double[]){ NAN, INFINITY, -INFINITY, 0, -0.0 }[i % 5];
		narrow[i] = (float)value[i];
	}
	for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
		struct line *wide = line_new(all[k], MPA_F64, n);
		struct line *thin = line_new(all[k], MPA_F32, n);

		check_line(wide, value, n, sizeof *value);
		check_line(thin, narrow, n, sizeof *narrow);
		line_free(wide);
		line_free(thin);
	}
}
END_TEST

static Suite *reduce_suite(void)
{
	Suite *s = suite_create("reduce");
	TCase *t = tcase_create("sums");

	tcase_add_test(t, a_million_tenths_are_a_hundred_thousand);
	tcase_add_test(t, cancellation_loses_nothing);
	tcase_add_test(t, ties_go_to_even);
	tcase_add_test(t, infinities_and_nan_are_kept);
	tcase_add_loop_test(t, the_order_does_not_matter, 0, 40);
	tcase_add_loop_test(t, sums_of_integers_are_right, 0, 20);
	tcase_add_loop_test(t, extremes_follow_numpy, 0, 200);
	tcase_add_loop_test(t, lines_are_reduced_as_whole_fields, 0, 300);
	suite_add_tcase(s, t);
	t = tcase_create("options");
	tcase_add_test(t, parameters_are_read_by_their_types);
	tcase_add_loop_test(t, wrong_options_are_named, 0, N_REFUSED);
	tcase_add_test(t, a_file_holds_options_a_line_each);
	suite_add_tcase(s, t);
	return s;
}

UNIT_MAIN(reduce_suite)
