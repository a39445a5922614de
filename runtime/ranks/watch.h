/* SPDX-License-Identifier: MIT */
/* Whether the other ranks live: a thread that exchanges signs of life with those beside this one, for a rank that
 * stands still (stopped, or its host is gone) would let all others wait for ever. */
#ifndef NNR_WATCH_H
#define NNR_WATCH_H

#include "runtime/ranks/ranks.h"

/* Once they are connected; all ranks call it. `seconds` without a sign are the end (watch_limit). */
void watch_begin(const Communicator *by, const RankPlace *place, const char *host);
void watch_end(void);
void watch_limit(double seconds);
double watch_seconds(void);
/* What the thread asks each half second, too: NULL, or why the ranks can't go on. NULL: nothing. */
void watch_also(const char *(*check)(void));
/* This rank waits for others from here on, until it is done. */
void watch_waits(void);
void watch_done(void);

#endif
