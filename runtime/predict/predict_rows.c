/* SPDX-License-Identifier: MIT */
/* Predictions for people and their programs: one row a sample, of its most probable classes, of the most probable class
 * at each place of it or, where the network does not choose among classes, of its values. As CSV (RFC 4180, lines ended
 * by LF), as lines of JSON, or as a table. */
#include "runtime/host/csv.h"
#include "runtime/host/die.h"
#include "runtime/host/json.h"
#include "runtime/session/predictions.h"
#include "runtime/host/progress.h"
#include "runtime/session/scored.h"
#include "runtime/data/table.h"
#include "runtime/host/writer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	VALUES_SHOWN = 8,
	PLACES_SHOWN = 32,
	SHARES_SHOWN = 5,
	MOST_COLUMNS = 1024,
	WIDEST = 60,
	TABLE_TOP = 3
};

/* The file being written; the end of the process asks for it. */
static struct {
	FileWriter *writer; /* NULL: standard output */
	FILE *text;         /* of the rows not yet there */
	char *bytes;
	size_t length;
	int width, class_width; /* of the table's columns */
	Choice *best;           /* of the one place its `top`, or of each place one */
	int64_t places;         /* of a sample that have a class each; 0: the rows have values */
	int top;                /* classes of a place: of several places 1 */
	int64_t count;          /* of those written */
	int64_t without;        /* samples with scores that are no numbers */
} rows;

static void abandon(void)
{
	if (rows.writer)
		file_abandon(rows.writer);
	rows.writer = NULL;
}

static void begin(const Session *s, int top)
{
	const NnrModel *m = s->model;
	bool chooses = scored_output(m, &m->predict) != NULL;
	int classes = chooses ? scored_classes(m) : 0,
	    wanted = s->options.top > 0 ? (int)s->options.top : top;
	rows.places = chooses ? scored_places(m) : 0;
	rows.top = rows.places > 1 ? 1 : wanted < classes ? wanted : classes;
	if (chooses && m->predict.output_count > 1 && !s->options.quiet)
		say_note("the classes are of `%s`; a .npy has the model's other outputs, too: `--out "
		         "FILE.npy`",
		         m->scored.output);
	rows.best = allocate(rows.places > 1 ? rows.places : rows.top, sizeof *rows.best, "the classes");
	rows.text = open_memstream(&rows.bytes, &rows.length);
	if (!rows.text)
		die(STATUS_MEMORY, "there is no memory for the predictions");
	if (!s->options.out)
		return;
	die_at_end(abandon);
	rows.writer = file_begin_new(s->options.out);
	if (!rows.writer)
		predictions_not_written();
}

/* Hands on what was written to rows.text. */
static void flush(void)
{
	if (fflush(rows.text) != 0)
		die(STATUS_MEMORY, "there is no memory for the predictions");
	if (rows.writer) {
		if (!file_write(rows.writer, rows.bytes, (int64_t)rows.length))
			predictions_not_written();
	} else {
		progress_clear();
		fwrite(rows.bytes, 1, rows.length, stdout);
	}
	rewind(rows.text); /* what is written next begins anew */
}

static void end_rows(const Session *s, int64_t samples)
{
	flush();
	fclose(rows.text);
	free(rows.bytes);
	free(rows.best);
	if (rows.writer) {
		FileWriter *whole = rows.writer;
		char fit[4096];
		rows.writer = NULL;
		if (!file_commit(whole))
			predictions_not_written();
		die_not_at_end(abandon);
		text_printable(fit, sizeof fit, s->options.out);
		printf("%s  %lld sample%s\n", fit, (long long)rows.count, rows.count == 1 ? "" : "s");
	}
	if (rows.without)
		say_note("%s %s%s scored by what is no number: no class", count_text((double)rows.without),
		         scored_unit(s->model), rows.without == 1 ? " is" : "s are");
}

static int digits(const NnrModel *m)
{
	return m->real == NNR_F64 ? 17 : 9;
}

static int64_t row_elements(const NnrModel *m, const NnrOutput *o)
{
	return tensor_elements(o->dim, o->rank) / m->batch;
}

/* Sample k's part of an output. */
static const char *row_of(const NnrModel *m, const char *batch, int output, int64_t k)
{
	const NnrOutput *o = &m->predict.outputs[output];
	return prediction_output(m, batch, output) + k * row_elements(m, o) * dtype_bytes(o->dtype);
}

