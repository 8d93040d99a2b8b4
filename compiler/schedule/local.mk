# compiler/schedule - its part of libmpac.a
libmpac_a_SOURCES += \
	compiler/schedule/call.c \
	compiler/schedule/component.c \
	compiler/schedule/dead.c \
	compiler/schedule/draft.c \
	compiler/schedule/draft.h \
	compiler/schedule/halo.c \
	compiler/schedule/inline.c \
	compiler/schedule/lower.c \
	compiler/schedule/merge.c \
	compiler/schedule/place.c \
	compiler/schedule/plan.h \
	compiler/schedule/print.c \
	compiler/schedule/run.c \
	compiler/schedule/share.c \
	compiler/schedule/snapshot.c \
	compiler/schedule/split.c \
	compiler/schedule/uses.c \
	compiler/schedule/verify.c \
	compiler/schedule/wall.c

unit_tests += tests/unit/plan
tests_unit_plan_SOURCES = tests/unit/plan.c tests/unit/unit.h tests/unit/make_air.h

unit_tests += tests/unit/plan_fuzz
tests_unit_plan_fuzz_SOURCES = tests/unit/plan_fuzz.c tests/unit/plan_run.h tests/unit/make_air.h
