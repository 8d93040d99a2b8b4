# stdlib - the library written in mpa, embedded in libmpac.a
stdlib_modules = \
	stdlib/prelude.mpa \
	stdlib/differences.mpa \
	stdlib/stepping.mpa \
	stdlib/advection.mpa \
	stdlib/walls.mpa \
	stdlib/solvers.mpa \
	stdlib/statistics.mpa \
	stdlib/sources.mpa \
	stdlib/multigrid.mpa

EXTRA_DIST += stdlib/embed.awk stdlib/manual.awk $(stdlib_modules)
nodist_libmpac_a_SOURCES += stdlib/stdlib.c
CLEANFILES += stdlib/stdlib.c

stdlib/stdlib.c: stdlib/embed.awk $(stdlib_modules)
	$(AM_V_GEN)$(MKDIR_P) stdlib && LC_ALL=C $(AWK) -f $(srcdir)/stdlib/embed.awk \
		$(stdlib_modules:%=$(srcdir)/%) >$@.tmp && mv $@.tmp $@

# the manual page of the library: its comments
nodist_man_MANS = man/mpa-lib.7
CLEANFILES += man/mpa-lib.7
man/mpa-lib.7: stdlib/manual.awk $(stdlib_modules)
	$(AM_V_GEN)$(MKDIR_P) man && LC_ALL=C $(AWK) -v version=$(PACKAGE_VERSION) \
		-f $(srcdir)/stdlib/manual.awk $(stdlib_modules:%=$(srcdir)/%) >$@.tmp && \
		mv $@.tmp $@
