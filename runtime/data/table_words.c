/* SPDX-License-Identifier: MIT */
/* Of a table: words that are classes. table_reading.h. */
#include "runtime/host/die.h"
#include "runtime/data/image_files.h"
#include "runtime/host/json.h"
#include "runtime/data/table_reading.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint32_t hash_of(const char *word)
{
	uint32_t hash = 2166136261u; /* FNV-1a */
	for (; *word; word++)
		hash = (hash ^ (unsigned char)*word) * 16777619u;
	return hash;
}

/* The slot of the word, or the free one where it belongs. */
static int *slot_of(Reading *x, int i, const char *word)
{
	const TableInput *t = &x->table->inputs[i];
	WordIndex *index = &x->index[i];
	uint32_t at = hash_of(word) & index->mask;
	while (index->slots[at] >= 0 && strcmp(t->words[index->slots[at]], word) != 0)
		at = (at + 1) & index->mask;
	return &index->slots[at];
}

bool words_are_open(const Reading *x, int i)
{
	const NnrInput *in = &x->r->model->inputs[i];
	const TableInput *t = &x->table->inputs[i];
	bool open = false;
	if (x->words_are_given)
		return t->words && !*t->words[0];
	for (int k = 0; x->place[i] && has_words(x, i) && !in->is_target && k < t->count; k++)
		open = open || x->rule[x->place[i][k]] != REFUSED;
	return open;
}

/* How many words an input has room for. */
static int words_most(const Reading *x, int i)
{
	return x->table->inputs[i].spread ? x->table->inputs[i].count : x->r->model->inputs[i].classes;
}

int word_place(Reading *x, int i, const char *word)
{
	return *slot_of(x, i, word);
}

/* With room for as many as the model has classes, and one. */
void words_begin(Reading *x, int i)
{
	const TableInput *t = &x->table->inputs[i];
	WordIndex *index = &x->index[i];
	int64_t room = 4;
	while (room < 2 * ((int64_t)words_most(x, i) + 2))
		room *= 2;
	free(index->slots);
	index->slots = allocate(room, sizeof *index->slots, "the names of classes");
	index->mask = (uint32_t)(room - 1);
	memset(index->slots, -1, (size_t)room * sizeof *index->slots);
	for (int k = 0; k < t->word_count; k++)
		*slot_of(x, i, t->words[k]) = k;
}

static bool is_whole(const char *word, int64_t *value)
{
	char *end;
	errno = 0;
	*value = strtoll(word, &end, 10);
	return end != word && !*end && !errno && word[0] != '+' && !(word[0] == '0' && word[1]);
}

/* One more than there are classes is as bad as many more. */
void words_learn(Reading *x, int i, int k)
{
	const char *word = table_cell(x, i, k);
	if (word)
		word_learn(x, i, k, word);
}

void word_learn(Reading *x, int i, int k, const char *word)
{
	TableInput *t = &x->table->inputs[i];
	int classes = words_most(x, i), *slot;
	if (t->word_count > classes || *(slot = slot_of(x, i, word)) >= 0)
		return;
	char *quoted = json_quoted(word), back[JSON_STRING_BYTES];
	Json j = json_new(quoted, (int64_t)strlen(quoted));
	if (!json_string(&j, back) || strcmp(back, word) != 0)
		table_die_at(x, x->place[i][k],
		             "the name of a class is UTF-8, and no longer than 1,000 bytes");
	free(quoted);
	int64_t value;
	if (!x->outside_line[i] && is_whole(word, &value) && (value < 0 || value >= classes)) {
		x->outside[i] = value;
		x->outside_line[i] = x->cells.row_line;
	}
	if (!t->words)
		t->words = allocate(classes + 1, sizeof *t->words, "the names of classes");
	*slot = t->word_count;
	t->words[t->word_count++] = text_printf("%s", word);
}

static int by_value(const void *a, const void *b)
{
	int64_t first, second;
	(void)is_whole(*(char *const *)a, &first);
	(void)is_whole(*(char *const *)b, &second);
	return (first > second) - (first < second);
}

