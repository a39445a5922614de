/* SPDX-License-Identifier: MIT */
/* report.h. Curves are SVGs in images, so that their styles and those of the page stay apart. */
#include "runtime/report/report.h"
#include "runtime/report/curves.h"
#include "runtime/host/die.h"
#include "runtime/host/file.h"
#include "runtime/report/log_read.h"
#include "runtime/session/outputs.h"
#include "runtime/report/report_page.h"
#include "runtime/host/writer.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COLUMNS = 96, CHART_WIDTH = 480 };

/* A field of the lines of epochs, or between two epochs: its values over the step. */
typedef struct Column {
	char *key;
	Curve at;
} Column;

typedef struct Report {
	Column columns[MOST_COLUMNS]; /* of epochs, in the order of the log; `epoch` is the first */
	int count;
	Curve held_out[MOST_COLUMNS]; /* evaluations between two epochs, by the column of the same key */
	double step;                  /* of the last line of an epoch */
	double samples, joules[2];    /* of the lines on energy: of the GPU, of the processors */
	char *settings, *model;       /* of the last line on the run, as rows of a table */
} Report;

/* ---- the log */

static FILE *open_text(char **text, size_t *length)
{
	FILE *f = open_memstream(text, length);
	if (!f)
		die(STATUS_MEMORY, "there is no memory for the page of the training");
	return f;
}

static void see_run(Report *r, const LogLine *line)
{
	size_t length;
	free(r->settings);
	FILE *to = open_text(&r->settings, &length);
	for (const char *key = line->words; key && *key;) {
		const char *value = key + strlen(key) + 1;
		fputs("<tr><td>", to);
		svg_put_text(to, key);
		fputs("</td><td class=\"l\" style=\"white-space:normal\">", to);
		svg_put_text(to, value);
		fputs("</td></tr>\n", to);
		key = value + strlen(value) + 1;
	}
	for (int i = 1; i < line->record.count; i++) { /* the first is the format's number */
		fputs("<tr><td>", to);
		svg_put_text(to, line->record.field[i].key);
		fprintf(to, "</td><td class=\"l\">%.15g</td></tr>\n", line->record.field[i].value);
	}
	require(fclose(to) == 0);
	free(r->model);
	r->model = text_printf("%s", log_line_word(line, "model"));
}

static int column_of(Report *r, const char *key, bool add)
{
	int i = 0;
	while (i < r->count && strcmp(r->columns[i].key, key) != 0)
		i++;
	if (i < r->count || !add || r->count == MOST_COLUMNS)
		return i < r->count ? i : -1;
	r->columns[r->count].key = text_printf("%s", key);
	return r->count++;
}

static const char *const counters[2][2] = {{"gpu_joules", "GPU"}, {"cpu_joules", "processors"}};

static void see_energy(Report *r, const Record *fields)
{
	const Field *samples = record_find(fields, "samples");
	r->samples += samples ? samples->value : 0;
	for (int i = 0; i < 2; i++) {
		const Field *joules = record_find(fields, counters[i][0]);
		r->joules[i] += joules ? joules->value : 0;
	}
}

static void see_line(void *context, const LogLine *line)
{
	Report *r = context;
	const Record *fields = &line->record;
	const char *kind = fields->field[0].key;
	if (strcmp(kind, "run") == 0) {
		see_run(r, line);
		return;
	}
	if (strcmp(kind, "energy") == 0)
		see_energy(r, fields);
	bool epoch = strcmp(kind, "epoch") == 0;
	if (!epoch && strcmp(kind, "evaluation") != 0)
		return;
	const Field *step = epoch ? record_find(fields, "step") : &fields->field[0];
	r->step = step ? step->value : r->step + 1;
	for (int i = epoch ? 0 : 1; i < fields->count; i++) {
		const Field *f = &fields->field[i];
		if (strchr(f->key, '/')) /* a norm of one tensor */
			continue;
		int column = column_of(r, f->key, epoch);
		if (column >= 0)
			curve_add(epoch ? &r->columns[column].at : &r->held_out[column], r->step, f->value);
	}
}

