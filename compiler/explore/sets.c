/* SPDX-License-Identifier: MIT */
#include "explore/sets.h"

#include "base/writer.h"

#include <stdlib.h>

static int by_number(const void *x, const void *y)
{
	return *(const int *)x - *(const int *)y;
}

IntSets *int_sets_new(Arena *a)
{
	IntSets *s = NEW(a, IntSets);
	*s = (IntSets){.arena = a, .numbers = map_new(a)};
	return s;
}

int int_set(IntSets *s, int *at, int count)
{
	Arena *scratch = arena_new();
	Writer *key = writer_new(scratch);
	int kept = 0;
	if (count > 0)
		qsort(at, (size_t)count, sizeof *at, by_number);
	for (int i = 0; i < count; i++)
		if (kept == 0 || at[i] != at[kept - 1])
			at[kept++] = at[i];
	for (int i = 0; i < kept; i++)
		write_text(key, "%d,", at[i]);
	const int number = map_number(s->numbers, writer_text(key, NULL));
	if (number == s->at.count) {
		int *copy = NEW_ARRAY(s->arena, int, kept);
		for (int i = 0; i < kept; i++)
			copy[i] = at[i];
		array_push(s->arena, &s->at, (IntSet){copy, kept});
	}
	arena_free(scratch);
	return number;
}
