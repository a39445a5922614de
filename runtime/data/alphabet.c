/* SPDX-License-Identifier: MIT */
#include "runtime/data/alphabet.h"
#include "base/utf8.h"
#include "runtime/host/die.h"
#include "runtime/host/json.h"

#include <stdlib.h>
#include <string.h>

enum { CODE_POINTS = 0x110000 };

/* ---- alphabets */

Alphabet alphabet_of_text(const unsigned char *text, int64_t length, const char *path)
{
	bool *seen = allocate(CODE_POINTS, sizeof *seen, "the characters of the text");
	Alphabet a = {0};
	uint32_t point = 0;
	for (int64_t i = 0, bytes; i < length; i += bytes) {
		bytes = utf8_decode((const char *)text + i, length - i, &point);
		if (bytes == 0 || point == 0)
			die_help(STATUS_DATA, "a model of bytes reads any file: the recipe's `data bytes`",
			         bytes == 0 ? "`%s` is no UTF-8 text: see its byte %lld"
			                    : "`%s` is no text: its byte %lld is a NUL",
			         path, (long long)i);
		a.count += !seen[point];
		seen[point] = true;
	}
	a.at = allocate(a.count, sizeof *a.at, "the characters of the text");
	a.count = 0;
	for (uint32_t p = 0; p < CODE_POINTS; p++)
		if (seen[p])
			a.at[a.count++] = p;
	free(seen);
	return a;
}

/* A name is the character itself or, where a terminal can't show it, \xHH for each of its bytes. */
static bool read_name(const char *name, uint32_t *point)
{
	unsigned char bytes[4];
	int count = 0;
	const char *at = name;
	for (; at[0] == '\\' && at[1] == 'x' && count < 4 && strlen(at) >= 4; at += 4) {
		char digits[3] = {at[2], at[3], 0}, *end;
		bytes[count++] = (unsigned char)strtoul(digits, &end, 16);
		if (end != digits + 2)
			return false;
	}
	if (count > 0)
		return !*at && utf8_decode((const char *)bytes, count, point) == count;
	int64_t length = (int64_t)strlen(name);
	return length > 0 && utf8_decode(name, length, point) == length;
}

Alphabet alphabet_of_names(const char *stored, const char *path)
{
	Alphabet a = {0};
	char name[JSON_STRING_BYTES];
	if (!stored)
		return a;
	Json j = json_new(stored, (int64_t)strlen(stored));
	(void)json_expect(&j, '[');
	do {
		uint32_t point;
		if (!json_string(&j, name) || !read_name(name, &point) ||
		    (a.count > 0 && a.at[a.count - 1] >= point))
			die_help(STATUS_DATA, "give the checkpoint of a training on a text",
			         "the classes of `%s` are no characters", path);
		a.at = reallocate(a.at, a.count + 1, sizeof *a.at, "the characters");
		a.at[a.count++] = point;
	} while (json_take(&j, ','));
	return a;
}

void alphabet_free(Alphabet *a)
{
	free(a->at);
	*a = (Alphabet){0};
}

char **alphabet_names(const Alphabet *a)
{
	char **names = allocate(a->count, sizeof *names, "the names of characters");
	for (int64_t i = 0; i < a->count; i++) {
		char text[CHARACTER_BYTES];
		alphabet_text(a, i, text);
		names[i] = text_printf("%s", text);
	}
	return names;
}

static int by_point(const void *x, const void *y)
{
	uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
	return (a > b) - (a < b);
}

int alphabet_token(const Alphabet *a, const unsigned char *text, int64_t length, int64_t *token)
{
	uint32_t point;
	if (!a->at) {
		*token = *text;
		return 1;
	}
	int bytes = utf8_decode((const char *)text, length, &point);
	const uint32_t *found =
	        bytes ? bsearch(&point, a->at, (size_t)a->count, sizeof *a->at, by_point) : NULL;
	*token = found ? found - a->at : -1;
	return bytes;
}

int alphabet_text(const Alphabet *a, int64_t token, char to[CHARACTER_BYTES])
{
	int bytes = 1;
	if (a->at)
		bytes = utf8_encode(a->at[token], to);
	else
		to[0] = (char)token;
	to[bytes] = 0;
	return bytes;
}
