# compiler/sema - its part of libmpac.a
libmpac_a_SOURCES +=
