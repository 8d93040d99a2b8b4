#!/bin/sh
# tests/repl/run.sh - mpac run: compiled and carried out in one go, on any ranks
. "${srcdir:-.}/tests/tap.sh"

cat >"$work/p.mpa" <<'END'
param n = 10 "points"
param k: const = 1
grid row[x: n]
field u on row = x
boundary u = edge
let v = exp(0.0 * u[x+k]) + u
print("sum {sum(v)} of {n}, {k}")
if n == 13 { exit(3) }
assert(n < 100, "too many")
END
echo 'let a = b' >"$work/wrong.mpa"

# gives STATUS TEXT COMMAND...: this text once, and the status
gives() {
	status=$1 text=$2 got=0
	shift 2
	"$@" >"$work/out" 2>&1 || got=$?
	[ "$(grep -c "$text" "$work/out")" = 1 ] && [ $got = "$status" ] ||
		{ echo "status $got"; cat "$work/out"; return 1; }
}

nothing_left() {
	[ "$(cd "$work" && ls)" = "$1" ] || { ls "$work"; return 1; }
}

cd "$work" || exit 1
report "runs" gives 0 "^sum 55.0 of 10, 1$" "$MPAC" run p.mpa
report "passes options on" gives 0 "^sum 210.0 of 20, 1$" "$MPAC" run -O1 p.mpa --n=20
report "sets constant parameters" gives 0 "^sum 55.0 of 10, 2$" "$MPAC" run p.mpa --k=2
report "gives the status" gives 3 "^sum 91.0" "$MPAC" run p.mpa --n=13
report "fails as the program" gives 1 "^p.mpa:9:1: error: too many$" \
	"$MPAC" run p.mpa --n=100
report "refuses options as the program" gives 2 "no option --m; did you mean --n?" \
	"$MPAC" run p.mpa --m=1
report "shows what is wrong" gives 1 "^wrong.mpa:1:9: error" "$MPAC" run wrong.mpa
report "the program's help" gives 0 "points (default: 10)" "$MPAC" run p.mpa --help
report "another back end" gives 1 "null. cannot run" "$MPAC" run --backend=null p.mpa

cat >cube.c <<'END'
double cube(double v) { return v * v * v; }
END
cat >extern.mpa <<'END'
extern fn cube(v: f64): f64
grid g[x: 4]
field u on g = cube(x)
print(u)
END
${CC:-cc} -c -fPIC cube.c && ${CC:-cc} -shared -o libcube.so cube.o
for words in cube.o libcube.so "-L. -lcube -lm"; do
	# shellcheck disable=SC2086
	report "functions in C: $words" gives 0 "^. 0.  1.  8. 27..$" "$MPAC" run $words extern.mpa
done
report "functions in C that are not there" gives 1 "not there: . cube" "$MPAC" run extern.mpa

for mpi in "MPICH $MPIEXEC_MPICH" "OpenMPI $MPIEXEC_OPENMPI"; do
	name=${mpi%% *} mpiexec=${mpi#* }
	if [ -z "$mpiexec" ]; then
		skip "$name" "not here"
		continue
	fi
	report "$name" gives 0 "^sum 210.0 of 20, 2$" $mpiexec -n 4 "$MPAC" run p.mpa \
		--n=20 --k=2
	report "$name: errors once" gives 1 "^wrong.mpa:1:9: error" \
		$mpiexec -n 3 "$MPAC" run wrong.mpa
done
tap_end
