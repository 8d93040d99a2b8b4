# compiler/driver - the program mpac; all but main.c is in libmpac.a
mpac_SOURCES += compiler/driver/main.c
libmpac_a_SOURCES +=
