#include "runtime/cuda/tuning.h"
#include "runtime/core/die.h"
#include "runtime/core/progress.h"
#include "runtime/core/signals.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Seconds. With less a search would never come to its end, however often it goes on. */
static const double SHORTEST_SHARE = 0.5;

static struct {
	bool configured, keep_partial, collects;
	double seconds; /* the budget */
	double began;   /* clock_seconds of the first search; 0: none yet */
	double until;   /* of the search that runs; 0: none */
	double bar;
	TuneTask *tasks; /* `search` NULL: it was searched to the end before its turn */
	int count, room;
	int searched, partial; /* since the last nnr_cuda_tuning_done */
	/* Of the tasks' time in a step: what is after the search that runs, its own, all. */
	double weight_done, weight_now, weight_all;
	double saved; /* microseconds of a step, by the searches until now */
} tuning = {.bar = INFINITY};

void tuning_configure(double seconds, bool keep_partial)
{
	enum { MOST_SECONDS = 1000000 };
	const char *wanted = getenv("NNR_TUNE_SECONDS");
	tuning.configured = true;
	tuning.keep_partial = keep_partial;
	tuning.seconds = seconds;
	if (seconds >= 0)
		return;
	tuning.seconds = DEFAULT_TUNE_SECONDS;
	if (!wanted || !*wanted)
		return;
	char *end;
	tuning.seconds = strtod(wanted, &end);
	if (*end || !(tuning.seconds >= 0 && tuning.seconds <= MOST_SECONDS))
		die(STATUS_USAGE, "NNR_TUNE_SECONDS is `%s`, not a number of seconds from 0 to %d", wanted,
		    MOST_SECONDS);
}

static double budget(void)
{
	if (!tuning.configured)
		tuning_configure(-1, false);
	return tuning.seconds;
}

/* Of the whole budget. */
static double deadline(void)
{
	if (!tuning.began)
		tuning.began = clock_seconds();
	return tuning.began + budget();
}

void tuning_collect(void)
{
	tuning.collects = true;
}

bool tuning_is_wanted(const TuneEntry *known)
{
	if (tune_is_off() || budget() == 0)
		return false;
	return !known || (known->partial && !tuning.keep_partial);
}

bool tuning_is_over(double until)
{
	return signal_caught() || clock_seconds() > until;
}

void tuning_set_bar(double us)
{
	tuning.bar = us;
}

double tuning_bar(void)
{
	return tuning.bar;
}

static void search(const TuneTask *task, double until)
{
	double outer = tuning.until;
	tuning.until = until;
	task->search(task->context, until);
	tuning.until = outer;
	tuning.searched += outer == 0;
	tuning.partial += outer == 0 && task->entry->partial;
}

static double half_of_search(void)
{
	double now = clock_seconds();
	return now + (tuning.until - now) / 2;
}

void tuning_add(const TuneTask *task)
{
	if (tuning.collects && !tuning.until) {
		if (tuning.count == tuning.room) {
			tuning.room = tuning.room ? 2 * tuning.room : 64;
			tuning.tasks = reallocate(tuning.tasks, tuning.room, sizeof *tuning.tasks,
			                          "the operations to tune");
		}
		tuning.tasks[tuning.count++] = *task;
		tune_keep(task->entry); /* should its turn not come */
		return;
	}
	search(task, tuning.until ? half_of_search() : deadline());
	free(task->context);
}

void tuning_met(const TuneEntry *entry)
{
	for (int i = 0; i < tuning.count && tuning.until; i++) {
		TuneTask task = tuning.tasks[i];
		if (task.entry != entry || !task.search)
			continue;
		tuning.tasks[i].search = NULL;
		search(&task, half_of_search());
		if (task.entry->partial)
			tuning.tasks[i].search = task.search;
	}
}

/* ---- what was collected */

typedef struct Turn {
	TuneTask *task;
	double weight; /* microseconds of a step */
} Turn;

static int longest_first(const void *x, const void *y)
{
	double a = ((const Turn *)x)->weight, b = ((const Turn *)y)->weight;
	return a < b ? 1 : a > b ? -1 : 0;
}

