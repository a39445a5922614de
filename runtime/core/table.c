#include "runtime/core/table.h"
#include "base/utf8.h"
#include "runtime/core/cells.h"
#include "runtime/core/die.h"
#include "runtime/data/image_files.h"
#include "runtime/core/file.h"
#include "runtime/core/json.h"
#include "runtime/core/progress.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Where the words of an input are among its words: open addressing, -1: free. */
typedef struct Index {
	int *slots;
	uint32_t mask;
} Index;

/* What is read of the file: place[input][element] is the column that it is in, from 0. */
typedef struct Reading {
	const char *path;
	const DataRequest *r;
	Table *table;
	Cells cells;
	char **header;
	int column_count;
	int *place[MAX_INPUTS];   /* NULL: of a target that is not wanted */
	double *cell[MAX_INPUTS]; /* of a real input, [rows, elements] of the file; NULL: of others */
	Index index[MAX_INPUTS];
	/* The first whole number that is no class of the model's, and its line; 0: there is none. */
	int64_t outside[MAX_INPUTS], outside_line[MAX_INPUTS];
	int64_t mark_line[2]; /* the last line of a number with a decimal point, and with a comma; 0: none */
	bool words_are_given; /* with all else that a checkpoint has of the table */
} Reading;

bool table_recognise(const char *path)
{
	return cells_named(path) && !path_is_folder(path);
}

/* ---- the header */

/* Where commas separate nothing one may be decimal: `1,5`. */
static bool read_number(const Reading *x, const char *text, double *value)
{
	enum { MOST = 64 };
	char *end, pointed[MOST];
	const char *comma = strchr(text, ',');
	if (comma && x->cells.separator != ',' && strlen(text) < MOST && !strpbrk(text, ".xX")) {
		strcpy(pointed, text);
		pointed[comma - text] = '.';
		*value = strtod(pointed, &end);
		return end > pointed + 1 && !*end;
	}
	*value = strtod(text, &end);
	return end != text && !*end;
}

static bool is_number(const Reading *x, const char *text)
{
	double value;
	return read_number(x, text, &value);
}

static int find_column(const Reading *x, const char *name)
{
	for (int i = 0; i < x->column_count; i++)
		if (strcmp(x->header[i], name) == 0)
			return i;
	return -1;
}

/* Whether `column`, with `_` for each character that no name of the language has, and ahead of a digit, is `name`:
 * "hours-per-week" is hours_per_week. */
