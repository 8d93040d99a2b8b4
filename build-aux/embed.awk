# build-aux/embed.awk - C source of texts: files put together
#
#     awk -f embed.awk -v header=support/embedded.h text=c_prelude elem.h program.h … text=… > prelude.c
#
# The header declares them. Their includes of each other are left out: they are all there.

BEGIN {
	print "/* made by embed.awk */"
	print "#include \"" header "\""
}

/^#include "(mpa|base)\// || (text == "cuda_random" && /^#include/) {
	next
}

text != open {
	if (open)
		print "\t;"
	print ""
	print "const char " text "[] ="
	open = text
}

{
	gsub(/[\\"]/, "\\\\&")
	gsub(/\t/, "\\t")
	printf "\t\"%s\\n\"\n", $0
}

END {
	print "\t;"
}
