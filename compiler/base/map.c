/* The map: entries in order of insertion, and a hash table of indices into them with linear probing. */
#include "base/map.h"
#include "base/array.h"
#include <ctype.h>
#include <stdbool.h>
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

void map_set(Map *m, const char *key, void *value)
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
	m->entries.at[*slot - 1].value = value;
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

enum { WORD_MAX = 63 }; /* longer words get no suggestion */

static int min_int(int a, int b)
{
	return a < b ? a : b;
}

static bool same_letter(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Damerau-Levenshtein distance in its "optimal string alignment" form: insert, delete, replace, swap neighbours. Upper
 * and lower case are the same, for those who write ReLU and Conv2d. */
static int edit_distance(const char *a, int m, const char *b, int n)
{
	int rows[3][WORD_MAX + 1];
	int *before = rows[0], *last = rows[1], *row = rows[2];
	for (int j = 0; j <= n; j++)
		row[j] = j;
	for (int i = 1; i <= m; i++) {
		int *free_row = before;
		before = last;
		last = row;
		row = free_row;
		row[0] = i;
		for (int j = 1; j <= n; j++) {
			int replaced = last[j - 1] + !same_letter(a[i - 1], b[j - 1]);
			row[j] = min_int(replaced, 1 + min_int(last[j], row[j - 1]));
			if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) &&
			    same_letter(a[i - 2], b[j - 1]))
				row[j] = min_int(row[j], before[j - 2] + 1);
		}
	}
	return row[n];
}

const char *nearest_word(const char *word, const char *const *candidates, int count)
{
	const char *best = NULL;
	int best_distance = 4;
	size_t length = strlen(word);
	for (int i = 0; i < count && length <= WORD_MAX; i++) {
		size_t other = strlen(candidates[i]);
		if (other > WORD_MAX)
			continue;
		int longer = (int)(length > other ? length : other);
		int allowed = longer < 6 ? 1 : longer < 9 ? 2 : 3;
		int distance = edit_distance(word, (int)length, candidates[i], (int)other);
		/* Few mistype the first letter: f32 is fp32, not tf32. */
		bool nearer = distance < best_distance ||
		              (best && distance == best_distance && same_letter(*word, *candidates[i]) &&
		               !same_letter(*word, *best));
		/* A word of one letter is not a misspelling of every other one. */
		if (distance <= allowed && distance < longer && nearer) {
			best = candidates[i];
			best_distance = distance;
		}
	}
	return best;
}
