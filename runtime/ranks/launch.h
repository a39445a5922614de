/* SPDX-License-Identifier: MIT */
/* --gpus N: a trainer that starts its own ranks. */
#ifndef NNR_LAUNCH_H
#define NNR_LAUNCH_H

#include "runtime/host/options.h"

/* Whether this process is to start the ranks, not to be one: `--gpus N` was given, and nobody has started it as a rank.
 * Dies with STATUS_USAGE where a launcher has started it for another number. */
bool launch_is_wanted(const Options *o);
/* In a rank that was started so: it ends when the process that started it has. */
void launch_follow_parent(void);
/* Starts this program once for each of `count` GPUs of the host, with the same command line, and waits for all. Signals
 * are passed on. Returns the status of the first that failed: its own, or 128 and the signal that ended it; the others
 * are ended then. */
int launch_ranks(int count, char **argv);

#endif
