#!/bin/sh
# tests/front.sh - changed programs through the front end, always the same ones
exec "$(dirname "$MPAC")/tests/fuzz/front" -n 3000 -t 30 "${srcdir:-.}"/tests/cases/*.mpa \
	"${srcdir:-.}"/tests/errors/*.mpa "${srcdir:-.}"/samples/*.mpa
