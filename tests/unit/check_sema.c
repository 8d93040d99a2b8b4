/* tests/unit/check_sema.c - programs and the AIR they mean, programs and what is wrong
 *
 * A case is a program's text and the AIR that is printed for its last statements, or
 * the first message. The prelude is the real one.
 */
#include "../modules.h"
#include "sema/sema.h"
#include "support/arena.h"
#include "support/diag.h"
#include "support/intern.h"
#include "syntax/parse.h"
#include "unit.h"

struct world {
	struct syntax syntax;
	struct air_program *program;
	char *text;                          /* AIR, or messages */
};

static struct world world_of(const char *text, struct sema_override *override, int n)
{
	struct world w = { .syntax = { arena_new(), intern_new(), diag_new() } };
	struct source *source = source_new(w.syntax.arena, "t", text, strlen(text));
	struct sema_input in = { .arena = w.syntax.arena,
				 .names = w.syntax.names,
				 .diag = w.syntax.diag,
				 .program = parse_file(&w.syntax, source),
				 .source = source,
				 .load = modules_find,
				 .context = &w.syntax,
				 .n_overrides = n,
				 .override = override };
	size_t length;
	FILE *out = open_memstream(&w.text, &length);

	if (in.program)
		w.program = sema_program(&in);
	if (w.program) {
		ck_assert_ptr_null(air_verify(w.program));
		air_print(w.program, out);
	} else {
		diag_print(w.syntax.diag, out, false);
	}
	fclose(out);
	return w;
}

static void world_end(struct world *w)
{
	free(w->text);
	diag_free(w->syntax.diag);
	intern_free(w->syntax.names);
	arena_free(w->syntax.arena);
}

static const char grid[] = "grid g[x: 8, y: 8 periodic]\n"
			   "field u, v on g\nfield s: f32 on g\nfield k: i32 on g\n"
			   "var t = 0.5\n";

/* What is printed for `text` behind the declarations above. */
static void means(const char *text, const char *wanted)
{
	static const char last[] = "t = 0.5\n";
	char program[4096];
	struct world w;

	snprintf(program, sizeof program, "%s%s", grid, text);
	w = world_of(program, NULL, 0);
	if (!w.program)
		ck_abort_msg("%s\n%s", text, w.text);
	ck_assert_str_eq(strstr(w.text, last) + strlen(last), wanted);
	world_end(&w);
}

/* The code and place of the first message, as "E0501 7:5". */
static void wrong(const char *text, const char *wanted)
{
	char program[4096], got[64] = "nothing";
	int line, column;
	struct world w;
	char *code;

	snprintf(program, sizeof program, "%s%s", grid, text);
	w = world_of(program, NULL, 0);
	code = strchr(w.text, '[');
	if (!w.program && code && sscanf(w.text, "t:%d:%d", &line, &column) == 2)
		snprintf(got, sizeof got, "%.5s %d:%d", code + 1, line - 5, column);
	if (strcmp(got, wanted) != 0)
		ck_abort_msg("%s: %s instead of %s\n%s", text, got, wanted, w.text);
	world_end(&w);
}

START_TEST(weak_operands_take_the_type_of_fields)
{
	means("s = 0.1 * s", "s = (0.1:f32 * s)\n");
	means("s = t * s", "s = (f32(t) * s)\n");
	means("s = s * x.at", "s = (s * f32(f64(x)))\n");
	means("u = s + u", "u = (f64(s) + u)\n");
	means("u = 0.1 * k", "u = (0.1 * f64(k))\n");
	means("k = 2 * k", "k = (2:i32 * k)\n");
	means("u = (u > 0) + (u > 1)", "u = f64((i64((0.0 < u)) + i64((1.0 < u))))\n");
	means("u = k / 2", "u = (f64(k) / 2.0)\n");
}
END_TEST

START_TEST(constants_are_folded)
{
	means("print(1 + 2 * 3, 7 // 2, -7 % 3, 1 / 2)", "print {7} \" \" {3} \" \" {2} "
	      "\" \" {0.5}\n");
	means("let c = [1, 2.5]\nprint(c[0], len(c))", "print {1.0} \" \" {2}\n");
	means("if 1 > 2 { u = 1 } else { u = 2 }", "u = 2.0\n");
}
END_TEST

START_TEST(names_of_axes_wait_for_a_grid)
{
	means("let r = x.at + y.at\nu = r", "u = (f64(x) + f64(y))\n");
	means("u = (x.at)[x+1]", "u = f64((x+1))\n");
	means("let r = t * x\nt = 1\nu = r", "t.1 = t\nt = 1.0\nu = (t.1 * f64(x))\n");
}
END_TEST

START_TEST(shifts_move_every_read)
{
	means("boundary u, v = edge\nu = (u * v)[x+1]",
	      "u = (u[x+1] * v[x+1])\n");
	means("u = (u * v[y+1])[y-1]", "u = (u[y-1] * v)\n");
	means("u[1:-1] = u[x+1] - u[x-1]", "u[1:-1, :] = (u[x+1] - u[x-1])\n");
}
END_TEST

