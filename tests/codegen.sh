#!/bin/sh
# tests/codegen.sh - what must, and must not, stand in the code of kernels
. "${srcdir:-.}/tests/tap.sh"
cd "$work"

cat >f32.mpa <<'END'
grid plate[x: 64 periodic, y: 64 periodic]
field u: f32 on plate = 1
for t in 0..10 { u += 0.1 * (u[x+1] + u[x-1] + u[y+1] + u[y-1] - 4 * u) }
save("u.npy", u)
END
cat >f64.mpa <<'END'
grid plate[x: 64 periodic, y: 64 periodic]
field u on plate = 1
for t in 0..10 { u += 0.1 * (u[x+1] + u[x-1] + u[y+1] + u[y-1] - 4 * u) }
save("u.npy", u)
END

cat >same.mpa <<'END'
grid a[x: 64 periodic]
grid b[z: 32 periodic]
field u on a
field v on b
fn smooth(q, along: axis, w) = w * (q[along-1] + q[along+1])
let w = sum(u)
u = smooth(u, x, w)
print(sum(u))
v = smooth(v, z, 2 * w)
print(sum(v))
u = smooth(u, x, 0.0)
print(sum(u))
u = smooth(u, x, -0.0)
END

# how often a product is stored: once for u and v, once for each constant
share() {
	"$MPAC" --emit=kernels same.mpa -o same.kernels &&
		"$MPAC" --emit=llvm -O0 "$@" same.mpa -o same.ll || return 1
	awk '/^kernel/ { name = $2 } /= mul/ { print name }' same.kernels >products
	awk '/^define .*void @same_/ { sub(/.*@/, ""); sub(/\(.*/, ""); print }' same.ll >made
	[ "$(wc -l <products)" = 4 ] && grep -c -w -F -f products made
}

shares() {
	[ "$(share)" = 3 ] && [ "$(share -g)" = 4 ]
}

no_f64() {
	"$MPAC" --emit=llvm -O0 f32.mpa -o f32.ll && grep -q float f32.ll || return 1
	! awk '/^define .*void @f32_/ { kernel = 1 } /^}/ { kernel = 0 } kernel' f32.ll |
		grep double
}

has_tenth() {
	"$MPAC" --emit=llvm -O0 f64.mpa -o f64.ll && grep -q 'double.*\(0x3FB999999999999A\|1.000000e-01\)' f64.ll
}

vectorised() {
	"$MPAC" --emit=asm "$1" -o "${1%.mpa}.s" && grep -q "$2" "${1%.mpa}.s"
}

no_fma() {
	"$MPAC" --emit=asm --target-cpu=haswell "$1" -o strict.s && ! grep vfm strict.s
}

report "f32 kernels compute in f32" no_f64
report "0.1 is the double next to it" has_tenth
report "kernels that compute the same share their code, but with -g" shares
case $(uname -m) in
x86_64)
	report "f64 kernels use vectors" vectorised f64.mpa 'mulpd\|addpd'
	report "f32 kernels use vectors" vectorised f32.mpa 'mulps\|addps'
	report "nothing is contracted" no_fma f64.mpa
	;;
*)
	skip "vectors" "looked for on x86-64 only"
	;;
esac
report "-g names lines of the program" sh -c '"$MPAC" --emit=llvm -g f64.mpa -o g.ll &&
	grep -q "DILocation(line: 3" g.ll && grep -q "DIFile(filename: \"f64.mpa\"" g.ll'
tap_end
