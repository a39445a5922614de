/* SPDX-License-Identifier: MIT */
/* Of a table: what stands for missing values, and standardisation.
 *
 * In double from the file's digits on, for the values of a column may differ by less than f32 has digits for: seconds
 * since 1970, dates as 20240101, degrees of a position. What is left after the mean is taken away fits. */
#include "runtime/host/die.h"
#include "runtime/data/table_reading.h"

#include <math.h>
#include <stdlib.h>

int table_source(const TableInput *t, int k)
{
	return t->flag_of && t->flag_of[k] >= 0 ? t->flag_of[k] : k;
}

double table_number(const TableInput *t, int k, double value)
{
	if (t->flag_of && t->flag_of[k] >= 0)
		return isnan(value);
	if (t->fill && isnan(value))
		value = t->fill[k];
	return t->mean ? (value - t->mean[k]) / t->scale[k] : value;
}

/* ---- what stands for missing values */

static int by_size(const void *a, const void *b)
{
	const double first = *(const double *)a, second = *(const double *)b;
	return (first > second) - (first < second);
}

/* Of numbers in their order; of several that are as frequent the least. */
static double mode_of(const double *values, int64_t count)
{
	int64_t longest = 0;
	double mode = values[0];
	for (int64_t first = 0, at = 0; first < count; first = at) {
		while (at < count && values[at] == values[first])
			at++;
		if (at - first > longest) {
			longest = at - first;
			mode = values[first];
		}
	}
	return mode;
}

/* The mean of the distances from the first, so that that of equal numbers is exactly each of them. */
static double mean_of(const double *values, int64_t count)
{
	double sum = 0;
	for (int64_t i = 0; i < count; i++)
		sum += values[i] - values[0];
	return values[0] + sum / (double)count;
}

/* By the values that there are, [count], which it sorts. */
static double fill_by(int rule, double *values, int64_t count)
{
	if (rule == NNR_COLUMN_MEAN || rule == NNR_COLUMN_FLAG)
		return mean_of(values, count);
	qsort(values, (size_t)count, sizeof *values, by_size);
	if (rule == NNR_COLUMN_MODE)
		return mode_of(values, count);
	return values[(count - 1) / 2] / 2 + values[count / 2] / 2;
}

/* Words have neither median nor mean: their place for others stands for what is missing, or the most frequent word. */
static double fill_of(const Reading *x, const DataPart *train, int i, int k, double *values)
{
	const NnrInput *in = &x->r->model->inputs[i];
	const int rule = x->rule[x->place[i][k]];
	if (rule == REFUSED || rule == NNR_COLUMN_DROP)
		return NAN;
	if (is_class(in) && rule != NNR_COLUMN_MODE)
		return 0;
	int64_t count = 0;
	for (int64_t sample = 0; sample < train->count; sample++) {
		const double value = table_row(x, train, i, sample)[k];
		if (!isnan(value) && !(is_class(in) && value == 0))
			values[count++] = value;
	}
	if (count == 0) {
		say_warning(
		        "`%s`: the column `%s` has no value at all in the part to train on: 0 stands for it",
		        x->path, x->header[x->place[i][k]]);
		return 0;
	}
	const double fill = fill_by(rule, values, count);
	return is_real_input(in) ? fill : nearbyint(fill);
}

static void find_fill(const Reading *x, const DataPart *train, int i)
{
	TableInput *t = &x->table->inputs[i];
	double *values = allocate(train->count, sizeof *values, "the columns of the table");
	bool any = false;
	t->fill = allocate(t->count, sizeof *t->fill, "the columns of the table");
	for (int k = 0; k < t->count; k++) {
		t->fill[k] = fill_of(x, train, i, k, values);
		any = any || !isnan(t->fill[k]);
	}
	free(values);
	if (any)
		return;
	free(t->fill);
	t->fill = NULL;
}

/* ---- standardisation */

/* By two passes: mean, then deviation from it. The mean is that of the distances from the first value, so that a column
 * of one value has a deviation of exactly 0, and then a scale of 1. */
static void find_scale(const Reading *x, const DataPart *train, int i)
{
	TableInput *t = &x->table->inputs[i];
	TableInput filled = {.fill = t->fill};
	t->mean = allocate(t->count, sizeof *t->mean, "the columns of the table");
	t->scale = allocate(t->count, sizeof *t->scale, "the columns of the table");
	for (int k = 0; k < t->count; k++) {
		t->scale[k] = 1;
		if (table_source(t, k) != k)
			continue;
		const double first = table_number(&filled, k, table_row(x, train, i, 0)[k]);
		double sum = 0, squares = 0;
		for (int64_t sample = 0; sample < train->count; sample++)
			sum += table_number(&filled, k, table_row(x, train, i, sample)[k]) - first;
		t->mean[k] = first + sum / (double)train->count;
		for (int64_t sample = 0; sample < train->count; sample++) {
			double off = table_number(&filled, k, table_row(x, train, i, sample)[k]) - t->mean[k];
			squares += off * off;
		}
		double scale = sqrt(squares / (double)train->count);
		t->scale[k] = isfinite(scale) && scale > 0 ? scale : 1;
	}
}

void numbers_measure(const Reading *x, const DataPart *train, int i)
{
	if (!x->r->model->inputs[i].is_target)
		find_fill(x, train, i);
	if (is_real_input(&x->r->model->inputs[i]) || series_is_asked(x->r->model))
		find_scale(x, train, i);
}

void number_store(char *at, NnrDType dtype, int64_t i, double value)
{
	if (dtype == NNR_F32)
		((float *)(void *)at)[i] = (float)value;
	else if (dtype == NNR_F64)
		((double *)(void *)at)[i] = value;
	else if (dtype == NNR_U8)
		((uint8_t *)at)[i] = (uint8_t)value;
	else
		((int32_t *)(void *)at)[i] = (int32_t)value;
}

void numbers_store(const Reading *x, DataPart *part)
{
	for (int i = 0; i < x->r->model->input_count; i++) {
		const TableInput *t = &x->table->inputs[i];
		for (int64_t sample = 0; x->cell[i] && sample < part->count; sample++) {
			const double *row = table_row(x, part, i, sample);
			for (int k = 0; k < t->count; k++)
				number_store(part->at[i], x->r->model->inputs[i].dtype, sample * t->count + k,
				             table_number(t, k, row[table_source(t, k)]));
		}
	}
}
