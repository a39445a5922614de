/* SPDX-License-Identifier: MIT */
/* How long each phase of a compilation takes, and what memory it leaves: the table of --time-report. */
#ifndef NNC_TIMES_H
#define NNC_TIMES_H

#include "base/arena.h"

typedef struct Times Times;

Times *times_new(Arena *a);
/* Milliseconds of the processor since the process began; the compiler is one thread. */
double times_now(void);
/* Adds the time since `start`, and the memory that arenas have grown by since the last call, to the row `phase`, which
 * is kept by its pointer. Returns the time now. Nothing is added where `times` is NULL. */
double times_lap(Times *times, const char *phase, double start);
/* A line for each phase, in order of first appearance, and one for all of them. In the arena of `times`. */
char *times_text(const Times *times);

#endif
