/* SPDX-License-Identifier: MIT */
#include "runtime/session/measures.h"
#include "runtime/session/backend.h"
#include "runtime/host/die.h"
#include "runtime/host/memory.h"
#include "runtime/ranks/ranks.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is kept of a column. COUNT of numbers, MEAN and SQUARES, the sum of squared distances from it, are of
 * targets. */
enum { COUNT, RIGHT, WRONG, MISSED, MEAN, SQUARES, SUMS };
/* The same places, of distances: */
enum { ABSOLUTE = RIGHT, SQUARED = WRONG, RELATIVE = MISSED };

typedef struct Tally {
	const NnrMeasure *of;
	const NnrOutput *output;
	char *batch;  /* the output */
	double *sums; /* [columns][SUMS] */
	double *rows; /* of a ranked one, [count][row_length]: the scores of a place and its targets */
	int64_t count;
	double *values; /* by column, after the end */
} Tally;

struct Measures {
	int count;
	Tally *tally;
};

static const char what[] = "metrics over all samples";

/* ---- values of a column */

static double share(double part, double whole)
{
	return whole > 0 ? part / whole : 0;
}

static double precision_of(const double *s)
{
	return share(s[RIGHT], s[RIGHT] + s[WRONG]);
}

static double recall_of(const double *s)
{
	return share(s[RIGHT], s[RIGHT] + s[MISSED]);
}

static double f1_of(const double *s)
{
	return share(2 * s[RIGHT], 2 * s[RIGHT] + s[WRONG] + s[MISSED]);
}

static double iou_of(const double *s)
{
	return share(s[RIGHT], s[RIGHT] + s[WRONG] + s[MISSED]);
}

/* A target that is the same everywhere is predicted or not: scikit-learn's 1 or 0. */
static double r2_of(const double *s)
{
	if (!(s[SQUARES] > 0) && !isnan(s[SQUARED]))
		return s[SQUARED] > 0 ? 0 : 1;
	return 1 - s[SQUARED] / s[SQUARES];
}

static double rmse_of(const double *s)
{
	return sqrt(s[SQUARED] / s[COUNT]);
}

static double mae_of(const double *s)
{
	return s[ABSOLUTE] / s[COUNT];
}

static double mape_of(const double *s)
{
	return s[RELATIVE] / s[COUNT];
}

static double perplexity_of(const double *s)
{
	return exp(s[ABSOLUTE] / s[COUNT]);
}

/* Of a bin, times its places: how far its probabilities are from the share that is right. */
static double gap_of(const double *s)
{
	return fabs(s[ABSOLUTE] - s[SQUARED]);
}

/* ---- values of all rows, ordered by their scores */

typedef struct Row {
	double score;
	bool is;
} Row;

static int falling(const void *x, const void *y)
{
	const Row *a = x, *b = y;
	return (a->score < b->score) - (a->score > b->score);
}

/* Behind the last row whose score is that of row i. */
static int64_t tie_end(const Row *rows, int64_t count, int64_t i, double *is)
{
	const double score = rows[i].score;
	for (*is = 0; i < count && rows[i].score == score; i++)
		*is += rows[i].is;
	return i;
}

/* The pairs of one that is and one that isn't whose scores are in order, equal ones as half. */
static double auc_of(const Row *rows, int64_t count, double all)
{
	double above = 0, pairs = 0, is;
	for (int64_t i = 0, end; i < count; i = end) {
		end = tie_end(rows, count, i, &is);
		pairs += ((double)(end - i) - is) * (above + is / 2);
		above += is;
	}
	return pairs / (all * ((double)count - all));
}

static double average_precision_of(const Row *rows, int64_t count, double all)
{
	double found = 0, sum = 0, is;
	for (int64_t i = 0, end; i < count; i = end) {
		end = tie_end(rows, count, i, &is);
		found += is;
		sum += is / all * (found / (double)end);
	}
	return sum;
}

/* By NnrMeasureKind. */
static const struct Kind {
	double (*value)(const double *sums);
	double (*ranked)(const Row *rows, int64_t count, double all); /* of rows, of which `all` are */
	bool counts; /* what is taken for a column, by the largest score or by one above 0 */
} kinds[] = {
        [NNR_AUC] = {.ranked = auc_of},
        [NNR_AVERAGE_PRECISION] = {.ranked = average_precision_of},
        [NNR_PRECISION] = {.value = precision_of, .counts = true},
        [NNR_RECALL] = {.value = recall_of, .counts = true},
        [NNR_F1] = {.value = f1_of, .counts = true},
        [NNR_R2] = {.value = r2_of},
        [NNR_RMSE] = {.value = rmse_of},
        [NNR_MAE] = {.value = mae_of},
        [NNR_MAPE] = {.value = mape_of},
        [NNR_PERPLEXITY] = {.value = perplexity_of},
        [NNR_IOU] = {.value = iou_of, .counts = true},
        [NNR_DICE] = {.value = f1_of, .counts = true},
        [NNR_ECE] = {.value = gap_of},
};

