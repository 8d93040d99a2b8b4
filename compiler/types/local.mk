# compiler/types - its part of libmpac.a
libmpac_a_SOURCES += \
	compiler/types/elem.def \
	compiler/types/types.c \
	compiler/types/types.h
