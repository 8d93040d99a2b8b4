# compiler/syntax - its part of libmpac.a; lexer and parser are generated in the build tree
libmpac_a_SOURCES += compiler/syntax/ast.def compiler/syntax/ast.h compiler/syntax/parse.h
EXTRA_DIST +=

compiler/syntax/parser.c: compiler/syntax/parser.y
	$(AM_V_GEN)$(MKDIR_P) compiler/syntax && $(BISON) -Wall -Werror \
		--header=compiler/syntax/parser.h -o $@ $(srcdir)/compiler/syntax/parser.y
compiler/syntax/parser.h: compiler/syntax/parser.c
compiler/syntax/lexer.c: compiler/syntax/lexer.l
	$(AM_V_GEN)$(MKDIR_P) compiler/syntax && $(FLEX) \
		--header-file=compiler/syntax/lexer.h -o $@ $(srcdir)/compiler/syntax/lexer.l
compiler/syntax/lexer.h: compiler/syntax/lexer.c

# once parser.y and lexer.l are there:
# EXTRA_DIST += compiler/syntax/parser.y compiler/syntax/lexer.l
# syntax_built = compiler/syntax/parser.c compiler/syntax/parser.h \
# 	compiler/syntax/lexer.c compiler/syntax/lexer.h
# nodist_libmpac_a_SOURCES += $(syntax_built)
# BUILT_SOURCES += $(syntax_built)
# CLEANFILES += $(syntax_built)
