/* SPDX-License-Identifier: MIT */
#include "base/json.h"
#include "base/json_quote.h"
#include "base/utf8.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 64, MOST_NODES = 1 << 20 };

typedef struct Parser {
	Arena *arena;
	Json *json;
	const char *text;
	int length, at, room;
	const char *why;
} Parser;

static bool refuse(Parser *p, const char *why)
{
	p->why = why;
	return false;
}

static int peek(const Parser *p)
{
	return p->at < p->length ? (unsigned char)p->text[p->at] : -1;
}

static void skip_blanks(Parser *p)
{
	while (p->at < p->length && strchr(" \t\r\n", p->text[p->at]) && p->text[p->at])
		p->at++;
}

/* The new node's number; -1: there are too many. */
static int add(Parser *p, JsonKind kind, int key)
{
	Json *j = p->json;
	if (j->count == MOST_NODES)
		return refuse(p, "there are too many values"), -1;
	if (j->count == p->room) {
		int more = p->room ? 2 * p->room : 64;
		JsonNode *grown = NEW_ARRAY(p->arena, JsonNode, more);
		if (p->room)
			memcpy(grown, j->nodes, (size_t)p->room * sizeof *grown);
		j->nodes = grown;
		p->room = more;
	}
	j->nodes[j->count] = (JsonNode){kind, p->at, p->at, key, -1, -1};
	return j->count++;
}

/* Four hexadecimal digits, or -1. */
static int hex4(const char *s, const char *end)
{
	int value = 0;
	for (int i = 0; i < 4; i++) {
		static const char digits[] = "0123456789abcdef0123456789ABCDEF";
		const char *d = s + i < end && s[i] ? strchr(digits, s[i]) : NULL;
		if (!d)
			return -1;
		value = value << 4 | (int)((d - digits) & 15);
	}
	return value;
}

/* Of what follows a backslash, `p->at` is left on the last byte. */
static bool read_escape(Parser *p)
{
	int c = peek(p);
	if (c > 0 && strchr("\"\\/bfnrt", c))
		return true;
	if (c != 'u')
		return refuse(p, "a string holds a backslash before what is no escape");
	if (hex4(p->text + p->at + 1, p->text + p->length) < 0)
		return refuse(p, "a string holds \\u without four hexadecimal digits");
	p->at += 4;
	return true;
}

static bool read_string(Parser *p, int node)
{
	p->json->nodes[node].start = ++p->at;
	for (; p->at < p->length && p->text[p->at] != '"'; p->at++) {
		if ((unsigned char)p->text[p->at] < ' ')
			return refuse(p, "a string holds a control character");
		if (p->text[p->at] == '\\' && ++p->at < p->length && !read_escape(p))
			return false;
	}
	if (p->at >= p->length)
		return refuse(p, "a string does not end");
	p->json->nodes[node].end = p->at++;
	return true;
}

static bool read_word(Parser *p, const char *word)
{
	size_t n = strlen(word);
	if ((size_t)(p->length - p->at) < n || memcmp(p->text + p->at, word, n) != 0)
		return refuse(p, "this is no value");
	p->at += (int)n;
	return true;
}

static bool read_digits(Parser *p)
{
	int from = p->at;
	while (peek(p) >= '0' && peek(p) <= '9')
		p->at++;
	return p->at > from;
}

/* -12.5e+3: no zero leads, and a point or an `e` has digits after it (RFC 8259, section 6). */
static bool read_number(Parser *p)
{
	p->at += peek(p) == '-';
	int from = p->at;
	if (!read_digits(p) || (p->text[from] == '0' && p->at > from + 1))
		return false;
	if (peek(p) == '.' && (p->at++, !read_digits(p)))
		return false;
	if (peek(p) != 'e' && peek(p) != 'E')
		return true;
	p->at++;
	p->at += peek(p) == '+' || peek(p) == '-';
	return read_digits(p);
}

static bool read_scalar(Parser *p, int node)
{
	static const char *const words[] = {
	        [JSON_NULL] = "null", [JSON_FALSE] = "false", [JSON_TRUE] = "true"};
	JsonNode *x = &p->json->nodes[node];
	if (x->kind == JSON_STRING)
		return read_string(p, node);
	if (x->kind != JSON_NUMBER && !read_word(p, words[x->kind]))
		return false;
	if (x->kind == JSON_NUMBER && !read_number(p))
		return refuse(p, "a number is not whole");
	x->end = p->at;
	return true;
}

static JsonKind kind_of(int c)
{
	switch (c) {
	case '{':
		return JSON_OBJECT;
	case '[':
		return JSON_LIST;
	case '"':
		return JSON_STRING;
	case 't':
		return JSON_TRUE;
	case 'f':
		return JSON_FALSE;
	case '-':
		return JSON_NUMBER;
	default:
		return c >= '0' && c <= '9' ? JSON_NUMBER : JSON_NULL;
	}
}

/* The name of a member and the colon after it; -1 after a mistake. */
static int read_key(Parser *p)
{
	int key = peek(p) == '"' ? add(p, JSON_STRING, -1) : -1;
	if (key < 0)
		return refuse(p, p->why ? p->why : "a member has no name"), -1;
	if (!read_string(p, key))
		return -1;
	skip_blanks(p);
	if (peek(p) != ':')
		return refuse(p, "there is no colon after a name"), -1;
	p->at++;
	skip_blanks(p);
	return key;
}

