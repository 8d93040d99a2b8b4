# compiler/kernel - its part of libmpac.a
libmpac_a_SOURCES += \
	compiler/kernel/kir.h
