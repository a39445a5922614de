/* SPDX-License-Identifier: MIT */
/* Of a table: the header, and which columns are whose. table_reading.h. */
#include "base/utf8.h"
#include "runtime/host/die.h"
#include "runtime/data/split.h"
#include "runtime/data/table_reading.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

static bool is_number(const Reading *x, const char *text)
{
	double value;
	return cell_kind(text, x->cells.separator != ',', &value) == CELL_NUMBER;
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

/* The column of a name of the language: its own, else the only one that is called so. A column may be called by a word
 * of the language: then a `_` stands behind it, `model_`. */
static int find_called(const Reading *x, const char *name)
{
	int found = find_column(x, name), alike = 0;
	for (int i = 0; i < x->column_count && found < 0; i++)
		alike += is_called(x->header[i], name);
	for (int i = 0; i < x->column_count && found < 0 && alike == 1; i++)
		found = is_called(x->header[i], name) ? i : -1;
	return found;
}

int table_find_column(const Reading *x, const char *name)
{
	const size_t length = strlen(name);
	int found = find_called(x, name);
	if (found < 0 && length > 1 && name[length - 1] == '_') {
		char *word = text_printf("%.*s", (int)length - 1, name);
		found = find_called(x, word);
		free(word);
	}
	return found;
}

/* A pattern may also be how a model would write the name. */
static bool rule_matches(const NnrColumn *rule, const char *column)
{
	return fnmatch(rule->pattern, column, 0) == 0 || is_called(column, rule->pattern);
}

/* The first rule of a column: for missing values, or for what no input has; NULL: there is none. */
static const NnrColumn *rule_of(const Reading *x, int column, bool for_missing)
{
	const NnrModel *m = x->r->model;
	for (int i = 0; i < m->column_count; i++)
		if (for_missing == (m->columns[i].rule <= NNR_COLUMN_DROP) &&
		    rule_matches(&m->columns[i], x->header[column]))
			return &m->columns[i];
	return NULL;
}

/* A name that is none of this table's may be a slip. */
static void note_rules_of_none(const Reading *x)
{
	const NnrModel *m = x->r->model;
	for (int i = 0; i < m->column_count; i++) {
		bool found = strpbrk(m->columns[i].pattern, "*?[") != NULL;
		for (int k = 0; k < x->column_count && !found; k++)
			found = rule_matches(&m->columns[i], x->header[k]);
		if (!found)
			say_note("`%s` has no column `%s`, of which the recipe says something", x->path,
			         m->columns[i].pattern);
	}
}

/* The reader stands behind the header, and does so again. */
static void count_missing(Reading *x)
{
	double value;
	x->missing = allocate(x->column_count, sizeof *x->missing, "the columns of the table");
	while (cells_row(&x->cells))
		for (int i = 0; i < x->column_count && i < x->cells.count; i++)
			x->missing[i] += cell_kind(x->cells.at[i], false, &value) == CELL_MISSING;
	cells_rewind(&x->cells);
	(void)cells_row(&x->cells);
}

static void find_rules(Reading *x)
{
	bool flags = false;
	x->rule = allocate(x->column_count, sizeof *x->rule, "the columns of the table");
	x->kind = allocate(x->column_count, sizeof *x->kind, "the columns of the table");
	for (int i = 0; i < x->column_count; i++) {
		const NnrColumn *rule = rule_of(x, i, true);
		x->rule[i] = rule ? (int)rule->rule : REFUSED;
		flags = flags || x->rule[i] == NNR_COLUMN_FLAG;
	}
	if (x->words_are_given)
		return;
	note_rules_of_none(x);
	if (flags)
		count_missing(x);
}

void table_read_header(Reading *x)
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
	find_rules(x);
	x->split = table_split_column(x);
	pictures_begin(x);
}

/* ---- which columns */

static void take_column(Reading *x, bool *taken, int i, int element, int column)
{
	TableInput *to = &x->table->inputs[i];
	x->place[i][element] = column;
	taken[column] = true;
	if (element < table_columns(to) && !to->columns[element])
		to->columns[element] = text_printf("%s", x->header[column]);
}

static void begin_places(Reading *x, int i)
{
	TableInput *to = &x->table->inputs[i];
	x->place[i] = allocate(to->count, sizeof *x->place[i], "the columns of the table");
	if (!to->columns)
		to->columns = allocate(table_columns(to), sizeof *to->columns, "the columns of the table");
}

/* Whether the input has an element that says that the column's value is missing. Where the recipe names the column, it
 * has, whatever is in the file. */
