/* SPDX-License-Identifier: MIT */
#include "runtime/cuda/tuning.h"
#include "runtime/host/die.h"
#include "runtime/host/progress.h"
#include "runtime/host/signals.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Seconds. With less a search would never come to its end, however often it goes on. */
static const double SHORTEST_SHARE = 0.5;

/* An operation that was collected. */
typedef struct Waiting {
	TuneTask task; /* `search` NULL: its search has ended, or is not to begin */
	double weight; /* microseconds of a step, with the plan that it began with */
	double had;    /* seconds of slices; of one that ended before its time all of it */
} Waiting;

static struct {
	bool configured, keep_partial, collects;
	int kept;             /* operations that keep_partial keeps */
	double seconds;       /* the budget */
	double began;         /* clock_seconds of the first search; 0: none yet */
	double until;         /* of the search that runs; 0: none */
	const TuneEntry *now; /* whose search that is */
	double bar;
	Waiting *waiting;
	int count, room;
	int searched, partial; /* since the last nnr_cuda_tuning_done */
	/* Of the tasks' time in a step: what is after the search that runs, its own, all. */
	double weight_done, weight_now, weight_all;
	double saved; /* microseconds of a step, by the searches until now */
	struct {
		bool on, over;
		double spent;        /* seconds of the budget */
		double last, rested; /* of the last slice; clock_seconds at its end */
		double said;         /* clock_seconds */
		int without_room;    /* operations */
	} beside;
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
	tuning.kept += known && known->partial && tuning.keep_partial;
	return !known || (known->partial && !tuning.keep_partial);
}

int tuning_kept(void)
{
	return tuning.kept;
}

bool tuning_is_over(double until)
{
	return signal_caught() || clock_seconds() > until;
}

bool tuning_is_late(void)
{
	return tuning.until && tuning_is_over(tuning.until);
}

void tuning_set_bar(double us)
{
	tuning.bar = us;
}

double tuning_bar(void)
{
	return tuning.bar;
}

static bool search(const TuneTask *task, double until)
{
	const double outer = tuning.until;
	const TuneEntry *const outer_now = tuning.now;
	tuning.until = until;
	tuning.now = task->entry;
	bool searched = task->search(task->context, until);
	tuning.until = outer;
	tuning.now = outer_now;
	tuning.searched += outer == 0;
	tuning.partial += outer == 0 && task->entry->partial;
	return searched;
}

void tuning_give_up(void)
{
	const TuneEntry *known = tuning.now ? tune_lookup(tuning.now->library, tuning.now->key) : NULL;
	if (!known)
		return;
	TuneEntry settled = *known;
	settled.partial = false;
	settled.next = 0;
	tune_keep(&settled);
	say_note("`%s` keeps the plan that it began with: the next start tunes the others", settled.key);
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
			tuning.waiting = reallocate(tuning.waiting, tuning.room, sizeof *tuning.waiting,
			                            "the operations to tune");
		}
		tuning.waiting[tuning.count++] = (Waiting){.task = *task};
		tune_keep(task->entry); /* should its turn not come */
		return;
	}
	search(task, tuning.until ? half_of_search() : deadline());
	free(task->context);
}

void tuning_met(const TuneEntry *entry)
{
	for (int i = 0; i < tuning.count && tuning.until; i++) {
		TuneTask task = tuning.waiting[i].task;
		if (task.entry != entry || !task.search)
			continue;
		tuning.waiting[i].task.search = NULL;
		search(&task, half_of_search());
		if (task.entry->partial)
			tuning.waiting[i].task.search = task.search;
	}
}

/* ---- what was collected */

