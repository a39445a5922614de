/* SPDX-License-Identifier: MIT */
/* The values that tell the repeats of a block from one another: see columns.h. */
#include "emit/columns.h"

#include "base/array.h"
#include "emit/describe.h"

#include <inttypes.h>
#include <string.h>

enum { TABLE_WIDTH = 132, MANY = 8 /* repeats, of which an exception is no rule */ };

static const char LINE_LEAD[] = "\t        "; /* of a line that goes on */

typedef struct Column {
	const char *name, *type;
	const char *const *texts; /* by repeat */
	const int64_t *numbers;   /* NULL: no numbers */
	const char *of;           /* the memory that they are offsets into; NULL: none */
} Column;

struct Columns {
	Arena *arena;
	int repeats;
	Map *names; /* of members, taken */
	ARRAY(Column) list;
	bool differ; /* numbers, whether by a rule or in the table */
};

Columns *columns_new(Arena *a, int repeats)
{
	Columns *c = NEW(a, Columns);
	*c = (Columns){.arena = a, .repeats = repeats, .names = map_new(a)};
	return c;
}

bool columns_need_index(const Columns *c)
{
	return c->differ || c->list.count > 0;
}

int columns_count(const Columns *c)
{
	return c->list.count;
}

static const char *add_member(Columns *c, const char *wanted, Column member)
{
	const char *name = c_identifier_free(c->arena, c->names, wanted);
	member.name = name;
	array_push(c->arena, &c->list, member);
	return arena_printf(c->arena, "at->%s", name);
}

static bool are_equal(const Columns *c, const char *const *texts, const char *const *others)
{
	for (int r = 0; r < c->repeats; r++)
		if (strcmp(texts[r], others[r]) != 0)
			return false;
	return true;
}

const char *columns_text(Columns *c, const char *wanted, const char *type, const char *const *texts)
{
	int same = 1;
	while (same < c->repeats && strcmp(texts[0], texts[same]) == 0)
		same++;
	if (same == c->repeats)
		return texts[0];
	for (int k = 0; k < c->list.count; k++) {
		const Column *known = &c->list.at[k];
		if (!known->numbers && strcmp(known->type, type) == 0 && are_equal(c, known->texts, texts))
			return arena_printf(c->arena, "at->%s", known->name);
	}
	return add_member(c, wanted, (Column){.type = type, .texts = texts});
}

/* "1024 + i * 256", of the repeats from `first` up to `end`; NULL: the numbers don't grow by the same step. */
static const char *progression(const Columns *c, const int64_t *numbers, int first, int end)
{
	Arena *a = c->arena;
	int64_t step = end - first > 1 ? numbers[first + 1] - numbers[first] : 0,
	        length = step < 0 ? -step : step, start = numbers[first] - first * step;
	for (int r = first + 2; r < end; r++)
		if (numbers[r] - numbers[r - 1] != step)
			return NULL;
	if (step == 0)
		return arena_printf(a, "%" PRId64, start);
	const char *times = length == 1 ? "i" : arena_printf(a, "i * %" PRId64, length);
	if (start == 0 && step > 0)
		return times;
	return arena_printf(a, "%" PRId64 " %c %s", start, step < 0 ? '-' : '+', times);
}

/* "1024 + i % 2 * 256", of those repeats: every other one is the same; NULL: they are not. */
static const char *alternation(const Columns *c, const int64_t *numbers, int first, int end)
{
	const int even = first % 2 ? first + 1 : first, odd = first % 2 ? first : first + 1;
	for (int r = first; r < end; r++)
		if (end - first < MANY || numbers[r] != numbers[r % 2 ? odd : even])
			return NULL;
	const int64_t apart = numbers[odd] - numbers[even];
	return arena_printf(c->arena, "%" PRId64 " %c i %% 2 * %" PRId64, numbers[even],
	                    apart < 0 ? '-' : '+', apart < 0 ? -apart : apart);
}

static const char *rule(const Columns *c, const int64_t *numbers, int first, int end)
{
	const char *text = progression(c, numbers, first, end);
	return text ? text : alternation(c, numbers, first, end);
}

/* Of many, all but the first or the last follow a rule. */
static const char *rule_but_for_one(const Columns *c, const int64_t *numbers)
{
	const int last = c->repeats - 1;
	if (c->repeats <= MANY)
		return NULL;
	const char *rest = rule(c, numbers, 1, c->repeats);
	if (rest)
		return arena_printf(c->arena, "(i == 0 ? %" PRId64 " : %s)", numbers[0], rest);
	rest = rule(c, numbers, 0, last);
	return rest ? arena_printf(c->arena, "(i == %d ? %" PRId64 " : %s)", last, numbers[last], rest)
	            : NULL;
}

