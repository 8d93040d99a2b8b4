# bench - make bench compares compiled programs with the same written by hand in C;
# BENCHFLAGS='--n=2048 --repeat=3' makes it short
EXTRA_DIST += bench/run bench/functions bench/sums bench/heat.c bench/heat.mpa bench/stream.c bench/empty.c bench/empty.mpa

.PHONY: bench bench-functions bench-sums
bench-functions bench-sums: all
	MPAC='$(abs_builddir)/mpac' MPA_RUNTIME_DIR='$(abs_builddir)' CC='$(CC)' \
	$(PYTHON3) -B $(srcdir)/bench/$(@:bench-%=%) $(BENCHFLAGS)

bench: all
	MPAC='$(abs_builddir)/mpac' MPA_RUNTIME_DIR='$(abs_builddir)' CC='$(CC)' \
	MPICC_MPICH='$(MPICC_MPICH)' MPICC_OPENMPI='$(MPICC_OPENMPI)' \
	MPIEXEC_MPICH='$(MPIEXEC_MPICH)' MPIEXEC_OPENMPI='$(MPIEXEC_OPENMPI)' \
	$(PYTHON3) -B $(srcdir)/bench/run $(BENCHFLAGS)