static int longest_first(const void *x, const void *y)
{
	double a = (*(Waiting *const *)x)->weight, b = (*(Waiting *const *)y)->weight;
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

/* Microseconds of a step with the plan that it began with. The search times that one first, as it will run in a graph;
 * what it was weighed by may be of one run, with the host's call. */
static double began_with(const Waiting *w)
{
	double us = w->task.entry->first_us * *w->task.uses;
	return us > 0 && us < w->weight ? us : w->weight;
}

/* What the plan that was found takes less. One that was timed slower than before, by noise or beside others that were,
 * counts as no gain. */
static double saved_by(const Waiting *w)
{
	double us = w->task.entry->us * *w->task.uses;
	return us > 0 ? fmax(0, began_with(w) - us) : 0;
}

static void weigh_all(void)
{
	tuning.weight_all = tuning.weight_done = tuning.saved = 0;
	for (int i = 0; i < tuning.count; i++) {
		Waiting *w = &tuning.waiting[i];
		w->weight = weight_of(&w->task);
		tuning.weight_all += w->weight;
	}
}

static void search_all(void)
{
	Waiting **turns = allocate(tuning.count + 1, sizeof *turns, "the operations to tune");
	weigh_all();
	for (int i = 0; i < tuning.count; i++)
		turns[i] = &tuning.waiting[i];
	qsort(turns, (size_t)tuning.count, sizeof *turns, longest_first);
	for (int i = 0; i < tuning.count; i++) {
		double now = clock_seconds(), left = deadline() - now;
		double ahead = tuning.weight_all - tuning.weight_done;
		TuneTask task = turns[i]->task;
		turns[i]->task.search = NULL;
		tuning.weight_now = turns[i]->weight;
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
		tuning.saved += saved_by(turns[i]);
	}
	free(turns);
}

void tuning_progress(const char *key, int done, int total)
{
	if (tuning.beside.on || !progress_due()) /* the line is the training's */
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

/* ": 41.20 ms of a step became 39.80" */
static const char *gain_text(void)
{
	static char text[64];
	double before = 0, saved = 0;
	for (int i = 0; i < tuning.count; i++) {
		before += began_with(&tuning.waiting[i]);
		saved += saved_by(&tuning.waiting[i]);
	}
	text[0] = 0;
	if (before > 0)
		snprintf(text, sizeof text, ": %.2f ms of a step became %.2f", before / 1000,
		         (before - saved) / 1000);
	return text;
}

static const char GOES_ON[] = "; not to the end: the next start goes on (--tune-seconds)";

void tuning_announce(const char *why)
{
	if (tuning.count > 0)
		progress_say("tuning %d library call%s before the first step, for up to %g s: %s",
		             tuning.count, tuning.count == 1 ? "" : "s", budget(), why);
}

bool nnr_cuda_tuning_done(void)
{
	tuning.collects = false; /* what a search meets is no part of the step */
	if (tuning.count > 0) {
		signals_catch();
		search_all();
	}
	for (int i = 0; i < tuning.count; i++)
		free(tuning.waiting[i].task.context);
	bool changed = tuning.count > 0;
	if (tuning.searched > 0 || tuning.partial > 0) {
		progress_clear();
		progress_say("tuned %d library calls in %.1f s%s%s", tuning.searched,
		             clock_seconds() - tuning.began, gain_text(), tuning.partial ? GOES_ON : "");
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

/* ---- beside a training */

static const double SHARE = 0.1;       /* of the time, with what is between slices */
static const double LONGEST_SLICE = 4; /* seconds */
static const double BETTER = 0.02;     /* of its time less: a plan that is faster, not by noise */
static const double SAID_EVERY = 30;   /* seconds */

bool tuning_is_beside(void)
{
	return tuning.beside.on;
}

/* Operations that are met later, by a step that runs with a new plan, are still collected: nothing may be tried out on
 * that step's tensors. They are not timed, and so not searched in this process. */
void tuning_begin_beside(void)
{
	double began = clock_seconds();
	weigh_all();
	tune_save(); /* a resumed training finds the plans that this one begins with */
	tuning.beside.on = true;
	tuning.beside.rested = tuning.beside.said = clock_seconds();
	tuning.beside.spent = tuning.beside.rested - began;
	tuning.beside.last = fmin(tuning.beside.spent, SHORTEST_SHARE); /* it was no time of steps */
}

/* One that was cut has as long as it had until now: what is begun anew in each slice is then at most half of it, and a
 * plan that is long compiled is begun in the end. */
static double slice_of(const Waiting *w)
{
	return fmin(fmax(w->had, SHORTEST_SHARE), LONGEST_SLICE);
}

/* In the end each has had time in proportion to what it takes of a step; NULL: none is left. */
static Waiting *next_turn(void)
{
	Waiting *next = NULL;
	double most = 0;
	for (int i = 0; i < tuning.count; i++) {
		Waiting *w = &tuning.waiting[i];
		double due = w->task.search ? w->weight / (w->had + slice_of(w)) : 0;
		if (due > most) {
			most = due;
			next = w;
		}
	}
	return next;
}

bool tuning_slice_is_due(void)
{
	const double rest = tuning.beside.last * (1 / SHARE - 1);
	return tuning.beside.on && !tuning.beside.over && !signal_caught() &&
	       clock_seconds() - tuning.beside.rested >= rest && next_turn();
}

typedef struct Standing {
	int tried, better, left; /* operations; left: whose search has not ended */
} Standing;

static Standing stand(void)
{
	Standing s = {0};
	for (int i = 0; i < tuning.count; i++) {
		const Waiting *w = &tuning.waiting[i];
		s.tried += w->had > 0;
		s.better += saved_by(w) > BETTER * began_with(w);
		s.left += w->task.entry->partial;
	}
	return s;
}

static void say_standing(void)
{
	if (clock_seconds() - tuning.beside.said < SAID_EVERY)
		return;
	tuning.beside.said = clock_seconds();
	const Standing s = stand();
	progress_say("tuning beside the training: operation %d of %d, %d plan%s better%s", s.tried,
	             tuning.count, s.better, s.better == 1 ? "" : "s", gain_text());
}

/* False: nothing could be tried. */
static bool search_for_a_slice(Waiting *w)
{
	const double began = clock_seconds(), length = fmin(slice_of(w), budget() - tuning.beside.spent);
	const bool searched = search(&w->task, began + length);
	const double took = clock_seconds() - began;
	/* what it would have begun takes longer than any slice: it is for the next start */
	const bool idle = took < length && length >= LONGEST_SLICE;
	tuning.beside.without_room += !searched;
	tuning.beside.spent += took;
	w->had += searched ? fmax(took, length) : 0;
	if (!searched || !w->task.entry->partial || idle)
		w->task.search = NULL;
	return searched;
}

void tuning_slice(double since)
{
	Waiting *w = next_turn();
	while (w && !search_for_a_slice(w))
		w = next_turn();
	tune_save(); /* a checkpoint that is written from now on finds its plans in it */
	tuning.beside.rested = clock_seconds();
	tuning.beside.last = tuning.beside.rested - since;
	if (!next_turn() || tuning.beside.spent >= budget())
		tuning_end();
	else
		say_standing();
}

void tuning_end(void)
{
	if (!tuning.beside.on || tuning.beside.over)
		return;
	tuning.beside.over = true;
	const Standing s = stand();
	if (s.tried > 0)
		progress_say("tuned %d library calls in %.1f s beside the training, %d plan%s better%s%s",
		             s.tried, tuning.beside.spent, s.better, s.better == 1 ? "" : "s", gain_text(),
		             s.left ? GOES_ON : "");
	if (tuning.beside.without_room > 0)
		progress_say("the GPU has no room to try out %d library call%s beside the training: "
		             "`--tune-when before` does it before the first step",
		             tuning.beside.without_room, tuning.beside.without_room == 1 ? "" : "s");
}