static void report_free(Report *r)
{
	for (int i = 0; i < r->count; i++) {
		free(r->columns[i].key);
		curve_free(&r->columns[i].at);
		curve_free(&r->held_out[i]);
	}
	free(r->settings);
	free(r->model);
}

/* ---- the page */

/* One panel: a column, and beside it the same of held-out samples where there are some. */
static void put_chart(FILE *to, const char *title, const Curve *const *curves, const char *const *series,
                      int count)
{
	char *svg;
	size_t length;
	FILE *f = open_text(&svg, &length);
	const Panel panel = {title, "step", curves, NAN, 0, 0};
	curves_draw(f, &panel, 1, series, count, CHART_WIDTH);
	require(fclose(f) == 0);
	fputs("<img class=\"chart\" style=\"width:100%;height:auto\" alt=\"curve of ", to);
	svg_put_text(to, title);
	fputs("\" src=\"", to);
	svg_put_source(to, svg);
	fputs("\">\n", to);
	free(svg);
}

static bool is_of_the_run(const char *key)
{
	static const char *const of_the_run[] = {"rate", "samples_per_second", "data_wait", "memory"};
	for (size_t i = 0; i < sizeof of_the_run / sizeof *of_the_run; i++)
		if (strcmp(key, of_the_run[i]) == 0)
			return true;
	return false;
}

static void put_charts(FILE *to, Report *r)
{
	for (int i = 0; i < r->count; i++) {
		const char *key = r->columns[i].key;
		bool score = !is_of_the_run(key);
		const bool evaluated = strncmp(key, "eval_", 5) == 0;
		if (strcmp(key, "epoch") == 0 || strcmp(key, "step") == 0 || strcmp(key, "seconds") == 0 ||
		    (evaluated && column_of(r, key + 5, false) >= 0)) /* beside the training's */
			continue;
		const Curve *curves[3] = {&r->columns[i].at};
		const char *series[3] = {evaluated ? "held out" : "training"};
		int count = 1;
		char *name = text_printf("eval_%s", key);
		int held_out = score ? column_of(r, name, false) : -1;
		free(name);
		if (held_out >= 0) {
			curves[count] = &r->columns[held_out].at;
			series[count++] = "held out";
		}
		if (held_out >= 0 && r->held_out[held_out].count > 0) {
			curves[count] = &r->held_out[held_out];
			series[count++] = "held out, between epochs";
		}
		put_chart(to, key, curves, series, count);
	}
}

static void put_number(FILE *to, double value)
{
	if (!isnan(value))
		fprintf(to,
		        (value == floor(value) || fabs(value) >= 1000) && fabs(value) < 1e15 ? "%.0f"
		                                                                             : "%.4g",
		        value);
}

static void put_epochs(FILE *to, const Report *r)
{
	int at[MOST_COLUMNS] = {0};
	fputs("<h3>Epochs</h3>\n<div class=\"scroll\"><table id=\"epochs\"><thead><tr>", to);
	for (int i = 0; i < r->count; i++) {
		fputs("<th>", to);
		svg_put_text(to, r->columns[i].key);
		fputs("</th>", to);
	}
	fputs("</tr></thead><tbody>\n", to);
	for (int k = 0; r->count > 0 && k < r->columns[0].at.count; k++) {
		double step = r->columns[0].at.x[k];
		fputs("<tr>", to);
		for (int i = 0; i < r->count; i++) {
			const Curve *c = &r->columns[i].at;
			bool there = at[i] < c->count && c->x[at[i]] == step;
			fputs("<td>", to);
			if (there)
				put_number(to, c->y[at[i]++]);
			fputs("</td>", to);
		}
		fputs("</tr>\n", to);
	}
	fputs("</tbody></table></div>\n", to);
}

/* What other commands and the end of the training have left for the page, as it is. */
static void put_parts(FILE *to, const char *folder)
{
	static const char *const parts[] = {NNR_EVALUATION, NNR_PROFILE_PART};
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		enum { MOST = 64 << 20 };
		int64_t length;
		const char *why;
		char *path = path_join(folder, parts[i]),
		     *text = path_exists(path) ? (char *)file_read(path, MOST, &length, &why) : NULL;
		if (text)
			fwrite(text, 1, (size_t)length, to);
		free(text);
		free(path);
	}
}

