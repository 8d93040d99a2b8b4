# runtime/halo - its part of libmpart.a
libmpart_a_SOURCES += \
	runtime/halo/halo.h \
	runtime/halo/pieces.c \
	runtime/halo/pieces.h \
	runtime/halo/plan.c

unit_tests += tests/unit/check_halo
tests_unit_check_halo_SOURCES = tests/unit/check_halo.c $(world_sources)
tests_unit_check_halo_CPPFLAGS = $(runtime_cppflags) $(CHECK_CFLAGS)
world_sources = tests/unit/unit.h tests/unit/world.c tests/unit/world.h
