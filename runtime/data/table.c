/* SPDX-License-Identifier: MIT */
/* Reads a table: two passes over its rows, the first of which learns what there is. table_reading.h. */
#include "runtime/host/die.h"
#include "runtime/host/progress.h"
#include "runtime/data/split.h"
#include "runtime/data/reader.h"
#include "runtime/data/table_reading.h"
#include "runtime/data/image_files.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *table_list(char *const *words, int count)
{
	enum { MOST = 12 };
	char *text = text_printf("%s", "");
	for (int i = 0; i < count && i < MOST; i++)
		text_append(&text, "%s`%s`", i ? ", " : "", words[i]);
	if (count > MOST)
		text_append(&text, " and %d more", count - MOST);
	return text;
}

/* ---- cells */

void table_die_at(const Reading *x, int column, const char *why)
{
	die(STATUS_DATA, "`%s`, line %lld, column `%s`: %s", x->path, (long long)x->cells.row_line,
	    x->header[column], why);
}

static CellKind kind_of(const Reading *x, int column, double *value)
{
	return cell_kind(x->cells.at[column], x->cells.separator != ',', value);
}

/* In the cells of a column from this row on. */
static int64_t count_missing(Reading *x, int column)
{
	double value;
	int64_t count = 0;
	do
		count += column < x->cells.count && kind_of(x, column, &value) == CELL_MISSING;
	while (cells_row(&x->cells));
	return count;
}

/* Names the first cell, how many the column has, and what mends them all. */
static _Noreturn void die_of_missing(Reading *x, int i, int column)
{
	const NnrInput *in = &x->r->model->inputs[i];
	const char *bare = x->cells.at[column] + strspn(x->cells.at[column], " \t");
	char *what = *bare ? text_printf("`%s` stands for a missing value", bare)
	                   : text_printf("the value is missing");
	char *rule = text_printf("missing \"%s\" drop", x->header[column]), *help;
	const long long line = (long long)x->cells.row_line;
	const int64_t count = count_missing(x, column);
	if (in->is_target && series_is_asked(x->r->model))
		help = text_printf("`%s` is foretold, and nothing stands for what is missing there: put the "
		                   "values there",
		                   in->name);
	else if (in->is_target)
		help = text_printf("nothing can be learnt of a row without its `%s`: put the values there, "
		                   "or leave such "
		                   "rows out by `%s` in the recipe",
		                   in->name, rule);
	else if (x->words_are_given)
		help = text_printf(
		        "the weights know nothing to put there: train with `missing median` in the recipe");
	else if (is_class(in))
		help = text_printf("`missing flag` in the recipe (or nnc --set missing=flag) gives missing "
		                   "and unknown words "
		                   "row 0 and the words those from 1 on, mode puts the most frequent word "
		                   "there, and `%s` "
		                   "leaves the rows out",
		                   rule);
	else
		help = text_printf("`missing median` in the recipe (or nnc --set missing=median) puts the "
		                   "column's median "
		                   "there, and so do mean and mode; flag tells the network, too; `%s` leaves "
		                   "the rows out",
		                   rule);
	die_help(STATUS_DATA, help, "`%s`, line %lld, column `%s`: %s%s", x->path, line, x->header[column],
	         what,
	         count > 1 ? text_printf("; %s values of this column are missing", count_text((double)count))
	                   : "");
}

const char *table_cell(Reading *x, int i, int k)
{
	const NnrInput *in = &x->r->model->inputs[i];
	const TableInput *t = &x->table->inputs[i];
	const int column = x->place[i][k];
	double value;
	if (kind_of(x, column, &value) != CELL_MISSING)
		return x->cells.at[column];
	const bool filled = x->words_are_given ? t->fill && !isnan(t->fill[table_source(t, k)])
	                                       : !in->is_target && x->rule[column] != REFUSED;
	if (!filled)
		die_of_missing(x, i, column);
	return NULL;
}