START_TEST(what_is_read_beyond_walls_needs_a_boundary)
{
	wrong("u = v[x+1]", "E0501 1:5");
	wrong("u[1:] = v[x+1]", "E0501 1:9");
	wrong("boundary v = 0\nu = (v[x+1])[x-1]", "E0501 2:5");
	wrong("let w = v * 2\nu = w[x-1]", "E0501 2:5");
	wrong("boundary v = 0\nlet w = laplacian(v)\nu = w[x-1]", "E0501 3:5");
	wrong("boundary v = 0\nlet w = v\nu = w[x-1]\nboundary w = 1", "E0504 4:14");
	wrong("boundary v = 0\nlet w = v\nboundary w = v", "E0502 3:14");
}
END_TEST

START_TEST(bounds_known_to_the_run_are_checked_by_it)
{
	means("param n = 1\nu[n:-1] = v[x-1] + v[x+1]",
	      "%1 = min(max(select((n < 0), (n + 8), n), 0), 8)\n"
	      "check ((6 < %1) or (1 <= %1)): \"`v` is read beyond x.lo, where it has no "
	      "boundary\"\nu[n:-1, :] = (v[x-1] + v[x+1])\n");
}
END_TEST

START_TEST(functions_are_expanded)
{
	means("fn f(q, a: axis, n: const = 1) = q[a+n]\nu = f(u, y, n = 2)", "u = u[y+2]\n");
	means("fn inc(var q, by) { q += by }\ninc(t, t + 1)",
	      "by.1 = (t + 1.0)\nt = (t + by.1)\n");
	means("fn two(a) { let b = a * t\n return (b, b) }\nlet (p, q) = two(3)",
	      "b = (3.0 * t)\n");
}
END_TEST

START_TEST(loops_are_unrolled_where_constants_are_needed)
{
	means("for i in 0..2 { u = u[y+i] }", "u = u\nu = u[y+1]\n");
	means("for i in 0..2 { t += i }", "for i in 0..2 by 1 {\n    t = (t + f64(i))\n}\n");
	means("for i in [3, 5] { t = i }", "t = 3.0\nt = 5.0\n");
	means("for i in 0..9 { every 3 { t = i } }",
	      "for i in 0..9 by 1 {\n    if ((i % 3) == 0) {\n        t = f64(i)\n    }\n}\n");
}
END_TEST

START_TEST(effects_are_hoisted_in_order)
{
	means("while max(u) > 1 and min(u) < t { u = u / 2 }",
	      "loop {\n    max.1 = max(u) on g\n    and.3 = (1.0 < max.1)\n    if and.3 {\n"
	      "        min.2 = min(u) on g\n        and.3 = (min.2 < t)\n    }\n"
	      "    if not(and.3) {\n        break\n    }\n    u = (u / 2.0)\n}\n");
	means("print(u[1, 2])", "u.1 = u[1, 2]\nprint {u.1}\n");
}
END_TEST

START_TEST(messages_stand_at_the_cause)
{
	wrong("w = 1", "E0201 1:1");
	wrong("let x = 1", "E0204 1:5");
	wrong("let u = 1", "E0202 1:5");
	wrong("for i in 0..3 { let t = i }", "E0203 1:21");
	wrong("k = 0.5 * k", "E0302 1:5");
	wrong("u + 1", "E0109 1:1");
	wrong("fn f(a) = a\nf(1)", "E0109 2:1");
	wrong("grid h[z: 3]\nfield w on h\nu = u + w", "E0401 3:5");
	wrong("u = u[x + t]", "E0303 1:11");
	wrong("boundary u { y = 1 }", "E0502 1:14");
	wrong("every 3 { t = 1 }", "E0602 1:1");
	wrong("param seed = 1", "E0205 1:7");
	wrong("print(\"{u:.3f}\")", "E0306 1:9");
	wrong("print(\"{t:d}\")", "E0306 1:9");
	wrong("t = max(min(x, y))", "E0701 1:9");
	wrong("let s2 = u[1:] - u[:-2]", "E0406 1:18");
}
END_TEST

START_TEST(constant_parameters_are_given_to_the_compiler)
{
	struct sema_override given = { .name = "order", .value = "4" };
	struct world w = world_of("param order: const = 2\nprint(order)", &given, 1);

	ck_assert_str_eq(w.text, "print {4}\n");
	ck_assert(given.used);
	world_end(&w);
	given.name = "ordr";
	w = world_of("param order: const = 2\nprint(order)", &given, 1);
	ck_assert_ptr_null(w.program);
	world_end(&w);
}
END_TEST

static Suite *sema_suite(void)
{
	Suite *suite = suite_create("sema");
	TCase *t = tcase_create("programs");

	tcase_add_test(t, weak_operands_take_the_type_of_fields);
	tcase_add_test(t, constants_are_folded);
	tcase_add_test(t, names_of_axes_wait_for_a_grid);
	tcase_add_test(t, shifts_move_every_read);
	tcase_add_test(t, what_is_read_beyond_walls_needs_a_boundary);
	tcase_add_test(t, bounds_known_to_the_run_are_checked_by_it);
	tcase_add_test(t, functions_are_expanded);
	tcase_add_test(t, loops_are_unrolled_where_constants_are_needed);
	tcase_add_test(t, effects_are_hoisted_in_order);
	tcase_add_test(t, messages_stand_at_the_cause);
	tcase_add_test(t, constant_parameters_are_given_to_the_compiler);
	suite_add_tcase(suite, t);
	return suite;
}

UNIT_MAIN(sema_suite)
