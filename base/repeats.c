/* SPDX-License-Identifier: MIT */
/* Repeats in a list of calls: see repeats.h. */
#include "base/repeats.h"

#include "base/map.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
	LONGEST = 96, /* calls of a block that follows itself */
	DEEPEST = 4,  /* blocks within blocks of the network */
	WHOLE = 3,    /* calls of an outermost block of the network that is looked for first */
	LEAST = 5,    /* calls that a block must save: its function and its table take lines too */
};

typedef struct Search {
	Arena *arena;
	const RepeatCall *calls;
	int count;
	bool *taken;
	ARRAY(Run) found;
} Search;

/* ---- blocks that follow themselves */

/* The calls first to first + length - 1 repeat what stands `period` before them, except for the first `period`. */
typedef struct Stretch {
	int first, length, period;
} Stretch;

typedef ARRAY(Stretch) Stretches;

static int saved(const Stretch *s)
{
	return (s->length / s->period - 1) * s->period;
}

/* What saves most comes first; of those that save the same, the shorter block. */
static int compare_stretches(const void *x, const void *y)
{
	const Stretch *s = x, *t = y;
	if (saved(s) != saved(t))
		return saved(s) > saved(t) ? -1 : 1;
	if (s->period != t->period)
		return s->period < t->period ? -1 : 1;
	return s->first < t->first ? -1 : s->first > t->first;
}

static void add_stretches(Search *s, Stretches *all, int period)
{
	for (int i = 0; i + period < s->count; i++) {
		int matches = 0;
		while (i + matches + period < s->count &&
		       s->calls[i + matches].symbol == s->calls[i + matches + period].symbol)
			matches++;
		Stretch found = {i, matches + period, period};
		if (saved(&found) >= LEAST)
			array_push(s->arena, all, found);
		i += matches;
	}
}

/* The longest part of the stretch that no run has. */
static Stretch free_part(const Search *s, const Stretch *of)
{
	Stretch best = {of->first, 0, of->period};
	for (int i = of->first, end = of->first + of->length; i < end; i++) {
		int length = 0;
		while (i + length < end && !s->taken[i + length])
			length++;
		if (length > best.length)
			best = (Stretch){i, length, of->period};
		i += length;
	}
	return best;
}

/* How many names of the two paths are the same, from the outermost on; INT_MAX: the paths are equal. */
static int common_depth(const char *x, const char *y)
{
	int depth = 0;
	if (strcmp(x, y) == 0)
		return INT_MAX;
	for (;; depth++) {
		size_t length = strcspn(x, ".");
		if (length == 0 || length != strcspn(y, ".") || strncmp(x, y, length) != 0)
			return depth;
		x += length + (x[length] == '.');
		y += length + (y[length] == '.');
	}
}

/* Where the first repeat begins: with a block of the network, the outermost, if that costs no more than one repeat of
 * three. */
static Stretch aligned(const Search *s, Stretch whole)
{
	int times = whole.length / whole.period, least = times > 2 ? times - 1 : times;
	int best = 0, best_depth = INT_MAX, best_times = 0;
	for (int skip = 0; skip < whole.period && (whole.length - skip) / whole.period >= least; skip++) {
		int i = whole.first + skip, n = (whole.length - skip) / whole.period;
		int depth = i > 0 ? common_depth(s->calls[i - 1].scope, s->calls[i].scope) : 0;
		if (depth < best_depth || (depth == best_depth && n > best_times)) {
			best = skip;
			best_depth = depth;
			best_times = n;
		}
	}
	int length = (whole.length - best) / whole.period * whole.period;
	return (Stretch){whole.first + best, length, whole.period};
}

static void take(Search *s, Run run)
{
	for (int i = 0; i < run.length * run.times; i++)
		s->taken[run.first + i] = true;
	array_push(s->arena, &s->found, run);
}

static void find_stretches(Search *s)
{
	Stretches all = {0};
	for (int period = 1; period <= LONGEST; period++)
		add_stretches(s, &all, period);
	if (all.count > 0)
		qsort(all.at, (size_t)all.count, sizeof *all.at, compare_stretches);
	for (int i = 0; i < all.count; i++) {
		Stretch left = free_part(s, &all.at[i]);
		if (left.length < 2 * left.period || saved(&left) < LEAST)
			continue;
		left = aligned(s, left);
		take(s,
		     (Run){.first = left.first, .length = left.period, .times = left.length / left.period});
	}
}

/* ---- what the network's blocks delimit */

