# compiler/sema - its part of libmpac.a
libmpac_a_SOURCES += \
	compiler/sema/array.c \
	compiler/sema/assign.c \
	compiler/sema/bind.c \
	compiler/sema/bind.h \
	compiler/sema/builtin.c \
	compiler/sema/builtin.def \
	compiler/sema/call.c \
	compiler/sema/check.c \
	compiler/sema/checker.h \
	compiler/sema/claim.c \
	compiler/sema/control.c \
	compiler/sema/convert.c \
	compiler/sema/cut.c \
	compiler/sema/draw.c \
	compiler/sema/export.c \
	compiler/sema/expr.c \
	compiler/sema/extend.c \
	compiler/sema/extern.c \
	compiler/sema/field.c \
	compiler/sema/file.c \
	compiler/sema/file.def \
	compiler/sema/fold.c \
	compiler/sema/grid.c \
	compiler/sema/guard.c \
	compiler/sema/io.c \
	compiler/sema/item.c \
	compiler/sema/item.h \
	compiler/sema/lambda.c \
	compiler/sema/list.c \
	compiler/sema/live.c \
	compiler/sema/live.h \
	compiler/sema/local.c \
	compiler/sema/loop.c \
	compiler/sema/loose.c \
	compiler/sema/meet.c \
	compiler/sema/module.c \
	compiler/sema/operator.c \
	compiler/sema/param.c \
	compiler/sema/reduce.c \
	compiler/sema/region.c \
	compiler/sema/scatter.c \
	compiler/sema/scope.c \
	compiler/sema/select.c \
	compiler/sema/sema.h \
	compiler/sema/show.c \
	compiler/sema/slice.c \
	compiler/sema/slice_grid.c \
	compiler/sema/value.c \
	compiler/sema/value.h \
	compiler/sema/wall.c \
	compiler/sema/where.c

unit_tests += tests/unit/check_sema
tests_unit_check_sema_SOURCES = tests/unit/check_sema.c tests/unit/unit.h tests/modules.h
