#!/bin/sh
# autogen.sh - make configure from configure.ac (after a checkout)
set -e
cd "$(dirname "$0")"
exec autoreconf --install --warnings=all,no-portability