static bool same_memory(const char *x, const char *y)
{
	return x && y ? strcmp(x, y) == 0 : x == y;
}

/* A member of the same memory that all numbers are at the same distance from; NULL: there is none. */
static const char *from_member(const Columns *c, const char *type, const char *of, const int64_t *numbers)
{
	for (int k = 0; k < c->list.count; k++) {
		const Column *known = &c->list.at[k];
		if (!known->numbers || strcmp(known->type, type) != 0 || !same_memory(known->of, of))
			continue;
		int64_t apart = numbers[0] - known->numbers[0];
		int same = 1;
		while (same < c->repeats && numbers[same] - known->numbers[same] == apart)
			same++;
		if (same < c->repeats)
			continue;
		if (apart == 0)
			return arena_printf(c->arena, "at->%s", known->name);
		return arena_printf(c->arena, "at->%s %c %" PRId64, known->name, apart < 0 ? '-' : '+',
		                    apart < 0 ? -apart : apart);
	}
	return NULL;
}

static const char *numbers_text(Columns *c, const char *wanted, const char *type, const char *of,
                                const int64_t *numbers)
{
	const bool is_size = strcmp(type, "int64_t") == 0;
	/* two sizes always grow by the same step, which says nothing */
	const char *text = c->repeats == 2 && is_size && numbers[0] != numbers[1]
	                           ? NULL
	                           : rule(c, numbers, 0, c->repeats);
	if (!text)
		text = rule_but_for_one(c, numbers);
	if (!text)
		text = from_member(c, type, of, numbers);
	for (int r = 1; r < c->repeats; r++)
		c->differ = c->differ || numbers[r] != numbers[0];
	if (text)
		return text;
	const char **texts = NEW_ARRAY(c->arena, const char *, c->repeats);
	int64_t *kept = NEW_ARRAY(c->arena, int64_t, c->repeats);
	for (int r = 0; r < c->repeats; r++) {
		kept[r] = numbers[r];
		texts[r] = arena_printf(c->arena, "%" PRId64, numbers[r]);
	}
	return add_member(c, wanted, (Column){.type = type, .texts = texts, .numbers = kept, .of = of});
}

const char *columns_number(Columns *c, const char *wanted, const char *type, const int64_t *numbers)
{
	return numbers_text(c, wanted, type, NULL, numbers);
}

const char *columns_offset(Columns *c, const char *wanted, const char *of, const int64_t *offsets)
{
	return numbers_text(c, wanted, "size_t", of, offsets);
}

/* ---- the table */

/* Members of one type follow one another, in the order in which types came first. */
static void sort_by_type(Columns *c)
{
	Map *types = map_new(c->arena);
	for (int k = 0; k < c->list.count; k++)
		map_set(types, c->list.at[k].type, c);
	Column *sorted = NEW_ARRAY(c->arena, Column, c->list.count);
	int count = 0;
	for (int i = 0; i < map_count(types); i++)
		for (int k = 0; k < c->list.count; k++)
			if (strcmp(c->list.at[k].type, map_key(types, i)) == 0)
				sorted[count++] = c->list.at[k];
	memcpy(c->list.at, sorted, (size_t)count * sizeof *sorted);
}

static void write_type(const Columns *c, Writer *w, const char *name)
{
	Arena *a = c->arena;
	write_line(w, "struct %s {", name);
	for (int k = 0; k < c->list.count;) {
		const char *type = c->list.at[k].type, *names = "";
		size_t base = strlen(type);
		while (base > 0 && type[base - 1] == '*')
			base--;
		const char *stars = type + base;
		for (int first = k; k < c->list.count && strcmp(c->list.at[k].type, type) == 0; k++)
			names = arena_printf(a, "%s%s%s%s", names, k > first ? ", " : "",
			                     k > first ? stars : "", c->list.at[k].name);
		write_line(w, "\t%s%s%s;", type, *stars ? "" : " ",
		           wrapped_text(a, names, TABLE_WIDTH, LINE_LEAD));
	}
	write_line(w, "};");
}

void columns_write(Columns *c, Writer *w, const char *name, const char *table, const char *const *paths)
{
	Arena *a = c->arena;
	sort_by_type(c);
	write_type(c, w, name);
	write_line(w, "static const struct %s %s[%d] = {", name, table, c->repeats);
	for (int r = 0; r < c->repeats; r++) {
		const char *values =
		        paths && *paths[r] ? arena_printf(a, "/* %s */ {", comment_text(a, paths[r])) : "{";
		for (int k = 0; k < c->list.count; k++)
			values = arena_printf(a, "%s%s%s", values, k ? ", " : "", c->list.at[k].texts[r]);
		write_line(w, "\t%s},", wrapped_text(a, values, TABLE_WIDTH, LINE_LEAD));
	}
	write_line(w, "};");
}