static bool has_flag(const Reading *x, int i, int column)
{
	const NnrInput *in = &x->r->model->inputs[i];
	return is_real_input(in) && in->rank == 2 && x->rule[column] == NNR_COLUMN_FLAG && x->missing &&
	       (x->missing[column] > 0 || !strpbrk(rule_of(x, column, true)->pattern, "*?["));
}

static int elements_of(const Reading *x, int i, const int *columns, int count)
{
	int elements = count;
	for (int k = 0; k < count; k++)
		elements += has_flag(x, i, columns[k]);
	return elements;
}

/* The values of these columns, then the flags of those that have one. */
static void take_values(Reading *x, bool *taken, int i, const int *columns, int count)
{
	TableInput *to = &x->table->inputs[i];
	begin_places(x, i);
	for (int k = 0; k < count; k++)
		take_column(x, taken, i, k, columns[k]);
	if (to->count == count)
		return;
	to->flag_of = allocate(to->count, sizeof *to->flag_of, "the columns of the table");
	for (int k = 0; k < count; k++)
		to->flag_of[k] = -1;
	for (int k = 0, element = count; k < count; k++)
		if (has_flag(x, i, columns[k])) {
			to->flag_of[element] = k;
			take_column(x, taken, i, element++, columns[k]);
		}
}

/* One column for all elements. */
static void take_spread(Reading *x, bool *taken, int i, int column)
{
	begin_places(x, i);
	for (int k = 0; k < x->table->inputs[i].count; k++)
		take_column(x, taken, i, k, column);
}

/* Those that a checkpoint names. */
static bool take_given(Reading *x, bool *taken, int i)
{
	const TableInput *to = &x->table->inputs[i];
	int *columns = allocate(to->count, sizeof *columns, "the columns of the table"), found = 0;
	const int wanted = table_columns(to);
	for (; found < wanted; found++) {
		columns[found] = find_column(x, to->columns[found]);
		if (columns[found] < 0 && is_wanted(x, i))
			die(STATUS_DATA,
			    "`%s` has no column `%s`, which the weights were trained on; it has %s", x->path,
			    to->columns[found], table_list(x->header, x->column_count));
		if (columns[found] < 0)
			break;
	}
	const bool all = found == wanted;
	if (all && to->spread)
		take_spread(x, taken, i, columns[0]);
	else if (all)
		begin_places(x, i);
	for (int k = 0; all && !to->spread && k < found; k++)
		take_column(x, taken, i, k, columns[k]);
	free(columns);
	return all;
}

