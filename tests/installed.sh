#!/bin/sh
# tests/installed.sh - what make install puts in place works from there, also after the
# folder was moved, and without the build
. "${srcdir:-.}/tests/tap.sh"
unset MPA_RUNTIME_DIR

try() {
	"$work/usr/bin/mpac" "$srcdir/samples/heat.mpa" -o "$work/heat" &&
		(cd "$work" && ./heat --n=64 --steps=10 && [ -s heat.npy ])
}

try_ranks() {
	(cd "$work" && $1 -n 3 ./heat --n=64 --steps=10 >out && [ "$(grep -c total out)" = 1 ])
}

try_library() {
	library=$work/usr/share/mpac/samples/library
	(cd "$work" && "$work/usr/bin/mpac" --emit=shared "$library/plate.mpa" &&
		${CC:-cc} -I. -I"$work/usr/include" "$library/drive.c" -o drive -L. -lplate \
			-Wl,-rpath,"$work" && ./drive --n=32)
}

report "make install" ${MAKE:-make} install prefix="$work/first"
mv "$work/first" "$work/usr"
report "compiles and runs" try
for mpiexec in "$MPIEXEC_MPICH" "$MPIEXEC_OPENMPI"; do
	[ -z "$mpiexec" ] || report "runs under $mpiexec" try_ranks "$mpiexec"
done
if "$work/usr/bin/mpac" --emit=shared "$srcdir/samples/library/plate.mpa" \
	-o "$work/libtry.so" && ! nm -D "$work/libtry.so" | grep -q __asan; then
	report "makes libraries" try_library
else
	skip "makes libraries" "the sanitizer wants a program of its own around them"
fi
report "has manual pages" test -s "$work/usr/share/man/man7/mpa.7"
report "has the page of the library" grep -q weno5 "$work/usr/share/man/man7/mpa-lib.7"
report "has samples" test -s "$work/usr/share/mpac/samples/heat.mpa"
report "make uninstall" ${MAKE:-make} uninstall prefix="$work/usr"
report "leaves nothing" test -z "$(find "$work/usr" -type f)"
tap_end
