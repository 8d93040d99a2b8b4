#!/bin/sh
# tests/code_rules.sh - the rules of HACKING that a script can check, as TAP: who
# includes whom, which calls stand where, and that no variable outlives a call
srcdir=${srcdir:-.}
exec "$PYTHON3" -B "$srcdir/tests/check-code" "$srcdir"
