/* tests/unit/elementary.c - the elementary functions against GNU MPFR
 *
 *	elementary [POINTS]
 *
 * The largest error over POINTS random arguments of each kind: of any bits, of the range
 * where most work lies, and of evenly spread exponents; and over special ones, each with
 * each for functions of two. Errors are in units of the last place of the exact value
 * (the least subnormal number where that is coarser). Sign of zero, infinities and NaN
 * must be right.
 */
#include "base/elementary.h"
#include "config.h"
#include "random.h"
#include "unit.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <time.h>

#ifdef HAVE_MPFR
#include <mpfr.h>

enum { BITS = 160 };

struct tested {
	const char *name;
	double (*f1)(double), (*f2)(double, double);
	int (*exact1)(mpfr_t, const mpfr_t, mpfr_rnd_t);
	int (*exact2)(mpfr_t, const mpfr_t, const mpfr_t, mpfr_rnd_t);
	double lo, hi, most;                 /* the range; the error that is allowed */
};

#define ONE(name, exact, lo, hi, most) { #name, mpa_##name, NULL, exact, NULL, lo, hi, most }
#define TWO(name, exact, lo, hi, most) { #name, NULL, mpa_##name, NULL, exact, lo, hi, most }
static const struct tested tested[] = {
	ONE(exp, mpfr_exp, -750, 712, 1),       ONE(exp2, mpfr_exp2, -1080, 1025, 1),
	ONE(expm1, mpfr_expm1, -3, 3, 1),       ONE(log, mpfr_log, 0, 3, 1),
	ONE(log2, mpfr_log2, 0, 3, 1),          ONE(log10, mpfr_log10, 0, 3, 1),
	ONE(log1p, mpfr_log1p, -1, 3, 1),       ONE(sinh, mpfr_sinh, -3, 3, 1),
	ONE(cosh, mpfr_cosh, -3, 3, 1),         ONE(tanh, mpfr_tanh, -3, 3, 1),
	ONE(sin, mpfr_sin, -10, 10, 1),         ONE(cos, mpfr_cos, -10, 10, 1),
	ONE(tan, mpfr_tan, -10, 10, 1),         ONE(sin, mpfr_sin, -4.5e6, 4.5e6, 1),
	ONE(cos, mpfr_cos, -4.5e6, 4.5e6, 1),   ONE(tan, mpfr_tan, -1e9, 1e9, 1),
	ONE(asin, mpfr_asin, -1, 1, 1),         ONE(acos, mpfr_acos, -1, 1, 1),
	ONE(atan, mpfr_atan, -3, 3, 1),         TWO(atan2, mpfr_atan2, -3, 3, 1),
	TWO(pow, mpfr_pow, 0, 40, 1),           TWO(pow, mpfr_pow, 0.5, 2, 1),
	ONE(cbrt, mpfr_cbrt, -8, 8, 1),         TWO(hypot, mpfr_hypot, -3, 3, 1),
	ONE(erf, mpfr_erf, -6, 6, 1),           ONE(gamma, mpfr_gamma, -20, 30, 2),
	ONE(gamma, mpfr_gamma, -185, 172, 2),
};
enum { N_TESTED = sizeof tested / sizeof *tested };

/* Multiples of pi/2 to which doubles come near are among them (Muller, "Elementary
 * functions", 2006: 6381956970095103 2^797 is nearest of all). */
static const double special[] = {
	0, -0.0, 1, -1, INFINITY, -INFINITY, NAN, DBL_MAX, -DBL_MAX, DBL_MIN, -DBL_MIN,
	0x1p-1074, -0x1p-1074, 0.5, -0.5, 2, -2, 3, -3, 1e-5, 1e-8, 1e-17, 1e5, 1e17, -1e17,
	1e300, 1e-300, 709.782712893384, 709.7827128933841, -745.1332191019411,
	-745.1332191019412, -708.4, 710.4758600739439, 710.475860073944, 1024, -1074, -1075,
	-1074.5, 171.6243769563027, 171.62437695630272, 0x1p53 + 2, 0x1p53 - 1, -0x1p53 + 1,
	1000, 1001, -1001, 0x1.921fb54442d18p0, 0x1.921fb54442d18p1, 0x1.2d97c7f3321d2p2,
	0x1.ac5b262ca1ffp849, 6381956970095103 * 0x1p797, 0x1p22, 4194303.9999999995
};
enum { N_SPECIAL = sizeof special / sizeof *special };

