/* SPDX-License-Identifier: MIT */
/* Buffers that steps in equal distances leave, as the periods of a recurrence do: see series.h. */
#include "passes/series.h"

#include "base/map.h"

enum {
	LEAST = 16,     /* buffers that are laid out as one array */
	MOST_SLOTS = 2, /* that are taken turn by turn */
};

typedef ARRAY(Buffer *) Line;

/* Whether the buffer after i follows on it as the one after k does on that: at the same distance, and read for the last
 * time before or after it. So what waits for periods in the other direction is no series with what these leave. */
static bool follow_alike(const Line *l, int i, int k)
{
	Buffer *const *x = l->at + i, *const *y = l->at + k;
	return x[1]->first - x[0]->first == y[1]->first - y[0]->first &&
	       (x[0]->last < x[1]->first) == (y[0]->last < y[1]->first) &&
	       (x[0]->last < x[1]->last) == (y[0]->last < y[1]->last);
}

/* In how many places they take turns: in one or two, where what would share one follows one another; else each has its
 * own. */
static int slots_of(Buffer *const *at, int count)
{
	for (int slots = 1; slots <= MOST_SLOTS; slots++) {
		int apart = 0;
		while (apart + slots < count && at[apart]->last < at[apart + slots]->first)
			apart++;
		if (apart + slots == count)
			return slots;
	}
	return count;
}

static void add_series(Arena *a, const Line *l, SeriesList *found)
{
	for (int i = 0, end; i < l->count; i = end) {
		end = i + 1;
		while (end < l->count && follow_alike(l, end - 1, i))
			end++;
		if (end - i >= LEAST)
			array_push(a, found, ((Series){l->at + i, end - i, slots_of(l->at + i, end - i)}));
		else if (end - i > 2)
			end--; /* with the last another may begin */
	}
}

SeriesList find_series(Arena *a, const Program *p)
{
	SeriesList found = {0};
	Map *lines = map_new(a);
	for (int i = 0; i < p->step_count; i++) {
		const Step *s = &p->steps[i];
		for (int k = 0; k < s->write_count; k++) {
			Buffer *b = buffer_root(s->writes[k]);
			if (b->class != BUFFER_ACTIVATION || b != s->writes[k] || b->first != i || b->to_end)
				continue;
			const char *key =
			        arena_printf(a, "%d %d %lld %s", k, s->node_count, (long long)b->bytes,
			                     sites_text(a, s->sites, INT32_MAX));
			Line *line = map_get(lines, key);
			if (!line)
				map_set(lines, key, line = NEW(a, Line));
			array_push(a, line, b);
		}
	}
	for (int i = 0; i < map_count(lines); i++)
		add_series(a, map_value(lines, i), &found);
	return found;
}
