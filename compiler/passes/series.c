/* SPDX-License-Identifier: MIT */
/* Buffers that the repeats of a period take in turn: see series.h.
 *
 * A series is what the repeats write for the first time as the same operand of the same step. What a repeat reads that
 * an earlier one has written, or that is written in the other direction, is in the same order or in the reverse one;
 * so where only the ends of such a list are in no series, because they are made by the step ahead of the first repeat
 * or after the last, they belong to its ends. */
#include "passes/series.h"

#include "passes/periods.h"

#include <string.h>

enum {
	LEAST = 16,     /* repeats of a period that is laid out */
	BEYOND = 4,     /* buffers at each end that are made outside of the period */
	MOST_SLOTS = 2, /* that are taken turn by turn */
	ROUNDS = 4,
	NONE = -1,
};

typedef struct Line {
	Buffer **at; /* BEYOND more at each end */
	int room, count;
	int64_t bytes;
} Line;

typedef struct Finder {
	Arena *arena;
	const Program *p;
	int *line_of, *place_of; /* by buffer */
	ARRAY(Line) lines;
} Finder;

static bool may_stand(const Finder *f, const Buffer *b)
{
	return b->class == BUFFER_ACTIVATION && !b->inside && !b->to_end && f->line_of[b->id] == NONE;
}

static void stand(Finder *f, int line, int place, Buffer *b)
{
	Line *l = &f->lines.at[line];
	f->line_of[b->id] = line;
	f->place_of[b->id] = place;
	l->at[place] = b;
	l->count++;
}

/* The operand of a step: those that it reads come first. */
static Buffer *operand_of(const Step *s, int k)
{
	return buffer_root(k < s->read_count ? s->reads[k] : s->writes[k - s->read_count]);
}

static int operands_of(const Period *of, const Program *p, int position)
{
	int count = INT32_MAX;
	for (int r = 0; r < of->times; r++) {
		const Step *s = &p->steps[of->first + r * of->length + position];
		int here = s->read_count + s->write_count;
		count = here < count ? here : count;
	}
	return count;
}

static void add_line(Finder *f, const Period *of, int position, int k)
{
	const Line line = {.at = NEW_ARRAY(f->arena, Buffer *, of->times + 2 * BEYOND),
	                   .room = of->times + 2 * BEYOND};
	const int number = f->lines.count;
	array_push(f->arena, &f->lines, line);
	Line *l = &f->lines.at[number];
	for (int r = 0; r < of->times; r++) {
		const int step = of->first + r * of->length + position;
		const Step *s = &f->p->steps[step];
		Buffer *b = k < s->write_count ? buffer_root(s->writes[k]) : NULL;
		if (!b || b->first != step || !may_stand(f, b) || (l->count > 0 && b->bytes != l->bytes))
			continue;
		l->bytes = b->bytes;
		stand(f, number, BEYOND + r, b);
	}
}

/* The ends of what the repeats read or write as one operand, where its middle is of one line. */
static bool extend(Finder *f, const Period *of, int position, int k)
{
	const int middle = of->times / 2;
	const Step *s = &f->p->steps[of->first + middle * of->length + position];
	const Buffer *x = operand_of(s, k), *y = operand_of(s + of->length, k);
	const int line = f->line_of[x->id];
	bool any = false;
	if (line == NONE || f->line_of[y->id] != line)
		return false;
	const int way = f->place_of[y->id] - f->place_of[x->id], from = f->place_of[x->id];
	const Line *l = &f->lines.at[line];
	if (way != 1 && way != -1)
		return false;
	for (int r = 0; r < of->times; r++) {
		Buffer *b = operand_of(&f->p->steps[of->first + r * of->length + position], k);
		const int place = from + (r - middle) * way;
		if (place < 0 || place >= l->room || l->at[place] || !may_stand(f, b) || b->bytes != l->bytes)
			continue;
		stand(f, line, place, b);
		any = true;
	}
	return any;
}

static bool overlap(const Buffer *x, const Buffer *y)
{
	return x->first <= y->last && y->first <= x->last;
}

/* Whether those that would share a place follow one another. */
static bool take_turns(const Series *s, int slots)
{
	for (int i = 0; i + slots < s->count; i++) {
		const Buffer *x = s->at[i], *y = s->at[i + slots];
		if (!x || !y || overlap(x, y) || (x->first < y->first) != (s->at[0]->first < y->first))
			return false;
	}
	return true;
}

static Series series_of(const Line *l)
{
	int begin = 0, end = l->room;
	while (!l->at[begin])
		begin++;
	while (!l->at[end - 1])
		end--;
	Series s = {.at = l->at + begin, .count = end - begin, .slots = 1};
	while (s.slots <= MOST_SLOTS && !take_turns(&s, s.slots))
		s.slots++;
	if (s.slots > MOST_SLOTS)
		s.slots = s.count;
	return s;
}

SeriesList find_series(Arena *a, const Program *p)
{
	SeriesList found = {0};
	const Periods periods = find_periods(a, p, LEAST);
	Finder f = {.arena = a,
	            .p = p,
	            .line_of = NEW_ARRAY(a, int, p->buffer_count),
	            .place_of = NEW_ARRAY(a, int, p->buffer_count)};
	for (int i = 0; i < p->buffer_count; i++)
		f.line_of[i] = NONE;
	for (int i = 0; i < periods.count; i++)
		for (int position = 0; position < periods.at[i].length; position++) {
			const Step *s = &p->steps[periods.at[i].first + position];
			for (int k = 0; k < s->write_count; k++)
				add_line(&f, &periods.at[i], position, k);
		}
	bool any = f.lines.count > 0;
	for (int round = 0; any && round < ROUNDS; round++) {
		any = false;
		for (int i = 0; i < periods.count; i++)
			for (int position = 0; position < periods.at[i].length; position++) {
				const int count = operands_of(&periods.at[i], p, position);
				for (int k = 0; k < count; k++)
					any = extend(&f, &periods.at[i], position, k) || any;
			}
	}
	for (int i = 0; i < f.lines.count; i++)
		if (f.lines.at[i].count > 1)
			array_push(a, &found, series_of(&f.lines.at[i]));
	return found;
}