static bool is_called(const char *column, const char *name)
{
	if (*column >= '0' && *column <= '9' && *name++ != '_')
		return false;
	for (; *column && *name; name++) {
		const bool plain =
		        strspn(column, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789") > 0;
		uint32_t code;
		const int bytes = utf8_decode(column, UTF8_MOST, &code);
		if (*name != (plain ? *column : '_'))
			return false;
		column += bytes > 0 ? bytes : 1;
	}
	return !*column && !*name;
}

/* The column of a name of the language: its own, else the only one that is called so. */
static int find_named(const Reading *x, const char *name)
{
	int found = find_column(x, name), alike = 0;
	for (int i = 0; i < x->column_count && found < 0; i++)
		alike += is_called(x->header[i], name);
	for (int i = 0; i < x->column_count && found < 0 && alike == 1; i++)
		found = is_called(x->header[i], name) ? i : -1;
	return found;
}

/* "`a`, `b`, `c`, ...", the first of them; malloc'd. */
static char *list_of(char *const *words, int count)
{
	enum { MOST = 12 };
	char *text = text_printf("%s", "");
	for (int i = 0; i < count && i < MOST; i++)
		text_append(&text, "%s`%s`", i ? ", " : "", words[i]);
	if (count > MOST)
		text_append(&text, " and %d more", count - MOST);
	return text;
}

static void read_header(Reading *x)
{
	if (!cells_row(&x->cells))
		die(STATUS_DATA, "`%s` is empty: its first line must name the columns", x->path);
	x->column_count = x->cells.count;
	x->header = allocate(x->column_count, sizeof *x->header, "the columns of the table");
	int numbers = 0;
	for (int i = 0; i < x->column_count; i++) {
		x->header[i] = text_printf("%s", x->cells.at[i]);
		numbers += is_number(x, x->header[i]);
	}
	if (numbers == x->column_count)
		die(STATUS_DATA, "`%s`, line %lld: these are numbers; the first line must name the columns",
		    x->path, (long long)x->cells.row_line);
	for (int i = 0; i < x->column_count; i++)
		for (int k = 0; k < i; k++)
			if (*x->header[i] && strcmp(x->header[i], x->header[k]) == 0)
				die(STATUS_DATA, "`%s`: the columns %d and %d are both named `%s`", x->path,
				    k + 1, i + 1, x->header[i]);
}

/* ---- which columns */

static bool is_wanted(const Reading *x, int i)
{
	return x->r->want_targets || !x->r->model->inputs[i].is_target;
}

static void take_column(Reading *x, bool *taken, int i, int element, int column)
{
	TableInput *to = &x->table->inputs[i];
	x->place[i][element] = column;
	taken[column] = true;
	if (!to->columns[element])
		to->columns[element] = text_printf("%s", x->header[column]);
}

static void begin_places(Reading *x, int i)
{
	TableInput *to = &x->table->inputs[i];
	x->place[i] = allocate(to->count, sizeof *x->place[i], "the columns of the table");
	if (!to->columns)
		to->columns = allocate(to->count, sizeof *to->columns, "the columns of the table");
}

/* The column of its name, or of several elements NAME_0, NAME_1 and on, or those that a checkpoint names. */
static bool take_by_name(Reading *x, bool *taken, int i)
{
	const TableInput *to = &x->table->inputs[i];
	const char *name = x->r->model->inputs[i].name;
	int *columns = allocate(to->count, sizeof *columns, "the columns of the table"), found = 0;
	for (; found < to->count; found++) {
		char *wanted = x->words_are_given && to->columns ? text_printf("%s", to->columns[found])
		               : to->count == 1                  ? text_printf("%s", name)
		                                                 : text_printf("%s_%d", name, found);
		columns[found] = to->count == 1 && !x->words_are_given ? find_named(x, wanted)
		                                                       : find_column(x, wanted);
		if (columns[found] < 0 && x->words_are_given && is_wanted(x, i))
			die(STATUS_DATA,
			    "`%s` has no column `%s`, which the weights were trained on; it has %s", x->path,
			    wanted, list_of(x->header, x->column_count));
		free(wanted);
		if (columns[found] < 0)
			break;
	}
	bool all = found == to->count;
	if (all)
		begin_places(x, i);
	for (int k = 0; all && k < found; k++)
		take_column(x, taken, i, k, columns[k]);
	free(columns);
	return all;
}

/* The reader stands behind the header, and does so again. */
static bool counts_rows(Reading *x, int column)
{
	bool counts = cells_count(&x->cells, column);
	(void)cells_row(&x->cells);
	return counts;
}

/* What to do with the columns that no input has by its name. A number of the row is nothing to learn from. */
static char *help_for_rest(Reading *x, const bool *taken, const NnrInput *in, int left)
{
	char *leave = text_printf("%s", "");
	for (int k = 0; k < x->column_count && left > 1; k++)
		if (!taken[k] && counts_rows(x, k)) {
			text_append(&leave,
			            "take the column `%s`, which numbers the rows, out of the table; ",
			            x->header[k]);
			left--;
		}
	return text_printf("%sone input without columns of its name takes all that are left: declare `input "
	                   "%s: f32[%d]` for %s",
	                   leave, in->name, left, *leave ? "the others" : "it");
}

static _Noreturn void die_without_columns(Reading *x, const bool *taken, int i, int left)
{
	const NnrInput *in = &x->r->model->inputs[i];
	char *has = list_of(x->header, x->column_count);
	int64_t each = sample_elements(in);
	bool has_number = false;
	for (int k = 0; k < x->column_count; k++)
		has_number = has_number || is_number(x, x->header[k]);
	if (each == 1)
		die_help(STATUS_DATA,
		         has_number ? "the first line must name the columns"
		                    : "give one of the two the name of the other",
		         "`%s` has no column `%s` for `%s`; it has %s", x->path, in->name, input_text(in),
		         has);
	die_help(STATUS_DATA, help_for_rest(x, taken, in, left),
	         "`%s` has no columns `%s_0` to `%s_%lld` for `%s`, and %d columns are left; it has %s",
	         x->path, in->name, in->name, (long long)each - 1, input_text(in), left, has);
}

/* One input may take what no other does: all of it, so that no column is taken or left unseen. */
static void take_columns(Reading *x)
{
	const NnrModel *m = x->r->model;
	bool *taken = allocate(x->column_count, sizeof *taken, "the columns of the table");
	int rest = -1, lost = -1, left = 0;
	for (int i = 0; i < m->input_count; i++) {
		bool found = take_by_name(x, taken, i);
		if (found && !is_wanted(x, i)) { /* and no input's */
			free(x->place[i]);
			x->place[i] = NULL;
		}
		if (!found && is_wanted(x, i) && !m->inputs[i].is_target && rest < 0)
			rest = i;
		else if (!found && is_wanted(x, i) && lost < 0)
			lost = i;
	}
	for (int k = 0; k < x->column_count; k++)
		left += !taken[k];
	if (rest >= 0 && left != x->table->inputs[rest].count)
		lost = lost < 0 ? rest : lost;
	if (lost >= 0)
		die_without_columns(x, taken, lost, left);
	if (rest >= 0)
		begin_places(x, rest);
	for (int k = 0, element = 0; k < x->column_count; k++) {
		if (rest >= 0 && !taken[k]) {
			take_column(x, taken, rest, element++, k);
			if (!x->words_are_given && counts_rows(x, k))
				say_note("`%s`: the column `%s` numbers the rows, and is taken for `%s`: "
				         "without it there is nothing in the place of a sample to learn from",
				         x->path, x->header[k], m->inputs[rest].name);
		}
		if (!taken[k])
			say_note("`%s`: the column `%s` is used by no input or target", x->path,
			         x->header[k]);
	}
	free(taken);
}

/* ---- cells */

static _Noreturn void die_at(const Reading *x, int column, const char *why)
{
	die(STATUS_DATA, "`%s`, line %lld, column `%s`: %s", x->path, (long long)x->cells.row_line,
	    x->header[column], why);
}

static const char *cell(const Reading *x, int column)
{
	static const char *const missing[] = {"", "?", "-", "na", "n/a", "nan", "null", "none"};
	const char *text = x->cells.at[column], *bare = text + strspn(text, " \t"); /* in quotes they stay */
	for (size_t i = 0; i < sizeof missing / sizeof *missing; i++)
		if (strcasecmp(bare, missing[i]) == 0)
			die_at(x, column,
			       text_printf("%s: put one there, or leave the line out",
			                   *bare ? text_printf("`%s` stands for a missing value", bare)
			                         : "the value is missing"));
	return text;
}

/* A comma may be decimal or stand between thousands: with points beside it nobody knows. */
static void note_mark(Reading *x, int column, const char *text)
{
	const bool comma = strchr(text, ','), point = strchr(text, '.');
	if (comma || point)
		x->mark_line[comma] = x->cells.row_line;
	if (x->mark_line[0] && x->mark_line[1])
		die_at(x, column,
		       text_printf("`%s` has a decimal %s, and a number in line %lld a %s: write all of them "
		                   "with points",
		                   text, comma ? "comma" : "point", (long long)x->mark_line[!comma],
		                   comma ? "point" : "comma"));
}

static double number_in(Reading *x, int column, bool real, double least, double most)
{
	const char *text = cell(x, column);
	double value;
	if (!read_number(x, text, &value))
		die_at(x, column, text_printf("`%s` is no number", text));
	note_mark(x, column, text);
	if (!isfinite(value) || (real && fabs(value) > most))
		die_at(x, column, text_printf("`%s` is too large", text));
	if (!real && (value != floor(value) || value < least || value > most))
		die_at(x, column,
		       text_printf("`%s` is no whole number from %.0f to %.0f", text, least, most));
	return value;
}

static bool is_class(const NnrInput *in)
{
	return in->classes > 0;
}

static bool is_real_input(const NnrInput *in)
{
	return !in->is_target && (in->dtype == NNR_F32 || in->dtype == NNR_F64);
}

static double value_in(Reading *x, const NnrInput *in, int column)
{
	if (in->dtype == NNR_F32)
		return number_in(x, column, true, 0, 3.4028234663852886e38);
	if (in->dtype == NNR_F64)
		return number_in(x, column, true, 0, HUGE_VAL);
	return in->dtype == NNR_U8 ? number_in(x, column, false, 0, UINT8_MAX)
	                           : number_in(x, column, false, INT32_MIN, INT32_MAX);
}

/* ---- classes */

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
	Index *index = &x->index[i];
	uint32_t at = hash_of(word) & index->mask;
	while (index->slots[at] >= 0 && strcmp(t->words[index->slots[at]], word) != 0)
		at = (at + 1) & index->mask;
	return &index->slots[at];
}

