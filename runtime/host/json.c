/* SPDX-License-Identifier: MIT */
#include "runtime/host/json.h"
#include "base/json_quote.h"
#include "base/utf8.h"
#include "runtime/host/die.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

Json json_new(const char *text, int64_t length)
{
	return (Json){text, text + length, NULL};
}

bool json_fail(Json *j, const char *why)
{
	if (!j->error)
		j->error = why;
	j->at = j->end;
	return false;
}

static void skip_blanks(Json *j)
{
	while (j->at < j->end && (*j->at == ' ' || *j->at == '\t' || *j->at == '\n' || *j->at == '\r'))
		j->at++;
}

bool json_take(Json *j, char c)
{
	skip_blanks(j);
	if (j->error || j->at == j->end || *j->at != c)
		return false;
	j->at++;
	return true;
}

bool json_expect(Json *j, char c)
{
	if (json_take(j, c))
		return true;
	switch (c) {
	case '{':
		return json_fail(j, "an object is missing");
	case '[':
		return json_fail(j, "an array is missing");
	case ':':
		return json_fail(j, "a colon is missing");
	default:
		return json_fail(j, "a comma or closing bracket is missing");
	}
}

static bool hex4(Json *j, uint32_t *out)
{
	uint32_t value = 0;
	if (j->end - j->at < 4)
		return json_fail(j, "an escape is cut short");
	for (int i = 0; i < 4; i++) {
		char c = *j->at++;
		int digit = c >= '0' && c <= '9'   ? c - '0'
		            : c >= 'a' && c <= 'f' ? c - 'a' + 10
		            : c >= 'A' && c <= 'F' ? c - 'A' + 10
		                                   : -1;
		if (digit < 0)
			return json_fail(j, "an escape has no four hexadecimal digits");
		value = value << 4 | (uint32_t)digit;
	}
	*out = value;
	return true;
}

/* The code point of an escape; the backslash has been taken. */
static bool escape(Json *j, uint32_t *out)
{
	static const char letters[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
	if (j->at == j->end)
		return json_fail(j, "a string has no end");
	char c = *j->at++;
	const char *letter = c ? strchr(letters, c) : NULL;
	if (letter) {
		*out = (unsigned char)values[letter - letters];
		return true;
	}
	if (c != 'u')
		return json_fail(j, "an escape is unknown");
	if (!hex4(j, out))
		return false;
	if (*out >= 0xd800 && *out < 0xdc00) {
		uint32_t low;
		if (j->end - j->at < 2 || j->at[0] != '\\' || j->at[1] != 'u')
			return json_fail(j, "half a surrogate pair");
		j->at += 2;
		if (!hex4(j, &low))
			return false;
		if (low < 0xdc00 || low > 0xdfff)
			return json_fail(j, "half a surrogate pair");
		*out = 0x10000 + ((*out - 0xd800) << 10) + (low - 0xdc00);
	} else if (*out >= 0xdc00 && *out <= 0xdfff) {
		return json_fail(j, "half a surrogate pair");
	}
	return *out ? true : json_fail(j, "a string holds a NUL");
}

/* The code point at the cursor, as UTF-8 or escaped. */
static bool code_point(Json *j, uint32_t *out)
{
	unsigned char c = (unsigned char)*j->at++;
	if (c == '\\')
		return escape(j, out);
	if (c < 0x20)
		return json_fail(j, "a string holds a control character");
	int bytes = utf8_decode(j->at - 1, j->end - j->at + 1, out);
	j->at += bytes - 1;
	return bytes > 0 || json_fail(j, "a string is not UTF-8");
}

/* To `out` of `room` bytes. */
static bool decode(Json *j, char *out, int64_t room)
{
	int64_t length = 0;
	out[0] = 0;
	if (!json_take(j, '"'))
		return json_fail(j, "a string is missing");
	while (j->at < j->end && *j->at != '"') {
		uint32_t c;
		if (!code_point(j, &c))
			return false;
		if (length + 4 >= room)
			return json_fail(j, "a string is too long");
		length += utf8_encode(c, out + length);
	}
	if (j->at == j->end)
		return json_fail(j, "a string has no end");
	j->at++;
	out[length] = 0;
	return true;
}

bool json_string(Json *j, char out[JSON_STRING_BYTES])
{
	return decode(j, out, JSON_STRING_BYTES);
}

/* No escape is shorter than what it stands for. */
char *json_text(Json *j)
{
	skip_blanks(j);
	const char *end = j->at < j->end ? j->at + 1 : j->end;
	while (end < j->end && *end != '"')
		end += *end == '\\' && j->end - end > 1 ? 2 : 1;
	int64_t room = end - j->at + 5;
	char *text = allocate(room, 1, "a string");
	if (decode(j, text, room))
		return text;
	free(text);
	return NULL;
}

char *json_quoted(const char *text)
{
	return json_quote(allocate((int64_t)json_quote_room(strlen(text)), 1, "a string"), text);
}

bool json_integer(Json *j, int64_t *out)
{
	skip_blanks(j);
	int64_t value = 0;
	int digits = 0;
	const char *first = j->at;
	for (; j->at < j->end && *j->at >= '0' && *j->at <= '9'; j->at++, digits++) {
		value = value * 10 + (*j->at - '0');
		if (value > (int64_t)1 << 53)
			return json_fail(j, "a number is too large");
	}
	if (!digits || (digits > 1 && *first == '0'))
		return json_fail(j, "an integer is missing");
	if (j->at < j->end && strchr(".eE+-", *j->at) && *j->at)
		return json_fail(j, "a number is not an unsigned integer");
	*out = value;
	return !j->error;
}

bool json_finish(Json *j)
{
	skip_blanks(j);
	return !j->error && (j->at == j->end || json_fail(j, "text follows the end"));
}
