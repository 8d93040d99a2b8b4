# compiler/backend/c/embed.awk - C source of one text: the files given, in order
#
#     awk -f embed.awk elem.h program.h abi.h prelude.h > prelude.c
#
# Their includes of each other are left out: they are all there.

BEGIN {
	print "/* made by backend/c/embed.awk */"
	print "#include \"support/embedded.h\""
	print ""
	print "const char c_prelude[] ="
}

/^#include "mpa\// {
	next
}

{
	gsub(/[\\"]/, "\\\\&")
	gsub(/\t/, "\\t")
	printf "\t\"%s\\n\"\n", $0
}

END {
	print "\t;"
}
