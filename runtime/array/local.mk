# runtime/array - its part of libmpart.a
libmpart_a_SOURCES += \
	runtime/array/array.c \
	runtime/array/array.h \
	runtime/array/move.c \
	runtime/array/move.h \
	runtime/array/h5.h \
	runtime/array/h5_read.c \
	runtime/array/h5_write.c \
	runtime/array/newfile.c \
	runtime/array/newfile.h \
	runtime/array/npy.c \
	runtime/array/npy.h \
	runtime/array/npy_convert.c \
	runtime/array/npy_convert.h \
	runtime/array/npy_header.c \
	runtime/array/npy_header.h \
	runtime/array/picture.c \
	runtime/array/picture.h \
	runtime/array/resident.c \
	runtime/array/runs.c \
	runtime/array/runs.h \
	runtime/array/stored.c \
	runtime/array/stored.h \
	runtime/array/vti.c \
	runtime/array/vti.h

unit_tests += tests/unit/check_files
tests_unit_check_files_SOURCES = tests/unit/check_files.c $(world_sources)
tests_unit_check_files_CPPFLAGS = $(runtime_cppflags) $(CHECK_CFLAGS)

unit_tests += tests/unit/check_move
tests_unit_check_move_SOURCES = tests/unit/check_move.c $(world_sources)
tests_unit_check_move_CPPFLAGS = $(runtime_cppflags) $(CHECK_CFLAGS)
