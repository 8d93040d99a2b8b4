# compiler/elementary - its part of libmpac.a, and the functions in C for both halves
elementary_sources = \
	compiler/elementary/elementary.c \
	compiler/elementary/elementary.def \
	compiler/elementary/elementary.h \
	compiler/elementary/exp.c \
	compiler/elementary/formula.c \
	compiler/elementary/formula.def \
	compiler/elementary/formula.h \
	compiler/elementary/print.c
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