/* Of the words that there are, with room for as many as the model has classes, and one. */
static void make_index(Reading *x, int i)
{
	const TableInput *t = &x->table->inputs[i];
	Index *index = &x->index[i];
	int64_t room = 4;
	while (room < 2 * ((int64_t)x->r->model->inputs[i].classes + 2))
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
static void learn_word(Reading *x, int i, int column)
{
	TableInput *t = &x->table->inputs[i];
	int classes = x->r->model->inputs[i].classes, *slot;
	const char *word = cell(x, column);
	if (t->word_count > classes || *(slot = slot_of(x, i, word)) >= 0)
		return;
	char *quoted = json_quoted(word), back[JSON_STRING_BYTES];
	Json j = json_new(quoted, (int64_t)strlen(quoted));
	if (!json_string(&j, back) || strcmp(back, word) != 0)
		die_at(x, column, "the name of a class is UTF-8, and no longer than 1,000 bytes");
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

static void order_words(const Reading *x, int i, const char *column)
{
	const NnrInput *in = &x->r->model->inputs[i];
	TableInput *t = &x->table->inputs[i];
	bool whole = true, in_range = true;
	for (int k = 0; k < t->word_count; k++) {
		int64_t value = -1;
		whole = whole && is_whole(t->words[k], &value);
		in_range = in_range && whole && value >= 0 && value < in->classes;
	}
	if (in_range) {
		for (int k = 0; k < t->word_count; k++)
			free(t->words[k]);
		free(t->words);
		t->words = NULL;
		t->word_count = 0;
		return;
	}
	/* One order for all: with both, 9 < 10 < 1a < 9. */
	qsort(t->words, (size_t)t->word_count, sizeof *t->words, whole ? by_value : words_by_bytes);
	char *first =
	        whole ? text_printf(", of which %lld in line %lld is the first outside 0 to %d",
	                            (long long)x->outside[i], (long long)x->outside_line[i], in->classes - 1)
	              : text_printf("%s", "");
	if (t->word_count > in->classes || (in->is_target && t->word_count < in->classes))
		die_help(STATUS_DATA, "declare as many classes as the column has, or give other data",
		         "`%s`: the column `%s` has %s%d classes, %s%s; the model wants `%s`", x->path,
		         column, t->word_count > in->classes ? "at least " : "", t->word_count,
		         list_of(t->words, t->word_count), first, input_text(in));
	free(first);
}

static int64_t class_in(Reading *x, int i, int column)
{
	const NnrInput *in = &x->r->model->inputs[i];
	const TableInput *t = &x->table->inputs[i];
	if (!t->words)
		return (int64_t)number_in(x, column, false, 0, in->classes - 1);
	const char *word = cell(x, column);
	int class = *slot_of(x, i, word);
	if (class < 0)
		die_at(x, column,
		       text_printf("`%s` is no class that was trained on: %s", word,
		                   list_of(t->words, t->word_count)));
	return class;
}

/* ---- two passes: count, check and learn the words; then store */

static bool next_row(Reading *x)
{
	if (!cells_row(&x->cells))
		return false;
	if (x->cells.count != x->column_count)
		die(STATUS_DATA, "`%s`, line %lld: there are %d cells, and the header names %d columns",
		    x->path, (long long)x->cells.row_line, x->cells.count, x->column_count);
	return true;
}

static int64_t look(Reading *x)
{
	const NnrModel *m = x->r->model;
	int64_t rows = 0;
	for (int i = 0; i < m->input_count; i++)
		if (is_class(&m->inputs[i]))
			make_index(x, i);
	for (; next_row(x); rows++) {
		for (int i = 0; i < m->input_count; i++) {
			const NnrInput *in = &m->inputs[i];
			TableInput *t = &x->table->inputs[i];
			for (int k = 0; x->place[i] && k < t->count; k++) {
				if (is_class(in) && !x->words_are_given)
					learn_word(x, i, x->place[i][k]);
				else if (is_class(in))
					(void)class_in(x, i, x->place[i][k]);
				else
					(void)value_in(x, in, x->place[i][k]);
			}
		}
	}
	for (int i = 0; i < m->input_count && rows > 0 && !x->words_are_given; i++) {
		if (!x->place[i] || !is_class(&m->inputs[i]))
			continue;
		order_words(x, i, x->header[x->place[i][0]]);
		make_index(x, i);
	}
	return rows;
}

static void store_number(char *at, NnrDType dtype, int64_t i, double value)
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

static void store(Reading *x, DataPart *part)
{
	const NnrModel *m = x->r->model;
	for (int64_t row = 0; next_row(x); row++)
		for (int i = 0; i < m->input_count; i++) {
			const NnrInput *in = &m->inputs[i];
			const TableInput *t = &x->table->inputs[i];
			for (int k = 0; x->place[i] && k < t->count; k++) {
				const int64_t at = row * t->count + k;
				if (x->cell[i])
					x->cell[i][at] = value_in(x, in, x->place[i][k]);
				else
					store_number(part->at[i], in->dtype, at,
					             is_class(in) ? (double)class_in(x, i, x->place[i][k])
					                          : value_in(x, in, x->place[i][k]));
			}
		}
}

/* ---- standardisation: in double from the file's digits on, for the values of a column may differ by less than f32 has
 * digits for: seconds since 1970, dates as 20240101, degrees of a position. What is left after the mean is taken away
 * fits. */

static const double *row_of_sample(const Reading *x, const DataPart *part, int i, int64_t sample)
{
	int64_t row = part->order.count ? permutation_at(&part->order, part->first + sample) : sample;
	return x->cell[i] + row * x->table->inputs[i].count;
}

/* By two passes: mean, then deviation from it. The mean is that of the distances from the first value, so that a column
 * of one value has a deviation of exactly 0, and then a scale of 1. */
static void measure(const Reading *x, const DataPart *part, int i)
{
	TableInput *t = &x->table->inputs[i];
	t->mean = allocate(t->count, sizeof *t->mean, "the columns of the table");
	t->scale = allocate(t->count, sizeof *t->scale, "the columns of the table");
	for (int k = 0; k < t->count; k++) {
		const double first = row_of_sample(x, part, i, 0)[k];
		double sum = 0, squares = 0;
		for (int64_t sample = 0; sample < part->count; sample++)
			sum += row_of_sample(x, part, i, sample)[k] - first;
		t->mean[k] = first + sum / (double)part->count;
		for (int64_t sample = 0; sample < part->count; sample++) {
			double off = row_of_sample(x, part, i, sample)[k] - t->mean[k];
			squares += off * off;
		}
		double scale = sqrt(squares / (double)part->count);
		t->scale[k] = isfinite(scale) && scale > 0 ? scale : 1;
	}
}

/* The real inputs of a part, from the cells of its rows. */
static void standardise(const Reading *x, DataPart *part)
{
	for (int i = 0; i < x->r->model->input_count; i++) {
		const TableInput *t = &x->table->inputs[i];
		for (int64_t sample = 0; x->cell[i] && sample < part->count; sample++) {
			const double *row = row_of_sample(x, part, i, sample);
			for (int k = 0; k < t->count; k++)
				store_number(part->at[i], x->r->model->inputs[i].dtype, sample * t->count + k,
				             t->mean ? (row[k] - t->mean[k]) / t->scale[k] : row[k]);
		}
	}
}

/* ---- all of it */

static Table *new_table(const NnrModel *m)
{
	Table *t = allocate(1, sizeof *t, "the columns of the table");
	t->count = m->input_count;
	for (int i = 0; i < t->count; i++)
		t->inputs[i].count = (int)sample_elements(&m->inputs[i]);
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
		char *columns = list_of(t->columns, t->count),
		     *classes = t->words ? text_printf("; classes %s", list_of(t->words, t->word_count))
		                         : text_printf("%s", "");
		progress_say("data: %s is %s%s", m->inputs[i].name, columns, classes);
		free(columns);
		free(classes);
	}
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

Dataset table_read(const char *path, const DataRequest *r)
{
	const NnrModel *m = r->model;
	Dataset d = {.format = text_printf("a table")};
	const Table *given = r->table;
	Reading x = {.path = path, .r = r, .cells = cells_open(path), .words_are_given = given != NULL};
	d.table = given ? (Table *)given : new_table(m);
	x.table = d.table;
	read_header(&x);
	take_columns(&x);
	int64_t rows = look(&x);
	if (rows == 0)
		die(STATUS_DATA, "`%s` has a header and no line of data", path);
	data_allocate(&d.train, m, rows);
	for (int i = 0; i < m->input_count; i++)
		if (x.place[i] && is_real_input(&m->inputs[i]))
			x.cell[i] = allocate(rows, d.table->inputs[i].count * (int64_t)sizeof *x.cell[i],
			                     "the columns of the table");
	cells_rewind(&x.cells);
	(void)cells_row(&x.cells);
	store(&x, &d.train);
	data_hold_out(&d, r);
	for (int i = 0; i < m->input_count && !given && d.train.count > 0; i++)
		if (x.cell[i])
			measure(&x, &d.train, i);
	if (!given && r->weights)
		say_own_scale(&x);
	standardise(&x, &d.train);
	standardise(&x, &d.held_out);
	name_classes(&d, m);
	if (r->show_progress)
		say_columns(&x);
	for (int i = 0; i < x.column_count; i++)
		free(x.header[i]);
	free(x.header);
	for (int i = 0; i < m->input_count; i++) {
		free(x.place[i]);
		free(x.cell[i]);
		free(x.index[i].slots);
	}
	cells_close(&x.cells);
	return d;
}
