# tests/tap.sh - for scripts that print TAP: . "$srcdir/tests/tap.sh"
#
# Gives $work, a folder that vanishes at the end, and
#	report NAME COMMAND...    ok if the command succeeds; its output is shown if not
#	skip NAME WHY
#	says FILE TEXT            succeeds if the file holds the text
#	tap_end                   last

tap_count=0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
srcdir=$(cd "${srcdir:-.}" && pwd)
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
OMPI_MCA_rmaps_base_oversubscribe=1
OMPI_MCA_orte_tmpdir_base=$work # or launches at the same time collide
export OMPI_MCA_orte_tmpdir_base
ASAN_OPTIONS=detect_leaks=0     # those of MPI
export ASAN_OPTIONS OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_rmaps_base_oversubscribe

report() {
	tap_count=$((tap_count + 1))
	tap_name=$1
	shift
	if "$@" >"$work/tap.log" 2>&1; then
		echo "ok $tap_count - $tap_name"
	else
		echo "not ok $tap_count - $tap_name"
		sed 's/^/# /' "$work/tap.log"
	fi
}

skip() {
	tap_count=$((tap_count + 1))
	echo "ok $tap_count - $1 # SKIP $2"
}

says() {
	grep -q -e "$2" "$1" || { cat "$1"; return 1; }
}

tap_end() {
	echo "1..$tap_count"
}
