#!/bin/sh
# tests/repl/terminal.sh - the prompt at a terminal; see terminal.py
. "${srcdir:-.}/tests/tap.sh"
if grep -q 'define HAVE_LINE_EDITING' config.h 2>/dev/null; then
	exec "$PYTHON3" -B "$srcdir/tests/repl/terminal.py"
fi
skip "the prompt at a terminal" "no library for editing lines"
tap_end
