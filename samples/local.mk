# samples - programs to learn from; make check runs them (tests/samples)
samples = \
	samples/heat.mpa \
	samples/wave.mpa \
	samples/life.mpa \
	samples/gray_scott.mpa \
	samples/advection.mpa \
	samples/poisson.mpa \
	samples/lattice_boltzmann.mpa \
	samples/checkpoint.mpa \
	samples/convection.mpa \
	samples/ising.mpa \
	samples/sandpile.mpa \
	samples/shallow_water.mpa \
	samples/shock_tube.mpa \
	samples/spirals.mpa \
	samples/tunnel.mpa \
	samples/schroedinger.mpa

samplesdir = $(pkgdatadir)/samples
dist_samples_DATA = $(samples) samples/show.py

# a program that others drive: tests/capi.sh
librarysamplesdir = $(samplesdir)/library
dist_librarysamples_DATA = samples/library/plate.mpa samples/library/drive.c \
	samples/library/drive.f90 samples/library/drive.py
