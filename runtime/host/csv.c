/* SPDX-License-Identifier: MIT */
#include "runtime/host/csv.h"
#include "runtime/host/die.h"

#include <string.h>

void csv_put(FILE *to, const char *text)
{
	const char *quote = strpbrk(text, ",\"\n") ? "\"" : "";
	char shown[SHOWN_BYTES];
	fputs(quote, to);
	while (*text) {
		bool line_end = *text == '\n';
		text = text_shown(text, shown);
		fputs(line_end ? "\n" : *shown == '"' ? "\"\"" : shown, to);
	}
	fputs(quote, to);
}
