#!/bin/sh
# tests/timeline.sh - --trace writes a timeline of every rank, --progress tells of loops
. "${srcdir:-.}/tests/tap.sh"

cat >"$work/p.mpa" <<'END'
param n = 64
param steps = 5
grid row[x: n]
field u on row = x
boundary u = edge
for t in 0..steps { u += 0.25 * d2(u, x) }
print("sum {sum(u):.3f}")
END
export work

# timeline RANKS: the file is JSON, and each rank ran the step five times
timeline() {
	python3 - "$work/t.json" "$1" <<'END'
import json, sys
events = json.load(open(sys.argv[1]))
for rank in range(int(sys.argv[2])):
    mine = [e for e in events if e["pid"] == rank]
    steps = [e for e in mine if e["ph"] == "X" and e["cat"] == "run"
             and e["args"]["where"].endswith("p.mpa:6:21")]
    assert len(steps) == 5, (rank, len(steps))
    assert all(e["dur"] >= 0 for e in steps)
    assert sum(e["ph"] == "M" for e in mine) == 1
END
}

traced() {
	ranks=$1
	shift
	rm -f "$work/t.json"
	"$@" "$work/p" --trace="$work/t.json" && timeline "$ranks"
}

unwritable() {
	! "$work/p" --trace="$work/none/t.json" 2>"$work/err" &&
		says "$work/err" "^p: error: cannot write .*none/t.json: No such file"
}

# twice a second: told in loops that take longer than that, on fast machines too
progress() {
	for steps in 600 2400 9600 38400; do
		"$work/p" --progress --n=2000000 --steps=$steps 2>"$work/err" || return 1
		[ -s "$work/err" ] && break
	done
	says "$work/err" "p.mpa:6:5: [0-9]* of $steps ([0-9]* %), about [0-9]* s left"
}

report "compiles" "$MPAC" "$work/p.mpa" -o "$work/p"
report "a timeline of one rank" traced 1 env
for mpi in "MPICH $MPIEXEC_MPICH" "OpenMPI $MPIEXEC_OPENMPI"; do
	name=${mpi%% *} mpiexec=${mpi#* }
	if [ -z "$mpiexec" ]; then
		skip "$name" "not here"
	else
		report "$name: a timeline of three ranks" traced 3 $mpiexec -n 3
	fi
done
report "a timeline that cannot be written is an error" unwritable
report "progress of a loop" progress
tap_end
