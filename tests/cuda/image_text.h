/* SPDX-License-Identifier: MIT */
/* The bytes of an image in the C text that nnc writes for a trainer (compiler/toolchain/nvrtc.c): string literals, one
 * a line. */
#ifndef NNC_TESTS_IMAGE_TEXT_H
#define NNC_TESTS_IMAGE_TEXT_H

#include <string.h>

/* Of the first image of `text`; `to` has room for as many bytes as the text. */
static inline void image_bytes(const char *text, char *to)
{
	const char *at = strstr(text, "] =\n");
	for (at = at ? at + 4 : ""; *at == '"'; at += strcspn(at, "\n") + 1)
		for (const char *c = at + 1; *c != '"';) {
			int value = 0, digits = 0;
			while (*c == '\\' && digits < 3 && c[1 + digits] >= '0' && c[1 + digits] <= '7')
				value = value * 8 + c[1 + digits++] - '0';
			*to++ = digits ? (char)value : *c;
			c += 1 + digits;
		}
	*to = '\0';
}

#endif
