# stdlib/embed.awk - C source of an array with the text of each .mpa file given
#
#     awk -f embed.awk stdlib/prelude.mpa ... > stdlib.c
#
# The array is stdlib_modules of support/embedded.h, in the order of the files.

function module_name(path) {
	sub(/.*\//, "", path)
	sub(/\.mpa$/, "", path)
	return path
}

function close_module() {
	if (open)
		print "\t},"
}

BEGIN {
	print "/* made by stdlib/embed.awk */"
	print "#include \"support/embedded.h\""
	print ""
	print "const struct embedded_module stdlib_modules[] = {"
}

FNR == 1 {
	close_module()
	open = 1
	printf "\t{ \"%s\",\n", module_name(FILENAME)
}

{
	gsub(/[\\"]/, "\\\\&")
	gsub(/\t/, "\\t")
	printf "\t  \"%s\\n\"\n", $0
}

END {
	close_module()
	print "\t{ 0, 0 },"
	print "};"
}
