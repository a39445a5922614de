# SPDX-License-Identifier: MIT
# Texts as C: awk -f embed.awk page.css page.js makes explore_page_css[], explore_page_js[].
function begin() {
	name = FILENAME
	sub(/.*\//, "", name)
	gsub(/[^a-z]/, "_", name)
	print (NR > 1 ? "        ;" : "#include \"explore/page_text.h\"\n")
	print "const char explore_" name "[] ="
}
FNR == 1 { begin() }
{
	gsub(/\\/, "&&")
	gsub(/"/, "\\\"")
	print "        \"" $0 "\\n\""
}
END { print "        ;" }
