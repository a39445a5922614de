/* SPDX-License-Identifier: MIT */
/* Lines as loops: see fold_lines.h. */
#include "emit/fold_lines.h"

#include "base/array.h"
#include "base/map.h"
#include "base/repeats.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
	MANY = 16,   /* turns that are worth a loop */
	DIGITS = 15, /* of a number that is counted with */
};

/* A line as words around numbers: words[0], numbers[0], words[1] ... */
typedef struct Line {
	int symbol;       /* equal: the words are */
	int first, count; /* of its numbers, in the folder's */
} Line;

typedef struct Folder {
	Arena *arena;
	const char *const *lines;
	int count;
	Line *parsed;
	ARRAY(int64_t) numbers;
	ARRAY(const char *) out;
} Folder;

/* Digits at `at` that are a number written as it is counted; their end, or `at`. */
static const char *end_of_number(const char *at)
{
	const char *end = at;
	while (isdigit((unsigned char)*end))
		end++;
	const bool counts = end - at <= DIGITS && (*at != '0' || end - at == 1);
	return counts ? end : at;
}

/* The end of the number at `at`; or else of what is there, all digits of a number that does not count. */
static const char *end_of_word(const char *at, bool *counts)
{
	const char *end = end_of_number(at);
	*counts = end > at;
	while (end == at || (!*counts && isdigit((unsigned char)end[-1]) && isdigit((unsigned char)*end)))
		end++;
	return end;
}

static void parse_line(Folder *f, int i, Map *symbols)
{
	const char *line = f->lines[i];
	char *words = NEW_ARRAY(f->arena, char, strlen(line) + 1), *to = words;
	Line *l = &f->parsed[i];
	l->first = f->numbers.count;
	for (const char *end; *line; line = end) {
		bool counts;
		end = end_of_word(line, &counts);
		if (counts) {
			array_push(f->arena, &f->numbers, strtoll(line, NULL, 10));
			*to++ = '{'; /* which no line has */
		} else {
			to = mempcpy(to, line, (size_t)(end - line));
		}
	}
	l->count = f->numbers.count - l->first;
	l->symbol = map_number(symbols, words);
}

/* How much number k of a line grows from that line to the one `length` after it. */
static int64_t growth(const Folder *f, int line, int length, int k)
{
	return f->numbers.at[f->parsed[line + length].first + k] - f->numbers.at[f->parsed[line].first + k];
}

/* Whether all numbers grow from the turn that begins with `line` to the next as they do after that. */
static bool goes_on(const Folder *f, int line, int length)
{
	for (int i = line; i < line + length; i++)
		for (int k = 0; k < f->parsed[i].count; k++)
			if (growth(f, i, length, k) != growth(f, i + length, length, k))
				return false;
	return true;
}

static const char *template_of(const Folder *f, int line, int length)
{
	const char *text = f->lines[line], *out = "";
	for (int k = 0; *text;) {
		bool counts;
		const char *end = end_of_word(text, &counts);
		const int64_t grows = counts ? growth(f, line, length, k) : 0;
		const char *word = arena_strndup(f->arena, text, (size_t)(end - text));
		if (grows)
			word = arena_printf(f->arena, "{%s%+lld}", word, (long long)grows);
		out = arena_printf(f->arena, "%s%s", out, word);
		k += counts;
		text = end;
	}
	return out;
}

static void write_lines(Folder *f, int first, int end)
{
	for (int i = first; i < end; i++)
		array_push(f->arena, &f->out, f->lines[i]);
}

static void write_run(Folder *f, const Run *run)
{
	const int length = run->length, end = run->first + length * run->times;
	for (int at = run->first, turns; at < end; at += turns * length) {
		turns = at + 2 * length <= end ? 2 : 1;
		while (turns > 1 && at + (turns + 1) * length <= end &&
		       goes_on(f, at + (turns - 2) * length, length))
			turns++;
		if (turns < MANY) {
			turns = 1;
			write_lines(f, at, at + length);
			continue;
		}
		array_push(f->arena, &f->out, arena_printf(f->arena, "repeat %d %d", turns, length));
		for (int i = at; i < at + length; i++)
			array_push(f->arena, &f->out, template_of(f, i, length));
	}
}

const char **fold_lines(Arena *a, const char *const *lines, int *count)
{
	Folder f = {.arena = a, .lines = lines, .count = *count, .parsed = NEW_ARRAY(a, Line, *count)};
	RepeatCall *calls = NEW_ARRAY(a, RepeatCall, *count);
	Map *symbols = map_new(a);
	for (int i = 0; i < *count; i++) {
		parse_line(&f, i, symbols);
		calls[i] = (RepeatCall){f.parsed[i].symbol, ""};
	}
	const Runs runs = find_repeats(a, calls, *count);
	int next = 0;
	for (int i = 0; i < runs.count; i++) {
		if (runs.at[i].times < MANY)
			continue;
		write_lines(&f, next, runs.at[i].first);
		write_run(&f, &runs.at[i]);
		next = runs.at[i].first + runs.at[i].length * runs.at[i].times;
	}
	write_lines(&f, next, *count);
	*count = f.out.count;
	return f.out.at;
}
