#!/bin/sh
# tests/repl/prompt.sh - transcripts: what is piped into the prompt, NAME.in, beside what
# comes out, NAME.out, messages included, where they arise, and the status at the end.
# Alone, on four ranks and where NVRTC is on the emulated GPU it is the same. UPDATE=1
# writes them anew.
. "${srcdir:-.}/tests/tap.sh"

here=$srcdir/tests/repl
cp "$here"/*.mpa "$work"
cd "$work" || exit 1

options() {
	sed -n '1s/^#! options: //p' "$here/$1.in"
}

# says_so NAME: as NAME.out
says_so() {
	status=0
	# shellcheck disable=SC2046
	"$MPAC" --repl $(options "$1") <"$here/$1.in" >got 2>&1 || status=$?
	echo "status $status" >>got
	[ -z "$UPDATE" ] || cp got "$here/$1.out"
	diff "$here/$1.out" got
}

# Standard output to $2.out, messages to $2.err without what launchers say of a status.
apart() {
	name=$1 to=$2 status=0
	shift 2
	# shellcheck disable=SC2046
	"$@" "$MPAC" --repl $(options "$name") <"$here/$name.in" >"$to.out" 2>all || status=$?
	sed '/^-----*$/,$d' all >"$to.err"
	echo "status $status" >>"$to.err"
}

# as_alone NAME LAUNCHER...: the same on ranks, where a launcher brings two streams together
as_alone() {
	name=$1
	shift
	apart "$name" alone env
	apart "$name" ranks "$@"
	diff alone.out ranks.out && diff alone.err ranks.err
}

on_gpu() (
	MPA_BACKEND=cuda MPA_FAKE_CUDA=1 MPA_CACHE=$work/cache
	export MPA_BACKEND MPA_FAKE_CUDA MPA_CACHE
	says_so "$1"
)

gpu=false
(cd "$srcdir/tests" && "${PYTHON3:-python3}" -B -c 'import nvrtc, sys; sys.exit(not nvrtc.library())') && gpu=true
for input in "$here"/*.in; do
	name=$(basename "$input" .in)
	report "$name" says_so "$name"
	[ -z "$UPDATE" ] || continue
	if "$gpu"; then
		report "$name: emulated GPU" on_gpu "$name"
	else
		skip "$name: emulated GPU" "NVRTC is not here"
	fi
	for mpi in "MPICH $MPIEXEC_MPICH" "OpenMPI $MPIEXEC_OPENMPI"; do
		mpiexec=${mpi#* }
		if [ -z "$mpiexec" ]; then
			skip "$name: ${mpi%% *}" "not here"
		else
			report "$name: ${mpi%% *}" as_alone "$name" $mpiexec -n 4
		fi
	done
done
tap_end
