/* SPDX-License-Identifier: MIT */
/* Buffers that the repeats of a period take in turn. For passes/assign_buffers.c. */
#ifndef NNC_SERIES_H
#define NNC_SERIES_H

#include "ir/program.h"

/* Where buffer i lies in its series, the addresses that a repeat takes follow from the repeat's number: i modulo
 * `slots`, times the bytes of one. So code that loops over the repeats needs no table of them. */
typedef struct Series {
	Buffer **at; /* NULL: a place that none has */
	int count;
	int slots; /* count: each has a place of its own; fewer: they follow one another in as many */
} Series;

typedef ARRAY(Series) SeriesList;

/* Of buffers of the arena that are no part of others; a buffer is in one series at most. Lifetimes are known. */
SeriesList find_series(Arena *a, const Program *p);

#endif
