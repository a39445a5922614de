/* SPDX-License-Identifier: MIT */
/* The lines of `eval` for each column of the metrics over all samples. */
#include "runtime/host/die.h"
#include "runtime/session/measures.h"
#include "runtime/session/scored.h"
#include "runtime/data/table.h"

#include <stdio.h>
#include <string.h>

enum { WIDTH = 12 };

/* Of a table the label or the column of the one target that has as many numbers; NULL: there is none. */
static const char *column_label(const Session *s, const NnrMeasure *m, int64_t column)
{
	const Table *table = s->data.table;
	const TableInput *found = NULL;
	for (int i = 0; table && !m->indexed && i < table->count; i++) {
		const TableInput *t = &table->inputs[i];
		if (!s->model->inputs[i].is_target || s->model->inputs[i].classes > 0 ||
		    t->count != m->columns || !t->columns)
			continue;
		if (found)
			return NULL;
		found = t;
	}
	return !found ? NULL : found->spread ? found->words[column] : found->columns[column];
}

/* "cat", or the number of the column. */
static void column_name(const Session *s, const NnrMeasure *m, int64_t column, char name[CLASS_SHOWN_BYTES])
{
	const NnrModel *model = s->model;
	if (m->indexed && scored_output(model, &model->predict) && scored_classes(model) == m->columns)
		scored_shown(model, &s->data, (int)column, name);
	else if (column_label(s, m, column))
		text_printable(name, CLASS_SHOWN_BYTES, column_label(s, m, column));
	else
		snprintf(name, CLASS_SHOWN_BYTES, "%lld", (long long)column);
}

static bool alike(const NnrMeasure *a, const NnrMeasure *b)
{
	return a->columns == b->columns && a->indexed == b->indexed && a->bins == b->bins;
}

/* One table of the metrics that have the columns of `first`. */
static void print_table(const Session *s, const NnrMeasure *first)
{
	const NnrModel *m = s->model;
	const char *title = first->indexed ? "class" : "column";
	char name[CLASS_SHOWN_BYTES];
	int widest = (int)strlen(title);
	for (int64_t k = 0; k < first->columns; k++) {
		column_name(s, first, k, name);
		widest = text_columns(name) > widest ? text_columns(name) : widest;
	}
	printf("%-*s", widest, title);
	for (int i = 0; i < m->measure_count; i++)
		if (alike(&m->measures[i], first))
			printf("  %*s", WIDTH, m->measures[i].name);
	putchar('\n');
	for (int64_t k = 0; k < first->columns; k++) {
		column_name(s, first, k, name);
		printf("%s%*s", name, widest - text_columns(name), "");
		for (int i = 0; i < m->measure_count; i++) {
			int width = (int)strlen(m->measures[i].name);
			if (alike(&m->measures[i], first))
				printf("  %*.6g", width > WIDTH ? width : WIDTH,
				       score_shown(measures_columns(s->measures, i)[k]));
		}
		putchar('\n');
	}
}

void measures_print(const Session *s)
{
	const NnrMeasure *m = s->model->measures;
	for (int i = 0; i < s->model->measure_count; i++) {
		bool is_first = m[i].columns > 1 && m[i].bins == 0;
		for (int k = 0; k < i; k++)
			is_first = is_first && !alike(&m[k], &m[i]);
		if (is_first)
			print_table(s, &m[i]);
	}
}
