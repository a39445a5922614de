/* SPDX-License-Identifier: MIT */
#include "codegen/index.h"

#include <string.h>

const char *index_plus(Arena *a, const char *index, int64_t by)
{
	if (by == 0)
		return index;
	return arena_printf(a, "%s %c %lld", index, by < 0 ? '-' : '+', (long long)(by < 0 ? -by : by));
}

static const char *factor(Arena *a, const char *index, char operator, int64_t by)
{
	return arena_printf(a, "%s %c %lld", index, operator,(long long) by);
}

const char *index_times(Arena *a, const char *index, int64_t by)
{
	return by == 1 || strcmp(index, "0") == 0 ? index : factor(a, index, '*', by);
}

const char *index_over(Arena *a, const char *index, int64_t below)
{
	return below == 1 ? index : factor(a, index, '/', below);
}

const char *index_digit(Arena *a, const char *index, int64_t below, int64_t count)
{
	return count == 1 ? "0" : factor(a, index_over(a, index, below), '%', count);
}

const char *text_at(Arena *a, const char *text, const char *by)
{
	const char *out = "";
	for (const char *at; (at = strchr(text, '@')); text = at + 1)
		out = arena_printf(a, "%s%.*s%s", out, (int)(at - text), text, by);
	return arena_printf(a, "%s%s", out, text);
}
