#!/bin/sh
# tests/syntax/run.sh - the front end on files beside their answers; TAP
#
#   fine/X.mpa     parses without a message
#   tree/X.mpa     gives the trees in tree/X.out
#   error/X.mpa    gives the messages in error/X.out
#   prompt/X.in    gives, line by line, the answers in prompt/X.out
# UPDATE=1 writes the answers instead; read them before you keep them.

here=$(cd "${srcdir:-.}/tests/syntax" && pwd)
front=$(cd "$(dirname "${FRONT:-tests/syntax/front}")" && pwd)/front
got=$(mktemp) || exit 99
trap 'rm -f "$got"' EXIT
count=0

[ -x "$front" ] || exit 99

# report NAME ANSWER - compare what is in $got, or keep it
report() {
	count=$((count + 1))
	if [ -n "$UPDATE" ]; then
		cp "$got" "$2"
		echo "ok $count - $1 # written"
	elif diff -u "$2" "$got" >"$got.diff"; then
		echo "ok $count - $1"
	else
		echo "not ok $count - $1"
		sed 's/^/# /' "$got.diff"
	fi
	rm -f "$got.diff"
}

cd "$here" || exit 99
for f in fine/*.mpa; do
	"$front" "$f" >"$got" 2>&1
	UPDATE='' report "$f" /dev/null
done
for f in tree/*.mpa; do
	"$front" -t "$f" >"$got" 2>&1
	report "$f" "${f%.mpa}.out"
done
for f in error/*.mpa; do
	"$front" "$f" >"$got" 2>&1
	report "$f" "${f%.mpa}.out"
done
for f in prompt/*.in; do
	"$front" -i <"$f" >"$got" 2>&1
	report "$f" "${f%.in}.out"
done
echo "1..$count"
