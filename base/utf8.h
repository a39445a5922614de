/* SPDX-License-Identifier: MIT */
/* UTF-8 (RFC 3629), for nnc and for trainers: the shortest form alone, no surrogates, up to U+10FFFF. */
#ifndef NNC_UTF8_H
#define NNC_UTF8_H

#include <stdbool.h>
#include <stdint.h>

enum { UTF8_MOST = 4 }; /* bytes of a character */

/* Bytes of the character that begins at s, of which `left` can be read, and its code point; 0: it is none. Text that
 * ends in NUL is never read beyond that, so `left` may be UTF8_MOST there. */
int utf8_decode(const char *s, int64_t left, uint32_t *code);

/* Bytes of the mark (U+FEFF) that some programs put ahead of a text to say that it is UTF-8, and that is no part of
 * it: 3 where s begins with it, else 0. */
int utf8_mark(const char *s, int64_t left);

/* Control characters, and those that change the direction of text, which can make a line read otherwise: a terminal is
 * shown their bytes. */
bool utf8_is_hidden(uint32_t code);

/* Writes a code point to `to`, without a NUL; returns how many bytes. */
int utf8_encode(uint32_t code, char to[UTF8_MOST]);

#endif