/* A comma may be decimal or stand between thousands: with points beside it nobody knows. */
static void note_mark(Reading *x, int column, const char *text)
{
	const bool comma = strchr(text, ','), point = strchr(text, '.');
	if (comma || point)
		x->mark_line[comma] = x->cells.row_line;
	if (x->mark_line[0] && x->mark_line[1])
		table_die_at(
		        x, column,
		        text_printf(
		                "`%s` has a decimal %s, and a number in line %lld a %s: write all of them "
		                "with points",
		                text, comma ? "comma" : "point", (long long)x->mark_line[!comma],
		                comma ? "point" : "comma"));
}

/* A column is of numbers, of dates or of times of day. */
static void note_kind(Reading *x, int column, CellKind kind)
{
	static const char *const names[] = {
	        [CELL_NUMBER] = "a number", [CELL_DATE] = "a date", [CELL_TIME] = "a time of day"};
	if (x->kind[column] == CELL_MISSING)
		x->kind[column] = kind;
	if (x->kind[column] != kind)
		table_die_at(x, column,
		             text_printf("`%s` is %s, and the column begins with %s", x->cells.at[column],
		                         names[kind], names[x->kind[column]]));
}

double table_cell_number(Reading *x, int column, bool real, double least, double most)
{
	const char *text = x->cells.at[column];
	double value;
	const CellKind kind = kind_of(x, column, &value);
	if (kind == CELL_WORD)
		table_die_at(x, column,
		             cell_is_doubtful_date(text)
		                     ? text_printf("`%s` is no number, and as a date it has several "
		                                   "meanings: write the "
		                                   "year, the month and the day, as 2024-01-31",
		                                   text)
		                     : text_printf("`%s` is no number", text));
	note_kind(x, column, kind);
	if (kind == CELL_NUMBER)
		note_mark(x, column, text);
	if (!isfinite(value) || (real && fabs(value) > most))
		table_die_at(x, column, text_printf("`%s` is too large", text));
	if (!real && (value != floor(value) || value < least || value > most))
		table_die_at(x, column,
		             text_printf("`%s` is no whole number from %.0f to %.0f", text, least, most));
	return value;
}

/* NaN: missing. */
static double value_in(Reading *x, int i, int k)
{
	const NnrInput *in = &x->r->model->inputs[i];
	const int column = x->place[i][k];
	if (is_class(in))
		return words_class(x, i, k);
	if (!table_cell(x, i, k))
		return NAN;
	if (in->dtype == NNR_F32)
		return table_cell_number(x, column, true, 0, 3.4028234663852886e38);
	if (in->dtype == NNR_F64)
		return table_cell_number(x, column, true, 0, HUGE_VAL);
	return in->dtype == NNR_U8 ? table_cell_number(x, column, false, 0, UINT8_MAX)
	                           : table_cell_number(x, column, false, INT32_MIN, INT32_MAX);
}

/* ---- two passes: count, check and learn the words; then store */

/* Whether a value is missing by which the recipe leaves a row out. */
static bool is_dropped(const Reading *x)
{
	const NnrModel *m = x->r->model;
	double value;
	for (int i = 0; i < m->input_count; i++)
		for (int k = 0; x->place[i] && k < x->table->inputs[i].count; k++)
			if (x->rule[x->place[i][k]] == NNR_COLUMN_DROP &&
			    kind_of(x, x->place[i][k], &value) == CELL_MISSING)
				return true;
	return false;
}

static bool next_row(Reading *x)
{
	while (cells_row(&x->cells)) {
		if (x->cells.count != x->column_count)
			die(STATUS_DATA,
			    "`%s`, line %lld: there are %d cells, and the header names %d columns", x->path,
			    (long long)x->cells.row_line, x->cells.count, x->column_count);
		if (!is_dropped(x)) {
			x->at++;
			if (pictures_has(x))
				return true;
			x->without++;
			continue;
		}
		x->dropped++;
	}
	return false;
}

static void rewind_rows(Reading *x)
{
	cells_rewind(&x->cells);
	(void)cells_row(&x->cells);
	x->dropped = x->without = x->at = x->next = 0;
}