/* The best classes of sample k of the batch, to rows.best; of a sample with one place always `probable`: with their
 * probabilities. */
static void choose(const NnrModel *m, const char *batch, int64_t k, bool probable)
{
	const NnrOutput *o = scored_output(m, &m->predict);
	const char *scores = row_of(m, batch, (int)(o - m->predict.outputs), k);
	for (int64_t i = 0; i < rows.places; i++) {
		if (probable)
			scored_best(m, scores, i, o->dtype, rows.top, rows.best + i);
		else
			rows.best[i] = (Choice){scored_class(o, scores, i), NAN};
		rows.without += rows.best[i].class < 0;
	}
}

/* "" where there is none. */
static const char *class_name(const Session *s, Choice c, char text[CLASS_NUMBER_BYTES])
{
	return c.class < 0 ? "" : scored_name(s->model, &s->data, c.class, text);
}

/* ---- CSV */

static void put_value_columns(const NnrModel *m)
{
	int64_t columns = 0;
	for (int i = 0; i < m->predict.output_count; i++) {
		const NnrOutput *o = &m->predict.outputs[i];
		int64_t n = row_elements(m, o);
		columns += n;
		if (columns > MOST_COLUMNS)
			die_help(STATUS_USAGE, "a .npy file holds them: `--out FILE.npy`",
			         "`%s` predicts more than %d numbers for each sample: that is no table",
			         m->name, MOST_COLUMNS);
		for (int64_t k = 0; k < n; k++) {
			char *name = n == 1 ? text_printf("%s", o->name)
			                    : text_printf("%s[%lld]", o->name, (long long)k);
			putc(',', rows.text);
			csv_put(rows.text, name);
			free(name);
		}
	}
}

static void put_place_columns(const NnrModel *m)
{
	if (rows.places > MOST_COLUMNS)
		die_help(STATUS_USAGE,
		         picture_output(m) >= 0
		                 ? "`--out FOLDER/` writes a picture of the classes of each sample"
		                 : "`--out FILE.jsonl` holds them",
		         "`%s` predicts the classes of %s %ss of each sample: that is no table", m->name,
		         count_text((double)rows.places), scored_unit(m));
	for (int64_t i = 0; i < rows.places; i++)
		fprintf(rows.text, ",class[%lld]", (long long)i);
}

static char *const *passed_of(const Session *s, int64_t k)
{
	return s->data.rows ? s->data.rows->texts + k * s->data.rows->columns : NULL;
}

/* Columns of the table that the recipe has written beside what is predicted: texts of sample k, or their names. */
static void put_passed(const TableRows *table, char *const *texts)
{
	for (int i = 0; table && i < table->columns; i++) {
		putc(',', rows.text);
		csv_put(rows.text, texts[i]);
	}
}

static void csv_begin(const Session *s, int64_t samples)
{
	begin(s, 1);
	fputs("file", rows.text);
	put_passed(s->data.rows, s->data.rows ? s->data.rows->names : NULL);
	if (rows.places > 1)
		put_place_columns(s->model);
	else if (rows.top > 0)
		fputs(",class,probability", rows.text);
	else
		put_value_columns(s->model);
	for (int k = 2; k <= rows.top; k++)
		fprintf(rows.text, ",class_%d,probability_%d", k, k);
	putc('\n', rows.text);
}

static void csv_add(const Session *s, const char *batch, int64_t first, int64_t real)
{
	const NnrModel *m = s->model;
	char number[CLASS_NUMBER_BYTES];
	for (int64_t k = 0; k < real; k++) {
		if (prediction_is_missing(s, first + k))
			continue;
		rows.count++;
		char *sample = prediction_sample(s, first + k);
		csv_put(rows.text, sample);
		free(sample);
		put_passed(s->data.rows, passed_of(s, first + k));
		if (rows.top > 0)
			choose(m, batch, k, rows.places == 1);
		for (int64_t i = 0; i < (rows.places > 1 ? rows.places : rows.top); i++) {
			putc(',', rows.text);
			csv_put(rows.text, class_name(s, rows.best[i], number));
			if (rows.places == 1)
				fprintf(rows.text, ",%.6g", fabs(rows.best[i].probability));
		}
		for (int i = 0; i < m->predict.output_count && rows.top == 0; i++)
			for (int64_t j = 0; j < row_elements(m, &m->predict.outputs[i]); j++)
				fprintf(rows.text, ",%.*g", digits(m),
				        dtype_value(row_of(m, batch, i, k), m->predict.outputs[i].dtype, j));
		putc('\n', rows.text);
	}
	flush();
}

