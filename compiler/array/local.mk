# compiler/array - its part of libmpac.a
libmpac_a_SOURCES += \
	compiler/array/air.def \
	compiler/array/air.h
