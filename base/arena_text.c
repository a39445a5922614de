/* SPDX-License-Identifier: MIT */
/* Copies and texts in an arena, by arena_alloc alone: the arena of fuzzing (tests/fuzz/arena.c) is another. */
#include "base/arena.h"

#include <stdint.h>
#include <string.h>

#include "base/fail.h"
#include "base/format.h"

void *arena_copy(Arena *a, const void *p, size_t size)
{
	void *copy = arena_alloc(a, size);
	if (size)
		memcpy(copy, p, size);
	return copy;
}

char *arena_strndup(Arena *a, const char *s, size_t n)
{
	size_t length = strnlen(s, n);
	char *copy = arena_alloc(a, length + 1);
	memcpy(copy, s, length);
	return copy;
}

char *arena_strdup(Arena *a, const char *s)
{
	return arena_strndup(a, s, SIZE_MAX);
}

/* Most texts fit `small`, and are formatted once. */
char *arena_vprintf(Arena *a, const char *format, va_list args)
{
	char small[512];
	va_list again;
	va_copy(again, args);
	int length = format_text(small, sizeof small, format, args);
	require(length >= 0);
	char *text = arena_alloc(a, (size_t)length + 1);
	if ((size_t)length < sizeof small)
		memcpy(text, small, (size_t)length + 1);
	else
		format_text(text, (size_t)length + 1, format, again);
	va_end(again);
	return text;
}

char *arena_printf(Arena *a, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	char *text = arena_vprintf(a, format, args);
	va_end(args);
	return text;
}

char *arena_listed(Arena *a, const char *list, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	char *item = arena_vprintf(a, format, args);
	va_end(args);
	return list && *list ? arena_printf(a, "%s, %s", list, item) : item;
}
