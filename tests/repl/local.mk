# tests/repl - mpac run, and the prompt
repl_tests = tests/repl/run.sh tests/repl/prompt.sh tests/repl/terminal.sh tests/repl/cases.sh
repl_names = arrays commands errors fields loops modules parameters random redefine slices values walls
TESTS += $(repl_tests)
EXTRA_DIST += $(repl_tests) $(repl_names:%=tests/repl/%.in) $(repl_names:%=tests/repl/%.out) \
	tests/repl/terminal.py tests/repl/broken_for_prompt.mpa tests/repl/waves_of_prompt.mpa
