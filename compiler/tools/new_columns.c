/* SPDX-License-Identifier: MIT */
#include "tools/new_columns.h"

#include "runtime/data/cell_values.h"
#include "runtime/data/cells.h"
#include "runtime/host/die.h"

#include <math.h>
#include <strings.h>

#include <stdlib.h>
#include <string.h>

/* What is kept of a column while the rows go by. */
typedef struct Counts {
	int64_t of[CELL_WORD + 1];
	int64_t *rows; /* of each word, [MOST_WORDS + 1] */
	double first, sum, squares, last;
	const char *examples[CELL_WORD + 1];
	bool counts; /* each number is one more than the one before */
} Counts;

static void see_number(SeenColumn *c, Counts *n, double value)
{
	const bool is_first = n->of[CELL_NUMBER] == 1;
	n->first = is_first ? value : n->first;
	n->counts = is_first || (n->counts && value == n->last + 1);
	n->last = value;
	c->least = is_first || value < c->least ? value : c->least;
	c->most = is_first || value > c->most ? value : c->most;
	c->whole = (is_first || c->whole) && value == floor(value);
	n->sum += value - n->first;
	n->squares += (value - n->first) * (value - n->first);
}

static void see_cell(Arena *a, SeenColumn *c, Counts *n, const char *text, bool decimal_comma)
{
	double value;
	const CellKind kind = cell_kind(text, decimal_comma, &value);
	if (kind == CELL_MISSING) {
		c->missing++;
		return;
	}
	c->values++;
	n->of[kind]++;
	if (!n->examples[kind])
		n->examples[kind] = arena_strdup(a, text);
	if (kind == CELL_NUMBER)
		see_number(c, n, value);
	if (map_count(c->words) <= MOST_WORDS)
		n->rows[map_number(c->words, text)]++;
}

/* Fewer of them are words of which one may learn even where each occurs in few rows. */
enum { FEW = 20 };

static bool is_named_as_key(const char *name)
{
	static const char *const words[] = {"id", "uuid", "guid", "index", "key", "rowid"};
	const size_t n = strlen(name);
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strcasecmp(name, words[i]) == 0)
			return true;
	return n > 3 && strchr("_ -.", name[n - 3]) && strcasecmp(name + n - 2, "id") == 0;
}

static SeenKind kind_of(const SeenTable *t, const SeenColumn *c, const Counts *n)
{
	const int64_t different = map_count(c->words), times = n->of[CELL_DATE] + n->of[CELL_TIME];
	const bool all_differ = different == t->rows || (different > MOST_WORDS && c->whole);
	if (c->values == 0)
		return SEEN_NOTHING;
	if (n->of[CELL_NUMBER] == c->values) {
		if (t->rows > 2 && c->missing == 0 &&
		    (n->counts || (c->whole && all_differ && is_named_as_key(c->name))))
			return SEEN_NAMES;
		return different == 1 && c->missing == 0 ? SEEN_ONE : SEEN_NUMBERS;
	}
	if (different == 1 && c->missing == 0)
		return SEEN_ONE;
	if (n->of[CELL_DATE] == c->values || n->of[CELL_TIME] == c->values)
		return SEEN_TIMES;
	if (c->missing == 0 && different == t->rows && different > FEW)
		return SEEN_NAMES;
	if (different > MOST_WORDS || (different > FEW && 2 * different > c->values) || times > 0)
		return SEEN_TEXTS;
	return SEEN_WORDS;
}

static void finish_column(SeenTable *t, SeenColumn *c, const Counts *n)
{
	const double count = (double)n->of[CELL_NUMBER];
	if (count > 0) {
		c->mean = n->first + n->sum / count;
		c->deviation = sqrt(fmax(0, n->squares / count - (n->sum / count) * (n->sum / count)));
	}
	c->kind = kind_of(t, c, n);
	c->least_rows = INT64_MAX;
	for (int i = 0; i < map_count(c->words); i++)
		c->least_rows = n->rows[i] < c->least_rows ? n->rows[i] : c->least_rows;
	if (n->of[CELL_WORD] > 0 && count > (double)n->of[CELL_WORD]) {
		c->odd = n->examples[CELL_WORD];
		c->odd_among = n->examples[CELL_NUMBER];
	}
}

static void see_header(Arena *a, SeenTable *t, Cells *cells)
{
	int numbers = 0;
	if (!cells_row(cells))
		die(STATUS_DATA, "`%s` is empty: its first line must name the columns", t->path);
	t->count = cells->count;
	t->columns = NEW_ARRAY(a, SeenColumn, t->count);
	for (int i = 0; i < t->count; i++) {
		double value;
		numbers += cell_kind(cells->at[i], false, &value) == CELL_NUMBER;
		t->columns[i] = (SeenColumn){.name = arena_strdup(a, cells->at[i]), .words = map_new(a)};
		for (int k = 0; k < i; k++)
			if (*cells->at[i] && strcmp(t->columns[k].name, cells->at[i]) == 0)
				die(STATUS_DATA, "`%s`: the columns %d and %d are both named `%s`", t->path,
				    k + 1, i + 1, cells->at[i]);
	}
	if (numbers == t->count)
		die(STATUS_DATA, "`%s`, line %lld: these are numbers; the first line must name the columns",
		    t->path, (long long)cells->row_line);
}

SeenTable *table_look(Arena *a, const char *path)
{
	SeenTable *t = NEW(a, SeenTable);
	t->path = path;
	program_set_name("nnc");
	if (!cells_named(path))
		die(STATUS_DATA,
		    "`%s` is no table by its name: tables end in .csv or .tsv, or in these and .gz; a "
		    "spreadsheet is "
		    "saved as CSV",
		    path);
	Cells cells = cells_open(path);
	see_header(a, t, &cells);
	Counts *counts = NEW_ARRAY(a, Counts, t->count);
	for (int i = 0; i < t->count; i++)
		counts[i].rows = NEW_ARRAY(a, int64_t, MOST_WORDS + 2);
	for (; cells_row(&cells); t->rows++) {
		if (cells.count != t->count)
			die(STATUS_DATA,
			    "`%s`, line %lld: there are %d cells, and the header names %d columns", path,
			    (long long)cells.row_line, cells.count, t->count);
		for (int i = 0; i < t->count; i++)
			see_cell(a, &t->columns[i], &counts[i], cells.at[i], cells.separator != ',');
	}
	for (int i = 0; i < t->count; i++)
		finish_column(t, &t->columns[i], &counts[i]);
	cells_close(&cells);
	return t;
}
