#!/bin/sh
# tests/library.sh - the examples in the comments of the library, as TAP
srcdir=${srcdir:-.}
exec "$PYTHON3" -B "$srcdir/tests/check-library" "$srcdir"/stdlib/*.mpa
