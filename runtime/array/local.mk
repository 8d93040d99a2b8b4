# runtime/array - its part of libmpart.a
libmpart_a_SOURCES += \
	runtime/array/array.c \
	runtime/array/array.h \
	runtime/array/npy.h \
	runtime/array/runs.c \
	runtime/array/runs.h
