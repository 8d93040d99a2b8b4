#!/bin/sh
# tests/c_backend.sh - the back end that writes C: its forms, and other compilers of C
# (what its programs compute is compared by run-case)
. "${srcdir:-.}/tests/tap.sh"
cd "$work"
runtime=${MPA_RUNTIME_DIR:-$(dirname "$MPAC")}
ldflags="-lm -lpthread -ldl"

cat >heat.mpa <<'END'
param n = 20
grid plate[x: n, y: n periodic]
field u on plate = exp(-0.1 * (x - 3)^2) * (1 + y % 3)
boundary u = edge
for t in 0..50 { u += 0.2 * laplacian(u) }
print("{sum(u):.17g} {max(u):.17g}")
END
cat >scale.mpa <<'END'
grid row[x: 8]
field u on row = x
export fn total(q, w: f64): f64 = w * sum(q)
END
cat >use.c <<'END'
#include "scale.h"
#include <stdio.h>
#include <string.h>

int main(void)
{
	struct mpa *m;
	double r;

	if (scale_open(&m, NULL) || mpa_execute(m) || scale_total(m, mpa_find_field(m, "u"), 0.5, &r))
		return 1;
	printf("%g\n", r);
	return mpa_close(m) != 0;
}
END

standalone() {
	"$MPAC" --emit=c heat.mpa -o heat.c &&
		${MPA_CC:-cc} -O2 -ffp-contract=off heat.c "$runtime/libmpart.a" $ldflags -o heat-c &&
		"$MPAC" heat.mpa -o heat && test "$(./heat)" = "$(./heat-c)"
}

object() {
	"$MPAC" --backend=c --emit=obj heat.mpa -o heat.o &&
		${MPA_CC:-cc} heat.o "$runtime/libmpart.a" $ldflags -o heat-o &&
		test "$(./heat)" = "$(./heat-o)"
}

compiled_by() {
	"$MPAC" --backend=c --cc="$1" heat.mpa -o heat-$1 && test "$(./heat)" = "$(./heat-$1)"
}

library() {
	"$MPAC" --backend=c --emit=shared scale.mpa &&
		${MPA_CC:-cc} -I. -I"$srcdir/runtime/include" use.c -L. -lscale -Wl,-rpath,. -o use &&
		test "$(./use)" = 14
}

lines() {
	"$MPAC" --emit=c -g heat.mpa >lines && says lines '^#line 5 "heat.mpa"' &&
		"$MPAC" --emit=c heat.mpa >lines && ! grep -q '^#line' lines
}

refused() {
	pattern=$1
	shift
	! "$MPAC" "$@" heat.mpa >out 2>err && says err "$pattern"
}

at_the_prompt() {
	printf 'grid g[x: 4]\nfield u on g = x\n:emit c u = 2 * u\n' | "$MPAC" --repl >out &&
		says out "static void kernel_" && ! grep -q "^struct mpa_view" out
}

report "C that stands alone" standalone
report "an object" object
report "a library" library
report "lines of the source with -g" lines
report "no code of LLVM" refused "the back end .c. writes C" --backend=c --emit=llvm
report "no run in the process" refused "the back end .c. cannot run programs" run --backend=c
report "an item at the prompt" at_the_prompt
for cc in gcc clang; do
	if command -v $cc >/dev/null && $cc -dM -E - </dev/null 2>/dev/null | grep -q __GNUC__; then
		report "compiled by $cc" compiled_by $cc
	else
		skip "compiled by $cc" "not here"
	fi
done
tap_end
