# compiler/support - its part of libmpac.a
libmpac_a_SOURCES += \
	compiler/support/arena.c \
	compiler/support/arena.h \
	compiler/support/diag.c \
	compiler/support/diag.def \
	compiler/support/diag.h \
	compiler/support/habit.c \
	compiler/support/habit.def \
	compiler/support/habit.h \
	compiler/support/intern.c \
	compiler/support/intern.h \
	compiler/support/map.c \
	compiler/support/map.h \
	compiler/support/nearest.c \
	compiler/support/source.c \
	compiler/support/source.h \
	compiler/support/strbuf.c \
	compiler/support/strbuf.h \
	compiler/support/vec.h \
	compiler/support/embedded.h

unit_tests += tests/unit/strbuf
tests_unit_strbuf_SOURCES = tests/unit/strbuf.c tests/unit/unit.h

unit_tests += tests/unit/support
tests_unit_support_SOURCES = tests/unit/support.c tests/unit/unit.h
