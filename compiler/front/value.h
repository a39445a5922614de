/* SPDX-License-Identifier: MIT */
/* Values of compile time: what an expression of a .net file is before there is a graph. */
#ifndef NNC_VALUE_H
#define NNC_VALUE_H

#include "ir/graph.h"

typedef enum {
	VALUE_ERROR, /* a diagnostic has been reported; whatever is done with it stays silent */
	VALUE_INT,
	VALUE_REAL,
	VALUE_BOOL,
	VALUE_STRING,
	VALUE_TUPLE,
	VALUE_LIST,
	VALUE_TENSOR,
	VALUE_INIT, /* how a parameter starts: normal(0.02); items are its word and its number */
	VALUE_WORD, /* a bare name that some operator accepts as an argument: same, global, imagenet */
} ValueKind;

typedef struct Value Value;
struct Value {
	ValueKind kind;
	int count;        /* of a tuple's or a list's items, or a string's bytes */
	int depth;        /* of nesting: 0 for a plain value, 1 for a list of plain values */
	const char *unit; /* of a number in a recipe: "ep", "it"; else NULL */
	union {
		int64_t integer;
		double real;
		bool truth;
		const char *text; /* string, word */
		const Value *items;
		Node *node;
	};
};

Value value_error(void);
Value value_int(int64_t i);
Value value_real(double x);
Value value_bool(bool b);
Value value_string(const char *text);
Value value_word(const char *text);
Value value_tensor(Node *n); /* NULL: VALUE_ERROR */
Value value_init(Arena *a, const char *word, double x);
/* kind VALUE_TUPLE or VALUE_LIST; items are not copied. */
Value value_sequence(ValueKind kind, const Value *items, int count);

bool value_is_error(Value v);
bool value_is_number(Value v); /* int or real */
bool value_is_sequence(Value v);
double value_to_real(Value v); /* of a number */
/* Structural equality; an int equals the real of the same value. *budget is lowered by the values compared and the
 * answer means nothing once it is negative: values that share parts can be far larger than their memory. */
bool value_equal(Value a, Value b, int64_t *budget);

/* "an int", "a tuple of 2", "a tensor [28,28,1]". */
char *value_kind_text(Arena *a, Value v);
/* "int 3", "tuple (3, 3)", "tensor [28,28,1]": for messages, at most a few dozen characters. */
char *value_text(Arena *a, Value v);
/* As an expression of the language: 3, 0.1, true, "text". Tensors and long values are abbreviated. */
char *value_source(Arena *a, Value v);
/* The shortest decimal that reads back as x. */
char *number_text(Arena *a, double x);

#endif
