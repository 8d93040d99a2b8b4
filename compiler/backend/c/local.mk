# compiler/backend/c - its part of libmpac.a
libmpac_a_SOURCES += \
	compiler/backend/c/c.c \
	compiler/backend/c/emit.h \
	compiler/backend/c/host.c \
	compiler/backend/c/host.h \
	compiler/backend/c/host_call.c \
	compiler/backend/c/host_value.c \
	compiler/backend/c/kernel.c \
	compiler/backend/c/library.c \
	compiler/backend/c/scalar.c \
	compiler/backend/c/scalar.def \
	compiler/backend/c/tables.c

# what generated code begins with
c_prelude_parts = \
	runtime/include/mpa/elem.h \
	runtime/include/mpa/program.h \
	runtime/include/mpa/abi.h \
	compiler/backend/c/prelude.h
EXTRA_DIST += compiler/backend/c/embed.awk compiler/backend/c/prelude.h
nodist_libmpac_a_SOURCES += compiler/backend/c/prelude.c
CLEANFILES += compiler/backend/c/prelude.c

compiler/backend/c/prelude.c: compiler/backend/c/embed.awk $(c_prelude_parts)
	$(AM_V_GEN)$(MKDIR_P) compiler/backend/c && LC_ALL=C $(AWK) \
		-f $(srcdir)/compiler/backend/c/embed.awk \
		$(c_prelude_parts:%=$(srcdir)/%) >$@.tmp && mv $@.tmp $@
