#!/bin/sh
# tests/local_block.sh - rank-local code on several ranks: what each rank prints, in which
# order, and how the program ends when some ranks want it to
. "${srcdir:-.}/tests/tap.sh"

cat >"$work/p.mpa" <<'END'
param fails = 99
param exits = 99
grid row[x: 10]
field u on row = x
for t in 0..2 {
    local {
        let b = bounds(u)[0]
        for i in b[0]..b[1] { print("{t}: {i} on {rank()}") }
        assert(rank() < fails, "rank {rank()} of {ranks()}")
        if rank() >= exits { exit(10 + rank()) }
        print("{t}: end of {rank()}")
    }
}
print("sum {sum(u)}")
END

# lines RANKS [LAST]: what the program prints, up to the end of the first block
lines() {
	awk -v ranks="$1" -v last="${2:-99}" 'BEGIN {
		for (t = 0; t < 2; t++) {
			for (r = at = 0; r < ranks; r++) {
				n = int(10 / ranks) + (r < 10 % ranks)
				for (i = at; i < at + n; i++) print t ": " i " on " r
				at += n
				if (r < last) print t ": end of " r
			}
			if (last < ranks) exit
		}
		print "sum 45.0"
	}'
}

# prints RANKS LAST STATUS MESSAGE COMMAND...
prints() {
	lines "$1" "$2" >"$work/wanted"
	status=$3 message=$4
	shift 4
	"$@" >"$work/out" 2>"$work/err"
	[ $? = "$status" ] || { cat "$work/out" "$work/err"; return 1; }
	diff "$work/wanted" "$work/out" || return 1
	[ -z "$message" ] || [ "$(grep -c "$message" "$work/err")" = 1 ] ||
		{ cat "$work/err"; return 1; }
}

report "compiles" "$MPAC" "$work/p.mpa" -o "$work/p"
report "one rank" prints 1 99 0 "" "$work/p"
for mpi in "MPICH $MPIEXEC_MPICH" "OpenMPI $MPIEXEC_OPENMPI"; do
	name=${mpi%% *} mpiexec=${mpi#* }
	if [ -z "$mpiexec" ]; then
		skip "$name" "not here"
		continue
	fi
	for n in 2 3 4 12; do
		report "$name: $n ranks, one after the other" \
			prints $n 99 0 "" $mpiexec -n $n "$work/p"
	done
	report "$name: two ranks fail" prints 4 2 1 "p.mpa:9:9: error: rank 2 of 4" \
		$mpiexec -n 4 "$work/p" --fails=2
	report "$name: two ranks exit" prints 4 2 12 "" $mpiexec -n 4 "$work/p" --exits=2
	report "$name: the first one says how" prints 4 1 11 "" \
		$mpiexec -n 4 "$work/p" --exits=1 --fails=2
	$mpiexec -n 3 "$work/p" --quiet >"$work/out" 2>&1
	report "$name: --quiet" test ! -s "$work/out"
done
tap_end
