# runtime/halo - its part of libmpart.a
libmpart_a_SOURCES += \
	runtime/halo/halo.h
