#!/bin/sh
# tests/large/compile_time.sh - long programs, and statements with very many reads,
# compile in bounded time and memory
. "${srcdir:-.}/tests/tap.sh"

"$PYTHON3" - "$work" <<'END'
import sys

folder = sys.argv[1]
with open(f"{folder}/statements.mpa", "w") as f:
    f.write("grid g[x: 40 periodic, y: 40 periodic]\nfield u on g = x + y\nfield v on g\n")
    for k in range(200):
        f.write(f"v = u + 0.001 * u[x+{k % 3}, y-{k % 5}]\nu = 0.5 * v[y+1] + 0.5 * u\n")
    f.write("print(isfinite(sum(u)))\n")
with open(f"{folder}/reads.mpa", "w") as f:
    f.write("grid g[x: 200 periodic, y: 200 periodic]\nfield u: i64 on g = 1\nfield v: i64 on g\nv = ")
    f.write(" +\n    ".join(f"u[x{k % 173 - 86:+d}, y{k // 173 - 86:+d}]" for k in range(30000)))
    f.write("\nprint(min(v) == 30000 and max(v) == 30000)\n")
with open(f"{folder}/box.mpa", "w") as f:
    f.write("grid g[x: 40 periodic, y: 40 periodic, z: 40 periodic]\nfield u on g = 1\n"
            "field v on g = sum(i in -16..17: sum(j in -16..17: sum(k in -16..17: u[x+i, y+j, z+k])))\n"
            "print(min(v) == 35937 and max(v) == 35937)\n")
END

# within SECONDS and 2 GiB, and with the right answer
within() {
	seconds=$1 name=$2
	(ulimit -v 2097152; ulimit -t "$seconds"; cd "$work" && "$MPAC" $name.mpa -o $name) &&
		[ "$("$work/$name")" = true ]
}

report "400 statements in 30 s" within 30 statements
report "one statement of 30 000 reads in 30 s" within 30 reads
report "a box sum of 33^3 reads in 10 s" within 10 box
tap_end