/* ---- JSON lines */

static void put_string(const char *text)
{
	char *quoted = json_quoted(text);
	fputs(quoted, rows.text);
	free(quoted);
}

static void put_number(double value, int most)
{
	if (isfinite(value))
		fprintf(rows.text, "%.*g", most, value);
	else
		fputs("null", rows.text);
}

static void put_class(const Session *s, Choice c)
{
	char number[CLASS_NUMBER_BYTES];
	if (c.class < 0)
		fputs("null", rows.text);
	else
		put_string(class_name(s, c, number));
}

static void put_choice(const Session *s, Choice c)
{
	fputs("\"class\": ", rows.text);
	put_class(s, c);
	fputs(", \"probability\": ", rows.text);
	put_number(c.probability, 6);
}

static void put_places(const Session *s)
{
	fputs(", \"class\": [", rows.text);
	for (int64_t i = 0; i < rows.places; i++) {
		fputs(i ? ", " : "", rows.text);
		put_class(s, rows.best[i]);
	}
	fputs("], \"probability\": [", rows.text);
	for (int64_t i = 0; i < rows.places; i++) {
		fputs(i ? ", " : "", rows.text);
		put_number(rows.best[i].probability, 6);
	}
	putc(']', rows.text);
}

static void put_values(const NnrModel *m, const char *batch, int output, int64_t k)
{
	const NnrOutput *o = &m->predict.outputs[output];
	int64_t n = row_elements(m, o);
	fputs(", ", rows.text);
	put_string(o->name);
	fputs(n == 1 ? ": " : ": [", rows.text);
	for (int64_t j = 0; j < n; j++) {
		fputs(j ? ", " : "", rows.text);
		put_number(dtype_value(row_of(m, batch, output, k), o->dtype, j), digits(m));
	}
	fputs(n == 1 ? "" : "]", rows.text);
}

static void put_passed_object(const Session *s, int64_t k)
{
	const TableRows *table = s->data.rows;
	for (int i = 0; table && i < table->columns; i++) {
		fputs(i ? ", " : ", \"passed\": {", rows.text);
		put_string(table->names[i]);
		fputs(": ", rows.text);
		put_string(passed_of(s, k)[i]);
		fputs(i + 1 < table->columns ? "" : "}", rows.text);
	}
}

static void jsonl_begin(const Session *s, int64_t samples)
{
	begin(s, 1);
}

static void jsonl_add(const Session *s, const char *batch, int64_t first, int64_t real)
{
	for (int64_t k = 0; k < real; k++) {
		if (prediction_is_missing(s, first + k))
			continue;
		rows.count++;
		char *sample = prediction_sample(s, first + k);
		fputs("{\"file\": ", rows.text);
		put_string(sample);
		free(sample);
		put_passed_object(s, first + k);
		if (rows.top > 0)
			choose(s->model, batch, k, true);
		if (rows.places > 1) {
			put_places(s);
		} else if (rows.top > 0) {
			fputs(", ", rows.text);
			put_choice(s, rows.best[0]);
		}
		for (int i = 0; i < rows.top && rows.top > 1; i++) {
			fputs(i ? ", {" : ", \"top\": [{", rows.text);
			put_choice(s, rows.best[i]);
			fputs(i + 1 < rows.top ? "}" : "}]", rows.text);
		}
		for (int i = 0; i < s->model->predict.output_count && rows.top == 0; i++)
			put_values(s->model, batch, i, k);
		fputs("}\n", rows.text);
	}
	flush();
}

/* ---- the table */

static void put_padded(const char *text, int width)
{
	char fit[4096];
	text_printable(fit, sizeof fit, text);
	fprintf(rows.text, "%s%*s", fit, width > text_columns(fit) ? width - text_columns(fit) : 0, "");
}

static int least(int a, int b)
{
	return a < b ? a : b;
}

