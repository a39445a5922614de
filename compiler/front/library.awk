# SPDX-License-Identifier: MIT
# The .net files of the library as C: awk -f library.awk blocks/residual.net ...
BEGIN { print "#include \"front/library.h\"\n\nconst LibraryFile library_files[] = {" }
FNR == 1 {
	if (NR > 1)
		print "\t},"
	name = FILENAME
	sub(/.*\//, "", name)
	sub(/\.net$/, "", name)
	print "\t{\"<" name ">\","
}
{
	gsub(/\\/, "\\\\")
	gsub(/"/, "\\\"")
	print "\t \"" $0 "\\n\""
}
END { print "\t},\n\t{0},\n};" }
