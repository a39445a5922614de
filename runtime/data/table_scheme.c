/* SPDX-License-Identifier: MIT */
/* {"x": {"columns": ["a", "b", "b"], "mean": ["1.5", "3", "0"], "scale": ["2", "7", "1"], "fill": ["", "4", ""],
 * "flag": ["", "", "1"]}, "y": {"columns": ["kind"], "words": ["cat", "dog"]}}
 *
 * Numbers are texts of 17 digits, which give the same bits back; "" is none. Of a series "time column" may be there,
 * too, which is no input's name. */
#include "runtime/host/die.h"
#include "runtime/host/json.h"
#include "runtime/data/safetensors.h"
#include "runtime/data/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TIME_COLUMN "time column"

static void free_words(char **words, int count)
{
	for (int i = 0; words && i < count; i++)
		free(words[i]);
	free(words);
}

void table_free(Table *t)
{
	for (int i = 0; t && i < t->count; i++) {
		TableInput *x = &t->inputs[i];
		free_words(x->columns, table_columns(x));
		free_words(x->words, x->word_count);
		free(x->mean);
		free(x->scale);
		free(x->fill);
		free(x->flag_of);
	}
	if (t)
		free(t->time);
	free(t);
}

/* ---- writing */

static void put_words(FILE *to, const char *key, char *const *words, int count)
{
	fprintf(to, "\"%s\":[", key);
	for (int i = 0; i < count; i++) {
		char *quoted = json_quoted(words[i]);
		fprintf(to, "%s%s", i ? "," : "", quoted);
		free(quoted);
	}
	fprintf(to, "]");
}

static void put_numbers(FILE *to, const char *key, const double *numbers, int count)
{
	fprintf(to, ",\"%s\":[", key);
	for (int i = 0; i < count; i++)
		fprintf(to, isnan(numbers[i]) ? "%s\"\"" : "%s\"%.17g\"", i ? "," : "", numbers[i]);
	fprintf(to, "]");
}

static void put_flags(FILE *to, const TableInput *x)
{
	double *numbers = allocate(x->count, sizeof *numbers, "the columns of the table");
	for (int i = 0; i < x->count; i++)
		numbers[i] = x->flag_of[i] < 0 ? NAN : x->flag_of[i];
	put_numbers(to, "flag", numbers, x->count);
	free(numbers);
}

char *table_text(const Table *t, const NnrModel *m)
{
	char *text = NULL;
	size_t length;
	FILE *to = open_memstream(&text, &length);
	const char *between = "{";
	for (int i = 0; to && i < t->count; i++) {
		const TableInput *x = &t->inputs[i];
		if (!x->columns)
			continue;
		char *name = json_quoted(m->inputs[i].name);
		fprintf(to, "%s%s:{", between, name);
		between = ",";
		free(name);
		if (x->spread)
			fprintf(to, "\"spread\":\"%s\",",
			        x->spread == TABLE_BYTES ? "bytes" : (char[]){x->mark, 0});
		put_words(to, "columns", x->columns, table_columns(x));
		if (x->mean) {
			put_numbers(to, "mean", x->mean, x->count);
			put_numbers(to, "scale", x->scale, x->count);
		}
		if (x->fill)
			put_numbers(to, "fill", x->fill, x->count);
		if (x->flag_of)
			put_flags(to, x);
		if (x->words) {
			fprintf(to, ",");
			put_words(to, "words", x->words, x->word_count);
		}
		fprintf(to, "}");
	}
	if (to && t->time) {
		char *time = json_quoted(t->time);
		fprintf(to, "%s\"" TIME_COLUMN "\":%s", between, time);
		free(time);
	}
	if (to)
		fprintf(to, "}");
	if (!to || fclose(to) != 0)
		die(STATUS_MEMORY, "not enough memory for the columns of the table");
	return text;
}

/* ---- reading */

/* NULL where it is no list of at most `most` texts. */
static char **read_words(Json *j, int most, int *count)
{
	char **words = allocate(most + 1, sizeof *words, "the columns of the table");
	*count = 0;
	bool good = json_expect(j, '[');
	do {
		good = good && *count < most && (words[*count] = json_text(j)) != NULL;
		*count += good;
	} while (good && json_take(j, ','));
	if (good && json_expect(j, ']') && *count > 0)
		return words;
	free_words(words, *count);
	return NULL;
}

/* `gaps`: some may be none, NaN. */
static double *read_numbers(Json *j, int wanted, bool gaps)
{
	int count;
	char **words = read_words(j, wanted, &count);
	double *numbers = words && count == wanted
	                          ? allocate(count, sizeof *numbers, "the columns of the table")
	                          : NULL;
	for (int i = 0; numbers && i < count; i++) {
		char *end;
		numbers[i] = strtod(words[i], &end);
		if (gaps && !*words[i]) {
			numbers[i] = NAN;
		} else if (end == words[i] || *end || !isfinite(numbers[i])) {
			free(numbers);
			numbers = NULL;
		}
	}
	free_words(words, words ? count : 0);
	return numbers;
}

