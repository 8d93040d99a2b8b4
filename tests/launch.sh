#!/bin/sh
# tests/launch.sh - programs that are launched by the wrong MPI, or by one they have no
# plug-in for, end with an error that names the cause, and never run as copies
. "${srcdir:-.}/tests/tap.sh"

cat >"$work/p.mpa" <<'END'
grid row[x: 10]
field u on row = x
print("sum {sum(u)}")
END

# refuses NAME CAUSE COMMAND...: status 1, the cause once, and nothing else done
refuses() {
	cause=$1
	shift
	"$@" >"$work/out" 2>"$work/err" && { echo "it ran"; cat "$work/out"; return 1; }
	! grep -q sum "$work/out" || { echo "it ran"; return 1; }
	[ "$(grep -c "^p: error: .*$cause" "$work/err")" = 1 ] || { cat "$work/err"; return 1; }
}

runs() {
	"$@" >"$work/out" 2>&1 && [ "$(grep -c '^sum 45.0$' "$work/out")" = 1 ] ||
		{ cat "$work/out"; return 1; }
}

report "compiles" "$MPAC" "$work/p.mpa" -o "$work/p"
report "runs alone" runs "$work/p"
report "runs alone without any MPI" runs env MPA_MPI=none "$work/p"

# compiled where there are no plug-ins
mkdir "$work/bare"
cp "$MPA_RUNTIME_DIR/libmpart.a" "$work/bare"
MPA_RUNTIME_DIR=$work/bare "$MPAC" "$work/p.mpa" -o "$work/bare/p"

for mpi in "MPICH $MPIEXEC_MPICH" "OpenMPI $MPIEXEC_OPENMPI"; do
	name=${mpi%% *} mpiexec=${mpi#* }
	case $name in
	MPICH) other=openmpi ;;
	OpenMPI) other=mpich ;;
	esac
	if [ -z "$mpiexec" ]; then
		skip "$name" "not here"
		continue
	fi
	report "$name: runs once on 4 ranks" runs $mpiexec -n 4 "$work/p"
	report "$name: no plug-in" refuses "plug-in\|mpa_" $mpiexec -n 4 "$work/bare/p"
	report "$name: MPA_MPI=none" refuses "MPA_MPI=none" \
		env MPA_MPI=none $mpiexec -n 4 "$work/p"
	if [ -n "$MPIEXEC_MPICH" ] && [ -n "$MPIEXEC_OPENMPI" ]; then
		report "$name: MPA_MPI=$other" refuses "another MPI" \
			env MPA_MPI=$other $mpiexec -n 4 "$work/p"
	fi
done
report "MPA_MPI=word" refuses "MPA_MPI" env MPA_MPI=word "$work/p"
tap_end
