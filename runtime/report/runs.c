/* SPDX-License-Identifier: MIT */
#include "runtime/report/runs.h"
#include "runtime/report/curves.h"
#include "runtime/host/die.h"
#include "runtime/host/file.h"
#include "runtime/report/log_read.h"
#include "runtime/session/monitor.h"
#include "runtime/session/outputs.h"
#include "runtime/host/progress.h"
#include "runtime/host/writer.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Run {
	char *name, *model, *time;
	char *metric;  /* the first that the log has; NULL */
	char *monitor; /* the score that the best goes by */
	bool greatest;
	double seed, epochs, step, loss, eval_loss, score, eval_score, best, best_step, rate, seconds;
	Curve losses, held_out;
} Run;

static double value_of(const Record *r, const char *key)
{
	const Field *f = record_find(r, key);
	return f ? f->value : NAN;
}

/* The first line on the run says what it is of; later ones are of processes that went on. */
static void see_run(Run *run, const LogLine *line)
{
	if (*run->model)
		return;
	free(run->model);
	free(run->time);
	run->model = text_printf("%s", log_line_word(line, "model"));
	run->time = text_printf("%.16s", log_line_word(line, "time"));
	const char *monitor = log_line_word(line, "monitor"); /* older logs have none */
	free(run->monitor);
	run->monitor = text_printf("%.*s", (int)strcspn(*monitor ? monitor : "loss", ":"),
	                           *monitor ? monitor : "loss");
	run->greatest = monitor_is_greatest(monitor);
	run->seed = value_of(&line->record, "seed");
	run->rate = value_of(&line->record, "rate");
}

static void see_held_out(Run *run, double step, const Record *r)
{
	double loss = value_of(r, "eval_loss");
	char *key = text_printf("eval_%s", run->monitor);
	double score = value_of(r, key);
	free(key);
	if (!isnan(loss)) {
		run->eval_loss = loss;
		curve_add(&run->held_out, step, loss);
	}
	if (!isnan(score) && (isnan(run->best) || (run->greatest ? score > run->best : score < run->best))) {
		run->best = score;
		run->best_step = step;
	}
}

/* The log has the metrics after the loss, then what was held out and figures of the run, the rate first. */
static void see_metric(Run *run, const Record *r)
{
	const Field *loss = record_find(r, "loss"), *next = loss ? loss + 1 : NULL;
	if (!run->metric && next && next < r->field + r->count && strcmp(next->key, "rate") != 0 &&
	    strncmp(next->key, "eval_", 5) != 0)
		run->metric = text_printf("%s", next->key);
	if (run->metric)
		run->score = value_of(r, run->metric);
}

static void see_held_out_metric(Run *run, const Record *r)
{
	char *key = text_printf("eval_%s", run->metric ? run->metric : "");
	const Field *f = record_find(r, key);
	if (f)
		run->eval_score = f->value;
	free(key);
}

static void see_line(void *context, const LogLine *line)
{
	Run *run = context;
	const Record *r = &line->record;
	const char *kind = r->field[0].key;
	if (strcmp(kind, "run") == 0) {
		see_run(run, line);
	} else if (strcmp(kind, "epoch") == 0) {
		run->epochs = r->field[0].value;
		run->step = value_of(r, "step");
		run->loss = value_of(r, "loss");
		run->seconds += value_of(r, "seconds");
		curve_add(&run->losses, run->step, run->loss);
		see_held_out(run, run->step, r);
		see_metric(run, r);
		see_held_out_metric(run, r);
	} else if (strcmp(kind, "evaluation") == 0) {
		see_held_out(run, r->field[0].value, r);
		see_held_out_metric(run, r);
	}
}

/* NAME-2 before NAME-10. */
static int by_name(const void *a, const void *b)
{
	const Run *x = a, *y = b;
	return strverscmp(x->name, y->name);
}

static int read_runs(const char *folder, Run **runs)
{
	DIR *d = opendir(folder);
	int count = 0;
	if (!d)
		die_help(STATUS_DATA, "`--run NAME` makes them while it trains",
		         "there are no runs in `%s`: %s", folder, strerror(errno));
	for (struct dirent *entry; (entry = readdir(d));) {
		Run run = {.name = text_printf("%s", entry->d_name),
		           .model = text_printf("%s", ""),
		           .time = text_printf("%s", ""),
		           .monitor = text_printf("%s", "loss"),
		           .seed = NAN,
		           .loss = NAN,
		           .eval_loss = NAN,
		           .score = NAN,
		           .eval_score = NAN,
		           .best = NAN,
		           .rate = NAN};
		char *log = text_printf("%s/%s/log.jsonl", folder, entry->d_name);
		if (entry->d_name[0] != '.' && log_read(log, see_line, &run)) {
			*runs = reallocate(*runs, count + 1, sizeof **runs, "the runs");
			(*runs)[count++] = run;
		}
		free(log);
	}
	closedir(d);
	if (count == 0)
		die_help(STATUS_DATA, "`--run NAME` makes them while it trains", "there are no runs in `%s`",
		         folder);
	qsort(*runs, (size_t)count, sizeof **runs, by_name);
	return count;
}