/* Each is of an element ahead of it that is none itself. */
static int *read_flags(Json *j, int count)
{
	double *numbers = read_numbers(j, count, true);
	int *flags = numbers ? allocate(count, sizeof *flags, "the columns of the table") : NULL;
	bool good = numbers != NULL;
	for (int i = 0; good && i < count; i++) {
		flags[i] = isnan(numbers[i]) ? -1 : -2;
		for (int k = 0; k < i && flags[i] == -2; k++)
			if (flags[k] < 0 && (double)k == numbers[i])
				flags[i] = k;
		good = flags[i] >= -1;
	}
	if (!good) {
		free(flags);
		flags = NULL;
	}
	free(numbers);
	return flags;
}

/* What stands for a missing number, or the class that stands for a missing word. */
static bool fits(const TableInput *x, const NnrInput *in)
{
	const bool real = in->dtype == NNR_F32 || in->dtype == NNR_F64;
	if ((x->flag_of || x->mean) && !real)
		return false;
	for (int i = 0; x->fill && !real && i < x->count; i++)
		if (x->fill[i] != floor(x->fill[i]) ||
		    (in->classes > 0 && !(x->fill[i] >= 0 && x->fill[i] < in->classes)))
			if (!isnan(x->fill[i]))
				return false;
	return true;
}

/* "bytes", or what stands between labels. */
static bool read_spread(Json *j, const NnrInput *in, TableInput *x)
{
	char word[JSON_STRING_BYTES];
	const bool real = in->dtype == NNR_F32 || in->dtype == NNR_F64;
	if (x->spread || x->count < 2 || !json_string(j, word))
		return false;
	x->spread = strcmp(word, "bytes") == 0 ? TABLE_BYTES : TABLE_LABELS;
	x->mark = word[0];
	return x->spread == TABLE_BYTES ? !real && !in->is_target
	                                : real && word[0] && !word[1] && strchr(TABLE_MARKS, word[0]);
}

static bool read_input(Json *j, const NnrInput *in, TableInput *x)
{
	char key[JSON_STRING_BYTES];
	int columns = 0;
	bool good = json_expect(j, '{');
	do {
		good = good && json_string(j, key) && json_expect(j, ':');
		if (good && strcmp(key, "columns") == 0 && !x->columns)
			good = (x->columns = read_words(j, x->count, &columns)) != NULL &&
			       columns == table_columns(x);
		else if (good && strcmp(key, "spread") == 0 && !x->columns)
			good = read_spread(j, in, x);
		else if (good && strcmp(key, "mean") == 0 && !x->mean)
			good = (x->mean = read_numbers(j, x->count, false)) != NULL;
		else if (good && strcmp(key, "scale") == 0 && !x->scale)
			good = (x->scale = read_numbers(j, x->count, false)) != NULL;
		else if (good && strcmp(key, "fill") == 0 && !x->fill)
			good = (x->fill = read_numbers(j, x->count, true)) != NULL;
		else if (good && strcmp(key, "flag") == 0 && !x->flag_of)
			good = (x->flag_of = read_flags(j, x->count)) != NULL;
		else if (good && strcmp(key, "words") == 0 && !x->words)
			good = (in->classes > 0 || x->spread == TABLE_LABELS) &&
			       (x->words = read_words(j, x->spread ? x->count : in->classes,
			                              &x->word_count)) != NULL;
		else
			good = false;
	} while (good && json_take(j, ','));
	for (int i = 0; good && x->scale && i < x->count; i++)
		good = x->scale[i] > 0;
	if (x->spread && (x->mean || x->fill || x->flag_of || !x->words == (x->spread == TABLE_LABELS) ||
	                  (x->words && x->word_count != x->count)))
		return false;
	return good && json_expect(j, '}') && x->columns && !x->mean == !x->scale && fits(x, in);
}

static bool read_table(Json *j, const NnrModel *m, Table *t)
{
	char name[JSON_STRING_BYTES];
	bool good = json_expect(j, '{');
	do {
		good = good && json_string(j, name) && json_expect(j, ':');
		int i = 0;
		if (good && strcmp(name, TIME_COLUMN) == 0 && !t->time && series_is_asked(m)) {
			good = (t->time = json_text(j)) != NULL;
			continue;
		}
		while (good && i < t->count && strcmp(m->inputs[i].name, name) != 0)
			i++;
		good = good && i < t->count && !t->inputs[i].columns &&
		       read_input(j, &m->inputs[i], &t->inputs[i]);
	} while (good && json_take(j, ','));
	/* A series has a column for each number of a row, all of them standardised. */
	for (int i = 0; good && i < t->count && series_is_asked(m); i++)
		good = t->inputs[i].mean && !t->inputs[i].spread && !t->inputs[i].flag_of;
	return good && json_expect(j, '}') && json_finish(j);
}

Table *table_of_weights(const Safetensors *f, const NnrModel *m)
{
	const char *text = safetensors_metadata(f, "table");
	Table *t = NULL;
	if (text) {
		t = allocate(1, sizeof *t, "the columns of the table");
		t->count = m->input_count;
		for (int i = 0; i < t->count; i++)
			t->inputs[i].count = table_elements(m, i);
		Json j = json_new(text, (int64_t)strlen(text));
		if (!read_table(&j, m, t))
			die(STATUS_DATA,
			    "`%s`: what it says of the table that it was trained on is damaged, or of "
			    "another model",
			    f->path);
	}
	return t;
}

Table *table_of_checkpoint(const char *path, const NnrModel *m)
{
	Safetensors *f = safetensors_open(path);
	Table *t = table_of_weights(f, m);
	safetensors_close(f);
	return t;
}
