/* SPDX-License-Identifier: MIT */
/* Buffers that steps in equal distances leave, as the periods of a recurrence do. For program/assign_buffers.c. */
#ifndef NNC_SERIES_H
#define NNC_SERIES_H

#include "ir/program.h"

/* Buffers of one size whose places in the arena follow from their numbers: i modulo `slots`, times the bytes of one. So
 * code that loops over the steps needs no table of them. */
typedef struct Series {
	Buffer *const *at;
	int count;
	int slots; /* count: each has a place of its own; fewer: they follow one another in as many */
} Series;

typedef ARRAY(Series) SeriesList;

/* Of buffers of the arena that are no part of others; a buffer is in one series at most. Lifetimes are known. */
SeriesList find_series(Arena *a, const Program *p);

#endif
