# stdlib/manual.awk - the manual page of the library, from its comments
#
#     awk -f manual.awk -v version=0.1.0 stdlib/prelude.mpa ... > mpa-lib.7
#
# The comment at the top of a file describes the module, "# NAME.mpa: what it is" first;
# comments of ## describe the function below them. Lines with four blanks more are shown
# as they are. tests/check-library runs the examples.

function escape(text) {
	gsub(/\\/, "\\e", text)
	gsub(/-/, "\\-", text)
	gsub(/\^/, "\\(ha", text)
	gsub(/~/, "\\(ti", text)
	gsub(/'/, "\\(aq", text)
	gsub(/`/, "\\(ga", text)
	sub(/^\./, "\\\\\\&.", text)
	return text
}

# what stands in ` ` is bold
function prose(text,   bold) {
	text = escape(text)
	while (sub(/\\\(ga/, bold ? "\\fR" : "\\fB", text))
		bold = !bold
	return text
}

function shown(on) {
	if (on != in_example)
		print on ? ".RS " (head ? 4 : 11) "\n.EX" : ".EE\n.RE"
	in_example = on
}

# a line of a comment, without its #
function comment(text) {
	if (text ~ /^     /) {
		if (!in_example)
			shown(1)
		else
			printf "%s", held
		held = ""
		print escape(substr(text, 6))
	} else if (text ~ /^ *$/) {
		held = held "\n"
		broken = 1
	} else {
		shown(0)
		if (broken)
			print ".IP"
		else if (text ~ /^ Source:/)
			print ".br"
		held = ""
		broken = 0
		print prose(substr(text, 2))
	}
}

# fn name(a, b = (1, 2)): T ... without the body
function signature(text,   i, depth, c) {
	for (i = 1; i <= length(text); i++) {
		c = substr(text, i, 1)
		if (c == "(")
			depth++
		if (c == ")" && --depth == 0)
			return substr(text, 4, i - 3)
	}
	print FILENAME ": the head of a function is on several lines: " text >"/dev/stderr"
	exit 1
}

function flush_function(   i) {
	print ".TP"
	print "\\fB" escape(signature($0)) "\\fR"
	broken = held = ""
	for (i = 1; i <= n; i++)
		comment(line[i])
	shown(0)
	n = 0
}

BEGIN {
	print ".\\\" made by stdlib/manual.awk from the comments of stdlib/*.mpa"
	print ".TH mpa\\-lib 7 2026-12-01 \"mpac " version "\" \"The language mpa\""
	print ".SH NAME\nmpa\\-lib \\- the library of the language mpa"
	print ".SH DESCRIPTION"
	print "The library is written in mpa and stands in the compiler."
	print "The names of the prelude are always there; those of a module after"
	print "\\fBimport\\fR \\fImodule\\fR, as \\fImodule\\fB.\\fIname\\fR, or after"
	print "\\fBfrom\\fR \\fImodule\\fR \\fBimport\\fR \\fIname\\fR."
	print "Functions take fields on any grid, with axes of any names, of any type that"
	print "their arithmetic has."
}

FNR == 1 {
	name = FILENAME
	sub(/.*\//, "", name)
	sub(/\.mpa$/, "", name)
	head = 1
	n = 0
}

head && !/^#/ {
	shown(0)
	head = 0
}

head {
	if (FNR == 1) {
		text = $0
		sub(/^[^:]*: */, "", text)
		print ".SS The module " name "\n" escape(toupper(substr(text, 1, 1)) \
			substr(text, 2)) "."
		held = ""
		broken = 0
	} else {
		text = substr($0, 2)
		if (text ~ /^ *$/) {
			held = held "\n"
			broken = 1
		} else {
			if (broken && text !~ /^     /) {
				shown(0)
				print ".PP"
				broken = 0
			}
			comment(text)
		}
	}
	next
}

/^##/ { line[++n] = substr($0, 3); next }
/^fn / && n { flush_function(); next }
{ n = 0 }

END {
	print ".SH SEE ALSO\n.BR mpa (7),\n.BR mpac (1)"
}
