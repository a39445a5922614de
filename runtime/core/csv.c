#include "runtime/core/csv.h"
#include "compiler/base/utf8.h"

#include <string.h>

void csv_put(FILE *to, const char *text)
{
	const char *quote = strpbrk(text, ",\"\n") ? "\"" : "";
	fputs(quote, to);
	while (*text) {
		uint32_t code;
		int bytes = utf8_decode(text, UTF8_MOST, &code);
		bool shown = bytes > 0 && (code == '\n' || !utf8_is_hidden(code));
		if (!shown)
			fprintf(to, "\\x%02X", (unsigned char)*text);
		else if (code == '"')
			fputs("\"\"", to);
		else
			fwrite(text, 1, (size_t)bytes, to);
		text += shown ? bytes : 1;
	}
	fputs(quote, to);
}
