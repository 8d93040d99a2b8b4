# tests/repl - mpac run, and the prompt
repl_tests = tests/repl/run.sh
TESTS += $(repl_tests)
EXTRA_DIST += $(repl_tests)
