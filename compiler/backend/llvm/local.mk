# compiler/backend - the interface and the back ends: its part of libmpac.a
libmpac_a_SOURCES += \
	compiler/backend/backend.h \
	compiler/backend/null.c \
	compiler/backend/llvm/abi.c \
	compiler/backend/llvm/access.c \
	compiler/backend/llvm/debug.c \
	compiler/backend/llvm/divide.c \
	compiler/backend/llvm/emit.h \
	compiler/backend/llvm/extern.c \
	compiler/backend/llvm/formula.c \
	compiler/backend/llvm/host.c \
	compiler/backend/llvm/host.h \
	compiler/backend/llvm/host_expr.c \
	compiler/backend/llvm/host_file.c \
	compiler/backend/llvm/host_run.c \
	compiler/backend/llvm/host_slots.c \
	compiler/backend/llvm/host_text.c \
	compiler/backend/llvm/jit.c \
	compiler/backend/llvm/kernel.c \
	compiler/backend/llvm/library.c \
	compiler/backend/llvm/llvm.c \
	compiler/backend/llvm/lower.def \
	compiler/backend/llvm/lower.h \
	compiler/backend/llvm/nest.h \
	compiler/backend/llvm/prefetch.c \
	compiler/backend/llvm/ptx.c \
	compiler/backend/llvm/ptx_fmod.c \
	compiler/backend/llvm/ptx_random.c \
	compiler/backend/llvm/scalar.c \
	compiler/backend/llvm/sink.c \
	compiler/backend/llvm/tables.c \
	compiler/backend/llvm/tables.h \
	compiler/backend/llvm/target.c

unit_tests += tests/unit/llvm
tests_unit_llvm_SOURCES = tests/unit/llvm.c tests/unit/make_kir.h tests/unit/unit.h
tests_unit_llvm_CPPFLAGS = $(AM_CPPFLAGS) $(LLVM_CPPFLAGS)
