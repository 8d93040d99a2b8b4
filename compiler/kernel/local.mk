# compiler/kernel - its part of libmpac.a
libmpac_a_SOURCES += \
	compiler/kernel/contract.c \
	compiler/kernel/emit.c \
	compiler/kernel/equal.c \
	compiler/kernel/kir.h \
	compiler/kernel/level.c \
	compiler/kernel/lower.c \
	compiler/kernel/maker.h \
	compiler/kernel/print.c \
	compiler/kernel/verify.c

unit_tests += tests/unit/kir
tests_unit_kir_SOURCES = tests/unit/kir.c tests/unit/unit.h tests/unit/make_air.h
