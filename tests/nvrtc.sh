#!/bin/sh
# tests/nvrtc.sh - which NVRTC is taken, and what is told if none fits, by libraries that
# say that they are one (fake_nvrtc.c)
. "${srcdir:-.}/tests/tap.sh"
MPA_FAKE_CUDA=1 MPA_CACHE=$work/cache # of CUDA 13.0, capability 8.0
MPA_GPU_CODE=nvrtc
export MPA_FAKE_CUDA MPA_CACHE MPA_GPU_CODE
unset CUDA_HOME CUDA_PATH VIRTUAL_ENV CONDA_PREFIX MPA_NVRTC
cd "$work"

# fake FILE VERSION KNOWN MORE...
fake() {
	mkdir -p "$(dirname "$1")"
	file=$1 major=${2%.*} minor=${2#*.} known=$3
	shift 3
	${CC:-cc} -shared -fPIC -w -DMAJOR=$major -DMINOR=$minor "-DKNOWN=$known" "$@" \
		"$srcdir/tests/fake_nvrtc.c" -o "$file"
}

# tells TEXT VARIABLE=VALUE...: that is what the program says, and it fails
tells() {
	text=$1
	shift
	! env "$@" ./p --backend=cuda >out 2>&1 && says out "$text" && [ "$(grep -c error: out)" = 1 ]
}

cat >p.mpa <<'END'
grid row[x: 8]
field u on row = x
u = 2 * u
print(sum(u))
END
report "compiles" "$MPAC" p.mpa -o p
report "no such file" tells "^p: error: no NVRTC here.*(/nowhere: cannot open" MPA_NVRTC=/nowhere
echo text >text.so
report "no library" tells "^p: error: no NVRTC here.*(./text.so: " MPA_NVRTC=./text.so
fake old/libnvrtc.so 11.1 80 -DLACKS_TARGETS
report "before 11.2" tells \
	"old/libnvrtc.so lacks nvrtcGetNumSupportedArchs: it is older than NVRTC 11.2" \
	MPA_NVRTC=old/libnvrtc.so
fake late/libnvrtc.so 14.1 75,80
report "later than the driver" tells \
	"NVRTC 14.1 (late/libnvrtc.so) is too new for the GPU's driver, which is of CUDA 13.0: install a newer driver or NVRTC 13" \
	MPA_NVRTC=late/libnvrtc.so
fake some/libnvrtc.so 12.9 90,60,75
report "a GPU before its first" tells \
	"the GPU, of capability 5.2, is too old for NVRTC 12.9 (some/libnvrtc.so), which begins at 6.0" \
	MPA_NVRTC=some/libnvrtc.so MPA_FAKE_CUDA_CAPABILITY=52
report "a GPU after its last" tells "refuses the kernels for compute_90:" \
	MPA_NVRTC=some/libnvrtc.so MPA_FAKE_CUDA_CAPABILITY=120
report "a GPU between" tells "refuses the kernels for compute_75:" \
	MPA_NVRTC=some/libnvrtc.so MPA_FAKE_CUDA_CAPABILITY=86
report "its log" tells \
	"^p: error: NVRTC 12.9 (some/libnvrtc.so) refuses the kernels for compute_75: heat.mpa(3): error: identifier \"nothing\" is undefined\$" \
	MPA_NVRTC=some/libnvrtc.so
report "... with the line" says out "^  u\[i\] = nothing;\$"
report "... without warnings before" eval '! says out warning >log'

fake toolkit/lib64/libnvrtc.so.9 9.0 50,80
fake toolkit/lib64/libnvrtc.so.13 13.0 75,80
report "the newest" tells "NVRTC 13.0 (toolkit/lib64/libnvrtc.so.13) refuses" CUDA_HOME=toolkit
report "... by the other variable" tells "NVRTC 13.0 (toolkit/lib64/libnvrtc.so.13) refuses" \
	CUDA_PATH=toolkit
fake toolkit/lib64/libnvrtc.so.14 14.0 75,80
report "... that the driver takes" tells "NVRTC 13.0 (toolkit/lib64/libnvrtc.so.13) refuses" \
	CUDA_HOME=toolkit
report "... and that knows the GPU" tells \
	"NVRTC 9.0 (toolkit/lib64/libnvrtc.so.9) refuses the kernels for compute_50" \
	CUDA_HOME=toolkit MPA_FAKE_CUDA_CAPABILITY=52
fake toolkit/lib64/libnvrtc.so.12 12.9 75,80
report "an older one for an older driver" tells "NVRTC 12.9 (toolkit/lib64/libnvrtc.so.12) refuses" \
	CUDA_HOME=toolkit MPA_FAKE_CUDA_DRIVER=12020
packages=lib/python3.11/site-packages/nvidia
fake venv/$packages/cu13/lib/libnvrtc.so.13 13.0 30
report "Python's of an environment" tells "NVRTC 13.0 (venv/$packages/cu13/lib/libnvrtc.so.13)" \
	VIRTUAL_ENV=venv MPA_FAKE_CUDA_CAPABILITY=32
fake conda/lib/libnvrtc.so.12 12.2 30
report "Conda's" tells "NVRTC 12.2 (conda/lib/libnvrtc.so.12)" \
	CONDA_PREFIX=conda MPA_FAKE_CUDA_CAPABILITY=32
fake home/.local/$packages/cuda_nvrtc/lib/libnvrtc.so.12 12.1 30
report "Python's of the user" tells \
	"NVRTC 12.1 (home/.local/$packages/cuda_nvrtc/lib/libnvrtc.so.12)" \
	HOME=home MPA_FAKE_CUDA_CAPABILITY=32
tap_end
