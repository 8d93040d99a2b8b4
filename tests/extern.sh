#!/bin/sh
# tests/extern.sh - functions in C from objects, archives and libraries: every type passes
# as C has it, in compiled programs and in the evaluator; what is missing is told
. "${srcdir:-.}/tests/tap.sh"

cat >"$work/mine.c" <<'END'
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
int32_t twice(int32_t x) { return 2 * x; }
uint8_t next(uint8_t x) { return x + 1; }
bool odd(int64_t k) { return k & 1; }
float half(float x) { return x / 2; }
int64_t length(const char *t) { return (int64_t)strlen(t); }
double seven(void) { return 7; }
double mix(bool b, uint8_t u, int32_t i, int64_t j, float f, double d)
{
	return b + 2.0 * u + 3.0 * i + 4.0 * (double)j + 5.0 * (double)f + 6.0 * d;
}
END
cat >"$work/p.mpa" <<'END'
extern fn twice(x: i32): i32
extern fn next(x: u8): u8
extern fn odd(k: i64): bool
extern fn half(x: f32): f32
extern fn length(t: str): i64
extern fn mix(b: bool, u: u8, i: i32, j: i64, f: f32, d: f64 = 0.5): f64
extern fn seven(): f64
fn apply(g, q) = g(q)
grid row[x: 5 periodic]
field k: i32 on row = x - 2
field b: u8 on row = 253 + x
field f: f32 on row = half(x)
print(twice(k), next(b), f)
where odd(x) { f = 9 }
print(f, odd(3), odd(4), length("four"), length("{seven()}"))
print(mix(odd(x), b, k[x+1], x, f))
print(mix(true, 255, -7, 1, 0.25, 1e-3), next(255), apply(half, f), count(odd(k)))
local { assert(twice(21) == 42) }
END
cat >"$work/wanted" <<'END'
[-4 -2  0  2  4] [254 255   0   1   2] [0.  0.5 1.  1.5 2. ]
[0. 9. 1. 9. 2.] true false 4 3
[506. 561. 529.  67.  25.]
495.256 0 [0.  4.5 0.5 4.5 1. ] 2
END
cat >"$work/lost.mpa" <<'END'
extern fn seven(): f64

extern fn lost_one(x: f64): f64
grid row[x: 5]
field u on row = lost_one(x) + seven()
print(u)
END

gives() {
	"$@" >"$work/out" && diff "$work/wanted" "$work/out"
}

# refuses COMMAND...: one error, at the line of the function
refuses() {
	"$@" >"$work/out" 2>&1 && return 1
	says "$work/out" "lost.mpa:3:11: error: .* has the function .lost_one" &&
		[ "$(grep -c error: "$work/out")" = 1 ]
}

report "C" ${CC:-cc} -O1 -fPIC -c "$work/mine.c" -o "$work/mine.o"
report "archive" ar rc "$work/libmine.a" "$work/mine.o"
report "library" ${CC:-cc} -shared -o "$work/libshared.so" "$work/mine.o"
report "with an object" "$MPAC" "$work/mine.o" "$work/p.mpa" -o "$work/p"
report "runs" gives "$work/p"
for mpi in "MPICH $MPIEXEC_MPICH" "OpenMPI $MPIEXEC_OPENMPI"; do
	if [ -n "${mpi#* }" ]; then
		report "${mpi%% *}: 3 ranks" gives ${mpi#* } -n 3 "$work/p"
	else
		skip "${mpi%% *}: 3 ranks" "not here"
	fi
done
report "with an archive" "$MPAC" "$work/p.mpa" "$work/libmine.a" -o "$work/p"
report "runs" gives "$work/p"
report "with -l" "$MPAC" -L"$work" -lshared "$work/p.mpa" -o "$work/p"
report "runs" gives env LD_LIBRARY_PATH="$work" "$work/p"
report "run, archive" gives "$MPAC" run -L"$work" -lmine "$work/p.mpa"
report "run, archive by name" gives "$MPAC" run "$work/libmine.a" "$work/p.mpa"
report "evaluator, object" gives "$MPAC" "$work/mine.o" --evaluate "$work/p.mpa"
report "evaluator, archive" gives "$MPAC" -L "$work" -l mine --evaluate "$work/p.mpa"
# of libraries with -ffast-math subnormal numbers are flushed where they are loaded
cat >"$work/tiny.mpa" <<'END'
param n = 40000
extern fn seven(): f64
grid row[x: n]
field u on row = 2.0 ^ -1060 * (x + 1) / seven() # threads share it
print(count(u > 0) == n, sum(u * 2.0 ^ 1000) > 0, 2.0 ^ -1060 / 2 > 0, 2.0 ^ (-n / 40000 - 1070) > 0)
END
echo "true true true true" >"$work/wanted"
report "a library with -ffast-math" ${CC:-cc} -shared -ffast-math -o "$work/libfast.so" "$work/mine.o"
report "with it" "$MPAC" -L"$work" -lfast "$work/tiny.mpa" -o "$work/tiny"
report "subnormal numbers" gives env LD_LIBRARY_PATH="$work" "$work/tiny" --threads=1
report "on threads" gives env LD_LIBRARY_PATH="$work" "$work/tiny" --threads=3
if [ -n "$MPIEXEC_MPICH" ]; then
	report "on ranks" gives env LD_LIBRARY_PATH="$work" $MPIEXEC_MPICH -n 2 "$work/tiny"
fi
report "missing" refuses "$MPAC" "$work/mine.o" "$work/lost.mpa" -o "$work/lost"
report "missing, evaluator" refuses "$MPAC" "$work/mine.o" --evaluate "$work/lost.mpa"
report "nothing is left" test ! -e "$work/lost"
tap_end
