# runtime/base - its part of libmpart.a
libmpart_a_SOURCES += \
	runtime/base/clock.h \
	runtime/base/log.h \
	runtime/base/memory.h \
	runtime/base/settings.h \
	runtime/base/status.h
