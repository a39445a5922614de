/* SPDX-License-Identifier: MIT */
/* JSON: a reader of whole messages, without recursion, and the one way a string is written. */
#ifndef NNC_JSON_H
#define NNC_JSON_H

#include "base/arena.h"
#include <stdbool.h>
#include <stdint.h>

typedef enum { JSON_NULL, JSON_FALSE, JSON_TRUE, JSON_NUMBER, JSON_STRING, JSON_LIST, JSON_OBJECT } JsonKind;

/* A value, and where the next of the same list or object is. */
typedef struct JsonNode {
	JsonKind kind;
	int start, end;  /* in the text; of a string, between its quotes */
	int key;         /* the node of its name, -1 */
	int first, next; /* child and sibling, -1: none */
} JsonNode;

typedef struct Json {
	const char *text;
	JsonNode *nodes; /* the first is the whole */
	int count;
} Json;

/* Strict; at most 64 lists and objects in one another, and 1,048,576 values (24 MiB). NULL, and `why`. */
Json *json_parse(Arena *a, const char *text, size_t length, const char **why);
/* The member of an object by a path of names with dots between, or -1: also where `node` is -1 or no object. */
int json_find(const Json *j, int node, const char *path);
/* Its text in UTF-8, NULL where it is no string or would hold a NUL; a lone surrogate is U+FFFD. */
char *json_string_at(Arena *a, const Json *j, int node);
/* A whole number from 0 to 2^31 - 1, or `otherwise`. */
int json_int_at(const Json *j, int node, int otherwise);

/* Its value, NaN where it is no number. */
double json_real_at(const Json *j, int node);
/* As it is written: a number, say; NULL where `node` is -1. */
char *json_word_at(Arena *a, const Json *j, int node);

/* In quotes. What is no UTF-8 becomes U+FFFD. */
char *json_quoted(Arena *a, const char *s);

#endif
