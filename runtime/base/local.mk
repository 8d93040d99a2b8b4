# runtime/base - its part of libmpart.a
libmpart_a_SOURCES += \
	runtime/base/clock.c \
	runtime/base/clock.h \
	runtime/base/log.c \
	runtime/base/log.h \
	runtime/base/memory.c \
	runtime/base/memory.h \
	runtime/base/settings.c \
	runtime/base/settings.h \
	runtime/base/status.c \
	runtime/base/status.h
