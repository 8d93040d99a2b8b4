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

cat >table.mpa <<'END'
grid row[x: 200000]
field a on row = x
field b on row = x
print(sum(a) + sum(b))
END

# many FIELDS: a kernel that reads so many
many() {
	echo 'grid plate[x: 9, y: 70]'
	for i in $(seq $1); do
		[ $((i % 40)) = 9 ] && value="x + y / $i" || value=1
		echo "field f$i on plate = $value"
	done
	echo "field u on plate = 0"
	echo "u = f1[x,y]$(for i in $(seq 2 $1); do printf ' + %d * f%d' $i $i; done)"
	echo 'print("{sum(u):.17g} {max(u)}")'
}

# fails TEXT COMMAND...: with one message, which says so
fails() {
	text=$1
	shift
	! "$@" >out 2>&1 && says out "$text" && [ "$(grep -c error: out)" = 1 ]
}

# no_transfers LINE PROFILE: nothing goes to the host or to the device for it
no_transfers() {
	says "$2" "^transfers: where" &&
		! grep "^$1:.*" "$2" | grep -Evq "^[^ ]+ +[0-9]+ +0 +0 +[0-9]+ +[0-9]+\$|kernel|heat_"
}

# chooses TEXT COMMAND...: it runs as wanted, and tells where in one line
chooses() {
	text=$1
	shift
	"$@" --backend=auto >got 2>err && cmp wanted got && says err "^[a-z]*: runs on the $text" &&
		[ "$(grep -c "runs on" err)" = 1 ]
}

# one_of_3 PROGRAM MORE...: the last of three ranks has no NVRTC
one_of_3() {
	$mpiexec -n 2 "$@" : -n 1 env MPA_GPU_CODE=nvrtc MPA_NVRTC=/nowhere "$@"
}

# bound MORE...: as a scheduler does, each rank is shown a device of its own
bound() {
	$MPIEXEC_MPICH -n 1 env MPA_FAKE_CUDA_DEVICES=2 CUDA_VISIBLE_DEVICES=1 ./heat "$@" : \
		-n 1 env MPA_FAKE_CUDA_DEVICES=2 CUDA_VISIBLE_DEVICES=0 ./heat "$@"
}

prompt() {
	echo '1 + 1' | env MPA_BACKEND=auto "$@" "$MPAC" --repl >out 2>&1
}

silent() {
	"$@" >got 2>err && ! [ -s err ]
}

profiled() {
	"$@" --backend=cuda --profile 2>profile >out
}

# accepted PROGRAM: ptxas takes its kernels, too
accepted() {
	"$MPAC" --emit=cuda "$1" -o - | PYTHONPATH=$srcdir/tests "${PYTHON3:-python3}" -B -c '
import sys, nvrtc
ptx, code, log = nvrtc.compile(nvrtc.library(), sys.stdin.buffer.read(), "sm_80")
sys.exit(0 if code and not log else log.decode() or "no code")'
}

passes() {
	"$@" >out && ! says out SKIP >log && says out "^ok"
}

equal() {
	"$@" >got 2>err && cmp wanted got
}

"${PYTHON3:-python3}" -B "$srcdir/tests/check-driver" "$srcdir" >driver 2>&1
case $? in
77) skip "CUDA's header" "there is no cuda.h" ;;
0) report "CUDA's header" true ;;
*) report "CUDA's header" says driver "it has what the tables of the driver say" ;;
esac
made=$(sha256sum "$srcdir/runtime/device/cuda/support.cu" | cut -d" " -f1)
report "support.ptx is of support.cu" says "$srcdir/runtime/device/cuda/support.ptx" "^// made by .*, $made"
report "compiles" "$MPAC" heat.mpa -o heat
./heat >wanted
if [ -e /dev/nvidiactl ]; then
	skip "no driver" "there is one"
else
	report "it is left to the program" chooses "processor: no GPU of CUDA here" ./heat
	report "no driver" fails "^heat: error: no GPU of CUDA here: .*MPA_FAKE_CUDA=1" ./heat --backend=cuda