/* The column of its name, or of several elements NAME_0, NAME_1 and on. */
static bool take_by_name(Reading *x, bool *taken, int i)
{
	const TableInput *to = &x->table->inputs[i];
	const char *name = x->r->model->inputs[i].name;
	if (x->words_are_given && to->columns)
		return take_given(x, taken, i);
	int *columns = allocate(to->count, sizeof *columns, "the columns of the table"), found = 0;
	while (to->count > 1 && found < to->count) {
		char *wanted = text_printf("%s_%d", name, found);
		columns[found] = find_column(x, wanted);
		free(wanted);
		if (columns[found] < 0)
			break;
		found++;
	}
	if (found == 0 && (columns[0] = table_find_column(x, name)) >= 0)
		found = 1;
	bool all = found > 0 && elements_of(x, i, columns, found) == to->count;
	if (all) {
		take_values(x, taken, i, columns, found);
	} else if (found == 1 && to->count > 1 && spread_takes(x, i, columns[0])) {
		take_spread(x, taken, i, columns[0]);
		all = true;
	}
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

/* What to do with the columns that no input has by its name. A number of the row is nothing to learn from. `wanted`:
 * elements that the input would need for them. */
static char *help_for_rest(Reading *x, const bool *taken, const NnrInput *in, int left, int wanted)
{
	char *leave = text_printf("%s", "");
	for (int k = 0; k < x->column_count && left > 1; k++)
		if (!taken[k] && !rule_of(x, k, false) && counts_rows(x, k)) {
			text_append(&leave,
			            "take the column `%s`, which numbers the rows, out of the table, or say "
			            "`ignore "
			            "\"%s\"` in the recipe; ",
			            x->header[k], x->header[k]);
			left--;
			wanted--;
		}
	return text_printf("%sone input without columns of its name takes all that are left: declare `input "
	                   "%s: f32[%d]` for %s%s",
	                   leave, in->name, wanted, *leave ? "the others" : "it",
	                   wanted > left ? " and the flags of missing values" : "");
}

static _Noreturn void die_without_columns(Reading *x, const bool *taken, int i, int left, int wanted)
{
	const NnrInput *in = &x->r->model->inputs[i];
	char *has = table_list(x->header, x->column_count);
	int64_t each = sample_elements(in);
	const int own = table_find_column(x, in->name);
	bool has_number = false;
	for (int k = 0; k < x->column_count; k++)
		has_number = has_number || is_number(x, x->header[k]);
	if (own >= 0 && has_flag(x, i, own))
		die_help(
		        STATUS_DATA,
		        text_printf("declare `input %s: %s[2]`", in->name, dtype_name(in->dtype)),
		        "by the recipe the column `%s` of `%s` is a value and a flag, which is 1 where it is "
		        "missing; the model wants `%s`",
		        x->header[own], x->path, input_text(in));
	if (each == 1)
		die_help(STATUS_DATA,
		         has_number ? "the first line must name the columns"
		                    : "give one of the two the name of the other",
		         "`%s` has no column `%s` for `%s`; it has %s", x->path, in->name, input_text(in),
		         has);
	die_help(STATUS_DATA, help_for_rest(x, taken, in, left, wanted),
	         "`%s` has no columns `%s_0` to `%s_%lld` for `%s`, and %d columns are left; it has %s",
	         x->path, in->name, in->name, (long long)each - 1, input_text(in), left, has);
}

/* The columns that no input takes by its name, without those of which the recipe says that no input takes them. */
static int rest_of(const Reading *x, const bool *taken, int *rest)
{
	int count = 0;
	for (int k = 0; k < x->column_count; k++)
		if (!taken[k] && !rule_of(x, k, false) &&
		    !(k == x->split && split_takes_column(&x->r->split)))
			rest[count++] = k;
	return count;
}

static void note_rest(Reading *x, int rest, const int *columns, int count)
{
	for (int k = 0; k < count; k++) {
		const char *column = x->header[columns[k]];
		if (rest < 0)
			say_note("`%s`: the column `%s` is used by no input or target", x->path, column);
		else if (!x->words_are_given && counts_rows(x, columns[k]))
			say_note(
			        "`%s`: the column `%s` numbers the rows, and is taken for `%s`: without it "
			        "there is nothing in the place of a sample to learn from; `ignore \"%s\"` in "
			        "the recipe leaves it out",
			        x->path, column, x->r->model->inputs[rest].name, column);
	}
}

/* One input may take what no other does: all of it, so that no column is taken or left unseen. Where the inputs have
 * theirs, a target of several numbers may: a column for each label beside the name of a picture. */
void table_take_columns(Reading *x)
{
	const NnrModel *m = x->r->model;
	bool *taken = allocate(x->column_count, sizeof *taken, "the columns of the table");
	int *columns = allocate(x->column_count, sizeof *columns, "the columns of the table");
	int rest = -1, lost = -1;
	if (x->image >= 0)
		taken[x->picture] = true;
	for (int i = 0; i < m->input_count; i++) {
		bool found = i == x->image || take_by_name(x, taken, i);
		if (found && !is_wanted(x, i)) { /* and no input's */
			free(x->place[i]);
			x->place[i] = NULL;
		}
		if (!found && is_wanted(x, i) && !m->inputs[i].is_target && rest < 0)
			rest = i;
		else if (!found && is_wanted(x, i) && lost < 0)
			lost = i;
	}
	if (rest < 0 && lost >= 0 && !is_class(&m->inputs[lost]) && x->table->inputs[lost].count > 1) {
		rest = lost;
		lost = -1;
	}
	const int left = rest_of(x, taken, columns),
	          wanted = rest < 0 ? left : elements_of(x, rest, columns, left);
	if (rest >= 0 && wanted != x->table->inputs[rest].count)
		lost = lost < 0 ? rest : lost;
	if (lost >= 0)
		die_without_columns(x, taken, lost, left, wanted);
	if (rest >= 0)
		take_values(x, taken, rest, columns, left);
	note_rest(x, rest, columns, left);
	free(columns);
	free(taken);
}

int table_split_column(const Reading *x)
{
	const char *name = x->r->split.column;
	const int column = name ? table_find_column(x, name) : -1;
	if (name && column < 0)
		die(STATUS_DATA, "`%s` has no column `%s`, by which samples are to be held out; it has %s",
		    x->path, name, table_list(x->header, x->column_count));
	return column;
}

int table_role(const Reading *x, int column)
{
	const NnrColumn *rule = rule_of(x, column, false);
	return rule ? (int)rule->rule : REFUSED;
}
