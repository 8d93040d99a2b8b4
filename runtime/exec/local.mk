# runtime/exec - its part of libmpart.a
libmpart_a_SOURCES +=
