/* SPDX-License-Identifier: MIT */
/* When operations are tuned, and for how long.
 *
 * The backend runs every program once while operations are only collected: each takes the plan of the record, or the
 * first of the heuristics. Then all are known, with what they take of a step, and nnr_cuda_tuning_done searches for
 * faster plans, the longest operations first. What the first runs took (time of one call x calls) divides the budget,
 * --tune-seconds, among them, half a second to each at least; time that one leaves over goes to those after it. When
 * the budget ends, or at Ctrl-C, the others keep what they have, and the record says `partial`: the next start goes on
 * there.
 *
 * Beside a training the same budget is spent between steps, in slices that take about a tenth of the time (below).
 *
 * Without a collection, as in tests of the libraries, an operation is searched when it is met, while the budget lasts.
 * So is one that a search itself meets (the product that stands in for a convolution), in half of what that search has
 * left. */
#ifndef NNR_CUDA_TUNING_H
#define NNR_CUDA_TUNING_H

#include "runtime/cuda/tune.h"

enum { DEFAULT_TUNE_SECONDS = 60 };

/* An operation that waits for a faster plan. */
typedef struct TuneTask {
	const TuneEntry *entry; /* what is known; the search writes it */
	const int *uses;        /* calls in the programs that were run */
	/* Microseconds of one run with the plan there is; roughly. INFINITY where it can't be run. */
	double (*time)(void *context);
	/* Looks for a faster plan until clock_seconds() says `until`, and takes it. False where it may not write to a
	 * step's tensors (tuning_is_beside) and there is no room for others: nothing has changed. */
	bool (*search)(void *context, double until);
	void *context; /* malloc'd; freed when the tuning is done */
} TuneTask;

/* Seconds that tuning may take in this process; 0: the record's plans, and the heuristics' first where it has none. Not
 * called, or negative: $NNR_TUNE_SECONDS, or DEFAULT_TUNE_SECONDS. `keep_partial`: what the record has is taken as it
 * is. */
void tuning_configure(double seconds, bool keep_partial);
/* From now until nnr_cuda_tuning_done operations are collected. */
void tuning_collect(void);
/* Whether an operation met now, with this entry of the record or NULL, is to be searched for at all. */
bool tuning_is_wanted(const TuneEntry *known);
/* Searches at once, or keeps the task until the collection ends; copies it, and takes its context. */
void tuning_add(const TuneTask *task);
/* An operation that was met before is met again, perhaps by a search: one that compares it with something wants it
 * searched first, and gives it half of what it has left, as to one that is new. What that leaves partial keeps its
 * turn. */
void tuning_met(const TuneEntry *entry);
/* The process ends in the search that runs, perhaps by a plan that it tried out: its operation is settled in the record
 * with the plan that it began with, so that no later start ends there again. Nothing where no search runs. */
void tuning_give_up(void);
/* Whether the search that runs is to end: its time is over, or the process was interrupted. */
bool tuning_is_over(double until);
/* Whether a search runs, and its time is over: what is being timed is timed no more than is needed. */
bool tuning_is_late(void);
/* A result of the search that runs, slower than which nothing it meets is worth a search of its own; INFINITY: none. */
void tuning_set_bar(double us);
double tuning_bar(void);
/* Where the search that runs stands: the progress line. */
void tuning_progress(const char *key, int done, int total);
/* After the first run of a program: tunes what was collected, says what that took, writes the record. True when a plan
 * may have changed, so that programs must run again before they are captured. Ends the process when it was
 * interrupted. */
bool nnr_cuda_tuning_done(void);
/* Ahead of nnr_cuda_tuning_done: says how many operations are tuned before the first step, and why then; nothing where
 * there are none. */
void tuning_announce(const char *why);
/* Operations whose search has not ended, and which `keep_partial` keeps as they are. */
int tuning_kept(void);

/* ---- beside a training */

/* In place of nnr_cuda_tuning_done: only times what was collected. From now on searches run between steps, and may
 * write to no tensor of a step's. */
void tuning_begin_beside(void);
bool tuning_is_beside(void);
/* Whether a slice may begin: something is left to search, and the time since the last slice makes that a tenth. */
bool tuning_slice_is_due(void);
/* Searches one operation for half a second, or for as long as was spent on it before, up to four; that which had the
 * least time for what it takes of a step. Writes the record, and now and then says how far the tuning is. Any plan, and
 * the address of the libraries' workspace, may be another afterwards. `since`: clock_seconds when the training paused
 * for it; the rest until the next slice is of all that. */
void tuning_slice(double since);
/* No slice comes any more: says what was gained, if any came. */
void tuning_end(void);

#endif
