# compiler/array - its part of libmpac.a
libmpac_a_SOURCES += \
	compiler/array/air.def \
	compiler/array/air.h \
	compiler/array/build.c \
	compiler/array/complex.c \
	compiler/array/complex.h \
	compiler/array/cons.c \
	compiler/array/cons.h \
	compiler/array/evaluate.c \
	compiler/array/evaluate.h \
	compiler/array/evaluate_expr.c \
	compiler/array/evaluate_file.c \
	compiler/array/evaluate_hdf5.c \
	compiler/array/evaluate_plot.c \
	compiler/array/evaluate_points.c \
	compiler/array/evaluate_reduce.c \
	compiler/array/evaluate_stmt.c \
	compiler/array/evaluate_text.c \
	compiler/array/evaluate_vti.c \
	compiler/array/evaluate_world.c \
	compiler/array/evaluator.h \
	compiler/array/footprint.c \
	compiler/array/print.c \
	compiler/array/print.h \
	compiler/array/print_expr.c \
	compiler/array/rewrite.c \
	compiler/array/scalar.c \
	compiler/array/scalar.h \
	compiler/array/simplify.c \
	compiler/array/simplify.h \
	compiler/array/verify.c \
	compiler/array/verify.h \
	compiler/array/verify_expr.c \
	compiler/array/verify_field.c \
	compiler/array/walk.c \
	compiler/array/walk.h

unit_tests += tests/unit/air
tests_unit_air_SOURCES = tests/unit/air.c tests/unit/unit.h tests/unit/make_air.h

unit_tests += tests/unit/verify_outside
tests_unit_verify_outside_SOURCES = tests/unit/verify_outside.c tests/unit/make_air.h tests/unit/unit.h

unit_tests += tests/unit/verify
tests_unit_verify_SOURCES = tests/unit/verify.c tests/unit/unit.h tests/unit/make_air.h

unit_tests += tests/unit/evaluate
tests_unit_evaluate_SOURCES = tests/unit/evaluate.c tests/unit/unit.h tests/unit/make_air.h
