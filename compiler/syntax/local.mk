# compiler/syntax - its part of libmpac.a; lexer and parser are made in the build tree
libmpac_a_SOURCES += \
	compiler/syntax/ast.c \
	compiler/syntax/ast.def \
	compiler/syntax/ast.h \
	compiler/syntax/chars.c \
	compiler/syntax/chars.h \
	compiler/syntax/check.c \
	compiler/syntax/layout.c \
	compiler/syntax/message.c \
	compiler/syntax/node.c \
	compiler/syntax/parse.c \
	compiler/syntax/parse.h \
	compiler/syntax/reader.h \
	compiler/syntax/token.def
EXTRA_DIST += compiler/syntax/parser.y compiler/syntax/lexer.l

syntax_built = compiler/syntax/parser.c compiler/syntax/parser.h compiler/syntax/lexer.c
nodist_libmpac_a_SOURCES += $(syntax_built)
BUILT_SOURCES += $(syntax_built)
CLEANFILES += $(syntax_built)

compiler/syntax/parser.c: compiler/syntax/parser.y
	$(AM_V_GEN)$(MKDIR_P) compiler/syntax && $(BISON) -Wall -Werror \
		--header=compiler/syntax/parser.h -o $@ $(srcdir)/compiler/syntax/parser.y
compiler/syntax/parser.h: compiler/syntax/parser.c
compiler/syntax/lexer.c: compiler/syntax/lexer.l
	$(AM_V_GEN)$(MKDIR_P) compiler/syntax && $(FLEX) \
		-o $@ $(srcdir)/compiler/syntax/lexer.l

unit_tests += tests/unit/syntax
tests_unit_syntax_SOURCES = tests/unit/syntax.c tests/unit/unit.h

# files beside their answers
check_PROGRAMS += tests/syntax/front
tests_syntax_front_SOURCES = tests/syntax/front.c
TESTS += tests/syntax/run.sh
EXTRA_DIST += tests/syntax/run.sh tests/syntax/fine tests/syntax/tree tests/syntax/error \
	tests/syntax/prompt

check_PROGRAMS += tests/syntax/fuzz
tests_syntax_fuzz_SOURCES = tests/syntax/fuzz.c
TESTS += tests/syntax/fuzz
