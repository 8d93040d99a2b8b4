# compiler/backend/c/embed.awk - C source of texts: files put together
#
#     awk -f embed.awk text=c_prelude elem.h program.h … text=cuda_prelude cuda.h … > prelude.c
#
# Their includes of each other are left out: they are all there.

BEGIN {
	print "/* made by backend/c/embed.awk */"
	print "#include \"support/embedded.h\""
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