static void look_at_input(Reading *x, int i)
{
	const bool learns = has_words(x, i) && !x->words_are_given;
	if (x->table->inputs[i].spread) {
		spread_learn(x, i);
		return;
	}
	for (int k = 0; k < x->table->inputs[i].count; k++)
		if (learns)
			words_learn(x, i, k);
		else
			(void)value_in(x, i, k);
}

static void look(Reading *x)
{
	const NnrModel *m = x->r->model;
	for (int i = 0; i < m->input_count; i++)
		if (has_words(x, i) || x->table->inputs[i].spread == TABLE_LABELS)
			words_begin(x, i);
	for (; next_row(x); x->rows++) {
		pictures_list(x);
		if (series_is_asked(m))
			series_row(x);
		for (int i = 0; i < m->input_count; i++)
			if (x->place[i])
				look_at_input(x, i);
	}
	for (int i = 0; i < m->input_count && x->rows > 0 && !x->words_are_given; i++)
		if (x->place[i] && (has_words(x, i) || x->table->inputs[i].spread == TABLE_LABELS))
			words_end(x, i, x->header[x->place[i][0]]);
}

/* ---- by what samples are held out */

/* Of each group a number, in the order of bytes. `texts` are those of all rows, which end here. */
static void number_groups(Reading *x, char **texts)
{
	char **sorted = allocate(x->rows, sizeof *sorted, "the groups of the table");
	int64_t count = 0;
	memcpy(sorted, texts, (size_t)x->rows * sizeof *sorted);
	qsort(sorted, (size_t)x->rows, sizeof *sorted, words_by_bytes);
	for (int64_t i = 0; i < x->rows; i++)
		if (i == 0 || strcmp(sorted[i], sorted[count - 1]) != 0)
			sorted[count++] = sorted[i];
	for (int64_t i = 0; i < x->rows; i++)
		x->keys[i] = (double)((char **)bsearch(&texts[i], sorted, (size_t)count, sizeof *sorted,
		                                       words_by_bytes) -
		                      sorted);
	for (int64_t i = 0; i < x->rows; i++)
		free(texts[i]);
	free(sorted);
}

static double split_key(Reading *x)
{
	const NnrSplit *split = &x->r->split;
	const char *text = x->cells.at[x->split];
	double value;
	if (kind_of(x, x->split, &value) == CELL_MISSING)
		table_die_at(x, x->split, "the value is missing, and by it samples are held out");
	if (split->by == NNR_SPLIT_TIME)
		return table_cell_number(x, x->split, true, 0, HUGE_VAL);
	if (split->by == NNR_SPLIT_COLUMN && split_side(text) < 0)
		table_die_at(x, x->split,
		             text_printf("`%s` says neither that the row is to train on (train, 0) nor that "
		                         "it is held "
		                         "out (test, val, 1)",
		                         text));
	return split_side(text);
}

static void read_split(Reading *x)
{
	const bool groups = x->r->split.by == NNR_SPLIT_GROUP;
	char **texts = groups ? allocate(x->rows, sizeof *texts, "the groups of the table") : NULL;
	x->keys = allocate(x->rows, sizeof *x->keys, "the columns of the table");
	rewind_rows(x);
	for (int64_t row = 0; next_row(x); row++) {
		x->keys[row] = split_key(x);
		if (groups)
			texts[row] = text_printf("%s", x->cells.at[x->split]);
	}
	if (groups)
		number_groups(x, texts);
	free(texts);
}

/* Of a row that is predicted for: what is written beside it. */
static void keep_row(const Reading *x, TableRows *rows, int64_t row)
{
	rows->numbers[row] = row + x->dropped + x->without;
	for (int column = 0, k = 0; column < x->column_count && k < rows->columns; column++)
		if (table_role(x, column) == NNR_COLUMN_PASSED)
			rows->texts[row * rows->columns + k++] = text_printf("%s", x->cells.at[column]);
}

