/* The values that tell the repeats of a block from one another: see columns.h. */
#include "codegen/columns.h"

#include "base/array.h"
#include "codegen/describe.h"

#include <inttypes.h>
#include <string.h>

enum { TABLE_WIDTH = 132 };

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
};

Columns *columns_new(Arena *a, int repeats)
{
	Columns *c = NEW(a, Columns);
	*c = (Columns){.arena = a, .repeats = repeats, .names = map_new(a)};
	return c;
}

int columns_count(const Columns *c)
{
	return c->list.count;
}

static const char *add_member(Columns *c, const char *wanted, Column member)
{
	const char *name = c_identifier(c->arena, wanted);
	for (int i = 2; map_get(c->names, name); i++)
		name = c_identifier_numbered(c->arena, wanted, i);
	map_set(c->names, name, c);
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
	if (same >= c->repeats)
		return texts[0];
	for (int k = 0; k < c->list.count; k++) {
		const Column *known = &c->list.at[k];
		if (!known->numbers && strcmp(known->type, type) == 0 && are_equal(c, known->texts, texts))
			return arena_printf(c->arena, "at->%s", known->name);
	}
	return add_member(c, wanted, (Column){.type = type, .texts = texts});
}

/* "1024 + i * 256"; NULL: the numbers don't grow by the same step. Two sizes always do, which says nothing. */
static const char *progression(const Columns *c, const char *type, const int64_t *numbers)
{
	Arena *a = c->arena;
	int64_t step = c->repeats > 1 ? numbers[1] - numbers[0] : 0, length = step < 0 ? -step : step;
	for (int r = 2; r < c->repeats; r++)
		if (numbers[r] - numbers[r - 1] != step)
			return NULL;
	if (step == 0)
		return arena_printf(a, "%" PRId64, numbers[0]);
	if (c->repeats == 2 && strcmp(type, "int64_t") == 0)
		return NULL;
	const char *times = length == 1 ? "i" : arena_printf(a, "i * %" PRId64, length);
	if (numbers[0] == 0 && step > 0)
		return times;
	return arena_printf(a, "%" PRId64 " %c %s", numbers[0], step < 0 ? '-' : '+', times);
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
	const char *text = progression(c, type, numbers);
	if (!text)
		text = from_member(c, type, of, numbers);
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
