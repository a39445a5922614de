/* SPDX-License-Identifier: MIT */
/* The learning-rate range test of L. N. Smith, "Cyclical Learning Rates for Training Neural Networks", arXiv
 * 1506.01186 (2015): train some steps while the rate rises, and look at the loss. Here the rate rises by a constant
 * factor, which is the schedule `step` with gamma above 1, so that every backend can do it. */
#include "runtime/train/find_rate.h"
#include "runtime/session/backend.h"
#include "runtime/report/curves.h"
#include "runtime/host/die.h"
#include "runtime/session/loader.h"
#include "runtime/host/progress.h"
#include "runtime/host/writer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	STEPS = 100, /* unless --steps is given */
	ROWS = 16,   /* of the table, one for each half of a power of ten */
	LAG = 32 /* the smoothed loss looks back over one part in so many of the sweep: a quarter of a power */
};
static const double lowest = 1e-7, highest = 10, /* rates */
        too_much = 4;                            /* times the least smoothed loss: the sweep ends */

typedef struct Sweep {
	Curve losses, smoothed; /* over the rate */
	int least;              /* where the smoothed loss is least */
	bool rose;              /* the sweep was ended by the loss, not by its length */
} Sweep;

void find_rate_prepare(Session *s)
{
	s->total_steps = s->options.steps > 0 ? s->options.steps : STEPS;
	s->rate = (NnrRate){.kind = NNR_RATE_STEP,
	                    .rate = lowest,
	                    .gamma = pow(highest / lowest, 1 / (double)(s->total_steps - 1)),
	                    .every = 1};
	data_free(&s->data.held_out);
}

/* One step, in the next epoch where this one is over. */
static void step(Session *s)
{
	int64_t before = s->at.step;
	if (s->at.in_epoch == s->steps_per_epoch) {
		s->at.epoch++;
		s->at.in_epoch = 0;
		memset(s->at.sums, 0, sizeof s->at.sums);
	}
	s->backend->train(s, 1);
	if (s->at.step == before) {
		int status = loader_machine_status(s->loader);
		die(status ? status : STATUS_DATA, "%s", loader_failure(s->loader));
	}
}

/* The smoothed loss is a mean whose weights fall by a constant factor with each step back, divided by their sum
 * (D. P. Kingma, J. Ba, "Adam", arXiv 1412.6980, section 3). */
static Sweep sweep(Session *s)
{
	Sweep w = {.rose = false};
	const double keep = 1 - 1 / (1 + (double)s->total_steps / LAG);
	double sum = 0, weight = 0;
	while (s->at.step < s->total_steps && !w.rose) {
		double rate = rate_at(&s->rate, s->at.step, s->total_steps, s->steps_per_epoch);
		step(s);
		double loss = s->last[0];
		if (!isfinite(loss)) {
			w.rose = true;
			break;
		}
		sum = keep * sum + (1 - keep) * loss;
		weight = keep * weight + (1 - keep);
		curve_add(&w.losses, rate, loss);
		curve_add(&w.smoothed, rate, sum / weight);
		int last = w.smoothed.count - 1;
		if (w.smoothed.y[last] < w.smoothed.y[w.least])
			w.least = last;
		double least = w.smoothed.y[w.least];
		w.rose = least > 0 && w.smoothed.y[last] > too_much * least;
		progress_draw("rate %.3g  loss %.4g", rate, loss);
	}
	progress_clear();
	return w;
}

static void print_table(const Sweep *w, int64_t steps)
{
	int each = (int)((steps + ROWS - 1) / ROWS), last = w->losses.count - 1;
	printf("%10s  %10s  %10s\n", "rate", "loss", "smoothed");
	for (int i = 0; i <= last; i++)
		if (i % each == 0 || i == w->least || i == last)
			printf("%10.3g  %10.4g  %10.4g%s\n", w->losses.x[i], w->losses.y[i], w->smoothed.y[i],
			       i == w->least ? "  the least" : "");
}

static void draw(const char *path, const Sweep *w, double suggested)
{
	const Curve *curves[] = {&w->losses, &w->smoothed};
	static const char *const names[] = {"loss", "smoothed loss"};
	char *title = isnan(suggested) ? text_printf("loss by learning rate")
	                               : text_printf("loss by learning rate; %.2g is suggested", suggested);
	const Panel panel = {title, "learning rate", curves, suggested, 1, 1};
	char *text;
	size_t length;
	FILE *f = open_memstream(&text, &length);
	require(f);
	curves_draw(f, &panel, 1, names, 2, CURVES_WIDTH);
	require(fclose(f) == 0);
	if (!file_write_new(path, text, (int64_t)length))
		die(STATUS_DATA, "%s", file_failure());
	free(text);
	free(title);
}

int session_find_rate(Session *s)
{
	Sweep w = sweep(s);
	if (w.losses.count == 0)
		die_help(STATUS_DIVERGED, "look at the data and at the initial weights",
		         "the loss is no finite number at the first step, at the rate %g", lowest);
	print_table(&w, s->total_steps);
	/* A rate in the lowest eighth, a power of ten, is that of a least by chance: a tenth of it was not tried. */
	double least = w.smoothed.x[w.least], suggested = least > 10 * lowest ? least / 10 : NAN;
	if (isnan(suggested))
		printf("\nno rate is suggested: the loss falls at none\n");
	else
		printf("\nsuggested rate: %.2g, a tenth of the one where the smoothed loss is least\n",
		       suggested);
	if (!w.rose && w.least == w.smoothed.count - 1)
		say_note("the loss still fell at the highest rate, %g", highest);
	if (s->options.out)
		draw(s->options.out, &w, suggested);
	curve_free(&w.losses);
	curve_free(&w.smoothed);
	return output_end();
}
