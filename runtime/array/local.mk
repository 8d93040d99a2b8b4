# runtime/array - its part of libmpart.a
libmpart_a_SOURCES += \
	runtime/array/array.h \
	runtime/array/npy.h
