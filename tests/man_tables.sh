#!/bin/sh
# tests/man_tables.sh - the man pages against the tables of the source, as TAP
srcdir=${srcdir:-.}
exec "$PYTHON3" -B "$srcdir/tests/check-tables" "$srcdir"
