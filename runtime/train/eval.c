/* SPDX-License-Identifier: MIT */
/* `EXE eval`: the means over the samples and, where the model chooses among classes, each class's part of them. */
#include "runtime/report/confusion.h"
#include "runtime/host/die.h"
#include "runtime/session/loader.h"
#include "runtime/session/measures.h"
#include "runtime/host/progress.h"
#include "runtime/host/signals.h"
#include "runtime/host/writer.h"
#include "runtime/ranks/ranks.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void say_what_is_evaluated(const Session *s)
{
	const Options *o = &s->options;
	const Dataset *d = &s->data;
	const char *path = o->eval_data ? o->eval_data
	                   : o->data    ? o->data
	                                : s->model->data,
	           *count = count_text((double)session_held_out(s)),
	           *what = session_held_out(s) == 1 ? "" : "s";
	if (d->all_of_it && o->eval_data)
		progress_say("evaluating all %s sample%s of `%s`", count, what, path);
	else if (d->all_of_it)
		progress_say(
		        "evaluating all %s sample%s of `%s`: `--holdout F` takes what a training held out",
		        count, what, path);
	else if (d->divided && !o->eval_data)
		progress_say("evaluating %s sample%s of `%s`, held out by `%s`", count, what, path,
		             o->fold ? text_printf("--folds %lld --fold %lld", (long long)o->folds,
		                                   (long long)o->fold)
		                     : text_printf("--holdout %s", o->holdout));
	else
		progress_say("evaluating the %s sample%s of the test part of `%s`", count, what, path);
}

static void write_mistakes(const Session *s)
{
	char *text;
	size_t length;
	FILE *to = open_memstream(&text, &length);
	require(to);
	mistakes_csv(&s->confusion->mistakes, s, to);
	require(fclose(to) == 0);
	if (!file_write_new(s->options.mistakes, text, (int64_t)length))
		die(STATUS_DATA, "the mistakes can't be written: %s", file_failure());
	free(text);
}

int session_eval(Session *s)
{
	double means[1 + MAX_METRICS];
	if (s->options.mistakes && ranks_many())
		die_help(STATUS_USAGE, "evaluate by one rank, or leave it out",
		         "`--mistakes` lists samples of one rank alone, and there are %d ranks",
		         ranks_count());
	say_what_is_evaluated(s);
	s->confusion = confusion_new(s, s->options.confusion ? INT_MAX : 0);
	if (!session_evaluate(s, means)) {
		if (!signal_caught())
			loader_die(s->loader);
		return STATUS_SIGNAL + signal_caught();
	}
	progress_clear();
	data_find_lost(&s->data);
	if (!ranks_root()) {
		confusion_free(s->confusion);
		s->confusion = NULL;
		return STATUS_OK;
	}
	for (int i = 0; i < s->evaluated_count; i++)
		printf("%seval_%s %.6g", i ? "  " : "", score_name(s, i), score_shown(means[i]));
	printf("  samples %lld\n", (long long)session_held_out(s));
	if (!isfinite(means[0])) {
		char *what = text_printf("the loss on the held-out samples is %s",
		                         isnan(means[0]) ? "not a number" : "infinite");
		data_check_finite(&s->data.held_out, s->model, what);
		die(STATUS_DIVERGED, "%s", what);
	}
	if (s->confusion)
		confusion_print(s->confusion, s);
	measures_print(s);
	if (s->confusion && s->options.confusion)
		confusion_write(s->confusion, s, s->options.confusion);
	if (s->confusion && s->options.mistakes)
		write_mistakes(s);
	confusion_free(s->confusion);
	s->confusion = NULL;
	return output_end();
}
