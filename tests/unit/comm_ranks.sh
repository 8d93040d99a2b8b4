#!/bin/sh
# tests/unit/comm_ranks.sh - the communicator's suite under each MPI that is
# installed, and what happens under the mpiexec of the other one; prints TAP

dir=$(pwd)
prog=$dir/tests/unit/comm_ranks
number=0
status=0
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
OMPI_MCA_orte_tmpdir_base=$(mktemp -d) # or launches at the same time collide
export OMPI_MCA_orte_tmpdir_base
trap 'rm -rf "$OMPI_MCA_orte_tmpdir_base"' EXIT
ASAN_OPTIONS=detect_leaks=0 # those of MPI
export ASAN_OPTIONS OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
for name in $(env | sed -n 's/^\(PMI_[A-Z_]*\|PMIX_[A-Z_]*\|OMPI_COMM_[A-Z_]*\|MPA_[A-Z_]*\)=.*/\1/p'); do
	unset "$name"
done

# result TEXT OUTPUT PATTERN
result() {
	number=$((number + 1))
	if printf '%s\n' "$2" | grep -q "$3"; then
		echo "ok $number - $1"
	else
		echo "not ok $number - $1"
		printf '%s\n' "$2" | sed 's/^/# /'
		status=1
	fi
}

launch() { # launch MPI RANKS COMMAND...
	mpi=$1 ranks=$2
	shift 2
	case $mpi in
	mpich) timeout 120 mpiexec.mpich -n "$ranks" "$@" 2>&1 ;;
	openmpi) timeout 120 mpiexec.openmpi --oversubscribe -n "$ranks" "$@" 2>&1 ;;
	esac
}

run() { # run MPI NAME OTHER
	if ! test -f "$dir/mpa_$1.so" || ! command -v mpiexec.$1 >/dev/null; then
		number=$((number + 1))
		echo "ok $number - $2 # SKIP not built"
		return
	fi
	for n in 2 3 4 8; do
		result "$2 on $n ranks" "$(launch $1 $n "$prog" "$dir" $n "$2")" '^good$'
	done
	result "$2 with a single rank is serial" \
		"$(launch $1 1 "$prog" "$dir" 1 serial)" '^good$'
	result "$2 without its plug-in" "$(launch $1 3 "$prog" /nonexistent 3 "$2")" \
		"mpiexec asks for mpa_$1.so, which is not in /nonexistent"
	test -f "$dir/mpa_$3.so" || return
	result "$2 with the other plug-in" \
		"$(MPA_MPI=$3 launch $1 3 "$prog" "$dir" 3 "$2")" 'mpiexec started 3 ranks, but .* sees 1'
}

run mpich MPICH openmpi
run openmpi "Open MPI" mpich
echo "1..$number"
exit $status