static void put_training(FILE *to, Report *r, const char *folder)
{
	fputs("<h2>Training</h2>\n<div class=\"charts\" style=\"grid-template-columns:"
	      "repeat(auto-fit,minmax(min(100%,26rem),1fr))\">\n",
	      to);
	put_charts(to, r);
	fputs("</div>\n", to);
	put_epochs(to, r);
	for (int i = 0; i < 2; i++)
		if (r->samples > 0 && r->joules[i] > 0)
			fprintf(to,
			        "<p class=\"energy\">Energy, %s: %.4g J a sample, %.0f J for %.0f "
			        "samples</p>\n",
			        counters[i][1], r->joules[i] / r->samples, r->joules[i], r->samples);
	put_parts(to, folder);
	if (r->settings)
		fprintf(to,
		        "<h2>Settings</h2>\n<div class=\"scroll\"><table id=\"settings\"><tbody>\n%s"
		        "</tbody></table></div>\n",
		        r->settings);
}

/* malloc'd; NULL, and `why`. */
static char *page_of(const char *folder, const char *log, const char *model, const char **why)
{
	const char *mark = nnr_page ? strstr(nnr_page, NNR_PAGE_MARK) : NULL;
	Report r = {0};
	char *text = NULL;
	size_t length;
	if (!mark)
		*why = "this trainer has no page: it was not linked by nnc";
	else if (!log_read(log, see_line, &r))
		*why = strerror(errno);
	else if (r.count == 0)
		*why = "the log has no epoch yet";
	else if (model && r.model && *r.model && strcmp(r.model, model) != 0)
		*why = "its log is of another model";
	if (!*why) {
		FILE *to = open_text(&text, &length);
		fwrite(nnr_page, 1, (size_t)(mark - nnr_page), to);
		put_training(to, &r, folder);
		fputs(mark + sizeof NNR_PAGE_MARK - 1, to);
		require(fclose(to) == 0);
	}
	report_free(&r);
	return text;
}

static bool write_page(const char *path, const char *text, bool replaces)
{
	FileWriter *w = replaces ? file_begin(path) : file_begin_new(path);
	bool ok = w && file_write(w, text, (int64_t)strlen(text));
	if (w && !ok)
		file_abandon(w);
	return ok && file_commit(w);
}

static void write_in_folder(const char *folder, const char *log)
{
	if (!nnr_page || !path_exists(log))
		return;
	char *page = path_join(folder, "report.html");
	const char *why = NULL;
	char *text = page_of(folder, log, NULL, &why);
	if (text && !write_page(page, text, true))
		say_warning("there is no page of the run: %s", file_failure());
	free(text);
	free(page);
}

void report_of_run(const Options *o)
{
	if (o->folder)
		write_in_folder(o->folder, o->log);
}

void report_of_folder(const char *folder)
{
	char *log = path_join(folder, "log.jsonl");
	write_in_folder(folder, log);
	free(log);
}

int report_command(const Options *o, const NnrModel *m)
{
	if (o->input_count != 1)
		die_help(STATUS_USAGE, "`--run NAME` makes such folders while it trains",
		         "`report` takes the folder of one run, as runs/NAME-1");
	char *folder = run_folder_named(o->inputs[0]);
	const char *why = NULL;
	char *log = path_join(folder, "log.jsonl"),
	     *page = o->out ? text_printf("%s", o->out) : path_join(folder, "report.html"), fit[4096];
	if (o->out)
		output_must_be_new("out", o->out);
	char *text = page_of(folder, log, m->name, &why);
	if (!text)
		die_help(STATUS_DATA, "`runs` lists the trainings of --run, each a folder as runs/NAME-1",
		         "there is no page of `%s`: %s", log, why);
	if (!write_page(page, text, !o->out))
		die(STATUS_DATA, "the page can't be written: %s", file_failure());
	text_printable(fit, sizeof fit, page);
	printf("%s\n", fit);
	free(text);
	free(log);
	free(page);
	free(folder);
	return output_end();
}
