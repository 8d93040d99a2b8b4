#!/bin/sh
# tests/repl/cases.sh - the programs of tests/cases, typed line by line: the same comes out
. "${srcdir:-.}/tests/tap.sh"

cases=$srcdir/tests/cases
cp "$cases"/*.mpa "$work"
cd "$work" || exit 1

typed() {
	"$MPAC" --repl <"$1.mpa" >out 2>err || { cat err; return 1; }
	diff "$cases/$1.out" out
}

for program in "$cases"/*.mpa; do
	name=$(basename "$program" .mpa)
	# walls_computed says `boundary a = computed` on a line of its own
	[ "$name" = walls_computed ] && continue
	# those that take options, fail, or read files that their scripts make
	if [ -f "$cases/$name.out" ] && ! grep -Eq '^#! (args|mpac|status|least|needs):' "$program" &&
		! grep -qs 'def prepare' "$cases/$name.py"; then
		report "$name" typed "$name"
	fi
done
tap_end
