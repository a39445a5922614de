/* SPDX-License-Identifier: MIT */
/* nnc compare: which lines, passes and rules differ between two pages, as JSON, which the page of both shows
 * (compare.js). */
#include "base/json.h"
#include "base/map.h"
#include "base/writer.h"
#include "explore/explore.h"

#include <math.h>
#include <string.h>

/* One of the two. */
typedef struct Side {
	const Json *data, *profile; /* profile NULL: there is none */
	double *cost;               /* by line of its files, one file after another */
	const char **keys;          /* likewise: "file text", the second of the same text with a number */
	const char **texts, **names;
	int *numbers, count;
	double whole, samples;
	Map *of_key; /* to its line: the address of its key */
} Side;

static int child(const Json *j, int list, int index)
{
	int at = list >= 0 ? j->nodes[list].first : -1;
	while (at >= 0 && index-- > 0)
		at = j->nodes[at].next;
	return at;
}

static double number_at(const Json *j, int node, const char *key)
{
	const double x = json_real_at(j, json_find(j, node, key));
	return isfinite(x) ? x : 0;
}

/* us of a step, or FLOP, by its number; `by`: "measured", "least_us" or "flops". */
static double *costs(Arena *a, const Side *b, const char *by, int *count)
{
	const bool measured = strcmp(by, "measured") == 0;
	const Json *j = measured ? b->profile : b->data;
	const int list = json_find(j, 0, measured ? "program" : "steps");
	int n = 0, i = 0;
	for (int at = child(j, list, 0); at >= 0; at = j->nodes[at].next)
		n++;
	double *cost = NEW_ARRAY(a, double, n + 1);
	for (int at = child(j, list, 0); at >= 0; at = j->nodes[at].next)
		cost[i++] = measured ? number_at(j, at, "ns") / 1e3 / number_at(j, 0, "steps")
		                     : number_at(j, at, by);
	*count = n;
	return cost;
}

static void add_line(Arena *a, Side *b, const char *file, int number, const char *text)
{
	const char *key = arena_printf(a, "%s %s", file, text);
	for (int same = 2; map_get(b->of_key, key); same++)
		key = arena_printf(a, "%s %s #%d", file, text, same);
	b->names[b->count] = file;
	b->texts[b->count] = text;
	b->numbers[b->count] = number;
	b->keys[b->count] = key;
	map_set(b->of_key, key, &b->keys[b->count++]);
}

static void add_lines(Arena *a, Side *b)
{
	const Json *j = b->data;
	b->of_key = map_new(a);
	b->cost = NEW_ARRAY(a, double, j->count);
	b->keys = NEW_ARRAY(a, const char *, j->count);
	b->texts = NEW_ARRAY(a, const char *, j->count);
	b->names = NEW_ARRAY(a, const char *, j->count);
	b->numbers = NEW_ARRAY(a, int, j->count);
	for (int f = child(j, json_find(j, 0, "files"), 0); f >= 0; f = j->nodes[f].next) {
		const char *file = json_string_at(a, j, json_find(j, f, "name"));
		int number = 0;
		for (int at = child(j, json_find(j, f, "lines"), 0); at >= 0; at = j->nodes[at].next)
			add_line(a, b, file, ++number, json_string_at(a, j, at));
	}
}

/* The first line of each file, and the file and line of each place. */
static void add_costs(Arena *a, Side *b, const char *by)
{
	const Json *j = b->data;
	const int places = json_find(j, 0, "places");
	int first[64] = {0}, files = 0, n, i = 0, place_count = 0;
	for (int k = 0; k < b->count; k++)
		if (b->numbers[k] == 1 && files < 64)
			first[files++] = k;
	int *row = NEW_ARRAY(a, int, j->count);
	for (int at = child(j, places, 0); at >= 0; at = j->nodes[at].next) {
		const int file = json_int_at(j, child(j, at, 0), 0);
		row[place_count++] =
		        (file < files ? first[file] : 0) + json_int_at(j, child(j, at, 1), 1) - 1;
	}
	const double *cost = costs(a, b, by, &n);
	for (int s = child(j, json_find(j, 0, "steps"), 0); s >= 0 && i < n; s = j->nodes[s].next, i++) {
		const int shares = json_find(j, s, "shares");
		double all = 0;
		for (int at = child(j, shares, 0); at >= 0; at = j->nodes[at].next)
			all += json_real_at(j, child(j, at, 2));
		for (int at = child(j, shares, 0); at >= 0 && all > 0; at = j->nodes[at].next) {
			const int place = json_int_at(j, child(j, at, 0), -1);
			if (place >= 0 && place < place_count && row[place] < b->count)
				b->cost[row[place]] += cost[i] * json_real_at(j, child(j, at, 2)) / all;
		}
		b->whole += cost[i];
	}
}

static void write_line_of(Writer *w, Arena *a, const Side *b, int line, double cost, const char *name)
{
	if (line < 0)
		write_text(w, ",\"%s\":null", name);
	else
		write_text(w, ",\"%s\":{\"file\":%s,\"line\":%d,\"text\":%s,\"cost\":%.6g}", name,
		           json_quoted(a, b->names[line]), b->numbers[line], json_quoted(a, b->texts[line]),
		           cost);
}

typedef struct Both {
	Writer *w;
	Arena *a;
	const Side *was, *is;
	double scale;
	const char *comma;
} Both;

