/* SPDX-License-Identifier: MIT */
/* Of a table: a column whose cells are all elements of an input. table_reading.h.
 *
 * Numbers of one column of words are labels: each element is a label, in the order of bytes, and 1 where the cell
 * names it, else 0. Between labels stands what the column has of | ; , and blanks, the first of these that it has.
 * A cell that is missing names none.
 *
 * Of u8 and i32 the elements are the bytes of the cell's text, and 0 behind them; what is longer is cut. */
#include "runtime/host/die.h"
#include "runtime/host/progress.h"
#include "runtime/data/table_reading.h"

#include <stdlib.h>
#include <string.h>

enum { NO_MARK = sizeof TABLE_MARKS - 1 };

/* Of all cells of the column: the mark that stands between labels, NO_MARK where none does; whether there is a word.
 * The reader stands behind the header, and does so again. */
static int look_at_column(Reading *x, int column, bool *words)
{
	int mark = NO_MARK;
	double value;
	*words = false;
	while (cells_row(&x->cells)) {
		const char *text = column < x->cells.count ? x->cells.at[column] : "";
		if (cell_kind(text, x->cells.separator != ',', &value) != CELL_WORD)
			continue;
		*words = true;
		for (int i = 0; i < mark; i++)
			if (strchr(text, TABLE_MARKS[i]))
				mark = i;
	}
	cells_rewind(&x->cells);
	(void)cells_row(&x->cells);
	return mark;
}

bool spread_takes(Reading *x, int i, int column)
{
	const NnrInput *in = &x->r->model->inputs[i];
	TableInput *t = &x->table->inputs[i];
	const bool real = in->dtype == NNR_F32 || in->dtype == NNR_F64;
	bool words;
	if (x->words_are_given || in->rank != 2 || (!real && in->is_target))
		return false;
	const int mark = look_at_column(x, column, &words);
	if (!words)
		return false;
	t->spread = real ? TABLE_LABELS : TABLE_BYTES;
	t->mark = TABLE_MARKS[mark < NO_MARK ? mark : 0];
	return true;
}

/* The next label of a cell, which ends there; NULL: there is none. *at is behind it. */
static char *next_label(char **at, char mark)
{
	char *label = *at;
	label += strspn(label, (char[]){mark, ' ', '\t', 0});
	if (!*label)
		return NULL;
	char *end = label + strcspn(label, (char[]){mark, 0});
	*at = *end ? end + 1 : end;
	*end = 0;
	while (end > label && (end[-1] == ' ' || end[-1] == '\t'))
		*--end = 0;
	return label;
}

static char *cell_of(Reading *x, int i)
{
	return x->cells.at[x->place[i][0]];
}

/* A cell of labels that is missing has none. */
static bool is_missing(Reading *x, int i)
{
	double value;
	return cell_kind(cell_of(x, i), false, &value) == CELL_MISSING;
}

static void check_bytes(Reading *x, int i)
{
	const NnrInput *in = &x->r->model->inputs[i];
	const char *text = cell_of(x, i);
	const int64_t most = x->table->inputs[i].count;
	x->cut[i] += (int64_t)strlen(text) > most;
	for (int64_t k = 0; is_class(in) && k < most && text[k]; k++)
		if ((unsigned char)text[k] >= in->classes)
			table_die_at(x, x->place[i][0],
			             text_printf("byte %lld of the text is %d, and the model's table has %d "
			                         "rows: 256 have room for every text",
			                         (long long)k + 1, (unsigned char)text[k], in->classes));
}

void spread_learn(Reading *x, int i)
{
	const TableInput *t = &x->table->inputs[i];
	char *at = cell_of(x, i), *label;
	if (t->spread == TABLE_BYTES) {
		check_bytes(x, i);
		return;
	}
	while (!is_missing(x, i) && (label = next_label(&at, t->mark)) != NULL)
		if (!x->words_are_given)
			word_learn(x, i, 0, label);
		else if (word_place(x, i, label) < 0)
			table_die_at(x, x->place[i][0],
			             text_printf("`%s` is no label that was trained on: %s", label,
			                         table_list(t->words, t->word_count)));
}

void spread_store(Reading *x, DataPart *part, int i, int64_t row)
{
	const TableInput *t = &x->table->inputs[i];
	const NnrDType dtype = x->r->model->inputs[i].dtype;
	char *at = cell_of(x, i), *label;
	if (t->spread == TABLE_BYTES) {
		for (int64_t k = 0; k < t->count && at[k]; k++)
			number_store(part->at[i], dtype, row * t->count + k, (unsigned char)at[k]);
		return;
	}
	while (!is_missing(x, i) && (label = next_label(&at, t->mark)) != NULL)
		number_store(part->at[i], dtype, row * t->count + word_place(x, i, label), 1);
}

void spread_say(const Reading *x, int i)
{
	if (x->cut[i])
		say_note("`%s`: %s text%s of the column `%s` %s longer than %d bytes, and cut", x->path,
		         count_text((double)x->cut[i]), x->cut[i] == 1 ? "" : "s", x->header[x->place[i][0]],
		         x->cut[i] == 1 ? "is" : "are", x->table->inputs[i].count);
}
