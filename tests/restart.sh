#!/bin/sh
# tests/restart.sh - a run in pieces, on other numbers of ranks, is the run at once
. "${srcdir:-.}/tests/tap.sh"
cd "$work" || exit 1

report "compiles" "$MPAC" "$srcdir/samples/checkpoint.mpa" -o checkpoint
./checkpoint --steps=0 >/dev/null 2>said
if grep -q "the HDF5 library is not installed" said; then
	skip "restart" "the HDF5 library is not here"
	tap_end
	exit
fi
rm -f state.h5
report "at once" ./checkpoint --n=50 --steps=60
mv state.h5 at-once.h5
mv phase.png at-once.png

pieces() {
	rm -f state.h5
	for ranks; do
		if [ "$ranks" = 1 ]; then
			./checkpoint --n=50 --steps=20 || return 1
		else
			$mpiexec -n "$ranks" ./checkpoint --n=50 --steps=20 || return 1
		fi
	done
	cmp state.h5 at-once.h5 && cmp phase.png at-once.png
}
for mpi in "MPICH $MPIEXEC_MPICH" "OpenMPI $MPIEXEC_OPENMPI"; do
	mpiexec=${mpi#* }
	if [ -z "$mpiexec" ]; then
		skip "${mpi%% *}" "not here"
		continue
	fi
	report "${mpi%% *}: on 4, 1 and 3 ranks" pieces 4 1 3
	report "${mpi%% *}: on 2, 7 and 2 ranks" pieces 2 7 2
done
report "alone" pieces 1 1 1
tap_end
