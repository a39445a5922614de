#include "runtime/core/csv.h"

#include <string.h>

void csv_put(FILE *to, const char *text)
{
	if (!strpbrk(text, ",\"\r\n")) {
		fputs(text, to);
		return;
	}
	putc('"', to);
	for (; *text; text++)
		fprintf(to, *text == '"' ? "\"\"" : "%c", *text);
	putc('"', to);
}
