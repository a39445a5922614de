/* SPDX-License-Identifier: MIT */
#include "runtime/host/record.h"
#include "runtime/host/die.h"

#include <stdlib.h>
#include <string.h>

static void clear(Record *r)
{
	for (int i = 0; i < r->count; i++)
		free(r->field[i].key);
	r->count = 0;
}

void record_begin(Record *r, const char *kind, int64_t number)
{
	clear(r);
	record_add(r, "", kind, (double)number);
}

void record_add(Record *r, const char *prefix, const char *key, double value)
{
	if (r->count == r->room) {
		r->room = 2 * r->room + 16;
		r->field = reallocate(r->field, r->room, sizeof *r->field, "a line of the log");
	}
	r->field[r->count++] = (Field){text_printf("%s%s", prefix, key), value};
}

const Field *record_find(const Record *r, const char *key)
{
	for (int i = 0; i < r->count; i++)
		if (strcmp(r->field[i].key, key) == 0)
			return &r->field[i];
	return NULL;
}

void record_free(Record *r)
{
	clear(r);
	free(r->field);
	*r = (Record){0};
}
