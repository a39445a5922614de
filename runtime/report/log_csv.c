/* SPDX-License-Identifier: MIT */
#include "runtime/report/log_csv.h"
#include "runtime/host/die.h"
#include "runtime/report/log.h"
#include "runtime/report/log_read.h"

#include <errno.h>
#include <sys/stat.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COLUMNS = 12 + 2 * (1 + MAX_METRICS) };

struct LogCsv {
	FILE *file;
	char *path;
	const char *columns[MOST_COLUMNS];
	int count;
};

static void choose_columns(LogCsv *csv, const Session *s)
{
	static const char *const before[] = {"epoch", "step"};
	static const char *const after[] = {"rate", "samples_per_second", "seconds", "data_wait", "memory"};
	for (int i = 0; i < 2; i++)
		csv->columns[csv->count++] = before[i];
	for (int i = 0; i < s->score_count; i++)
		csv->columns[csv->count++] = score_name(s, i);
	for (int i = 0; i < s->evaluated_count; i++)
		csv->columns[csv->count++] = text_printf("eval_%s", score_name(s, i));
	for (size_t i = 0; i < sizeof after / sizeof *after; i++)
		csv->columns[csv->count++] = after[i];
	if (s->options.log_norms)
		csv->columns[csv->count++] = "param_norm";
	if (s->options.log_norms && s->model->train.gradient)
		csv->columns[csv->count++] = "gradient_norm";
}

/* An evaluation amid the epochs is a row of its step; what a row does not have is empty. */
void log_csv_record(LogCsv *csv, const Record *r)
{
	if (!csv)
		return;
	for (int i = 0; i < csv->count; i++) {
		const Field *f = record_find(r, csv->columns[i]);
		if (!f && i == 1 && strcmp(r->field[0].key, "evaluation") == 0)
			f = &r->field[0];
		if (i)
			fputc(',', csv->file);
		if (f && isfinite(f->value))
			fprintf(csv->file, "%.9g", f->value);
	}
	fputc('\n', csv->file);
	fflush(csv->file);
}

static void see_line(void *context, const LogLine *line)
{
	const char *kind = line->record.field[0].key;
	if (strcmp(kind, "run") != 0 && strcmp(kind, LOG_LEFT_OUT) != 0)
		log_csv_record(context, &line->record);
}

LogCsv *log_csv_open(const char *path, const char *log, const Session *s)
{
	LogCsv *csv = allocate(1, sizeof *csv, "the table of the log");
	csv->path = text_printf("%s", path);
	choose_columns(csv, s);
	csv->file = fopen(path, "we");
	if (!csv->file)
		die(STATUS_DATA, "can't write `%s`: %s", path, strerror(errno));
	for (int i = 0; i < csv->count; i++)
		fprintf(csv->file, "%s%s", i ? "," : "", csv->columns[i]);
	fputc('\n', csv->file);
	/* What stands in it of an earlier part; a pipe would wait for what is written to it. */
	struct stat st;
	if (stat(log, &st) == 0 && S_ISREG(st.st_mode) && !log_read(log, see_line, csv))
		die(STATUS_DATA, "can't read the log `%s`: %s", log, strerror(errno));
	return csv;
}

bool log_csv_close(LogCsv *csv)
{
	if (!csv)
		return true;
	bool whole = !ferror(csv->file);
	whole = fclose(csv->file) == 0 && whole;
	if (!whole)
		say_warning("`%s` is not whole: it can be made again of the log", csv->path);
	free(csv->path);
	free(csv);
	return whole;
}
