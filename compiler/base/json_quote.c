#include "compiler/base/json_quote.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Bytes of the character that begins there, 0: it is none (RFC 3629). */
static int character(const unsigned char *s)
{
	static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
	if (*s < 0x80)
		return 1;
	int more = *s >= 0xf0 && *s <= 0xf4  ? 3
	           : *s >= 0xe0 && *s < 0xf0 ? 2
	           : *s >= 0xc2 && *s < 0xe0 ? 1
	                                     : 0;
	uint32_t code = *s & (0x3fu >> more);
	for (int i = 1; i <= more; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (s[i] & 0x3fu);
	}
	return more && code >= least[more] && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? more + 1
	                                                                                           : 0;
}

char *json_quote(char *to, const char *text)
{
	char *out = to;
	*out++ = '"';
	for (const unsigned char *s = (const unsigned char *)text; *s;) {
		int bytes = character(s);
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