/* The symbols of calls as a key. */
static const char *symbols_of(const Search *s, int first, int length)
{
	char *key = NEW_ARRAY(s->arena, char, 9 * length + 1), *at = key;
	for (int i = 0; i < length; i++) {
		unsigned symbol = (unsigned)s->calls[first + i].symbol;
		for (int k = 0; k < 8; k++, symbol >>= 4)
			*at++ = "0123456789abcdef"[symbol & 15];
		*at++ = ' ';
	}
	return key;
}

/* Bytes of the first `depth` names of the path; 0: it has fewer. */
static size_t path_length(const char *path, int depth)
{
	size_t length = 0;
	for (int i = 0; i < depth; i++) {
		if (!path[length])
			return 0;
		length += (i > 0) + strcspn(path + length + (i > 0), ".");
	}
	return length;
}

typedef struct Group {
	ARRAY(int) firsts;
	int length;
	bool known; /* runs of it are there already */
} Group;

static Group *group_of(Search *s, Map *groups, int first, int length)
{
	const char *key = symbols_of(s, first, length);
	Group *g = map_get(groups, key);
	if (!g) {
		g = NEW(s->arena, Group);
		g->length = length;
		map_set(groups, key, g);
	}
	return g;
}

static void find_delimited(Search *s, int depth, int least)
{
	Map *groups = map_new(s->arena);
	for (int i = 0; i < s->found.count; i++)
		group_of(s, groups, s->found.at[i].first, s->found.at[i].length)->known = true;
	for (int i = 0, length = 1; i < s->count; i += length) {
		const char *path = s->calls[i].scope;
		size_t bytes = path_length(path, depth);
		length = 1;
		if (bytes == 0 || s->taken[i])
			continue;
		while (i + length < s->count && !s->taken[i + length] &&
		       path_length(s->calls[i + length].scope, depth) == bytes &&
		       strncmp(s->calls[i + length].scope, path, bytes) == 0)
			length++;
		array_push(s->arena, &group_of(s, groups, i, length)->firsts, i);
	}
	for (int i = 0; i < map_count(groups); i++) {
		Group *g = map_value(groups, i);
		if (g->length < least || (!g->known && (g->firsts.count - 1) * g->length < LEAST))
			continue;
		for (int k = 0; k < g->firsts.count; k++)
			take(s, (Run){.first = g->firsts.at[k], .length = g->length, .times = 1});
	}
}

/* ---- result */

static int compare_runs(const void *x, const void *y)
{
	const Run *s = x, *t = y;
	return s->first < t->first ? -1 : s->first > t->first;
}

typedef struct Block {
	int index, times;
} Block;

/* The blocks are numbered by where they begin; runs that follow one another are one. */
static Runs numbered(Search *s)
{
	Map *blocks = map_new(s->arena);
	Runs runs = {0};
	if (s->found.count > 0)
		qsort(s->found.at, (size_t)s->found.count, sizeof *s->found.at, compare_runs);
	for (int i = 0; i < s->found.count; i++) {
		Run run = s->found.at[i];
		const char *key = symbols_of(s, run.first, run.length);
		Block *b = map_get(blocks, key);
		if (!b) {
			b = NEW(s->arena, Block);
			b->index = map_count(blocks);
			map_set(blocks, key, b);
		}
		run.block = b->index;
		run.number = b->times;
		b->times += run.times;
		Run *last = runs.count > 0 ? &runs.at[runs.count - 1] : NULL;
		if (last && last->block == run.block && last->first + last->length * last->times == run.first)
			last->times += run.times;
		else
			array_push(s->arena, &runs, run);
		runs.calls_saved += run.length * (run.times - (run.number == 0));
	}
	runs.block_count = map_count(blocks);
	return runs;
}

/* With the outermost blocks of the network ahead of all else, or not. */
static Runs search(Arena *a, const RepeatCall *calls, int count, bool outermost)
{
	Search s = {.arena = a, .calls = calls, .count = count, .taken = NEW_ARRAY(a, bool, count)};
	if (outermost)
		find_delimited(&s, 1, WHOLE);
	find_stretches(&s);
	for (int depth = 1; depth <= DEEPEST; depth++)
		find_delimited(&s, depth, 1);
	return numbered(&s);
}

Runs find_repeats(Arena *a, const RepeatCall *calls, int count)
{
	Runs by_blocks = search(a, calls, count, true), by_calls = search(a, calls, count, false);
	return by_calls.calls_saved > by_blocks.calls_saved ? by_calls : by_blocks;
}