/* ---- what is kept */

static int64_t targets_of(const NnrMeasure *m)
{
	return m->indexed ? 1 : m->columns;
}

/* What has sums of its own: a column, or of a calibration a bin. */
static int64_t sums_of(const NnrMeasure *m)
{
	return m->bins > 0 ? m->bins : m->columns;
}

static int64_t row_length(const NnrMeasure *m)
{
	return m->columns + targets_of(m);
}

void measures_check(const Session *s)
{
	double bytes = 0, rows = 0;
	const char *ranked = NULL;
	for (int i = 0; i < s->model->measure_count; i++) {
		const NnrMeasure *m = &s->model->measures[i];
		if (!kinds[m->kind].ranked)
			continue;
		const double places = (double)session_held_out(s) * (double)m->places;
		bytes += places * (double)row_length(m) * sizeof(double);
		rows = fmax(rows, places);
		ranked = m->name;
	}
	bytes += rows * sizeof(Row);
	if (ranked && bytes > fmin(memory_available(), memory_addresses_left()) / 2)
		die_help(STATUS_MEMORY, "hold out fewer samples, or leave the metric out",
		         "the metric `%s` keeps every score of the %lld held-out samples: that takes %s, "
		         "more than half "
		         "of the memory that is left",
		         ranked, (long long)session_held_out(s), human_bytes(bytes));
}

static const NnrOutput *output_of(const NnrModel *model, const NnrMeasure *m)
{
	for (int i = 0; i < model->evaluate.output_count; i++) {
		const NnrOutput *o = &model->evaluate.outputs[i];
		if (o->kind == NNR_MEASURED && strcmp(o->name, m->name) == 0)
			return o;
	}
	return NULL;
}

Measures *measures_new(const Session *s)
{
	const NnrModel *model = s->model;
	if (model->measure_count == 0)
		return NULL;
	Measures *all = allocate(1, sizeof *all, what);
	all->count = model->measure_count;
	all->tally = allocate(all->count, sizeof *all->tally, what);
	for (int i = 0; i < all->count; i++) {
		Tally *t = &all->tally[i];
		const NnrMeasure *m = t->of = &model->measures[i];
		t->output = output_of(model, m);
		require(t->output && (size_t)m->kind < sizeof kinds / sizeof *kinds);
		require(tensor_elements(t->output->dim, t->output->rank) ==
		        model->batch * m->places * row_length(m));
		t->batch = allocate(1, output_batch_bytes(t->output), what);
		t->values = allocate(sums_of(m), sizeof *t->values, what);
		if (kinds[m->kind].ranked)
			t->rows = allocate(s->data.held_out.count * m->places * row_length(m),
			                   sizeof *t->rows, what);
		else
			t->sums = allocate(sums_of(m) * SUMS, sizeof *t->sums, what);
	}
	return all;
}

static void free_kept(Tally *t)
{
	free(t->batch);
	free(t->sums);
	free(t->rows);
	t->batch = NULL;
	t->sums = t->rows = NULL;
}

void measures_free(Measures *m)
{
	for (int i = 0; m && i < m->count; i++) {
		free_kept(&m->tally[i]);
		free(m->tally[i].values);
	}
	if (m)
		free(m->tally);
	free(m);
}

/* ---- a place: `row` has its scores and targets */

static void count_taken(double *sums, bool is, bool taken)
{
	sums[RIGHT] += is && taken;
	sums[WRONG] += !is && taken;
	sums[MISSED] += is && !taken;
}

/* The first of the largest; -1: one is no number. */
static int64_t largest(const double *scores, int64_t count)
{
	int64_t best = 0;
	for (int64_t k = 0; k < count; k++) {
		if (isnan(scores[k]))
			return -1;
		best = scores[k] > scores[best] ? k : best;
	}
	return best;
}

static void add_counts(Tally *t, const double *row)
{
	const NnrMeasure *m = t->of;
	const int64_t chosen = m->indexed ? largest(row, m->columns) : -1;
	const double *targets = row + m->columns;
	for (int64_t k = 0; k < m->columns; k++)
		count_taken(t->sums + k * SUMS, m->indexed ? targets[0] == (double)k : targets[k] > 0.5,
		            m->indexed ? chosen == k : row[k] > 0);
}

