# runtime/comm - messages: its part of libmpart.a, and the MPI plug-ins
libmpart_a_SOURCES += \
	runtime/comm/batch.c \
	runtime/comm/collective.c \
	runtime/comm/comm.h \
	runtime/comm/launcher.c \
	runtime/comm/launcher.h \
	runtime/comm/open.c \
	runtime/comm/ops.h \
	runtime/comm/serial.c

# one source for every MPI; mpi_plugin_headers are what a change of rebuilds them
mpi_plugin_sources += \
	runtime/comm/mpi/plugin.c \
	runtime/base/status.c
mpi_plugin_headers += \
	runtime/comm/comm.h \
	runtime/comm/ops.h \
	runtime/base/status.h
EXTRA_DIST += $(mpi_plugin_sources)
if HAVE_MPICH
pluginexec_DATA += mpa_mpich.so
endif
if HAVE_OPENMPI
pluginexec_DATA += mpa_openmpi.so
endif

plugin_command = $(runtime_cppflags) $(runtime_cflags) $(CFLAGS) -shared \
	-fvisibility=hidden $(LDFLAGS)
mpa_mpich.so: $(mpi_plugin_sources) $(mpi_plugin_headers)
	$(AM_V_CCLD)$(MPICC_MPICH) $(plugin_command) -o $@ $(filter %.c,$^)
mpa_openmpi.so: $(mpi_plugin_sources) $(mpi_plugin_headers)
	$(AM_V_CCLD)$(MPICC_OPENMPI) $(plugin_command) -o $@ $(filter %.c,$^)
CLEANFILES += mpa_mpich.so mpa_openmpi.so

comm_suite_sources = tests/unit/comm_suite.c tests/unit/comm_suite.h
unit_tests += tests/unit/check_comm
tests_unit_check_comm_SOURCES = tests/unit/check_comm.c $(comm_suite_sources) $(world_sources)
tests_unit_check_comm_CPPFLAGS = $(runtime_cppflags) $(CHECK_CFLAGS)

check_PROGRAMS += tests/unit/comm_ranks
tests_unit_comm_ranks_SOURCES = tests/unit/comm_ranks.c $(comm_suite_sources)
tests_unit_comm_ranks_CPPFLAGS = $(runtime_cppflags)
TESTS += tests/unit/comm_ranks.sh
EXTRA_DIST += tests/unit/comm_ranks.sh
