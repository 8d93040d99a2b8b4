#!/bin/sh
# tests/man_examples.sh - the programs in the man pages, as TAP
srcdir=${srcdir:-.}
exec "$PYTHON3" -B "$srcdir/tests/check-man" "$srcdir/man/mpa.7" "$srcdir/man/mpac.1" \
	"$srcdir/man/mpa-program.1"
