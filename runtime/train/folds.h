/* SPDX-License-Identifier: MIT */
/* --folds K: K trainings one after the other, each with another of K parts held out; mean and deviation of what they
 * reached on it. Each is a process of its own, and a run like any other: it can be resumed, evaluated and reported. */
#ifndef NNR_FOLDS_H
#define NNR_FOLDS_H

#include "runtime/host/options.h"

/* Whether all folds are asked for. */
bool folds_are_wanted(const Options *o);
/* Trains them. Comes back once in each of their processes, with o->fold and the names of what it writes, as
 * FOLDS_GO_ON; and at last in the first process with the exit status. */
enum { FOLDS_GO_ON = -1 };
int folds_run(Options *o);
/* In a fold's process: where its log is, and on stderr which fold it is. */
void folds_say(const Options *o);

#endif
