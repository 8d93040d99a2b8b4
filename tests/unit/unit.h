/* tests/unit/unit.h - the main program of a unit test
 *
 *     UNIT_MAIN(arena_suite, vec_suite)
 *
 * takes: functions that each give a Suite *   prints: TAP, one line a test
 */
#ifndef TESTS_UNIT_UNIT_H
#define TESTS_UNIT_UNIT_H

#include <check.h>
#include <stdlib.h>
#include <string.h>

static int unit_run(Suite *(*const *make)(void), int count)
{
	SRunner *runner = srunner_create(make[0]());
	int failed;

	for (int i = 1; i < count; i++)
		srunner_add_suite(runner, make[i]());
	srunner_set_tap(runner, "-");
	srunner_run_all(runner, CK_SILENT);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#define UNIT_MAIN(...)                                                         \
	int main(void)                                                         \
	{                                                                      \
		Suite *(*const make[])(void) = { __VA_ARGS__ };                \
		return unit_run(make, (int)(sizeof make / sizeof *make));      \
	}

#endif
