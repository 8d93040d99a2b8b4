# samples - programs to learn from; make check runs them (tests/samples)
samples = \
	samples/advection.mpa \
	samples/alloy.mpa \
	samples/charges.mpa \
	samples/checkpoint.mpa \
	samples/convection.mpa \
	samples/gray_scott.mpa \
	samples/heat.mpa \
	samples/ising.mpa \
	samples/lattice_boltzmann.mpa \
	samples/life.mpa \
	samples/noise.mpa \
	samples/poisson.mpa \
	samples/sandpile.mpa \
	samples/schroedinger.mpa \
	samples/seismogram.mpa \
	samples/shallow_water.mpa \
	samples/shock_tube.mpa \
	samples/spirals.mpa \
	samples/tunnel.mpa \
	samples/wave.mpa

samplesdir = $(pkgdatadir)/samples
dist_samples_DATA = $(samples) samples/show.py

# a program that others drive: tests/capi.sh
librarysamplesdir = $(samplesdir)/library
dist_librarysamples_DATA = samples/library/plate.mpa samples/library/drive.c \
	samples/library/drive.f90 samples/library/drive.py \
	samples/library/row.mpa samples/library/pass.c