static void table_begin(const Session *s, int64_t samples)
{
	char fit[4096], number[CLASS_NUMBER_BYTES];
	begin(s, TABLE_TOP);
	rows.width = 4;
	rows.class_width = 5;
	for (int64_t k = 0; k < samples; k++) {
		char *sample = prediction_sample(s, k);
		text_printable(fit, sizeof fit, sample);
		free(sample);
		int width = least(text_columns(fit), WIDEST);
		rows.width = width > rows.width ? width : rows.width;
	}
	put_padded("file", rows.width);
	if (rows.places != 1) {
		fputs(rows.places ? "  classes\n" : "  values\n", rows.text);
		return;
	}
	fputs("  class", rows.text);
	for (int i = 0; i < scored_classes(s->model); i++) {
		int width = least(text_columns(scored_name(s->model, &s->data, i, number)), WIDEST / 2);
		rows.class_width = width > rows.class_width ? width : rows.class_width;
	}
	fprintf(rows.text, "%*s  probability%s\n", rows.class_width - 5, "", rows.top > 1 ? "  then" : "");
}

static void put_choices(const Session *s)
{
	char number[CLASS_NUMBER_BYTES], fit[4096];
	put_padded(class_name(s, rows.best[0], number), rows.class_width);
	fprintf(rows.text, "  %9.2f %%", 100 * fabs(rows.best[0].probability));
	for (int i = 1; i < rows.top; i++) {
		text_printable(fit, sizeof fit, class_name(s, rows.best[i], number));
		fprintf(rows.text, "%s%s %.2f %%", i > 1 ? ", " : "  ", fit,
		        100 * fabs(rows.best[i].probability));
	}
}

/* Of a sequence the classes in order, of many the first. */
static void put_sequence(const Session *s)
{
	char shown[CLASS_SHOWN_BYTES];
	for (int64_t i = 0; i < rows.places && i < PLACES_SHOWN; i++) {
		strcpy(shown, "-");
		if (rows.best[i].class >= 0)
			scored_shown(s->model, &s->data, rows.best[i].class, shown);
		fprintf(rows.text, "%s%s", i ? " " : "", shown);
	}
	if (rows.places > PLACES_SHOWN)
		fprintf(rows.text, " ... (%lld)", (long long)rows.places);
}

/* Of a picture the share of each class, the largest first: "road 61.20 %, sky 30.05 %". */
static void put_shares(const Session *s)
{
	char name[CLASS_SHOWN_BYTES];
	int classes = scored_classes(s->model);
	int64_t *pixels = allocate(classes, sizeof *pixels, "the classes");
	for (int64_t i = 0; i < rows.places; i++)
		if (rows.best[i].class >= 0)
			pixels[rows.best[i].class]++;
	for (int shown = 0; shown < SHARES_SHOWN; shown++) {
		int most = 0;
		for (int i = 1; i < classes; i++)
			most = pixels[i] > pixels[most] ? i : most;
		if (pixels[most] == 0)
			break;
		scored_shown(s->model, &s->data, most, name);
		fprintf(rows.text, "%s%s %.2f %%", shown ? ", " : "", name,
		        100 * (double)pixels[most] / (double)rows.places);
		pixels[most] = 0;
	}
	free(pixels);
}

/* "fit 0.25  above 1"; of many the first. */
static void put_shown_values(const NnrModel *m, const char *batch, int64_t k)
{
	for (int i = 0; i < m->predict.output_count; i++) {
		const NnrOutput *o = &m->predict.outputs[i];
		int64_t n = row_elements(m, o);
		fprintf(rows.text, "%s%s", i ? "  " : "", o->name);
		for (int64_t j = 0; j < n && j < VALUES_SHOWN; j++)
			fprintf(rows.text, " %.6g", dtype_value(row_of(m, batch, i, k), o->dtype, j));
		if (n > VALUES_SHOWN)
			fprintf(rows.text, " ... (%lld)", (long long)n);
	}
}

static void table_add(const Session *s, const char *batch, int64_t first, int64_t real)
{
	for (int64_t k = 0; k < real; k++) {
		if (prediction_is_missing(s, first + k))
			continue;
		rows.count++;
		char *sample = prediction_sample(s, first + k);
		put_padded(sample, rows.width);
		free(sample);
		fputs("  ", rows.text);
		if (rows.top > 0)
			choose(s->model, batch, k, rows.places == 1);
		if (rows.places == 0)
			put_shown_values(s->model, batch, k);
		else if (rows.places == 1)
			put_choices(s);
		else if (scored_pixels(s->model))
			put_shares(s);
		else
			put_sequence(s);
		putc('\n', rows.text);
	}
	flush();
}

const PredictionForm predictions_csv = {".csv", csv_begin, csv_add, end_rows, abandon};
const PredictionForm predictions_jsonl = {".jsonl", jsonl_begin, jsonl_add, end_rows, abandon};
const PredictionForm predictions_table = {NULL, table_begin, table_add, end_rows, abandon};
