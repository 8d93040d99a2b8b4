# runtime/exec - its part of libmpart.a
libmpart_a_SOURCES += \
	runtime/exec/arrays.c \
	runtime/exec/collect.c \
	runtime/exec/copy.c \
	runtime/exec/cuts.c \
	runtime/exec/direct.c \
	runtime/exec/elements.c \
	runtime/exec/exact.c \
	runtime/exec/exact.h \
	runtime/exec/exec.h \
	runtime/exec/files.c \
	runtime/exec/fold.c \
	runtime/exec/fold.h \
	runtime/exec/grids.c \
	runtime/exec/host.c \
	runtime/exec/launch.c \
	runtime/exec/line.c \
	runtime/exec/line.h \
	runtime/exec/lines.c \
	runtime/exec/parts.c \
	runtime/exec/gather.c \
	runtime/exec/library.c \
	runtime/exec/library.h \
	runtime/exec/library_memory.c \
	runtime/exec/local.c \
	runtime/exec/needs.c \
	runtime/exec/offload.c \
	runtime/exec/options.c \
	runtime/exec/options.def \
	runtime/exec/options.h \
	runtime/exec/options_value.c \
	runtime/exec/product.c \
	runtime/exec/profile.c \
	runtime/exec/reduce.c \
	runtime/exec/reduce.h \
	runtime/exec/room.c \
	runtime/exec/run.c \
	runtime/exec/scan.c \
	runtime/exec/session.c \
	runtime/exec/tables.c \
	runtime/exec/text.c \
	runtime/exec/trace.c \
	runtime/exec/transfers.c \
	runtime/exec/walls.c

noinst_HEADERS += runtime/include/mpa/abi.h

unit_tests += tests/unit/check_exec
tests_unit_check_exec_SOURCES = tests/unit/check_exec.c tests/unit/exec_problem.h \
	tests/unit/exec_problem.c tests/unit/exec_model.c tests/unit/exec_kernels.c \
	$(world_sources)
tests_unit_check_exec_CPPFLAGS = $(runtime_cppflags) $(CHECK_CFLAGS)

unit_tests += tests/unit/check_reduce
tests_unit_check_reduce_SOURCES = tests/unit/check_reduce.c tests/unit/unit.h
tests_unit_check_reduce_CPPFLAGS = $(runtime_cppflags) $(CHECK_CFLAGS)

unit_tests += tests/unit/exact
tests_unit_exact_SOURCES = tests/unit/exact.c tests/unit/unit.h tests/unit/random.h
tests_unit_exact_CPPFLAGS = $(runtime_cppflags) $(CHECK_CFLAGS)
tests_unit_exact_LDADD = $(LDADD) $(MPFR_LIBS)

check_PROGRAMS += tests/exec/heat
tests_exec_heat_SOURCES = tests/exec/heat.c
tests_exec_heat_CPPFLAGS = $(runtime_cppflags)
tests_exec_heat_LDFLAGS = $(AM_LDFLAGS) -rdynamic
tests_exec_heat_LDADD = libmpart.a -ldl -lm -lpthread
TESTS += tests/exec/heat.sh
EXTRA_DIST += tests/exec/heat.sh
