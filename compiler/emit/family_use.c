/* SPDX-License-Identifier: MIT */
/* Whether a constant in a kernel's text has to be one: see PieceUse in family_text.h.
 *
 * It has where C++ asks for a constant (arguments of a template, the size of an array), where a loop is unrolled by it,
 * where it says which register of an array is meant, and where a library function may fold it. Elsewhere a kernel reads
 * an argument as it reads a literal, as an operand; an index is divided by an argument in as many instructions as by a
 * literal (NnrDivisor). What the block's threads are divided by comes from its shape and is known. */
#include "codegen/expr.h"
#include "emit/family_text.h"

#include <ctype.h>
#include <string.h>

static bool ends_with(const char *begin, const char *end, const char *text)
{
	const size_t length = strlen(text);
	return (size_t)(end - begin) >= length && memcmp(end - length, text, length) == 0;
}

/* Whether a `<` or `>` is a bracket: comparisons have a blank in front, and `->` is none. */
static bool is_bracket(const char *begin, const char *at)
{
	return at > begin && (in_word(at[-1]) || at[-1] == '>');
}

/* The bracket around `at` on its line; NULL: none. `*argument`: where the part between commas begins in which it is. */
static const char *bracket_around(const char *begin, const char *at, const char **argument)
{
	int depth = 0;
	*argument = NULL;
	for (const char *p = at - 1; p >= begin && *p != '\n'; p--) {
		const bool angle = (*p == '<' || *p == '>') && is_bracket(begin, p);
		if (*p == ')' || *p == ']' || (*p == '>' && angle)) {
			depth++;
		} else if (*p == '(' || *p == '[' || (*p == '<' && angle)) {
			if (depth-- > 0)
				continue;
			*argument = *argument ? *argument : p + 1;
			return p;
		} else if (*p == ',' && depth == 0 && !*argument) {
			*argument = p + 1;
		}
	}
	return NULL;
}

static bool is_pointer(const char *word, const char *end, const Map *pointers)
{
	char name[256];
	const size_t length = (size_t)(end - word);
	if (length == 0 || length >= sizeof name)
		return false;
	memcpy(name, word, length);
	name[length] = '\0';
	return map_get(pointers, name);
}

static const char *word_before(const char *begin, const char *end)
{
	while (end > begin && in_word(end[-1]))
		end--;
	return end;
}

/* `x + i0 * 96`: an address within a parameter. */
static bool begins_with_pointer(const char *argument, const Map *pointers)
{
	const char *word = argument + strspn(argument, " &(*"), *end = word;
	while (in_word(*end))
		end++;
	return is_pointer(word, end, pointers);
}

/* Functions that take numbers as they come. */
static bool takes_variables(const char *name, size_t length)
{
	static const char *const names[] = {"max", "min", "nnr_last_block"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strlen(names[i]) == length && memcmp(names[i], name, length) == 0)
			return true;
	return false;
}

/* `for (int k = 0; k < 8; ...`: from a literal, so that it may be unrolled. */
static bool heads_counted_loop(const char *begin, const char *bracket)
{
	if (!ends_with(begin, bracket, "for "))
		return false;
	const char *start = strstr(bracket, " = ");
	return !start || start[3 + strspn(start + 3, "0123456789")] == ';';
}

static bool bracket_asks(const char *begin, const char *bracket, const char *argument, const Map *pointers)
{
	const char *word = word_before(begin, bracket);
	if (*bracket == '<')
		return true;
	if (*bracket == '[')
		return !is_pointer(word, bracket, pointers);
	if (word == bracket)
		return heads_counted_loop(begin, bracket);
	return !takes_variables(word, (size_t)(bracket - word)) && !begins_with_pointer(argument, pointers);
}

PieceUse use_of_constant(const char *begin, const char *at, const char *end, const Map *pointers)
{
	const char *argument;
	for (const char *inner = at, *p; (p = bracket_around(begin, inner, &argument)); inner = p)
		if (bracket_asks(begin, p, argument, pointers))
			return USE_CONSTANT;
	if (!ends_with(begin, at, " / ") && !ends_with(begin, at, " % "))
		return USE_ARGUMENT;
	const bool real = memchr(at, '.', (size_t)(end - at)) != NULL;
	return real || ends_with(begin, at - 3, "threadIdx.x") ? USE_CONSTANT : USE_DIVISOR;
}
