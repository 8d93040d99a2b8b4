# runtime/layout - its part of libmpart.a
libmpart_a_SOURCES += \
	runtime/layout/box.c \
	runtime/layout/box.h \
	runtime/layout/layout.c \
	runtime/layout/layout.h \
	runtime/layout/procs.c