/* An operation that can't be timed, or was not until the budget ended, counts nothing: it comes last. */
static double weight_of(const TuneTask *task)
{
	double us = task->entry->us > 0          ? task->entry->us
	            : tuning_is_over(deadline()) ? 0
	                                         : task->time(task->context);
	return isfinite(us) ? us * *task->uses : 0;
}

/* What the plan that was found takes less. One that was timed slower than before, by noise or beside others that were,
 * counts as no gain. */
static double saved_by(const Turn *turn)
{
	double us = turn->task->entry->us * *turn->task->uses;
	return us > 0 && us < turn->weight ? turn->weight - us : 0;
}

static void search_all(void)
{
	Turn *turns = allocate(tuning.count + 1, sizeof *turns, "the operations to tune");
	tuning.weight_all = tuning.weight_done = tuning.saved = 0;
	for (int i = 0; i < tuning.count; i++) {
		TuneTask *task = &tuning.tasks[i];
		turns[i] = (Turn){task, weight_of(task)};
		tuning.weight_all += turns[i].weight;
	}
	qsort(turns, (size_t)tuning.count, sizeof *turns, longest_first);
	for (int i = 0; i < tuning.count; i++) {
		double now = clock_seconds(), left = deadline() - now;
		double ahead = tuning.weight_all - tuning.weight_done;
		TuneTask task = *turns[i].task;
		turns[i].task->search = NULL;
		tuning.weight_now = turns[i].weight;
		if (!task.search) {
			tuning.searched++;
			tuning.partial += task.entry->partial;
		} else if (left > 0 && ahead > 0 && tuning.weight_now > 0 && !signal_caught()) {
			double share = left * fmin(1, tuning.weight_now / ahead);
			search(&task, now + fmin(left, fmax(share, SHORTEST_SHARE)));
		} else {
			tuning.partial++;
		}
		tuning.weight_done += tuning.weight_now;
		tuning.saved += saved_by(&turns[i]);
	}
	free(turns);
}

void tuning_progress(const char *key, int done, int total)
{
	if (!progress_due())
		return;
	double part = total ? fmin(1, (double)done / total) : 0;
	if (!tuning.weight_all) {
		progress_draw("tuning library calls, %d: %3.0f %% %.70s", tuning.searched + 1, 100 * part,
		              key);
		return;
	}
	double done_part = (tuning.weight_done + part * tuning.weight_now) / tuning.weight_all;
	double took = clock_seconds() - tuning.began, left = deadline() - clock_seconds();
	if (done_part > 0)
		left = fmin(left, took * (1 - done_part) / done_part);
	progress_draw("tuning library calls, %d of %d  %.0f%%  eta %s  %.2f ms less of %.2f  %.60s",
	              tuning.searched + 1, tuning.count, 100 * done_part, duration_text(left),
	              tuning.saved / 1000, tuning.weight_all / 1000, key);
}

bool nnr_cuda_tuning_done(void)
{
	tuning.collects = false; /* what a search meets is no part of the step */
	if (tuning.count > 0) {
		signals_catch();
		search_all();
	}
	for (int i = 0; i < tuning.count; i++)
		free(tuning.tasks[i].context);
	bool changed = tuning.count > 0;
	if (tuning.searched > 0 || tuning.partial > 0) {
		progress_clear();
		char gain[64] = "";
		if (tuning.weight_all > 0)
			snprintf(gain, sizeof gain, ": %.2f ms of a step became %.2f",
			         tuning.weight_all / 1000, (tuning.weight_all - tuning.saved) / 1000);
		progress_say("tuned %d library calls in %.1f s%s%s", tuning.searched,
		             clock_seconds() - tuning.began, gain,
		             tuning.partial ? "; not to the end: the next start goes on (--tune-seconds)"
		                            : "");
	}
	tuning.count = tuning.searched = tuning.partial = 0;
	tuning.weight_all = 0;
	tune_save();
	if (changed && signal_caught()) {
		progress_say("stopped before the first step; what was found is in the tune record");
		exit(STATUS_SIGNAL + signal_caught());
	}
	return changed;
}
