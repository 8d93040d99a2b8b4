# compiler/elementary - its part of libmpac.a, and the functions in C for both halves
elementary_sources = \
	compiler/elementary/elementary.c \
	compiler/elementary/elementary.def \
	compiler/elementary/elementary.h \
	compiler/elementary/exp.c \
	compiler/elementary/hyperbolic.c \
	compiler/elementary/inverse.c \
	compiler/elementary/log.c \
	compiler/elementary/parts.c \
	compiler/elementary/parts.h \
	compiler/elementary/formula.c \
	compiler/elementary/formula.def \
	compiler/elementary/formula.h \
	compiler/elementary/power.c \
	compiler/elementary/print.c \
	compiler/elementary/special.c \
	compiler/elementary/trig.c \
	compiler/elementary/two_over_pi.def
libmpac_a_SOURCES += $(elementary_sources)

noinst_PROGRAMS += elementary-generate
elementary_generate_SOURCES = compiler/elementary/generate.c $(elementary_sources) \
	compiler/support/arena.c compiler/support/arena.h
elementary_generate_LDADD = -lm

elementary_built = runtime/base/elementary.c runtime/base/elementary.h
BUILT_SOURCES += runtime/base/elementary.h
CLEANFILES += $(elementary_built)
nodist_libmpac_a_SOURCES += $(elementary_built)
nodist_libmpart_a_SOURCES += $(elementary_built)

runtime/base/elementary.c: elementary-generate$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) runtime/base && ./elementary-generate source >$@.tmp && \
		mv $@.tmp $@

runtime/base/elementary.h: elementary-generate$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) runtime/base && ./elementary-generate header >$@.tmp && \
		mv $@.tmp $@

# tests/unit/elementary 1000000 takes its time
unit_tests += tests/unit/elementary
tests_unit_elementary_SOURCES = tests/unit/elementary.c tests/unit/unit.h tests/unit/random.h
tests_unit_elementary_LDADD = $(LDADD) $(MPFR_LIBS)
