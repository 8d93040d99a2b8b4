# runtime/comm - messages: its part of libmpart.a, and the MPI plug-ins
libmpart_a_SOURCES += runtime/comm/comm.h

# one source for every MPI; mpi_plugin_headers are what a change of rebuilds them
mpi_plugin_sources +=
mpi_plugin_headers +=
# once there are sources:
# EXTRA_DIST += $(mpi_plugin_sources)
# if HAVE_MPICH
# pluginexec_DATA += mpa_mpich.so
# endif
# if HAVE_OPENMPI
# pluginexec_DATA += mpa_openmpi.so
# endif

plugin_command = $(runtime_cppflags) $(runtime_cflags) $(CFLAGS) -shared $(LDFLAGS)
mpa_mpich.so: $(mpi_plugin_sources) $(mpi_plugin_headers)
	$(AM_V_CCLD)$(MPICC_MPICH) $(plugin_command) -o $@ $(filter %.c,$^)
mpa_openmpi.so: $(mpi_plugin_sources) $(mpi_plugin_headers)
	$(AM_V_CCLD)$(MPICC_OPENMPI) $(plugin_command) -o $@ $(filter %.c,$^)
CLEANFILES += mpa_mpich.so mpa_openmpi.so
