/* SPDX-License-Identifier: MIT */
/* The one way a string is written as JSON, for nnc and for trainers. */
#ifndef NNC_JSON_QUOTE_H
#define NNC_JSON_QUOTE_H

#include <stddef.h>

/* Room for the string, its quotes and its NUL. */
static inline size_t json_quote_room(size_t length)
{
	return 6 * length + 3;
}

/* Writes `text` in quotes and a NUL to `to`; returns `to`. What is no UTF-8, of a file's name say, becomes U+FFFD. */
char *json_quote(char *to, const char *text);

#endif