/* Of a line that costs another time, or was edited; -1: that build has none. */
static void write_pair(Both *b, int old, int now)
{
	const double before = old >= 0 ? b->scale * b->was->cost[old] : 0,
	             after = now >= 0 ? b->is->cost[now] : 0;
	const bool edited = old < 0 || now < 0 || strcmp(b->was->texts[old], b->is->texts[now]) != 0;
	if (!(fabs(after - before) > b->is->whole / 1000 || (edited && before + after > 0)))
		return;
	write_text(b->w, "%s{\"by\":%.6g", b->comma, after - before);
	write_line_of(b->w, b->a, b->was, old, before, "before");
	write_line_of(b->w, b->a, b->is, now, after, "after");
	write_text(b->w, "}");
	b->comma = ",\n";
}

/* Of those from `from` to `end` the next that is not in `other`. */
static int next_alone(const Side *side, const Side *other, int from, int end)
{
	while (from < end && map_get(other->of_key, side->keys[from]))
		from++;
	return from;
}

/* Lines of one text are one. Those between two such pairs were edited: the first of each, the second, and so on. */
static void write_lines_of(Both *b)
{
	const Side *was = b->was, *is = b->is;
	int old = 0, now = 0;
	for (int i = 0; i <= is->count; i++) {
		const char **same =
		        i < is->count ? map_get(was->of_key, is->keys[i]) : &was->keys[was->count];
		const int at = same ? (int)(same - was->keys) : -1;
		if (at < old) { /* it stands alone, or was moved up */
			if (at >= 0)
				write_pair(b, at, i);
			continue;
		}
		for (;;) {
			old = next_alone(was, is, old, at);
			now = next_alone(is, was, now, i);
			if (old == at && now == i)
				break;
			const bool apart =
			        old < at && now < i && strcmp(was->names[old], is->names[now]) != 0;
			write_pair(b, old < at ? old++ : -1, now < i && !apart ? now++ : -1);
		}
		if (i < is->count)
			write_pair(b, at, i);
		old = at + 1;
		now = i + 1;
	}
}

/* "pass" or "pass rule" to how often. */
static Map *fired(Arena *a, const Json *j)
{
	Map *times = map_new(a);
	for (int p = child(j, json_find(j, 0, "passes"), 0); p >= 0; p = j->nodes[p].next) {
		const char *name = json_string_at(a, j, json_find(j, p, "name"));
		map_set(times, name, "1");
		for (int r = child(j, json_find(j, p, "rules"), 0); r >= 0; r = j->nodes[r].next)
			map_set(times,
			        arena_printf(a, "%s %s", name, json_string_at(a, j, json_find(j, r, "name"))),
			        json_word_at(a, j, json_find(j, r, "times")));
	}
	return times;
}

static void write_rules(Writer *w, Arena *a, const Side *was, const Side *is)
{
	const Map *const maps[] = {fired(a, was->data), fired(a, is->data)};
	const char *comma = "";
	for (int pass = 0; pass < 2; pass++)
		for (int i = 0; i < map_count(maps[pass]); i++) {
			const char *key = map_key(maps[pass], i), *before = map_get(maps[0], key),
			           *after = map_get(maps[1], key);
			if ((pass && before) || (before && after && strcmp(before, after) == 0))
				continue;
			write_text(w, "%s{\"rule\":%s,\"before\":%s,\"after\":%s}", comma,
			           json_quoted(a, key), before ? before : "0", after ? after : "0");
			comma = ",\n";
		}
}

static Side *build_of(Arena *a, const char *data, const char *measured)
{
	Side *b = NEW(a, Side);
	const char *why;
	b->data = json_parse(a, data, strlen(data), &why);
	b->profile = measured ? json_parse(a, measured, strlen(measured), &why) : NULL;
	if (!b->data || (measured && !b->profile))
		return NULL;
	b->samples = number_at(b->data, 0, "batch") * (b->profile ? number_at(b->profile, 0, "chunks") : 1);
	return b;
}

static bool has_least(Arena *a, const Side *b)
{
	int n;
	const double *least = costs(a, b, "least_us", &n);
	double all = 0;
	for (int i = 0; i < n; i++)
		all += least[i];
	return all > 0;
}

char *compare_json(Arena *a, const char *const data[2], const char *const measured[2])
{
	Side *was = build_of(a, data[0], measured[0]), *is = build_of(a, data[1], measured[1]);
	if (!was || !is)
		return NULL;
	const char *by = was->profile && is->profile             ? "measured"
	                 : has_least(a, was) && has_least(a, is) ? "least_us"
	                                                         : "flops";
	add_lines(a, was);
	add_lines(a, is);
	add_costs(a, was, by);
	add_costs(a, is, by);
	const double scale = was->samples > 0 ? is->samples / was->samples : 1;
	Writer *w = writer_new(a);
	write_text(w, "{\"format\":1,\"by\":\"%s\",\"whole_before\":%.6g,\"whole_after\":%.6g,\n\"lines\":[",
	           by, scale * was->whole, is->whole);
	write_lines_of(&(Both){w, a, was, is, scale, ""});
	write_text(w, "],\n\"rules\":[");
	write_rules(w, a, was, is);
	write_text(w, "]}\n");
	return (char *)writer_text(w, NULL);
}
