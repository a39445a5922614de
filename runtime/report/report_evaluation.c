/* SPDX-License-Identifier: MIT */
/* What the last evaluation of a run took for what: confusion.csv, predictions.csv and evaluation.html in its folder;
 * the last is a part of its page (report.c). */
#include "runtime/report/confusion.h"
#include "runtime/report/curves.h"
#include "runtime/host/die.h"
#include "runtime/host/file.h"
#include "runtime/report/report.h"
#include "runtime/host/writer.h"
#include "runtime/ranks/ranks.h"

#include <stdlib.h>
#include <string.h>

enum {
	PAIRS = 10,
	SHOWN_CLASSES = 200,
	/* of a matrix: its memory and text grow with their square, and nnc's page takes as many */
	MOST_CLASSES = 1000,
};

typedef struct Pair {
	int is, taken;
	int64_t count;
} Pair;

static int more(const void *x, const void *y)
{
	const Pair *p = x, *q = y;
	return p->count == q->count ? p->is - q->is : p->count < q->count ? 1 : -1;
}

static void put_class(const Session *s, int class, FILE *to)
{
	char number[CLASS_NUMBER_BYTES];
	svg_put_text(to, scored_name(s->model, &s->data, class, number));
}

static void put_pairs(const Confusion *c, const Session *s, FILE *to)
{
	Pair *pairs = allocate((int64_t)c->classes * c->classes, sizeof *pairs, "pairs of classes");
	int count = 0;
	for (int i = 0; i < c->classes; i++)
		for (int k = 0; k < c->classes; k++)
			if (i != k && c->taken[(int64_t)i * c->classes + k] > 0)
				pairs[count++] = (Pair){i, k, c->taken[(int64_t)i * c->classes + k]};
	qsort(pairs, (size_t)count, sizeof *pairs, more);
	fprintf(to,
	        "<h3>Most often mistaken</h3>\n<div class=\"scroll\"><table "
	        "id=\"worst\"><thead><tr><th>is</th>"
	        "<th class=\"l\">was taken for</th><th>%ss</th><th>of them</th></tr></thead><tbody>\n",
	        scored_unit(s->model));
	for (int i = 0; i < count && i < PAIRS; i++) {
		fputs("<tr><td>", to);
		put_class(s, pairs[i].is, to);
		fputs("</td><td class=\"l\">", to);
		put_class(s, pairs[i].taken, to);
		fprintf(to, "</td><td>%lld</td><td>%.1f %%</td></tr>\n", (long long)pairs[i].count,
		        100 * (double)pairs[i].count / (double)c->samples[pairs[i].is]);
	}
	fputs("</tbody></table></div>\n", to);
	free(pairs);
}

static void put_matrix(const Confusion *c, const Session *s, FILE *to)
{
	char *svg;
	size_t length;
	FILE *f = open_memstream(&svg, &length);
	require(f);
	confusion_svg(c, s, f);
	require(fclose(f) == 0);
	fputs("<div class=\"scroll\"><img id=\"confusion\" alt=\"which class was taken for which\" src=\"",
	      to);
	svg_put_source(to, svg);
	fputs("\"></div>\n", to);
	free(svg);
}

static void put_page_part(const Confusion *c, const Session *s, FILE *to)
{
	fputs("<h2>Right and wrong</h2>\n<p>Of the ", to);
	if (scored_places(s->model) > 1)
		fprintf(to, "%ss of the ", scored_unit(s->model));
	fprintf(to, "%lld held-out samples, by the weights that the training ended with.</p>\n",
	        (long long)session_held_out(s));
	if (c->classes <= SHOWN_CLASSES)
		put_matrix(c, s, to);
	if (c->taken)
		put_pairs(c, s, to);
	else
		fprintf(to,
		        "<p>Which class was taken for which is counted of at most %d classes, and there are "
		        "%d: <code>eval --confusion FILE.csv</code> counts all.</p>\n",
		        MOST_CLASSES, c->classes);
	if (scored_places(s->model) == 1)
		mistakes_html(&c->mistakes, s, to);
}

static void put_matrix_table(const Confusion *c, const Session *s, FILE *to)
{
	confusion_put(c, s, "confusion.csv", to);
}

static void put_mistakes(const Confusion *c, const Session *s, FILE *to)
{
	mistakes_csv(&c->mistakes, s, to);
}

static void write_files(const Confusion *c, const Session *s)
{
	static const struct {
		const char *name;
		void (*put)(const Confusion *c, const Session *s, FILE *to);
	} files[] = {{"confusion.csv", put_matrix_table},
	             {"predictions.csv", put_mistakes},
	             {NNR_EVALUATION, put_page_part}};
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		if ((files[i].put == put_matrix_table && !c->taken) ||
		    (files[i].put == put_mistakes && scored_places(s->model) > 1))
			continue;
		char *text, *path = path_join(s->options.folder, files[i].name);
		size_t length;
		FILE *f = open_memstream(&text, &length);
		require(f);
		files[i].put(c, s, f);
		require(fclose(f) == 0);
		FileWriter *w = file_begin(path);
		bool written = w && file_write(w, text, (int64_t)length);
		if (w && !written)
			file_abandon(w);
		if (!written || !file_commit(w))
			say_warning("what was taken for what is not in the run's folder: %s", file_failure());
		free(text);
		free(path);
	}
}

void report_evaluation(Session *s)
{
	double means[1 + MAX_METRICS];
	if (!s->options.folder || s->options.no_eval || session_held_out(s) == 0 || ranks_many())
		return;
	s->confusion = confusion_new(s, MOST_CLASSES);
	if (s->confusion && session_evaluate(s, means))
		write_files(s->confusion, s);
	confusion_free(s->confusion);
	s->confusion = NULL;
}
