#!/bin/sh
# tests/programs.sh - some random programs, always the same; see tests/fuzz/programs
exec "${PYTHON3:-python3}" "${srcdir:-.}/tests/fuzz/programs" --count=80 --seconds=40 \
	--shrink-seconds=0 --ranks='2 3 4 8'
