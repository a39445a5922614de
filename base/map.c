/* SPDX-License-Identifier: MIT */
/* The map: entries in order of insertion, and a hash table of indices into them with linear probing. */
#include "base/map.h"
#include "base/array.h"
#include <stdint.h>

typedef struct Entry {
	const char *key;
	uint64_t hash;
	void *value;
} Entry;

struct Map {
	Arena *arena;
	ARRAY(Entry) entries;
	int *slots; /* index + 1, 0: empty; never more than half full */
	int slot_count;
};

static uint64_t string_hash(const char *s)
{
	uint64_t h = 14695981039346656037u; /* FNV-1a */
	for (; *s; s++)
		h = (h ^ (unsigned char)*s) * 1099511628211u;
	return h;
}

Map *map_new(Arena *a)
{
	Map *m = NEW(a, Map);
	m->arena = a;
	return m;
}

/* The slot that holds the key, or the empty one where it belongs. */
static int *map_slot(const Map *m, const char *key, uint64_t hash)
{
	for (uint64_t i = hash;; i++) {
		int *slot = &m->slots[i & (uint64_t)(m->slot_count - 1)];
		if (!*slot)
			return slot;
		const Entry *e = &m->entries.at[*slot - 1];
		if (e->hash == hash && !strcmp(e->key, key))
			return slot;
	}
}

static void map_grow(Map *m)
{
	m->slot_count = m->slot_count ? 2 * m->slot_count : 16;
	m->slots = NEW_ARRAY(m->arena, int, m->slot_count);
	for (int i = 0; i < m->entries.count; i++)
		*map_slot(m, m->entries.at[i].key, m->entries.at[i].hash) = i + 1;
}

int map_number(Map *m, const char *key)
{
	if (2 * (m->entries.count + 1) > m->slot_count)
		map_grow(m);
	uint64_t hash = string_hash(key);
	int *slot = map_slot(m, key, hash);
	if (!*slot) {
		Entry e = {.key = arena_strdup(m->arena, key), .hash = hash};
		array_push(m->arena, &m->entries, e);
		*slot = m->entries.count;
	}
	return *slot - 1;
}

void map_set(Map *m, const char *key, void *value)
{
	const int number = map_number(m, key); /* which may move the entries */
	m->entries.at[number].value = value;
}

void *map_get(const Map *m, const char *key)
{
	if (!m->slot_count)
		return NULL;
	int slot = *map_slot(m, key, string_hash(key));
	return slot ? m->entries.at[slot - 1].value : NULL;
}

int map_count(const Map *m)
{
	return m->entries.count;
}

const char *map_key(const Map *m, int i)
{
	return m->entries.at[i].key;
}

void *map_value(const Map *m, int i)
{
	return m->entries.at[i].value;
}
