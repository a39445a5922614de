# SPDX-License-Identifier: MIT
# Sets of rules as C tables: awk -f rules.awk simplify.rules ... The language: README.md here.
function trimmed(s) { gsub(/^[ \t]+|[ \t]+$/, "", s); return s }
function wrong(what) { print FILENAME ":" FNR ": " what > "/dev/stderr"; failed = 1; exit 1 }
function quoted(s) { gsub(/"/, "\\\"", s); return "\"" s "\"" }
# The words in the brackets at the end, as strings.
function words_of(call,    k, m, words, out) {
	m = split(substr(call, index(call, "(") + 1, length(call) - index(call, "(") - 1), words, ",")
	for (k = 1; k <= m; k++)
		out = out (k > 1 ? ", " : "") quoted(trimmed(words[k]))
	return m ? out : "NULL"
}
# "a(x, y) and not b(z)" as {{rule_a, false, {"x", "y"}}, ...}
function conditions(text,    n, parts, i, call, not, words, out) {
	n = split(text, parts, / and /)
	for (i = 1; i <= n; i++) {
		call = trimmed(parts[i])
		not = sub(/^not /, "", call) ? "true" : "false"
		if (call !~ /^[a-z_0-9]+\([^()]*\)$/)
			wrong("`" call "` is no condition")
		words = words_of(call)
		call = substr(call, 1, index(call, "(") - 1)
		used[call] = 1
		out = out "{rule_" call ", " not ", {" words "}}, "
	}
	return out
}
function finish(    at, when, why, name, result, made, n) {
	if (text == "")
		return
	at = index(text, "# ")
	why = at ? trimmed(substr(text, at + 2)) : ""
	text = at ? substr(text, 1, at - 1) : text
	at = index(text, " if ")
	when = at ? conditions(substr(text, at + 4)) : ""
	text = at ? substr(text, 1, at - 1) : text
	if (!match(text, /^[a-z_0-9]+:/) || !index(text, "->"))
		wrong("a rule is `rule NAME: PATTERN -> RESULT`, not `" text "`")
	name = substr(text, 1, RLENGTH - 1)
	if (name in known)
		wrong("there are two rules `" name "`")
	known[name] = 1
	text = substr(text, RLENGTH + 1)
	at = index(text, "->")
	result = trimmed(substr(text, at + 2))
	made = "NULL, {NULL}"
	if (substr(result, 1, 1) == "@") {
		n = substr(result, 2, index(result, "(") - 2)
		makers[n] = 1
		made = "make_" n ", {" words_of(result) "}"
	}
	rows[++count] = "\t{" quoted(name) ", " quoted(trimmed(substr(text, 1, at - 1))) ", " quoted(result) ", " quoted(why) \
		",\n\t {" when "{NULL, false, {NULL}}}, " made "},"
	text = ""
}
function close_set() {
	finish()
	if (set != "") {
		sets = sets "\t{" quoted(set) ", rules_" set ", " count "},\n"
		body = body "static const Rule rules_" set "[] = {\n"
		for (i = 1; i <= count; i++)
			body = body rows[i] "\n"
		body = body "};\n\n"
	}
	count = 0
}
FNR == 1 { close_set(); set = FILENAME; sub(/.*\//, "", set); sub(/\.rules$/, "", set) }
/^[ \t]*(#|$)/ { finish(); next }
/^rule / { finish(); text = substr($0, 6); next }
/^[ \t]/ { text = text " " trimmed($0); next }
{ wrong("a line is a rule, goes on with one behind blanks, or is a comment") }
END {
	if (failed)
		exit 1
	close_set()
	print "#include \"rules/rules.h\"\n"
	for (name in used)
		print "RuleCondition rule_" name ";" | "sort"
	for (name in makers)
		print "RuleMaker make_" name ";" | "sort"
	close("sort")
	printf "\n%sconst RuleSet rule_sets[] = {\n%s\t{NULL, NULL, 0},\n};\n", body, sets
}