fi
MPA_FAKE_CUDA=1
export MPA_FAKE_CUDA
report "without NVRTC" equal env MPA_NVRTC=/nowhere ./heat --backend=cuda
report "... not asked for" equal env MPA_GPU_CODE=ptx ./heat --backend=cuda
report "... neither" fails "MPA_GPU_CODE is nvrtc or ptx, not .cubin." env MPA_GPU_CODE=cubin ./heat --backend=cuda
report "no NVRTC" fails "^heat: error: no NVRTC here" env MPA_GPU_CODE=nvrtc MPA_NVRTC=/nowhere ./heat --backend=cuda
report "with functions in C" "$MPAC" calls.mpa -o calls
report "... they are refused" fails "^calls.mpa:3:18: error: this calls functions in C" ./calls --backend=cuda
printf 'grid row[x: 4]\nfield u on row = x\n' >lines
report "the prompt without NVRTC" fails "^mpac: error: no NVRTC here" \
	env MPA_BACKEND=cuda MPA_GPU_CODE=nvrtc MPA_NVRTC=/nowhere "$MPAC" --repl <lines
if (cd "$srcdir/tests" && "${PYTHON3:-python3}" -B -c 'import nvrtc, sys; sys.exit(not nvrtc.library())'); then
	report "emulated" equal ./heat --backend=cuda
	report "... from the cache" equal env PATH=/nowhere ./heat --backend=cuda
	report "... without a home" equal env MPA_CACHE= XDG_CACHE_HOME= HOME=/proc/self ./heat --backend=cuda
	report "... by a variable" equal env MPA_BACKEND=cuda ./heat
	report "... of 10.0" equal env MPA_FAKE_CUDA_CAPABILITY=100 ./heat --backend=cuda
	report "... with checks" equal env MPA_FAKE_CUDA=check ./heat --backend=cuda
	report "a program that asks for it" "$MPAC" asks.mpa -o asks
	report "... is on it" fails "^asks.mpa:1:1: error: no NVRTC here" env MPA_GPU_CODE=nvrtc MPA_NVRTC=/nowhere ./asks
	report "... but if told otherwise" equal env MPA_GPU_CODE=nvrtc MPA_NVRTC=/nowhere ./asks --backend=cpu
	report "chosen" chooses "GPU: emulated GPU\$" ./heat
	report "... without NVRTC" chooses "processor: no NVRTC here" env MPA_GPU_CODE=nvrtc MPA_NVRTC=/nowhere ./heat
	report "... in silence" silent env MPA_GPU_CODE=nvrtc MPA_NVRTC=/nowhere ./heat --backend=auto --quiet
	for mpiexec in "${MPIEXEC_MPICH-}" "${MPIEXEC_OPENMPI-}"; do
		[ -n "$mpiexec" ] || continue
		report "... by 3 ranks" chooses "GPU: emulated GPU\$" $mpiexec -n 3 ./heat
		report "... if one cannot" chooses "processor: no NVRTC here" one_of_3 ./heat
	done
	./calls --backend=cpu >wanted
	report "... at the prompt" prompt
	report "... which tells" says out "^mpac: runs on the GPU: emulated GPU"
	report "... without NVRTC there" prompt MPA_GPU_CODE=nvrtc MPA_NVRTC=/nowhere
	report "... on the processor" says out "^mpac: runs on the processor: no NVRTC here"
	report "... with functions in C" chooses "processor: calls.mpa:3:18 calls functions in C" ./calls
	./heat >wanted
	report "devices in the profile" profiled ./heat
	report "... where kernels are from" says profile \
		"^rank 0 on emulated GPU, device 0, bus 0000:00:00.0, capability 8.0, 8192 MiB, driver of CUDA 13.0; kernels by NVRTC [0-9.]*, from the cache\$"
	report "memory is short" fails \
		"^heat.mpa:3:7: error: the GPU of rank 0 has no room for .u.: that takes .* MiB" \
		env MPA_FAKE_CUDA_MEMORY=10000 ./heat --backend=cuda
	report "allocations fail" fails \
		"^heat.mpa:3:7: error: the GPU cannot hold .u.* CUDA_ERROR_OUT_OF_MEMORY: allocation 1 is to fail" \
		env MPA_FAKE_CUDA_FAULT=alloc:1 ./heat --backend=cuda
	report "modules fail" fails "^heat: error: the GPU cannot load the kernels that NVRTC .* of CUDA 13.0: CUDA_ERROR_INVALID_IMAGE" \
		env MPA_GPU_CODE=nvrtc MPA_FAKE_CUDA_FAULT=load ./heat --backend=cuda
	report "launches fail" fails "^heat: error: the GPU cannot .*: CUDA_ERROR_LAUNCH_FAILED: launch 7 is" \
		env MPA_FAKE_CUDA_FAULT=launch:7 ./heat --backend=cuda
	report "there is no device" fails "^heat: error: the GPU cannot begin: CUDA_ERROR_NO_DEVICE" \
		env MPA_FAKE_CUDA_FAULT=no-device ./heat --backend=cuda
	report "... of those shown" fails "^heat: error: the GPU cannot begin: CUDA_ERROR_NO_DEVICE" \
		env MPA_FAKE_CUDA_DEVICES=2 CUDA_VISIBLE_DEVICES=2 ./heat --backend=cuda
	report "a fault without sense" fails "MPA_FAKE_CUDA_FAULT=alloc:none is not alloc:N" \
		env MPA_FAKE_CUDA_FAULT=alloc:none ./heat --backend=cuda
	for order in lazy eager 3; do
		report "streams in order $order" equal env MPA_FAKE_CUDA_ORDER=$order ./heat --backend=cuda
	done
	if [ -n "${MPIEXEC_MPICH-}" ]; then
		for order in lazy eager 3; do
			report "4 ranks with checks in order $order" equal \
				env MPA_FAKE_CUDA=check MPA_FAKE_CUDA_ORDER=$order $MPIEXEC_MPICH -n 4 ./heat --backend=cuda
		done
		report "3 ranks of 2 devices" profiled env MPA_FAKE_CUDA_DEVICES=2 $MPIEXEC_MPICH -n 3 ./heat
		report "... share one" says profile "^rank 2 on emulated GPU 0, device 0,"
		report "... and do not the other" says profile "^rank 1 on emulated GPU 1, device 1,"
		report "2 ranks with a device each" profiled bound
		report "... take the first" says profile "^rank 0 on emulated GPU 1, device 0, bus 0000:01:00.0,"
		report "... that they see" says profile "^rank 1 on emulated GPU 0, device 0, bus 0000:00:00.0,"
	else
		skip "3 ranks of 2 devices" "MPICH is not here"
	fi
	report "... and what it has gone to" "$MPAC" table.mpa -o table
	report "... is listed" fails \
		"1.5 MiB  a, of which 0.0 MiB are ghosts and gaps" \
		env MPA_FAKE_CUDA_MEMORY=2000000 ./table --backend=cuda
	for n in 168 169 400; do # arguments of 4096 bytes, and more
		many $n >many.mpa
		report "$n fields" "$MPAC" many.mpa -o many
		./many >wanted
		report "... in one kernel" equal ./many --backend=cuda
		report "... of 10.0" equal env MPA_FAKE_CUDA_CAPABILITY=100 ./many --backend=cuda
	done
	report "... as code" accepted many.mpa
	./heat >wanted
	report "a time loop moves" profiled ./heat
	report "... nothing" no_transfers heat.mpa:5 profile
	if [ -n "${MPIEXEC_MPICH-}" ]; then
		report "... on 4 ranks" profiled $MPIEXEC_MPICH -n 4 ./heat
		report "... but ghosts" no_transfers heat.mpa:5 profile
		report "... which are told" says profile "^heat.mpa:5:18 *10 *0 *0 *[1-9]"
		report "one of them compiles" profiled env MPA_CACHE=$work/empty $MPIEXEC_MPICH -n 4 ./heat
		report "... for all" eval 'test $(grep -c "from the cache$" profile) = 3'
	else
		skip "ghosts of 4 ranks" "MPICH is not here"
	fi
	for name in forms cuda bits; do # what make check-gpu runs, here without one
		report "tests of GPUs: $name" passes "$MPA_RUNTIME_DIR/tests/unit/gpu_$name"
	done
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