static long points = 4000;

static double within(uint64_t *state, double lo, double hi)
{
	return lo + (hi - lo) * ((double)(random_next(state) >> 11) * 0x1p-53);
}

static double argument(uint64_t *state, const struct tested *t)
{
	uint64_t bits = random_next(state);
	double any;

	memcpy(&any, &bits, sizeof any);
	switch (random_next(state) % 3) {
	case 0:
		return any;
	case 1:
		return within(state, t->lo, t->hi);
	default:
		return copysign(exp2(within(state, -60, 11)), t->lo < 0 ? any : 1);
	}
}

/* In units of the last place; huge where only a wrong kind of number was given. */
static double error_of(double got, mpfr_t exact)
{
	double nearest = mpfr_get_d(exact, MPFR_RNDN), unit = 0x1p-1074, error;
	int exponent;

	if (isnan(nearest) || isnan(got))
		return isnan(nearest) && isnan(got) ? 0 : HUGE_VAL;
	if (nearest == got && (nearest != 0 || signbit(nearest) == signbit(got)) &&
	    (isinf(got) || got == 0))
		return 0;
	if (nearest == 0 && got == 0)
		return HUGE_VAL;
	if (isinf(got))
		got = copysign(DBL_MAX, got); /* and half a unit more */
	frexp(isinf(nearest) ? DBL_MAX : nearest, &exponent);
	if (exponent - DBL_MANT_DIG > -1074)
		unit = ldexp(1, exponent - DBL_MANT_DIG);
	mpfr_d_sub(exact, got, exact, MPFR_RNDN);
	mpfr_div_d(exact, exact, unit, MPFR_RNDN);
	error = fabs(mpfr_get_d(exact, MPFR_RNDN));
	return isnan(error) ? HUGE_VAL : error;
}

struct worst { double error, x, y; };

static void try(const struct tested *t, struct worst *w, double x, double y)
{
	mpfr_t a, b, exact;
	double error;

	mpfr_inits2(DBL_MANT_DIG, a, b, (mpfr_ptr)NULL);
	mpfr_init2(exact, BITS);
	mpfr_set_d(a, x, MPFR_RNDN);
	mpfr_set_d(b, y, MPFR_RNDN);
	if (t->f2)
		t->exact2(exact, a, b, MPFR_RNDN);
	else
		t->exact1(exact, a, MPFR_RNDN);
	error = error_of(t->f2 ? t->f2(x, y) : t->f1(x), exact);
	if (error > w->error)
		*w = (struct worst){ error, x, y };
	mpfr_clears(a, b, exact, (mpfr_ptr)NULL);
}

START_TEST(errors_are_small)
{
	const struct tested *t = &tested[_i];
	struct worst w = { 0, 0, 0 };
	uint64_t state = 88172645463325252u + (uint64_t)_i;

	for (int i = 0; i < N_SPECIAL; i++)
		for (int k = 0; k < (t->f2 ? N_SPECIAL : 1); k++)
			try(t, &w, special[i], special[k]);
	for (long i = 0; i < points; i++) {
		double x = argument(&state, t), y = argument(&state, t);

		try(t, &w, x, i % 4 ? y : x * within(&state, 0.5, 2));
	}
	printf("# %s: %.4f ulp at %a, %a\n", t->name, w.error, w.x, w.y);
	ck_assert_msg(w.error <= t->most, "%s: %g ulp at %a, %a", t->name, w.error, w.x, w.y);
}
END_TEST

static Suite *elementary_suite(void)
{
	Suite *s = suite_create("elementary");
	TCase *c = tcase_create("against MPFR");

	tcase_set_timeout(c, 3600);
	tcase_add_loop_test(c, errors_are_small, 0, N_TESTED);
	suite_add_tcase(s, c);
	return s;
}

int main(int argc, char **argv)
{
	Suite *(*const make[])(void) = { elementary_suite };

	if (argc > 1)
		points = atol(argv[1]);
	return unit_run(make, 1);
}
#else
int main(void)
{
	puts("1..0 # SKIP GNU MPFR was not here when this was built");
	return 0;
}
#endif
