# stdlib - the library written in mpa, embedded in libmpac.a
stdlib_modules = stdlib/prelude.mpa

EXTRA_DIST += stdlib/embed.awk $(stdlib_modules)
nodist_libmpac_a_SOURCES += stdlib/stdlib.c
CLEANFILES += stdlib/stdlib.c

stdlib/stdlib.c: stdlib/embed.awk $(stdlib_modules)
	$(AM_V_GEN)$(MKDIR_P) stdlib && LC_ALL=C $(AWK) -f $(srcdir)/stdlib/embed.awk \
		$(stdlib_modules:%=$(srcdir)/%) >$@.tmp && mv $@.tmp $@