/* A probability that falls into bin k is in [k, k + 1)/bins, or 1; ABSOLUTE is the sum of these, SQUARED the number
 * of those that are right. */
static void add_to_bin(Tally *t, double probability, bool right)
{
	const int64_t bins = t->of->bins, bin = (int64_t)(probability * (double)bins);
	double *s = t->sums + (isnan(probability) ? 0 : bin < bins ? bin : bins - 1) * SUMS;
	s[COUNT]++;
	s[ABSOLUTE] += probability;
	s[SQUARED] += right;
}

static void add_confidence(Tally *t, const double *row)
{
	const NnrMeasure *m = t->of;
	const double *targets = row + m->columns;
	const int64_t chosen = m->indexed ? largest(row, m->columns) : -1;
	double sum = 0;
	for (int64_t k = 0; k < m->columns; k++) {
		if (!m->indexed)
			add_to_bin(t, 1 / (1 + exp(-row[k])), targets[k] > 0.5);
		sum += chosen >= 0 ? exp(row[k] - row[chosen]) : 0;
	}
	if (m->indexed)
		add_to_bin(t, chosen >= 0 ? 1 / sum : NAN, targets[0] == (double)chosen);
}

/* Welford's running mean and squared distances. */
static void add_distances(Tally *t, const double *row)
{
	for (int64_t k = 0; k < t->of->columns; k++) {
		double *s = t->sums + k * SUMS;
		const double target = row[t->of->columns + k], off = fabs(target - row[k]),
		             before = target - s[MEAN];
		s[COUNT]++;
		s[ABSOLUTE] += off;
		s[SQUARED] += off * off;
		s[RELATIVE] += off / fmax(fabs(target), DBL_EPSILON);
		s[MEAN] += before / s[COUNT];
		s[SQUARES] += before * (target - s[MEAN]);
	}
}

static void add_place(Tally *t, const double *row)
{
	const NnrMeasure *m = t->of;
	if (m->indexed && row[m->columns] == (double)m->ignored)
		return;
	if (t->rows) {
		memcpy(t->rows + t->count++ * row_length(m), row, (size_t)row_length(m) * sizeof *row);
	} else if (kinds[m->kind].counts) {
		add_counts(t, row);
	} else if (m->bins > 0) {
		add_confidence(t, row);
	} else if (m->kind ==
	           NNR_PERPLEXITY) { /* the mean cost of a sample, and how many places it is the mean of */
		t->sums[ABSOLUTE] += row[1] > 0 ? row[0] * row[1] : 0;
		t->sums[COUNT] += row[1];
	} else {
		add_distances(t, row);
	}
}

void measures_add(Measures *all, const Session *s, int64_t count)
{
	for (int i = 0; i < all->count; i++) {
		Tally *t = &all->tally[i];
		const NnrMeasure *m = t->of;
		const int64_t targets = targets_of(m), of_sample = m->places * row_length(m);
		double *row = allocate(row_length(m), sizeof *row, what);
		s->backend->evaluated((Session *)s, t->output, t->batch);
		for (int64_t place = 0; place < count * m->places; place++) {
			const int64_t sample = place / m->places * of_sample, at = place % m->places;
			for (int64_t k = 0; k < m->columns; k++)
				row[k] =
				        dtype_value(t->batch, t->output->dtype, sample + at * m->columns + k);
			for (int64_t k = 0; k < targets; k++)
				row[m->columns + k] =
				        dtype_value(t->batch, t->output->dtype,
				                    sample + m->places * m->columns + at * targets + k);
			add_place(t, row);
		}
		free(row);
	}
}

/* ---- the ranks' together */

/* Chan's, of means and squared distances from them. */
static void merge(double *s, const double *more)
{
	const double count = s[COUNT] + more[COUNT], apart = more[MEAN] - s[MEAN];
	if (more[COUNT] > 0) {
		s[SQUARES] += more[SQUARES] + apart * apart * s[COUNT] * more[COUNT] / count;
		s[MEAN] += apart * more[COUNT] / count;
	}
	s[COUNT] = count;
	for (int i = RIGHT; i <= MISSED; i++)
		s[i] += more[i];
}

static void gather_sums(Tally *t)
{
	const int64_t n = sums_of(t->of) * SUMS;
	double *each = allocate(n * ranks_count(), sizeof *each, what);
	memcpy(each + n * ranks_own(), t->sums, (size_t)n * sizeof *each);
	ranks_all_gather(each, n * (int64_t)sizeof *each);
	memset(t->sums, 0, (size_t)n * sizeof *t->sums);
	for (int r = 0; r < ranks_count(); r++)
		for (int64_t k = 0; k < sums_of(t->of); k++)
			merge(t->sums + k * SUMS, each + n * r + k * SUMS);
	free(each);
}

