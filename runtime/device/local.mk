# runtime/device - its part of libmpart.a
libmpart_a_SOURCES += \
	runtime/device/cpu/pool.c \
	runtime/device/cpu/pool.h \
	runtime/device/emu/ptx.h \
	runtime/device/emu/ptx_body.c \
	runtime/device/emu/ptx_convert.c \
	runtime/device/emu/ptx_decode.c \
	runtime/device/emu/ptx_lanes.c \
	runtime/device/emu/ptx_lex.c \
	runtime/device/emu/ptx_memory.c \
	runtime/device/emu/ptx_module.h \
	runtime/device/emu/ptx_ops.c \
	runtime/device/emu/ptx_ops.def \
	runtime/device/emu/ptx_parse.c \
	runtime/device/emu/ptx_parse.h \
	runtime/device/emu/ptx_run.c

ptx_world = tests/unit/ptx_world.c tests/unit/ptx_world.h tests/unit/unit.h

unit_tests += tests/unit/ptx_forms tests/unit/ptx
tests_unit_ptx_forms_SOURCES = tests/unit/ptx_forms.c tests/unit/ptx_forms.def $(ptx_world)
tests_unit_ptx_forms_CPPFLAGS = $(runtime_cppflags) $(CHECK_CFLAGS)
tests_unit_ptx_SOURCES = tests/unit/ptx.c $(ptx_world)
tests_unit_ptx_CPPFLAGS = $(runtime_cppflags) $(CHECK_CFLAGS)
