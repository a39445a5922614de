/* SPDX-License-Identifier: MIT */
#include "runtime/report/confusion.h"
#include "runtime/host/csv.h"
#include "runtime/host/die.h"
#include "runtime/session/scored.h"
#include "runtime/host/writer.h"
#include "runtime/ranks/ranks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

Confusion *confusion_new(const Session *s, int most)
{
	const NnrModel *m = s->model;
	static const char what[] = "the count of classes";
	const NnrOutput *o = scored_output(m, &m->evaluate);
	if (!o || scored_target(m) < 0 || (s->data.held_out.window > 0 && !s->options.confusion))
		return NULL; /* a line for each character of a text is nothing that everybody wants */
	Confusion *c = allocate(1, sizeof *c, what);
	c->classes = scored_classes(m);
	c->samples = allocate(c->classes, sizeof *c->samples, what);
	c->right = allocate(c->classes, sizeof *c->right, what);
	if (c->classes <= most)
		c->taken = allocate((int64_t)c->classes * c->classes, sizeof *c->taken, what);
	c->scores = allocate(1, output_batch_bytes(o), what);
	return c;
}

void confusion_free(Confusion *c)
{
	if (!c)
		return;
	free(c->samples);
	free(c->right);
	free(c->taken);
	free(c->scores);
	free(c);
}

void confusion_add(Confusion *c, const Session *s, int64_t first, int64_t count)
{
	const NnrModel *m = s->model;
	int target = scored_target(m);
	const NnrOutput *o = scored_output(m, &m->evaluate);
	const char *labels = s->data.held_out.at[target];
	int64_t places = scored_places(m);
	for (int64_t k = 0; k < count * places; k++) {
		int64_t sample = first + k / places,
		        at = data_begin(&s->data.held_out, sample, places) + k % places;
		int64_t is = m->inputs[target].dtype == NNR_U8 ? ((const uint8_t *)labels)[at]
		                                               : ((const int32_t *)(const void *)labels)[at];
		Choice best = {.class = -1};
		if (places == 1)
			scored_best(m, c->scores, k, o->dtype, 1, &best);
		else
			best.class = scored_class(o, c->scores, k);
		require(is >= 0 && is < c->classes);
		if (is == m->scored.uncounted - 1)
			continue;
		c->samples[is]++;
		c->right[is] += best.class == is;
		if (c->taken && best.class >= 0)
			c->taken[is * c->classes + best.class]++;
		if (places == 1 && !isnan(best.probability) && best.class != is)
			mistakes_add(&c->mistakes, sample, (int)is, best);
	}
}

static void sum_counts(int64_t *counts, int64_t n)
{
	double *exact = allocate(n, sizeof *exact, "the count of classes"); /* below 2^53 */
	for (int64_t i = 0; i < n; i++)
		exact[i] = (double)counts[i];
	ranks_sum(exact, n);
	for (int64_t i = 0; i < n; i++)
		counts[i] = (int64_t)exact[i];
	free(exact);
}

void confusion_sum(Confusion *c)
{
	if (!ranks_many())
		return;
	sum_counts(c->samples, c->classes);
	sum_counts(c->right, c->classes);
	if (c->taken)
		sum_counts(c->taken, (int64_t)c->classes * c->classes);
}

static const char *shown_name(const Session *s, int i, char text[CLASS_SHOWN_BYTES])
{
	scored_shown(s->model, &s->data, i, text);
	return text;
}

static int widest_name(const Confusion *c, const Session *s, int least)
{
	char name[CLASS_SHOWN_BYTES];
	int widest = least;
	for (int i = 0; i < c->classes; i++) {
		int width = text_columns(shown_name(s, i, name));
		widest = width > widest ? width : widest;
	}
	return widest;
}

static void put_padded(FILE *to, const char *text, int width)
{
	fprintf(to, "%s%*s", text, width - text_columns(text), "");
}

void confusion_print(const Confusion *c, const Session *s)
{
	char name[CLASS_SHOWN_BYTES];
	int width = widest_name(c, s, 5);
	put_padded(stdout, "class", width);
	printf("%9ss     right  accuracy\n", scored_unit(s->model));
	for (int i = 0; i < c->classes; i++) {
		if (i == s->model->scored.uncounted - 1)
			continue;
		put_padded(stdout, shown_name(s, i, name), width);
		printf("%10lld%10lld  ", (long long)c->samples[i], (long long)c->right[i]);
		if (c->samples[i])
			printf("%8.4f\n", (double)c->right[i] / (double)c->samples[i]);
		else
			printf("%8s\n", "-");
	}
}

static void write_text(const Confusion *c, const Session *s, FILE *to)
{
	char name[CLASS_SHOWN_BYTES];
	int width = widest_name(c, s, 7);
	fprintf(to, "rows: the class that a %s is of; columns: the class that it was taken for\n\n",
	        scored_unit(s->model));
	fprintf(to, "%*s", width, "");
	for (int i = 0; i < c->classes; i++) {
		fprintf(to, "  %*s", width - text_columns(shown_name(s, i, name)), "");
		fputs(name, to);
	}
	fputc('\n', to);
	for (int i = 0; i < c->classes; i++) {
		put_padded(to, shown_name(s, i, name), width);
		for (int k = 0; k < c->classes; k++)
			fprintf(to, "  %*lld", width, (long long)c->taken[i * c->classes + k]);
		fputc('\n', to);
	}
}

static void write_csv(const Confusion *c, const Session *s, FILE *to)
{
	char number[CLASS_NUMBER_BYTES];
	fputs("class", to);
	for (int i = 0; i < c->classes; i++) {
		fputc(',', to);
		csv_put(to, scored_name(s->model, &s->data, i, number));
	}
	fputc('\n', to);
	for (int i = 0; i < c->classes; i++) {
		csv_put(to, scored_name(s->model, &s->data, i, number));
		for (int k = 0; k < c->classes; k++)
			fprintf(to, ",%lld", (long long)c->taken[i * c->classes + k]);
		fputc('\n', to);
	}
}

void confusion_put(const Confusion *c, const Session *s, const char *path, FILE *to)
{
	if (has_suffix(path, ".svg"))
		confusion_svg(c, s, to);
	else if (has_suffix(path, ".csv"))
		write_csv(c, s, to);
	else
		write_text(c, s, to);
}

void confusion_write(const Confusion *c, const Session *s, const char *path)
{
	char *text = NULL;
	size_t length = 0;
	FILE *to = open_memstream(&text, &length);
	if (to)
		confusion_put(c, s, path, to);
	if (!to || fclose(to) != 0)
		die(STATUS_MEMORY, "there is no memory for the count of classes");
	FileWriter *w = file_begin_new(path);
	bool ok = w && file_write(w, text, (int64_t)length);
	if (w && !ok)
		file_abandon(w);
	if (!ok || !file_commit(w))
		die(STATUS_DATA, "the count of classes can't be written: %s", file_failure());
	free(text);
}
