/* SPDX-License-Identifier: MIT */
/* A strict reader of JSON text, for the headers of safetensors files: hostile input is the normal case. And how a
 * string is written in one.
 *
 * A cursor over bytes that need no NUL at their end. The first mistake sticks: `error` is set, every later call fails,
 * and nothing but json_text allocates. Only what a safetensors header needs: objects, arrays, strings, unsigned
 * integers. */
#ifndef NNR_JSON_H
#define NNR_JSON_H

#include <stdbool.h>
#include <stdint.h>

typedef struct Json {
	const char *at, *end;
	const char *error; /* a sentence, NULL: none yet */
} Json;

enum { JSON_STRING_BYTES = 1024 }; /* the longest string, decoded, with its NUL */

Json json_new(const char *text, int64_t length);
bool json_fail(Json *j, const char *why); /* always false */
/* Skips blanks, then takes `c` or fails. */
bool json_expect(Json *j, char c);
/* Skips blanks, then takes `c` if it is there. */
bool json_take(Json *j, char c);
/* A string, decoded to UTF-8 without NULs inside. */
bool json_string(Json *j, char out[JSON_STRING_BYTES]);
/* The same of any length, malloc'd; NULL where it fails. */
char *json_text(Json *j);
/* An integer from 0 to 2^53 without sign, fraction, exponent or leading zeros. */
bool json_integer(Json *j, int64_t *out);
/* Nothing but blanks is left. */
bool json_finish(Json *j);

/* The string in quotes, as json_text reads it back; malloc'd. Bytes that are no UTF-8, of a file's name say, become
 * U+FFFD. */
char *json_quoted(const char *text);

#endif
