#!/bin/sh
# tests/capi.sh - programs as libraries: the drivers of samples/library in C, Fortran and
# Python give the same, alone and on several ranks; every call of mpa/mpa.h, in a process
# that runs MPI itself, too; headers are C and C++ without warnings
. "${srcdir:-.}/tests/tap.sh"

here=$PWD
from=$srcdir/samples/library
cp "$from"/* "$srcdir"/tests/capi/* "$work" && cd "$work" || exit 1
cc="${CC:-cc} -Wall -Wextra -Werror -I$srcdir/runtime/include"
link="-L. -lplate -lwave -lcalls -lrow -Wl,-rpath,$work"
LIBRARY=$work
export LIBRARY

cat >wanted <<'END'
heat 0.000156164 of 0.000156164, peak 0.003353813
END

# gives COMMAND...: the sum of the sample, once
gives() {
	"$@" >out 2>err || { cat out err; return 1; }
	sed 's/, last.*//' out | diff wanted - || { cat err; return 1; }
}

cat >passed <<'END'
rank 0 after: 0 10 20 30 40 50 60 70 80 90
rank 0 before: 0 10 20 30 40 50 60 70 80 90
rank 1 after: 0 10 20 30 40 50 60 70 80 90
rank 1 before: 0 0 0 0 0 0 0 0 0 0
END

# the numbers of rank 0 are on rank 1 after
passes() {
	MPA_FAKE_CUDA_DEVICES=2 "$@" >out 2>err && sort out | diff passed - || { cat err; return 1; }
}

quietly() {
	"$@" >out 2>&1 && [ "$(cat out)" = fine ] || { cat out; return 1; }
}

for name in plate wave calls row; do
	report "$name: compiles" "$MPAC" --emit=shared $name.mpa
	report "$name.h: C" $cc -std=c11 -fsyntax-only -x c $name.h
	if command -v ${CXX:-c++} >/dev/null; then
		report "$name.h: C++" ${CXX:-c++} -Wall -Wextra -Werror -fsyntax-only \
			-I"$srcdir/runtime/include" -x c++ $name.h
	else
		skip "$name.h: C++" "no compiler"
	fi
done
report "documentation" says plate.h "^ \* One step of length dt; gives"
report "documentation of the file" says plate.h "^ \* A plate that is heated"
report "parameters" says plate.h "n=i64  default 64: grid points per axis"
mkdir own && cp wave.mpa own && echo "/* mine */" >own/wave.h
report "no other header is written over" sh -c \
	"! (cd own && '$MPAC' --emit=shared wave.mpa) && grep -q mine own/wave.h && [ ! -e own/libwave.so ]"
report "only the library's names" sh -c \
	"! nm -D --defined-only libplate.so | grep -v ' mpa_\| plate_'"

if nm -D libplate.so | grep -q __asan; then
	skip "calls" "the sanitizer wants a program of its own around the library"
	cd "$here" && tap_end
	exit
fi
report "C: compiles" $cc drive.c -o drive $link
report "calls: compiles" $cc calls.c -o calls $link
report "C: alone" gives ./drive
report "C: an option" says err "no option --nn" "$(./drive --nn=3 2>err)"
report "calls: alone" quietly ./calls
report "pass: compiles" $cc pass.c -o pass $link
report "pass: one rank" sh -c "! ./pass 2>err && grep -q 'error: this is for two ranks' err"
gpu=
if (cd "$srcdir/tests" && "$PYTHON3" -B -c 'import nvrtc, sys; sys.exit(not nvrtc.library())'); then
	gpu=emulated
	MPA_FAKE_CUDA=1
	export MPA_FAKE_CUDA
	report "calls: on a GPU" quietly ./calls --backend=cuda
else
	skip "GPUs" "NVRTC is not here"
fi
report "Python: alone" gives "$PYTHON3" -B drive.py
if command -v gfortran >/dev/null; then
	report "Fortran: compiles" gfortran drive.f90 -o drive_f $link
	report "Fortran: alone" gives ./drive_f
else
	skip "Fortran" "no compiler"
fi
for mpi in "MPICH $MPIEXEC_MPICH" "OpenMPI $MPIEXEC_OPENMPI"; do
	name=${mpi%% *} mpiexec=${mpi#* }
	mpicc=$(echo "$mpiexec" | sed 's/mpiexec/mpicc/')
	if [ -z "$mpiexec" ]; then
		skip "$name" "not here"
		continue
	fi
	[ -z "$gpu" ] || {
		report "$name: one GPU" sh -c "! $mpiexec -n 2 ./pass --backend=cuda 2>err"
		report "... is too few" says err "error: this is for two GPUs, and both ranks have the same"
		report "$name: GPU to GPU" passes $mpiexec -n 2 ./pass --backend=cuda
		report "$name: calls on GPUs" quietly $mpiexec -n 3 ./calls --backend=cuda
	}
	report "$name: C, 4 ranks" gives $mpiexec -n 4 ./drive
	report "$name: Python, 4 ranks" gives $mpiexec -n 4 "$PYTHON3" -B drive.py
	for n in 2 3 4; do
		report "$name: calls, $n ranks" quietly $mpiexec -n $n ./calls
	done
	[ ! -f drive_f ] || report "$name: Fortran, 3 ranks" gives $mpiexec -n 3 ./drive_f
	report "$name: guest compiles" $mpicc -Wall -Wextra -I"$srcdir/runtime/include" \
		guest.c -o guest $link
	for how in world c fortran; do
		report "$name: guest, $how, alone" quietly ./guest $how
		report "$name: guest, $how, 5 ranks" quietly $mpiexec -n 5 ./guest $how
	done
done
cd "$here"
tap_end
