/* SPDX-License-Identifier: MIT */
/* A table whose rows follow one another in time: a sample is a window of rows, and what comes next. table_reading.h.
 *
 * Rows are read as those of any table. What is held out is the tail, and a window lies within one of the parts, so
 * that nothing of what is held out is seen in training. The parts keep the rows, and a batch copies its windows from
 * them. */
#include "runtime/host/die.h"
#include "runtime/data/split.h"
#include "runtime/data/table_reading.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool series_is_asked(const NnrModel *m)
{
	return m->data && strcmp(m->data, "series") == 0;
}

int table_elements(const NnrModel *m, int i)
{
	const NnrInput *in = &m->inputs[i];
	if (!series_is_asked(m))
		return (int)sample_elements(in);
	return in->rank == 3 ? (int)in->dim[2] : 1;
}

/* Rows of a sample's input, or those that a target foretells. */
static int64_t rows_of(const NnrInput *in)
{
	return in->rank > 1 ? in->dim[1] : 1;
}

/* Of the inputs, or of the target. */
static int64_t sample_rows(const NnrModel *m, bool target)
{
	int64_t rows = 0;
	for (int i = 0; i < m->input_count; i++)
		if (m->inputs[i].is_target == target)
			rows = rows_of(&m->inputs[i]);
	return rows;
}

/* ---- columns */

static void check_model(const NnrModel *m)
{
	int targets = 0;
	for (int i = 0; i < m->input_count; i++) {
		const NnrInput *in = &m->inputs[i];
		targets += in->is_target;
		if ((in->dtype != NNR_F32 && in->dtype != NNR_F64) || in->rank > 3 ||
		    rows_of(in) != sample_rows(m, in->is_target))
			targets = MAX_INPUTS;
	}
	if (targets != 1)
		die_help(
		        STATUS_DATA,
		        "declare, for 48 rows of 3 columns and the next 12 of one, `input x: f32[48, 3]` and "
		        "`target y: f32[12]`; or f32[48], of one column; other inputs have as many rows",
		        "`%s` is no model of a series: inputs of one number of rows, and one target, all of "
		        "them f32",
		        m->name);
}

/* That is named for what is held out, or was when the weights were trained, else the first of dates in the first row;
 * -1: there is none. The reader stands behind the header, and does so again. */
static int time_column(Reading *x)
{
	Table *t = x->table;
	int column = x->split;
	if (column >= 0 && !t->time)
		t->time = text_printf("%s", x->header[column]);
	if (column < 0 && t->time)
		column = table_find_column(x, t->time);
	if (column < 0 && cells_row(&x->cells)) {
		double value;
		for (int k = 0; k < x->column_count && k < x->cells.count && column < 0; k++)
			if (table_role(x, k) != NNR_COLUMN_IGNORED &&
			    cell_kind(x->cells.at[k], false, &value) == CELL_DATE)
				column = k;
		cells_rewind(&x->cells);
		(void)cells_row(&x->cells);
	}
	return column;
}

static void check_split(const Reading *x)
{
	const NnrSplit *split = &x->r->split;
	if (split->by != NNR_SPLIT_SHARE && split->by != NNR_SPLIT_TIME)
		die(STATUS_DATA, "`%s` is a series, whose tail is held out: `%s` can't be", x->path,
		    split_text(split));
}

