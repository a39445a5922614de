/* SPDX-License-Identifier: MIT */
/* The lines of `eval` for each column of the metrics over all samples. */
#include "runtime/core/die.h"
#include "runtime/core/measures.h"
#include "runtime/core/scored.h"

#include <stdio.h>
#include <string.h>

enum { WIDTH = 12 };

/* "cat", or the number of the column. */
static void column_name(const Session *s, const NnrMeasure *m, int64_t column, char name[CLASS_SHOWN_BYTES])
{
	const NnrModel *model = s->model;
	if (m->indexed && scored_output(model, &model->predict) && scored_classes(model) == m->columns)
		scored_shown(model, &s->data, (int)column, name);
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
