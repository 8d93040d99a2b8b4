#!/bin/sh
# tests/obstacles.sh - what programs and mpac do when something is in their way: a full
# device, a reader that left, an interruption, a library that is missing, options in files
. "${srcdir:-.}/tests/tap.sh"
cd "$work" || exit 1

# fails PATTERN COMMAND...: status 1, one line that matches, nothing else said
fails() {
	pattern=$1
	shift
	"$@" 2>err
	status=$?
	[ $status = 1 ] || { echo "exit status $status"; cat err; return 1; }
	[ "$(wc -l <err)" = 1 ] && grep -q "$pattern" err || { cat err; return 1; }
}

cat >lines.mpa <<'END'
grid line[x: 4]
field u on line = 1
for i in 0..100000 {
    print("line {i}")
}
save("after.npy", u)
END
report "compiles" "$MPAC" lines.mpa

to_full() {
	./lines >/dev/full
}
if [ -e /dev/full ]; then
	report "a full device ends it at the print" \
		fails "^lines.mpa:4:5: error: cannot write the output: No space" to_full
else
	skip "a full device" "there is no /dev/full"
fi
report "so does a reader that leaves" \
	fails "^lines.mpa:4:5: error: cannot write the output: Broken pipe" \
	sh -c '{ ./lines; echo $? >status; } | head -n 1 >first; exit $(cat status)'
report "nothing is done after it" test ! -e after.npy
report "as with --quiet it is" ./lines --quiet
report "which prints nothing and goes on" test -e after.npy

# an mpac that is interrupted while it links
cat >slow-cc <<'END'
#!/bin/sh
for word; do
	[ "$previous" = -o ] && echo half >"$word"
	previous=$word
done
touch "$LINKING"
sleep 2
END
chmod +x slow-cc
interrupted() {
	mkdir "$1" && cp lines.mpa "$1" && cd "$1" || return 1
	LINKING=$work/linking-$1 MPA_CC=$work/slow-cc \
		env --default-signal=HUP,TERM "$MPAC" lines.mpa &
	child=$!
	while [ ! -e "$work/linking-$1" ]; do sleep 0.1; done
	kill -"$1" $child
	wait $child
	status=$?
	left=$(ls -A)
	cd "$work" || return 1
	[ $status -gt 128 ] || { echo "exit status $status"; return 1; }
	[ "$left" = lines.mpa ] || { echo "it left $left"; return 1; }
}
report "mpac leaves nothing when it is terminated" interrupted TERM
report "nor when its terminal goes" interrupted HUP

# HDF5
cat >h5.mpa <<'END'
grid line[x: 4]
field u on line = 1
save("u.h5", u)
END
report "compiles with HDF5 files" "$MPAC" h5.mpa
report "a library that is not there" \
	fails "^h5.mpa:3:1: error: cannot write \"u.h5\": the HDF5 library that MPA_HDF5 names" \
	env MPA_HDF5=/nowhere/libhdf5.so ./h5
report "one that is no HDF5" \
	fails "^h5.mpa:3:1: error: cannot write \"u.h5\": the HDF5 library has no H5open" \
	env MPA_HDF5=libz.so.1 ./h5

# options in files
cat >opts.mpa <<'END'
param n = 3
param title = "none" "what is printed"
print(n, "[{title}]")
END
report "compiles with parameters" "$MPAC" opts.mpa
printf '# all of it\n\n  --n=5   # points\r\n\t--title="two # words"\n' >options
printf "@options\n--title='it is'\n#--n=7" >more
printf -- '--title=a#b "c"' >bare
printf '@again\n' >again
printf -- '--n="5' >broken
prints() {
	wanted=$1
	shift
	got=$("$@" 2>&1)
	[ "$got" = "$wanted" ] || { echo "$got"; return 1; }
}
report "comments, blanks, quotes" prints "5 [two # words]" ./opts @options
report "a file in a file, the last word holds" prints "5 [it is]" ./opts @more
report "quotes inside" prints '3 [a#b "c"]' ./opts @bare
usage() {
	pattern=$1
	shift
	"$@" 2>err
	status=$?
	[ $status = 2 ] && grep -q "$pattern" err || { echo "exit status $status"; cat err; return 1; }
}
report "a file that is not there" \
	usage "opts: error: cannot read the options in nowhere: No such file" ./opts @nowhere
report "one that includes itself" usage "@again includes itself" ./opts @again
report "a quote that is not closed" usage 'opts: error: .*--n.*"5' ./opts @broken
report "a folder" usage "cannot read the options in ." ./opts @.

# a process grid that does not fit
cat >grid.mpa <<'END'
grid g[x: 4, y: 4]
field u on g
END
report "compiles with a grid" "$MPAC" grid.mpa
report "--procs is named" \
	fails "^grid.mpa:1:6: error: --procs=2x2: the process grid needs more ranks than the 1" \
	./grid --procs=2x2
tap_end
