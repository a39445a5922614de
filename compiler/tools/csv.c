/* SPDX-License-Identifier: MIT */
#include "tools/csv.h"

#include <stdbool.h>

/* The end of the cell at `s`; its text, where `out` is not NULL. */
static const char *copy_cell(const char *s, char *out)
{
	bool quoted = *s == '"';
	for (s += quoted; *s && (quoted || !strchr(",\r\n", *s)); s++) {
		if (quoted && *s == '"' && *++s != '"') {
			quoted = false;
			s--; /* what follows the quote */
			continue;
		}
		if (out)
			*out++ = *s;
	}
	return s;
}

Cells csv_row(Arena *a, const char **at)
{
	Cells cells = {0};
	const char *s = *at;
	for (;; s++) {
		const char *end = copy_cell(s, NULL);
		char *cell = arena_alloc(a, (size_t)(end - s) + 1);
		copy_cell(s, cell);
		array_push(a, &cells, cell);
		s = end;
		if (*s != ',')
			break;
	}
	s += *s == '\r';
	*at = s + (*s == '\n');
	return cells;
}