static void store_input(Reading *x, DataPart *part, int i, int64_t row)
{
	const int count = x->table->inputs[i].count;
	if (x->table->inputs[i].spread) {
		spread_store(x, part, i, row);
		return;
	}
	for (int k = 0; k < count; k++) {
		const double value = value_in(x, i, k);
		if (x->cell[i])
			x->cell[i][row * count + k] = value;
		else
			number_store(part->at[i], x->r->model->inputs[i].dtype, row * count + k, value);
	}
}

static void store(Reading *x, DataPart *part, TableRows *rows)
{
	rewind_rows(x);
	for (int64_t row = 0; next_row(x); row++) {
		for (int i = 0; i < x->r->model->input_count; i++)
			if (x->place[i])
				store_input(x, part, i, row);
		if (rows)
			keep_row(x, rows, row);
	}
}

const double *table_row(const Reading *x, const DataPart *part, int i, int64_t sample)
{
	return x->cell[i] + data_sample(part, sample) * x->table->inputs[i].count;
}

/* ---- all of it */

static Table *new_table(const NnrModel *m)
{
	Table *t = allocate(1, sizeof *t, "the columns of the table");
	t->count = m->input_count;
	for (int i = 0; i < t->count; i++)
		t->inputs[i].count = table_elements(m, i);
	return t;
}

/* The words of the one target of classes, for whoever names classes. */
static void name_classes(Dataset *d, const NnrModel *m)
{
	int target = -1;
	for (int i = 0; i < m->input_count; i++)
		if (m->inputs[i].is_target && is_class(&m->inputs[i]))
			target = target < 0 ? i : MAX_INPUTS;
	if (target < 0 || target == MAX_INPUTS || !d->table->inputs[target].words)
		return;
	const TableInput *t = &d->table->inputs[target];
	d->classes = allocate(t->word_count, sizeof *d->classes, "the names of classes");
	for (d->class_count = 0; d->class_count < t->word_count; d->class_count++)
		d->classes[d->class_count] = text_printf("%s", t->words[d->class_count]);
}

static void say_columns(const Reading *x)
{
	const NnrModel *m = x->r->model;
	for (int i = 0; i < m->input_count; i++) {
		const TableInput *t = &x->table->inputs[i];
		if (!x->place[i])
			continue;
		const bool open = t->words && !*t->words[0];
		int values = table_columns(t) < t->count ? 1 : 0;
		while (!t->spread && values < t->count && table_source(t, values) == values)
			values++;
		char *columns = table_list(t->columns, values),
		     *flags = !t->spread && values < t->count
		                      ? text_printf("; flags of missing values of %s",
		                                    table_list(t->columns + values, t->count - values))
		                      : text_printf("%s", ""),
		     *classes = t->words ? text_printf("; %s %s%s", t->spread ? "labels" : "classes",
		                                       table_list(t->words + open, t->word_count - open),
		                                       open ? " from 1 on, others are 0" : "")
		                         : text_printf("%s", "");
		progress_say("data: %s is %s%s%s", m->inputs[i].name, columns, flags, classes);
		free(columns);
		free(flags);
		free(classes);
		spread_say(x, i);
	}
	if (x->dropped)
		progress_say("data: %s row%s left out, for values that are missing",
		             count_text((double)x->dropped), x->dropped == 1 ? " is" : "s are");
}

/* The weights may have been trained by another mean and scale. */
static void say_own_scale(const Reading *x)
{
	bool scales = false;
	for (int i = 0; i < x->table->count; i++)
		scales = scales || x->table->inputs[i].mean;
	if (scales)
		say_note("`%s` does not say by what mean and scale the columns were standardised that it was "
		         "trained on: those of `%s` itself are used",
		         x->r->weights, x->path);
}

static TableRows *new_rows(const Reading *x)
{
	TableRows *rows = allocate(1, sizeof *rows, "the columns of the table");
	rows->count = x->rows;
	rows->names = allocate(x->column_count, sizeof *rows->names, "the columns of the table");
	for (int i = 0; i < x->column_count; i++)
		if (table_role(x, i) == NNR_COLUMN_PASSED)
			rows->names[rows->columns++] = text_printf("%s", x->header[i]);
	rows->numbers = allocate(x->rows, sizeof *rows->numbers, "the columns of the table");
	rows->texts = allocate(x->rows * rows->columns, sizeof *rows->texts, "the columns of the table");
	return rows;
}