static void forget_words(TableInput *t)
{
	for (int k = 0; k < t->word_count; k++)
		free(t->words[k]);
	free(t->words);
	t->words = NULL;
	t->word_count = 0;
}

void words_end(Reading *x, int i, const char *column)
{
	const NnrInput *in = &x->r->model->inputs[i];
	TableInput *t = &x->table->inputs[i];
	const bool open = words_are_open(x, i);
	const int most = words_most(x, i);
	bool whole = true, in_range = !open && !t->spread;
	for (int k = 0; k < t->word_count; k++) {
		int64_t value = -1;
		whole = whole && is_whole(t->words[k], &value);
		in_range = in_range && whole && value >= 0 && value < most;
	}
	if (in_range) {
		forget_words(t);
		words_begin(x, i);
		return;
	}
	/* One order for all: with both, 9 < 10 < 1a < 9. */
	if (t->word_count > 0)
		qsort(t->words, (size_t)t->word_count, sizeof *t->words, whole ? by_value : words_by_bytes);
	char *first = whole && !open && !t->spread
	                      ? text_printf(", of which %lld in line %lld is the first outside 0 to %d",
	                                    (long long)x->outside[i], (long long)x->outside_line[i],
	                                    in->classes - 1)
	                      : text_printf("%s", open ? ", and a place for others" : "");
	if (t->word_count + open > most || (in->is_target && t->word_count < most))
		die_help(STATUS_DATA,
		         t->spread
		                 ? text_printf(
		                           "declare as many numbers as there are labels; `%c` stands between "
		                           "labels in this column",
		                           t->mark)
		         : open ? "declare one row more than the column has words: `missing` in the recipe "
		                  "makes row 0 "
		                  "the place of empty cells and of words that were not trained on"
		                : "declare as many classes as the column has, or give other data",
		         "`%s`: the column `%s` has %s%d %s, %s%s; the model wants `%s`%s", x->path, column,
		         t->word_count > most ? "at least " : "", t->word_count,
		         t->spread ? "labels" : "classes", table_list(t->words, t->word_count), first,
		         input_text(in), open ? text_printf(" of %d rows", in->classes) : "");
	free(first);
	words_begin(x, i);
}

double words_class(Reading *x, int i, int k)
{
	const NnrInput *in = &x->r->model->inputs[i];
	const TableInput *t = &x->table->inputs[i];
	const char *word = table_cell(x, i, k);
	if (!word)
		return NAN;
	if (!t->words && !words_are_open(x, i))
		return table_cell_number(x, x->place[i][k], false, 0, in->classes - 1);
	const int class = t->words ? *slot_of(x, i, word) : -1;
	if (class >= 0)
		return class;
	if (!words_are_open(x, i))
		table_die_at(x, x->place[i][k],
		             text_printf("`%s` is no class that was trained on: %s%s", word,
		                         table_list(t->words, t->word_count),
		                         in->is_target
		                                 ? ""
		                                 : "; a recipe with `missing` gives such words a place"));
	return 0;
}

void words_of_training(Reading *x, const DataPart *train, int i)
{
	TableInput *t = &x->table->inputs[i];
	int *places = allocate(t->word_count + 1, sizeof *places, "the names of classes"), next = 1;
	for (int64_t sample = 0; sample < train->count; sample++) {
		const double *row = table_row(x, train, i, sample);
		for (int k = 0; k < t->count; k++)
			if (!isnan(row[k]))
				places[(int)row[k]] = 1;
	}
	char **words = allocate(t->word_count + 1, sizeof *words, "the names of classes");
	words[0] = text_printf("%s", "");
	for (int k = 0; k < t->word_count; k++) {
		if (places[k])
			words[places[k] = next++] = t->words[k];
		else
			free(t->words[k]);
	}
	free(t->words);
	t->words = words;
	t->word_count = next;
	for (int64_t at = 0; at < x->rows * t->count; at++)
		if (!isnan(x->cell[i][at]))
			x->cell[i][at] = places[(int)x->cell[i][at]];
	free(places);
}
