/* SPDX-License-Identifier: MIT */
/* Periods of a program: where it does the same again and again with other buffers, as at the steps of a sequence. */
#ifndef NNC_PERIODS_H
#define NNC_PERIODS_H

#include "ir/program.h"

/* The steps first to first + length * times - 1 are `times` repeats of `length` steps, each of which computes the same
 * nodes with the same attributes of tensors of the same types; but for where a slice begins. */
typedef struct Period {
	int first, length, times;
} Period;

typedef ARRAY(Period) Periods;

/* Those of at least `least` repeats, in order and apart from one another. Takes time proportional to the program. */
Periods find_periods(Arena *a, const Program *p, int least);

#endif