/* The columns of an input: those that the weights were trained on, that of its name, or all. */
static void take_columns(Reading *x, int i, const int *all, int count)
{
	const NnrInput *in = &x->r->model->inputs[i];
	TableInput *t = &x->table->inputs[i];
	const int own = t->count == 1 ? table_find_column(x, in->name) : -1;
	if (!t->columns && own < 0 && count != t->count) {
		char **names = allocate(count, sizeof *names, "the columns of the table");
		for (int k = 0; k < count; k++)
			names[k] = x->header[all[k]];
		die_help(STATUS_DATA,
		         text_printf("`%s %s: f32[%lld, %d]` is of all of them; one column is f32[%lld], by "
		                     "its name; `ignore \"COLUMN\"` in the recipe leaves one out",
		                     in->is_target ? "target" : "input", in->name, (long long)rows_of(in),
		                     count, (long long)rows_of(in)),
		         "`%s` has %d column%s for `%s`: %s", x->path, count, count == 1 ? "" : "s",
		         input_text(in), table_list(names, count));
	}
	const bool given = t->columns != NULL;
	if (!given)
		t->columns = allocate(t->count, sizeof *t->columns, "the columns of the table");
	x->place[i] = allocate(t->count, sizeof *x->place[i], "the columns of the table");
	for (int k = 0; k < t->count; k++) {
		const int column = given ? table_find_column(x, t->columns[k]) : own >= 0 ? own : all[k];
		if (column < 0)
			die(STATUS_DATA,
			    "`%s` has no column `%s`, which the weights were trained on; it has %s", x->path,
			    t->columns[k], table_list(x->header, x->column_count));
		if (x->rule[column] == NNR_COLUMN_DROP || x->rule[column] == NNR_COLUMN_FLAG)
			die(STATUS_DATA,
			    "`%s`, column `%s`: `missing` is median, mean or mode for a series, of which no "
			    "row can be left out and no flag is an input",
			    x->path, x->header[column]);
		x->place[i][k] = column;
		if (!given)
			t->columns[k] = text_printf("%s", x->header[column]);
	}
}

void series_take_columns(Reading *x)
{
	const NnrModel *m = x->r->model;
	int *all = allocate(x->column_count, sizeof *all, "the columns of the table"), count = 0;
	check_model(m);
	check_split(x);
	if (!x->r->want_targets && !x->words_are_given)
		die(STATUS_DATA,
		    "forecasts of `%s` have no units: the weights have no `table`, the mean and scale of the "
		    "columns that they were trained on",
		    x->path);
	x->split = time_column(x);
	for (int k = 0; k < x->column_count; k++)
		if (k != x->split && table_role(x, k) == REFUSED)
			all[count++] = k;
	for (int i = 0; i < m->input_count; i++)
		if (!m->inputs[i].is_target || x->r->want_targets)
			take_columns(x, i, all, count);
	free(all);
}

/* ---- time */

void series_row(Reading *x)
{
	double value;
	if (x->split < 0)
		return;
	if (cell_kind(x->cells.at[x->split], false, &value) == CELL_MISSING)
		table_die_at(x, x->split, "the time of the row is missing");
	const double now = table_cell_number(x, x->split, true, 0, HUGE_VAL), step = now - x->time;
	const char *unit = x->kind[x->split] == CELL_NUMBER ? "" : " s";
	if (x->rows > 0 && step <= 0)
		table_die_at(x, x->split,
		             text_printf("`%s` is not later than the row before it: the rows of a series "
		                         "stand in the order of time",
		                         x->cells.at[x->split]));
	/* Months are of 28 to 31 days. */
	if (x->rows > 1 && (step > 1.5 * x->apart || 1.5 * step < x->apart))
		table_die_at(x, x->split,
		             text_printf("a gap in time: `%s` is %.10g%s after the row before it, and the "
		                         "first rows are %.10g%s apart; put in the rows that are missing "
		                         "or, if the series goes on so, say `ignore \"%s\"` in the recipe",
		                         x->cells.at[x->split], step, unit, x->apart, unit,
		                         x->header[x->split]));
	if (x->rows == 1)
		x->apart = step;
	x->time = now;
}

/* ---- parts */

/* With room for rows [first, end), and for what a target foretells beyond them where none is wanted. */
static DataPart rows_part(const NnrModel *m, int64_t first, int64_t end)
{
	DataPart part = {.count = end - first, .first = first};
	for (int i = 0; i < m->input_count; i++)
		part.at[i] = allocate(part.count + rows_of(&m->inputs[i]),
		                      table_elements(m, i) * dtype_bytes(m->inputs[i].dtype),
		                      "the rows of the series");
	return part;
}

