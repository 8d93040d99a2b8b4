#!/bin/sh
# tests/exec/heat.sh - the hand-written program: the same bits on every number of ranks
# and threads under each MPI, its options, and how failures end; prints TAP

prog=$(pwd)/tests/exec/heat
number=0
status=0
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 MPA_PLUGIN_DIR=$(pwd)
OMPI_MCA_orte_tmpdir_base=$(mktemp -d) # or launches at the same time collide
export OMPI_MCA_orte_tmpdir_base
trap 'rm -rf "$OMPI_MCA_orte_tmpdir_base"' EXIT
ASAN_OPTIONS=detect_leaks=0 # those of MPI
export ASAN_OPTIONS OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM MPA_PLUGIN_DIR

# same TEXT GOT WANTED
same() {
	number=$((number + 1))
	if test "$2" = "$3"; then
		echo "ok $number - $1"
	else
		echo "not ok $number - $1"
		printf 'got: %s\nwanted: %s\n' "$2" "$3" | sed 's/^/# /'
		status=1
	fi
}

launch() { # launch MPI RANKS ARGUMENT...; the libraries of MPI may say things, too
	mpi=$1 ranks=$2
	shift 2
	case $mpi in
	mpich) timeout 120 mpiexec.mpich -n "$ranks" "$prog" "$@" ;;
	openmpi) timeout 120 mpiexec.openmpi --oversubscribe -n "$ranks" "$prog" "$@" ;;
	esac
}

right='sum 3879935.9999999995 max 3822.783163137454 first 3024 u -133.06867878760636'
small='sum 45.00000000000001 max 6.939941673126771 first 12 u 0.4506606688400039'

same 'one rank' "$("$prog" --threads=1)" "$right"
same 'one rank, two threads' "$("$prog" --threads=2)" "$right"
same 'few points' "$("$prog" --n=5 --m=3)" "$small"
same 'quiet' "$("$prog" --quiet)" ''
same 'another seed' "$("$prog" --seed=-3 --check)" "$right"
same 'an unknown option' "$("$prog" --stesp=3 2>&1; echo $?)" \
	"heat: error: there is no option --stesp; did you mean --steps?
2"
same 'no points' "$("$prog" --n=0 2>&1; echo $?)" \
	"heat.mpa:2:12: error: axis x has 0 points; it needs at least one
1"
same 'a file that cannot be written' \
	"$("$prog" --quiet --file=/nonexistent/u.npy 2>&1 | grep -c '^heat.mpa:7:18: error: ')" 1
same 'a back end that is not there' "$("$prog" --backend=cuda 2>&1; echo $?)" \
	"heat: error: there are no kernels for GPUs in this program
1"

for mpi in mpich openmpi; do
	if ! test -f "mpa_$mpi.so" || ! command -v mpiexec.$mpi >/dev/null; then
		number=$((number + 1))
		echo "ok $number - $mpi # SKIP not built"
		continue
	fi
	for n in 2 3 4 8; do
		same "$mpi, $n ranks" "$(launch $mpi $n 2>/dev/null)" "$right"
	done
	same "$mpi, more ranks than points" "$(launch $mpi 7 --n=5 --m=3 --check 2>/dev/null)" "$small"
	same "$mpi, a process grid" "$(launch $mpi 6 --procs=2x3 2>/dev/null)" "$right"
	same "$mpi, a process grid too large" \
		"$(launch $mpi 2 --procs=2x3 2>&1 | grep -c 'needs more ranks than the 2 there are')" 1
	same "$mpi, a wrong option" "$(launch $mpi 4 --stesp=3 2>&1 | grep -c 'no option')" 1
	same "$mpi, a failure" \
		"$(launch $mpi 4 --file=/nonexistent/u.npy 2>&1 | grep -c 'heat.mpa:7:18: error')" 1
done
echo "1..$number"
exit $status
