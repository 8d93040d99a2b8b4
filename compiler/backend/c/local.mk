# compiler/backend/c - its part of libmpac.a
libmpac_a_SOURCES += \
	compiler/backend/c/c.c \
	compiler/backend/c/cuda.c \
	compiler/backend/c/emit.h \
	compiler/backend/c/host.c \
	compiler/backend/c/host.h \
	compiler/backend/c/host_call.c \
	compiler/backend/c/host_value.c \
	compiler/backend/c/kernel.c \
	compiler/backend/c/library.c \
	compiler/backend/c/loops.c \
	compiler/backend/c/nest.h \
	compiler/backend/c/scalar.c \
	compiler/backend/c/scalar.def \
	compiler/backend/c/tables.c

# what generated code begins with: C, CUDA C, and random numbers in CUDA C
embedded_c = \
	runtime/include/mpa/elem.h \
	runtime/include/mpa/program.h \
	runtime/include/mpa/abi.h \
	compiler/backend/c/base.h \
	compiler/backend/c/arithmetic.h
embedded_cuda = \
	compiler/backend/c/cuda.h \
	compiler/backend/c/arithmetic.h
embedded_random = \
	runtime/base/random.c \
	compiler/backend/c/cuda_random.h
EXTRA_DIST += \
	compiler/backend/c/arithmetic.h \
	compiler/backend/c/base.h \
	compiler/backend/c/cuda.h \
	compiler/backend/c/cuda_random.h \
	build-aux/embed.awk
nodist_libmpac_a_SOURCES += compiler/backend/c/prelude.c
CLEANFILES += compiler/backend/c/prelude.c

compiler/backend/c/prelude.c: build-aux/embed.awk $(embedded_c) $(embedded_cuda) \
		$(embedded_random)
	$(AM_V_GEN)$(MKDIR_P) compiler/backend/c && LC_ALL=C $(AWK) \
		-f $(srcdir)/build-aux/embed.awk -v header=support/embedded.h \
		text=c_prelude $(embedded_c:%=$(srcdir)/%) \
		text=cuda_prelude $(embedded_cuda:%=$(srcdir)/%) \
		text=cuda_random $(embedded_random:%=$(srcdir)/%) >$@.tmp && mv $@.tmp $@
