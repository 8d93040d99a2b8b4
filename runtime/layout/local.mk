# runtime/layout - its part of libmpart.a
libmpart_a_SOURCES += \
	runtime/layout/box.c \
	runtime/layout/box.h \
	runtime/layout/layout.c \
	runtime/layout/layout.h \
	runtime/layout/procs.c

unit_tests += tests/unit/check_layout
tests_unit_check_layout_SOURCES = tests/unit/check_layout.c tests/unit/unit.h
tests_unit_check_layout_CPPFLAGS = $(runtime_cppflags) $(CHECK_CFLAGS)
