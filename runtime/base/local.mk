# runtime/base - its part of libmpart.a
libmpart_a_SOURCES += \
	runtime/base/canvas.c \
	runtime/base/canvas.h \
	runtime/base/font.def \
	runtime/base/plot.c \
	runtime/base/plot.h \
	runtime/base/png.c \
	runtime/base/png.h \
	runtime/base/ticks.c \
	runtime/base/ticks.h \
	runtime/base/clock.c \
	runtime/base/clock.h \
	runtime/base/format.c \
	runtime/base/format.h \
	runtime/base/format_array.c \
	runtime/base/hdf5.c \
	runtime/base/hdf5.def \
	runtime/base/hdf5.h \
	runtime/base/log.c \
	runtime/base/log.h \
	runtime/base/memory.c \
	runtime/base/memory.h \
	runtime/base/parse.c \
	runtime/base/parse.h \
	runtime/base/random.c \
	runtime/base/random.h \
	runtime/base/settings.c \
	runtime/base/settings.h \
	runtime/base/status.c \
	runtime/base/status.h

# the compiler's evaluator prints, draws, and reads files with them too
libmpac_a_SOURCES += \
	runtime/base/canvas.c \
	runtime/base/canvas.h \
	runtime/base/font.def \
	runtime/base/plot.c \
	runtime/base/plot.h \
	runtime/base/png.c \
	runtime/base/png.h \
	runtime/base/ticks.c \
	runtime/base/ticks.h \
	runtime/base/format.c \
	runtime/base/format.h \
	runtime/base/format_array.c \
	runtime/base/hdf5.c \
	runtime/base/hdf5.h \
	runtime/base/parse.c \
	runtime/base/parse.h \
	runtime/base/random.c \
	runtime/base/random.h \
	runtime/base/settings.c \
	runtime/base/settings.h

unit_tests += tests/unit/format
tests_unit_format_SOURCES = tests/unit/format.c tests/unit/unit.h
