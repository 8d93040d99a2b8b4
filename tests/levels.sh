#!/bin/sh
# tests/levels.sh - arithmetic does not depend on the level of optimisation: what NaN,
# subnormal numbers, conversions and functions give at -O0 to -O3, by both back ends
. "${srcdir:-.}/tests/tap.sh"
cases=$(cd "$srcdir/tests/cases" && pwd)
cd "$work"

# gives FOLDER OPTION...: the program prints what it must, and writes the files of -O3
gives() {
	folder=$1
	shift
	mkdir "$folder" && (cd "$folder" && "$MPAC" "$@" "$cases/$name.mpa" -o program &&
		./program >out && rm program) &&
		cmp "$cases/$name.out" "$folder/out" && diff -r first "$folder" && rm -r "$folder"
}

for name in not_a_number subnormals edge_arithmetic integers elementwise; do
	mkdir first && (cd first && "$MPAC" "$cases/$name.mpa" -o program && ./program >out && rm program)
	for level in 0 1 2; do
		report "$name, -O$level" gives one -O$level
	done
	for level in 0 1; do
		report "$name, -O$level of C" gives one --backend=c -O$level
	done
	rm -r first
done
tap_end
