#!/bin/sh
# tests/forms.sh [--accept] - the plans and kernels of small programs, as TAP
#
# What stands beside tests/forms/NAME.mpa in NAME.plan and NAME.kernels is what the
# scheduler is expected to leave; --accept writes what it leaves now. Read the
# difference before accepting it.
srcdir=${srcdir:-.}
MPAC=${MPAC:-./mpac}
count=0
for program in "$srcdir"/tests/forms/*.mpa; do
	name=$(basename "$program" .mpa)
	for form in plan kernels; do
		expected=$srcdir/tests/forms/$name.$form
		count=$((count + 1))
		if test "$1" = --accept; then
			"$MPAC" --verify-ir --emit=$form -o - "$program" > "$expected" || exit
			continue
		fi
		if "$MPAC" --verify-ir --emit=$form -o - "$program" 2>&1 |
			diff "$expected" - > forms.$$; then
			echo "ok $count - $name.$form"
		else
			echo "not ok $count - $name.$form"
			sed 's/^/# /' forms.$$
		fi
		rm -f forms.$$
	done
done
echo "1..$count"
