/* SPDX-License-Identifier: MIT */
#include "base/json_quote.h"
#include "base/utf8.h"

#include <stdio.h>
#include <string.h>

char *json_quote(char *to, const char *text)
{
	char *out = to;
	*out++ = '"';
	for (const unsigned char *s = (const unsigned char *)text; *s;) {
		uint32_t code;
		int bytes = utf8_decode((const char *)s, UTF8_MOST, &code);
		if (bytes == 0) {
			memcpy(out, "\xef\xbf\xbd", 3);
			out += 3;
			s++;
			continue;
		}
		if (*s == '"' || *s == '\\')
			out += sprintf(out, "\\%c", *s);
		else if (*s < 0x20 || *s == 0x7f)
			out += sprintf(out, "\\u%04x", *s);
		else
			out = (char *)memcpy(out, s, (size_t)bytes) + bytes;
		s += bytes;
	}
	*out++ = '"';
	*out = 0;
	return to;
}