static void check_rows(const Reading *x, const char *what, int64_t rows)
{
	const NnrModel *m = x->r->model;
	const int64_t window = sample_rows(m, false), horizon = x->r->want_targets ? sample_rows(m, true) : 0;
	if (rows >= window + horizon)
		return;
	char *next = horizon ? text_printf(" and the next %lld", (long long)horizon) : text_printf("%s", "");
	die_help(STATUS_DATA,
	         "give more rows, hold out another share of them, or compile for shorter windows",
	         "`%s` has %lld rows, of which %lld are %s: a window of %lld rows%s takes %lld", x->path,
	         (long long)x->rows, (long long)rows, what, (long long)window, next,
	         (long long)(window + horizon));
}

/* Of folds each is the next equal part, trained on what comes before, as split.c has it by time. */
void series_divide(const Reading *x, Dataset *d)
{
	const int64_t total = x->rows, folds = x->r->folds, fold = x->r->fold;
	int64_t first = total - (int64_t)((double)total * x->r->split.share + 0.5), end = total;
	if (folds > 0) {
		first = total / (folds + 1) * fold + total % (folds + 1) * fold / (folds + 1);
		end = total / (folds + 1) * (fold + 1) + total % (folds + 1) * (fold + 1) / (folds + 1);
	}
	d->divided = d->by_samples = true;
	check_rows(x, first < end ? "to train on" : "for windows", first);
	d->train = rows_part(x->r->model, 0, first);
	if (first == end)
		return;
	check_rows(x, "held out", end - first);
	d->held_out = rows_part(x->r->model, first, end);
}

void series_windows(const Reading *x, DataPart *part)
{
	const NnrModel *m = x->r->model;
	const int64_t rows = part->count, window = sample_rows(m, false);
	if (rows == 0)
		return;
	part->window = 1;
	part->count = part->places = rows - window - (x->r->want_targets ? sample_rows(m, true) : 0) + 1;
	for (int i = 0; i < m->input_count; i++) {
		const int64_t row = table_elements(m, i), bytes = row * dtype_bytes(m->inputs[i].dtype);
		part->row[i] = row;
		if (m->inputs[i].is_target && x->r->want_targets)
			memmove(part->at[i], part->at[i] + window * bytes, (size_t)((rows - window) * bytes));
	}
}

void series_rows(const Reading *x, TableRows *rows)
{
	const int64_t before = sample_rows(x->r->model, false) - 1, texts = before * rows->columns;
	for (int64_t k = 0; k < texts; k++)
		free(rows->texts[k]);
	rows->count -= before;
	memmove(rows->numbers, rows->numbers + before, (size_t)rows->count * sizeof *rows->numbers);
	memmove(rows->texts, rows->texts + texts,
	        (size_t)(rows->count * rows->columns) * sizeof *rows->texts);
}

/* ---- units */

const NnrOutput *series_forecast(const NnrModel *m)
{
	const NnrInput *target = NULL;
	const NnrOutput *found = NULL;
	int count = 0;
	for (int i = 0; series_is_asked(m) && i < m->input_count; i++)
		if (m->inputs[i].is_target)
			target = &m->inputs[i];
	for (int i = 0; target && i < m->predict.output_count; i++) {
		const NnrOutput *o = &m->predict.outputs[i];
		if (o->rank == target->rank && o->dtype == target->dtype &&
		    memcmp(o->dim, target->dim, (size_t)o->rank * sizeof *o->dim) == 0) {
			found = o;
			count++;
		}
	}
	return count == 1 ? found : NULL;
}

void series_units(const Table *t, const NnrModel *m, const NnrOutput *o, char *at, int64_t samples)
{
	for (int i = 0; t && o == series_forecast(m) && i < t->count; i++) {
		const TableInput *columns = &t->inputs[i];
		const int64_t each = sample_elements(&m->inputs[i]);
		if (!m->inputs[i].is_target || !columns->mean)
			continue;
		for (int64_t k = 0; k < samples * each; k++) {
			const int column = (int)(k % columns->count);
			const double value =
			        real_value(at, o->dtype, k) * columns->scale[column] + columns->mean[column];
			number_store(at, o->dtype, k, value);
		}
	}
}