static void print_number(int width, double value)
{
	if (isnan(value))
		printf("  %*s", width, "-");
	else
		printf("  %*.4g", width, value);
}

/* What the table's column of a metric is of: the first that a run has, of held-out samples where any run has it. */
typedef struct Metric {
	const char *name; /* NULL: there is none */
	bool held_out;
} Metric;

static Metric metric_of(const Run *runs, int count)
{
	Metric m = {0};
	for (int i = 0; i < count && !m.name; i++)
		m.name = runs[i].metric;
	for (int i = 0; i < count && m.name; i++)
		m.held_out |=
		        runs[i].metric && strcmp(runs[i].metric, m.name) == 0 && !isnan(runs[i].eval_score);
	return m;
}

static double metric_value(const Metric *m, const Run *r)
{
	if (!r->metric || strcmp(r->metric, m->name) != 0)
		return NAN;
	return m->held_out ? r->eval_score : r->score;
}

static void print_table(const Run *runs, int count)
{
	int width = 3, of_width = 4;
	for (int i = 0; i < count; i++)
		of_width = (int)strlen(runs[i].monitor) > of_width ? (int)strlen(runs[i].monitor) : of_width;
	for (int i = 0; i < count; i++)
		width = (int)strlen(runs[i].name) > width ? (int)strlen(runs[i].name) : width;
	const Metric metric = metric_of(runs, count);
	char title[64] = "";
	if (metric.name)
		snprintf(title, sizeof title, "%s%s", metric.held_out ? "eval_" : "", metric.name);
	int metric_width = strlen(title) > 9 ? (int)strlen(title) : 9;
	printf("%-*s  %6s  %9s  %9s  %9s", width, "run", "epochs", "step", "loss", "eval_loss");
	if (metric.name)
		printf("  %*s", metric_width, title);
	printf("  %9s  %-*s  %9s  %9s  %6s  %8s  %s\n", "best", of_width, "of", "at step", "rate", "seed",
	       "time", "begun");
	for (int i = 0; i < count; i++) {
		const Run *r = &runs[i];
		char name[512];
		text_printable(name, sizeof name, r->name);
		printf("%-*s", width, name);
		print_number(6, r->epochs);
		printf("  %9.0f", r->step);
		print_number(9, r->loss);
		print_number(9, r->eval_loss);
		if (metric.name)
			print_number(metric_width, metric_value(&metric, r));
		print_number(9, r->best);
		char of[64];
		text_printable(of, sizeof of, isnan(r->best) ? "-" : r->monitor);
		printf("  %-*s", of_width, of);
		print_number(9, isnan(r->best) ? NAN : r->best_step);
		print_number(9, r->rate);
		print_number(6, r->seed);
		printf("  %8s  %s\n", duration_text(r->seconds), r->time);
	}
}

static void draw(const char *path, const Run *runs, int count)
{
	const char **names = allocate(count, sizeof *names, "the curves");
	const Curve **losses = allocate(count, sizeof *losses, "the curves"),
	            **held_out = allocate(count, sizeof *held_out, "the curves");
	for (int i = 0; i < count; i++) {
		names[i] = runs[i].name;
		losses[i] = &runs[i].losses;
		held_out[i] = &runs[i].held_out;
	}
	const Panel panels[] = {{"eval_loss", "step", held_out, NAN, 0, 1},
	                        {"loss", "step", losses, NAN, 0, 1}};
	char *text;
	size_t length;
	FILE *f = open_memstream(&text, &length);
	require(f);
	curves_draw(f, panels, 2, names, count, CURVES_WIDTH);
	require(fclose(f) == 0);
	if (!file_write_new(path, text, (int64_t)length))
		die(STATUS_DATA, "%s", file_failure());
	free(text);
	free(names);
	free(losses);
	free(held_out);
}

int runs_compare(const Options *o)
{
	Run *runs = NULL;
	if (o->input_count > 1)
		die(STATUS_USAGE, "`runs` takes one folder, not also `%s`", o->inputs[1]);
	if (o->out)
		output_must_be_new("out", o->out);
	int count = read_runs(o->input_count ? o->inputs[0] : RUNS, &runs);
	print_table(runs, count);
	if (o->out)
		draw(o->out, runs, count);
	for (int i = 0; i < count; i++) {
		free(runs[i].name);
		free(runs[i].model);
		free(runs[i].time);
		free(runs[i].metric);
		free(runs[i].monitor);
		curve_free(&runs[i].losses);
		curve_free(&runs[i].held_out);
	}
	free(runs);
	return output_end();
}
