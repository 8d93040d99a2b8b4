#!/bin/sh
# tests/gpu.sh - programs on GPUs: what is missing is told, and the emulated GPU computes
# what a processor does, for both of NVRTC's compilers
# (run-case runs each program there)
. "${srcdir:-.}/tests/tap.sh"
samples=$(cd "$srcdir/samples" && pwd)
MPA_CACHE=$work/cache
export MPA_CACHE
unset MPA_FAKE_CUDA MPA_BACKEND
cd "$work"

cat >heat.mpa <<'END'
param n = 40
grid plate[x: n, y: n + 1]
field u on plate = exp(-((x - 15) / 8)^2) * (1 + y % 3)
boundary u = edge
for t in 0..10 { u += 0.2 * (u[x+1] + u[x-1] + u[y+1] + u[y-1] - 4 * u) }
print("{sum(u):.17g} {max(u)} {argmin(u)}")
END
{ echo 'backend "cuda"'; cat heat.mpa; } >asks.mpa
cat >calls.mpa <<'END'
extern fn j0(x: f64): f64
grid row[x: 8]
field u on row = x
u = u + j0(u)
print(sum(u))
END

# fails TEXT COMMAND...: with one message, which says so
fails() {
	text=$1
	shift
	! "$@" >out 2>&1 && says out "$text" && [ "$(grep -c error: out)" = 1 ]
}

equal() {
	"$@" >got 2>err && cmp wanted got
}

report "compiles" "$MPAC" heat.mpa -o heat
./heat >wanted
if [ -e /dev/nvidiactl ]; then
	skip "no driver" "there is one"
else
	report "no driver" fails "^heat: error: no GPU of CUDA here: .*MPA_FAKE_CUDA=1" ./heat --backend=cuda
fi
MPA_FAKE_CUDA=1
export MPA_FAKE_CUDA
report "no NVRTC" fails "^heat: error: no NVRTC here" env MPA_NVRTC=/nowhere ./heat --backend=cuda
report "with functions in C" "$MPAC" calls.mpa -o calls
report "... they are refused" fails "^calls.mpa:3:18: error: this calls functions in C" ./calls --backend=cuda
report "the prompt" fails "^mpac: error: lines of the prompt do not run on GPUs yet" \
	env MPA_BACKEND=cuda "$MPAC" --repl </dev/null
if (cd "$srcdir/tests" && "${PYTHON3:-python3}" -B -c 'import nvrtc, sys; sys.exit(not nvrtc.library())'); then
	report "emulated" equal ./heat --backend=cuda
	report "... from the cache" equal env PATH=/nowhere ./heat --backend=cuda
	report "... by a variable" equal env MPA_BACKEND=cuda ./heat
	report "... of 10.0" equal env MPA_FAKE_CUDA_CAPABILITY=100 ./heat --backend=cuda
	report "a program that asks for it" "$MPAC" asks.mpa -o asks
	report "... is on it" fails "^asks.mpa:1:1: error: no NVRTC here" env MPA_NVRTC=/nowhere ./asks
	report "... but if told otherwise" equal env MPA_NVRTC=/nowhere ./asks --backend=cpu
	report "memory is short" fails "the GPU cannot hold .u., .* bytes: CUDA_ERROR_OUT_OF_MEMORY" \
		env MPA_FAKE_CUDA_MEMORY=1000 ./heat --backend=cuda
	for name in gray_scott lattice_boltzmann noise; do
		case $name in
		gray_scott) options="--n=24 --steps=5" ;;
		lattice_boltzmann) options="--nx=24 --ny=16 --steps=5" ;;
		*) options=--n=40 ;;
		esac
		"$MPAC" "$samples/$name.mpa" -o $name && ./$name $options >wanted
		report "$name of 10.0" equal env MPA_FAKE_CUDA_CAPABILITY=100 ./$name $options --backend=cuda
	done
else
	skip "the emulated GPU" "NVRTC is not here"
fi
tap_end
