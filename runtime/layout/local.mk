# runtime/layout - its part of libmpart.a
libmpart_a_SOURCES += \
	runtime/layout/box.h \
	runtime/layout/layout.h