void table_rows_free(TableRows *rows)
{
	for (int i = 0; rows && i < rows->columns; i++)
		free(rows->names[i]);
	for (int64_t i = 0; rows && i < rows->count * rows->columns; i++)
		free(rows->texts[i]);
	if (rows) {
		free(rows->names);
		free(rows->texts);
		free(rows->numbers);
	}
	free(rows);
}

/* Where a recipe says nothing of columns, classes and targets go to their place as they are read. */
static void allocate_cells(Reading *x)
{
	const NnrModel *m = x->r->model;
	for (int i = 0; i < m->input_count; i++)
		if (x->place[i] && !x->table->inputs[i].spread &&
		    (series_is_asked(m) || is_real_input(&m->inputs[i]) ||
		     (m->column_count > 0 && !m->inputs[i].is_target)))
			x->cell[i] =
			        allocate(x->rows, x->table->inputs[i].count * (int64_t)sizeof *x->cell[i],
			                 "the columns of the table");
}

static void learn_from(Reading *x, const DataPart *train)
{
	for (int i = 0; i < x->r->model->input_count && train->count > 0; i++) {
		if (!x->cell[i])
			continue;
		if (words_are_open(x, i))
			words_of_training(x, train, i);
		numbers_measure(x, train, i);
	}
}

static void end_reading(Reading *x)
{
	for (int i = 0; i < x->column_count; i++)
		free(x->header[i]);
	free(x->header);
	free(x->rule);
	free(x->missing);
	free(x->keys);
	free(x->kind);
	for (int i = 0; i < x->r->model->input_count; i++) {
		free(x->place[i]);
		free(x->cell[i]);
		free(x->index[i].slots);
	}
	pictures_end(x);
	cells_close(&x->cells);
}

Dataset table_read(const char *path, const DataRequest *r)
{
	const NnrModel *m = r->model;
	Dataset d = {.format = text_printf(series_is_asked(m) ? "a series" : "a table")};
	const Table *given = r->table;
	Reading x = {.path = path, .r = r, .cells = cells_open(path), .words_are_given = given != NULL};
	d.table = given ? (Table *)given : new_table(m);
	x.table = d.table;
	table_read_header(&x);
	const bool series = series_is_asked(m);
	if (series)
		series_take_columns(&x);
	else
		table_take_columns(&x);
	look(&x);
	if (x.rows == 0 && x.dropped > 0)
		die(STATUS_DATA,
		    "`%s` has no row in which no value is missing that the recipe wants to be there", path);
	if (x.rows == 0)
		die(STATUS_DATA, "`%s` has a header and no line of data", path);
	if (series)
		series_divide(&x, &d);
	else if (x.image >= 0)
		pictures_decode(&x, &d);
	else
		data_allocate(&d.train, m, x.rows);
	allocate_cells(&x);
	if (r->want_rows)
		d.rows = new_rows(&x);
	store(&x, &d.train, d.rows);
	if (!series && x.split >= 0)
		read_split(&x);
	if (!series)
		split_data(&d, r, x.keys);
	x.files = NULL; /* the parts have them */
	if (!given)
		learn_from(&x, &d.train);
	if (!given && r->weights)
		say_own_scale(&x);
	numbers_store(&x, &d.train);
	numbers_store(&x, &d.held_out);
	if (series) {
		series_windows(&x, &d.train);
		series_windows(&x, &d.held_out);
	}
	if (series && d.rows)
		series_rows(&x, d.rows);
	name_classes(&d, m);
	if (r->want_train)
		data_forget_files(&d.train);
	if (r->show_progress)
		say_columns(&x);
	end_reading(&x);
	return d;
}

static bool recognise(const char *path, const NnrModel *model)
{
	(void)model;
	return cells_named(path);
}

const DataReader data_reader_table = {.of = OF_FILE, .recognise = recognise, .read = table_read};
