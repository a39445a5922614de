# SPDX-License-Identifier: MIT
# Tune records as C (tune_shipped.h): awk -f tune_shipped.awk bench/tune/*/*.tune
BEGIN { print "#include \"runtime/cuda/tune_shipped.h\"\n\nconst char *const tune_shipped[] = {" }
FNR == 1 && NR > 1 { print "\t," }
{
	gsub(/\\/, "\\\\")
	gsub(/"/, "\\\"")
	print "\t\"" $0 "\\n\""
}
END { print (NR ? "\t,\n" : "") "\t0,\n};" }
