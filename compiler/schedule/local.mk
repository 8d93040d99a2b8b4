# compiler/schedule - its part of libmpac.a
libmpac_a_SOURCES += \
	compiler/schedule/plan.h
