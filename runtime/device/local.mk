# runtime/device - its part of libmpart.a
libmpart_a_SOURCES += \
	runtime/device/cpu/pool.c \
	runtime/device/cpu/pool.h
