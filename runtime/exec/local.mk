# runtime/exec - its part of libmpart.a
libmpart_a_SOURCES += \
	runtime/exec/arrays.c \
	runtime/exec/elements.c \
	runtime/exec/exact.c \
	runtime/exec/exact.h \
	runtime/exec/exec.h \
	runtime/exec/files.c \
	runtime/exec/grids.c \
	runtime/exec/launch.c \
	runtime/exec/needs.c \
	runtime/exec/options.c \
	runtime/exec/options.def \
	runtime/exec/options.h \
	runtime/exec/options_value.c \
	runtime/exec/product.c \
	runtime/exec/profile.c \
	runtime/exec/reduce.c \
	runtime/exec/reduce.h \
	runtime/exec/run.c \
	runtime/exec/session.c \
	runtime/exec/text.c \
	runtime/exec/walls.c

noinst_HEADERS += runtime/include/mpa/abi.h
