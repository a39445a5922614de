/* SPDX-License-Identifier: MIT */
/* Values of compile time: making them and putting them into words. value.h. */
#include "front/value.h"

#include "base/writer.h"
#include "ops/compose.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MOST = 48 }; /* characters of a value in a message */

/* ---- making */

Value value_error(void)
{
	return (Value){.kind = VALUE_ERROR};
}

Value value_int(int64_t i)
{
	return (Value){.kind = VALUE_INT, .integer = i};
}

Value value_real(double x)
{
	return (Value){.kind = VALUE_REAL, .real = x};
}

Value value_bool(bool b)
{
	return (Value){.kind = VALUE_BOOL, .truth = b};
}

Value value_string(const char *text)
{
	return (Value){.kind = VALUE_STRING, .text = text, .count = (int)strlen(text)};
}

Value value_word(const char *text)
{
	return (Value){.kind = VALUE_WORD, .text = text};
}

Value value_tensor(Node *n)
{
	return n ? (Value){.kind = VALUE_TENSOR, .node = n} : value_error();
}

Value value_sequence(ValueKind kind, const Value *items, int count)
{
	int depth = 0;
	for (int i = 0; i < count; i++) {
		if (items[i].depth > depth)
			depth = items[i].depth;
	}
	return (Value){.kind = kind, .items = items, .count = count, .depth = depth + 1};
}

Value value_init(Arena *a, const char *word, double x)
{
	Value *items = NEW_ARRAY(a, Value, 2);
	items[0] = value_word(word);
	items[1] = value_real(x);
	return (Value){.kind = VALUE_INIT, .items = items, .count = 2};
}

/* ---- asking */

bool value_is_error(Value v)
{
	return v.kind == VALUE_ERROR;
}

bool value_is_number(Value v)
{
	return v.kind == VALUE_INT || v.kind == VALUE_REAL;
}

bool value_is_sequence(Value v)
{
	return v.kind == VALUE_TUPLE || v.kind == VALUE_LIST;
}

double value_to_real(Value v)
{
	return v.kind == VALUE_INT ? (double)v.integer : v.real;
}

/* Recursion is as deep as the values are nested, which elaboration bounds. */
bool value_equal(Value a, Value b, int64_t *budget)
{
	if (--*budget < 0)
		return false;
	if (value_is_number(a) && value_is_number(b)) {
		if (a.kind == VALUE_INT && b.kind == VALUE_INT)
			return a.integer == b.integer;
		return value_to_real(a) == value_to_real(b);
	}
	if (a.kind != b.kind)
		return false;
	switch (a.kind) {
	case VALUE_BOOL:
		return a.truth == b.truth;
	case VALUE_STRING:
	case VALUE_WORD:
		return strcmp(a.text, b.text) == 0;
	case VALUE_TENSOR:
		return a.node == b.node;
	case VALUE_TUPLE:
	case VALUE_LIST:
	case VALUE_INIT:
		if (a.count != b.count)
			return false;
		for (int i = 0; i < a.count; i++) {
			if (!value_equal(a.items[i], b.items[i], budget))
				return false;
		}
		return true;
	default:
		return false;
	}
}

/* ---- in words */

static const char *const kind_names[] = {
        [VALUE_ERROR] = "error",      [VALUE_INT] = "int",       [VALUE_REAL] = "real",
        [VALUE_BOOL] = "bool",        [VALUE_STRING] = "text",   [VALUE_TUPLE] = "tuple",
        [VALUE_LIST] = "list",        [VALUE_TENSOR] = "tensor", [VALUE_WORD] = "word",
        [VALUE_INIT] = "initialiser",
};

char *number_text(Arena *a, double x)
{
	char text[40];
	if (x == (double)(int64_t)(fabs(x) < 1e15 ? x : 0.5))
		return arena_printf(a, "%.0f", x);
	for (int digits = 1; digits <= 17; digits++) {
		snprintf(text, sizeof text, "%.*g", digits, x);
		if (strtod(text, NULL) == x)
			break;
	}
	return arena_strdup(a, text);
}

static void write_value(Arena *a, Writer *w, Value v)
{
	size_t length;
	switch (v.kind) {
	case VALUE_ERROR:
		write_text(w, "?");
		break;
	case VALUE_INT:
		write_text(w, "%lld%s", (long long)v.integer, v.unit ? v.unit : "");
		break;
	case VALUE_REAL:
		write_text(w, "%s%s%s", number_text(a, v.real),
		           v.real == rint(v.real) && fabs(v.real) < 1e15 ? ".0" : "", v.unit ? v.unit : "");
		break;
	case VALUE_BOOL:
		write_text(w, "%s", v.truth ? "true" : "false");
		break;
	case VALUE_STRING:
		write_text(w, "\"%.*s%s\"", TEXT_MOST, v.text, v.count > TEXT_MOST ? "..." : "");
		break;
	case VALUE_WORD:
		write_text(w, "%s", v.text);
		break;
	case VALUE_INIT:
		write_text(w, "%s(%s)", v.items[0].text, number_text(a, v.items[1].real));
		break;
	case VALUE_TENSOR:
		write_text(w, "%s", sample_shape(a, v.node->type));
		break;
	case VALUE_TUPLE:
	case VALUE_LIST:
		write_text(w, v.kind == VALUE_TUPLE ? "(" : "[");
		for (int i = 0; i < v.count; i++) {
			write_text(w, "%s", i ? ", " : "");
			writer_text(w, &length);
			if (length > TEXT_MOST) {
				write_text(w, "...");
				break;
			}
			write_value(a, w, v.items[i]);
		}
		write_text(w, v.kind == VALUE_TUPLE ? ")" : "]");
		break;
	}
}

char *value_source(Arena *a, Value v)
{
	Writer *w = writer_new(a);
	write_value(a, w, v);
	return printable(a, writer_text(w, NULL));
}

char *value_text(Arena *a, Value v)
{
	return arena_printf(a, "%s %s", kind_names[v.kind], value_source(a, v));
}

char *value_kind_text(Arena *a, Value v)
{
	const char *kind = kind_names[v.kind];
	if (value_is_sequence(v))
		return arena_printf(a, "a %s of %d", kind, v.count);
	if (v.kind == VALUE_TENSOR)
		return arena_printf(a, "a tensor %s", sample_shape(a, v.node->type));
	if (v.kind == VALUE_WORD)
		return arena_printf(a, "the word `%s`", v.text);
	return arena_printf(a, "%s %s",
	                    v.kind == VALUE_INT || v.kind == VALUE_ERROR || v.kind == VALUE_INIT ? "an" : "a",
	                    kind);
}
