# compiler/driver - the program mpac; all but main.c is in libmpac.a
mpac_SOURCES += compiler/driver/edit.c compiler/driver/edit.h compiler/driver/main.c
libmpac_a_SOURCES += \
	compiler/driver/command.c \
	compiler/driver/command.def \
	compiler/driver/effort.c \
	compiler/driver/form.def \
	compiler/driver/external.c \
	compiler/driver/external.h \
	compiler/driver/interrupt.c \
	compiler/driver/interrupt.h \
	compiler/driver/item.c \
	compiler/driver/libraries.c \
	compiler/driver/libraries.h \
	compiler/driver/lines.c \
	compiler/driver/header.c \
	compiler/driver/header.h \
	compiler/driver/link.c \
	compiler/driver/link.h \
	compiler/driver/modules.c \
	compiler/driver/modules.h \
	compiler/driver/options.c \
	compiler/driver/options.def \
	compiler/driver/options.h \
	compiler/driver/output.c \
	compiler/driver/output.h \
	compiler/driver/pipeline.c \
	compiler/driver/pipeline.h \
	compiler/driver/repl.c \
	compiler/driver/repl.h \
	compiler/driver/scratch.c \
	compiler/driver/scratch.h \
	compiler/driver/compare.c \
	compiler/driver/compare.h \
	compiler/driver/session.h \
	compiler/driver/verify.c \
	compiler/driver/verify.h
libmpac_a_CPPFLAGS += -DMPA_CC='"$(CC)"'

unit_tests += tests/unit/driver
tests_unit_driver_SOURCES = tests/unit/driver.c tests/unit/unit.h