static void gather_rows(Tally *t)
{
	const int64_t length = row_length(t->of);
	int64_t *counts = allocate(ranks_count(), sizeof *counts, what), most = 0, count = 0;
	counts[ranks_own()] = t->count;
	ranks_all_gather(counts, sizeof *counts);
	for (int r = 0; r < ranks_count(); r++)
		most = counts[r] > most ? counts[r] : most;
	double *each = allocate(most * length * ranks_count(), sizeof *each, what);
	if (t->count > 0)
		memcpy(each + most * length * ranks_own(), t->rows,
		       (size_t)(t->count * length) * sizeof *each);
	ranks_all_gather(each, most * length * (int64_t)sizeof *each);
	for (int r = 0; r < ranks_count(); count += counts[r++])
		memmove(each + count * length, each + most * length * r,
		        (size_t)(counts[r] * length) * sizeof *each);
	free(t->rows);
	free(counts);
	t->rows = each;
	t->count = count;
}

/* ---- the end */

/* What orders the rows of a column. Of classes that is the softmax: of two the difference of their scores, of more its
 * logarithm, so that scores which are far apart are not made equal. */
static double score_of(const NnrMeasure *m, const double *row, int64_t column)
{
	if (!m->indexed)
		return row[column];
	if (m->columns == 2)
		return row[column] - row[1 - column];
	double most = -INFINITY, sum = 0;
	for (int64_t k = 0; k < m->columns; k++)
		most = fmax(most, row[k]);
	for (int64_t k = 0; k < m->columns; k++)
		sum += exp(row[k] - most);
	return row[column] - most - log(sum);
}

/* NaN where all or none are of it, or a score is no number. */
static double ranked_value(const Tally *t, int64_t column, Row *rows)
{
	const NnrMeasure *m = t->of;
	double all = 0;
	for (int64_t i = 0; i < t->count; i++) {
		const double *row = t->rows + i * row_length(m);
		const double *targets = row + m->columns;
		rows[i] = (Row){score_of(m, row, column),
		                m->indexed ? targets[0] == (double)column : targets[column] > 0.5};
		if (isnan(rows[i].score))
			return NAN;
		all += rows[i].is;
	}
	if (all == 0 || all == (double)t->count)
		return NAN;
	qsort(rows, (size_t)t->count, sizeof *rows, falling);
	return kinds[m->kind].ranked(rows, t->count, all);
}

/* Of classes those that no sample has and none was taken for are in no mean. */
static bool is_seen(const Tally *t, int64_t column)
{
	const double *s = t->sums ? t->sums + column * SUMS : NULL;
	return t->rows ? !isnan(t->values[column]) : !t->of->indexed || s[RIGHT] + s[WRONG] + s[MISSED] > 0;
}

static double value_of(const Tally *t)
{
	const NnrMeasure *m = t->of;
	double together[SUMS] = {0}, sum = 0, count = 0;
	for (int64_t k = 0; k < m->bins; k++) {
		sum += t->values[k];
		count += t->sums[k * SUMS + COUNT];
	}
	if (m->bins > 0)
		return sum / count;
	if (m->of >= 0)
		return t->values[m->of];
	if (t->rows && m->indexed && m->columns == 2)
		return t->values[1];
	for (int64_t k = 0; k < m->columns; k++) {
		for (int i = RIGHT; t->sums && i <= MISSED; i++)
			together[i] += t->sums[k * SUMS + i];
		if (is_seen(t, k)) {
			sum += t->values[k];
			count++;
		}
	}
	return m->micro ? kinds[m->kind].value(together) : sum / count;
}

void measures_end(Measures *all, double *values)
{
	for (int i = 0; i < all->count; i++) {
		Tally *t = &all->tally[i];
		if (ranks_many() && t->rows)
			gather_rows(t);
		else if (ranks_many())
			gather_sums(t);
		Row *rows = t->rows ? allocate(t->count, sizeof *rows, what) : NULL;
		for (int64_t k = 0; k < sums_of(t->of); k++)
			t->values[k] = rows ? ranked_value(t, k, rows)
			                    : kinds[t->of->kind].value(t->sums + k * SUMS);
		values[i] = value_of(t);
		free(rows);
		free_kept(t);
	}
}

const double *measures_columns(const Measures *m, int metric)
{
	const NnrMeasure *of = m->tally[metric].of;
	return of->columns > 1 && of->bins == 0 ? m->tally[metric].values : NULL;
}
