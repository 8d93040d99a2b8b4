#!/bin/sh
# tests/verify.sh - mpac verify: programs that are the same on all ways to run them, and
# faults that it must name: a compiler that contracts, one that re-associates, sums in the
# order of ranks
. "${srcdir:-.}/tests/tap.sh"
here=$srcdir/tests/verify
cd "$work"

cat >flow.mpa <<'END'
param n = 37
grid plate[x: n, y: n + 3]
field u on plate = sin(0.3 * x) + 1 / (1 + y)
field v on plate
boundary u = edge
v = u * u + 0.3 * u[x+1] + 0.1 * u[y-1] - 0.7 * u[x-1, y+1]
print("{sum(v):.17g} {max(v)}")
save("v.npy", v)
END
cat >reads.mpa <<'END'
field w on grid_of_w = load("given.npy")
print(sum(w))
save("given.npy", 2 * w)
END
sed -i '1s/.*/grid row[x: 5]\nfield w on row = load("given.npy")/' reads.mpa
cat >random.mpa <<'END'
grid row[x: 30]
field u on row = random()
var k = 0.0
local { print(rank()) }
save("u.npy", u)
END
printf '#!/bin/sh\nexec %s "$@" -ffp-contract=fast "-DMPA_PRODUCT(x)=(x)"\n' "${MPA_CC:-gcc}" >contracts
printf '#!/bin/sh\nexec %s "$@" -ffast-math -ffp-contract=off\n' "${MPA_CC:-gcc}" >associates
chmod +x contracts associates

same() {
	"$MPAC" verify "$@" >out 2>&1 && says out "0 differ, 0 failed"
}

# names PATTERN ARGUMENT...: it differs, and says so
names() {
	pattern=$1
	shift
	! "$MPAC" verify "$@" >out 2>&1 && says out "$pattern"
}

reads_and_keeps() {
	${PYTHON3:-python3} -c 'import numpy; numpy.save("given.npy", numpy.arange(5.0))'
	cp given.npy before.npy
	same reads.mpa && cmp given.npy before.npy && rm given.npy before.npy
}

report "the same" same flow.mpa --n=20
report "files are read, and kept" reads_and_keeps
report "a difference that is asked for" names 'standard output: line' random.mpa
report "a compiler that contracts" \
	names 'v.npy: [0-9]* of .* points, first \[.*\]: .*(0x.*), but .*(0x' --cc="$work/contracts" flow.mpa
report "... of the other back end" says out "of .llvm, alone., but of .c, alone"
report "a compiler that re-associates" names 'v.npy: [0-9]* of .* points' --cc="$work/associates" flow.mpa
if [ -n "$MPIEXEC_MPICH" ]; then
	report "sums of ranks" ${CC:-cc} -O1 -I"$srcdir/runtime" -c "$here/rank_order.c" -o rank_order.o
	report "... are named" names 'standard output: line 1' rank_order.o flow.mpa
	report "... with their ranks" says out "but of .llvm, [0-9]* ranks of mpich"
else
	skip "sums of ranks" "no MPICH here"
fi
report "the same with --fast" same --fast flow.mpa --n=20
says_fast() {
	"$MPAC" --fast flow.mpa -o flow && ./flow --version >out && says out "^Compiled with --fast: .*fma" &&
		./flow --help >out && says out "^Compiled with --fast: .*fma" &&
		"$MPAC" flow.mpa -o flow && ./flow --help >out && ! says out "fast"
}
report "programs tell of --fast" says_fast
report "a wrong program" names "error:" missing.mpa
tap_end