static bool read_all(Parser *p)
{
	int open[DEEPEST], last[DEEPEST],
	        depth = 0; /* the lists and objects around, and the last child of each */
	enum { VALUE, FIRST, AFTER } state = VALUE;
	for (;;) {
		skip_blanks(p);
		int c = peek(p);
		bool object = depth > 0 && p->json->nodes[open[depth - 1]].kind == JSON_OBJECT;
		if (state == AFTER && depth == 0)
			return c < 0 || refuse(p, "there is something after the value");
		if (state != VALUE && c == (object ? '}' : ']')) {
			p->json->nodes[open[--depth]].end = ++p->at;
			state = AFTER;
			continue;
		}
		if (state == AFTER) {
			if (c != ',')
				return refuse(p, "there is no comma between two values");
			p->at++;
			state = VALUE;
			continue;
		}
		int key = object ? read_key(p) : -1;
		if (object && key < 0)
			return false;
		int node = add(p, kind_of(peek(p)), key);
		if (node < 0)
			return false;
		if (depth > 0) {
			int *before = &last[depth - 1];
			*(*before < 0 ? &p->json->nodes[open[depth - 1]].first
			              : &p->json->nodes[*before].next) = node;
			*before = node;
		}
		JsonKind kind = p->json->nodes[node].kind;
		state = AFTER;
		if (kind == JSON_OBJECT || kind == JSON_LIST) {
			if (depth == DEEPEST)
				return refuse(p, "it is nested too deep");
			open[depth] = node;
			last[depth++] = -1;
			p->at++;
			state = FIRST;
		} else if (!read_scalar(p, node)) {
			return false;
		}
	}
}

Json *json_parse(Arena *a, const char *text, size_t length, const char **why)
{
	Parser p = {.arena = a, .json = NEW(a, Json), .text = text, .length = (int)length};
	p.json->text = text;
	if (read_all(&p))
		return p.json;
	*why = p.why;
	return NULL;
}

int json_find(const Json *j, int node, const char *path)
{
	while (node >= 0 && *path) {
		int n = (int)strcspn(path, ".");
		int child = j->nodes[node].kind == JSON_OBJECT ? j->nodes[node].first : -1;
		for (; child >= 0; child = j->nodes[child].next) {
			const JsonNode *key = &j->nodes[j->nodes[child].key];
			if (key->end - key->start == n && memcmp(j->text + key->start, path, (size_t)n) == 0)
				break;
		}
		node = child;
		path += n + (path[n] == '.');
	}
	return node;
}

char *json_string_at(Arena *a, const Json *j, int node)
{
	if (node < 0 || j->nodes[node].kind != JSON_STRING)
		return NULL;
	const char *s = j->text + j->nodes[node].start, *end = j->text + j->nodes[node].end;
	char *text = arena_alloc(a, (size_t)(end - s) + 1), *out = text;
	while (s < end) {
		if (*s != '\\') {
			*out++ = *s++;
			continue;
		}
		static const char escapes[] = "n\nt\tr\rb\bf\f";
		int c = s[1];
		const char *e = escapes;
		s += 2;
		if (c == 'u') {
			int code = hex4(s, end); /* the parser has seen its digits */
			s += 4;
			int low =
			        code >= 0xD800 && code < 0xDC00 && end - s >= 6 && s[0] == '\\' && s[1] == 'u'
			                ? hex4(s + 2, end)
			                : -1;
			if (low >= 0xDC00 && low < 0xE000) {
				code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
				s += 6;
			}
			if (code == 0)
				return NULL;
			out += utf8_encode(code >= 0xD800 && code < 0xE000 ? 0xFFFD : (uint32_t)code, out);
			continue;
		}
		while (*e && *e != c)
			e += 2;
		*out++ = *e ? e[1] : (char)c;
	}
	return text;
}

int json_int_at(const Json *j, int node, int otherwise)
{
	if (node < 0 || j->nodes[node].kind != JSON_NUMBER)
		return otherwise;
	int value = 0;
	for (int i = j->nodes[node].start; i < j->nodes[node].end; i++) {
		int digit = j->text[i] - '0';
		if (digit < 0 || digit > 9 || value > (INT32_MAX - digit) / 10)
			return otherwise;
		value = 10 * value + digit;
	}
	return value;
}

double json_real_at(const Json *j, int node)
{
	enum { LONGEST = 40 };
	char digits[LONGEST + 1], *end;
	int length = node >= 0 ? j->nodes[node].end - j->nodes[node].start : 0;
	if (node < 0 || j->nodes[node].kind != JSON_NUMBER || length > LONGEST)
		return NAN;
	memcpy(digits, j->text + j->nodes[node].start, (size_t)length);
	digits[length] = '\0';
	double value = strtod(digits, &end);
	return *end ? NAN : value;
}

char *json_word_at(Arena *a, const Json *j, int node)
{
	if (node < 0)
		return NULL;
	return arena_strndup(a, j->text + j->nodes[node].start,
	                     (size_t)(j->nodes[node].end - j->nodes[node].start));
}

char *json_quoted(Arena *a, const char *s)
{
	return json_quote(arena_alloc(a, json_quote_room(strlen(s))), s);
}
