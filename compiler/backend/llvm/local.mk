# compiler/backend/llvm - its part of libmpac.a
libmpac_a_SOURCES +=
