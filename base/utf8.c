/* SPDX-License-Identifier: MIT */
#include "base/utf8.h"

int utf8_decode(const char *s, int64_t left, uint32_t *code)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	const unsigned char *u = (const unsigned char *)s;
	if (left < 1)
		return 0;
	int bytes = *u < 0x80 ? 1 : *u >> 5 == 6 ? 2 : *u >> 4 == 14 ? 3 : *u >> 3 == 30 ? 4 : 0;
	if (bytes == 0 || bytes > left)
		return 0;
	uint32_t c = bytes == 1 ? *u : *u & (0x7fu >> bytes);
	for (int i = 1; i < bytes; i++) {
		if (u[i] >> 6 != 2)
			return 0;
		c = c << 6 | (u[i] & 0x3f);
	}
	if (c < least[bytes] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
		return 0;
	*code = c;
	return bytes;
}

int utf8_mark(const char *s, int64_t left)
{
	uint32_t code;
	int bytes = utf8_decode(s, left, &code);
	return bytes > 0 && code == 0xFEFF ? bytes : 0;
}

bool utf8_is_hidden(uint32_t c)
{
	return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x061C || (c >= 0x200B && c <= 0x200F) ||
	       (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x2069) || c == 0xFEFF;
}

int utf8_encode(uint32_t code, char to[UTF8_MOST])
{
	static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
	int bytes = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
	for (int i = bytes - 1; i > 0; i--, code >>= 6)
		to[i] = (char)(0x80 | (code & 0x3f));
	to[0] = (char)(lead[bytes] | code);
	return bytes;
}
