/* SPDX-License-Identifier: MIT */
/* What would help most: what to change in a .net file or a command line, and which part of the time of which steps that
 * saves of a sample. The page multiplies these by measured times; without them, for CUDA, by the forecast. */
#ifndef NNC_ADVICE_H
#define NNC_ADVICE_H

#include "explore/data.h"

enum { OF_DATA = -2 }; /* in the place of a step: waiting for data, as a profile counts it (EVENT_DATA) */

typedef struct Saving {
	int step;
	double part; /* of its time for a sample, from 0 to 1 */
} Saving;

typedef struct Advice {
	const char *what, *change; /* the reason; "batch 128" */
	const char *file;          /* of the line to change; NULL: it is an option */
	int line;
	ARRAY(Saving) saves;
	bool of_idle; /* saved of each, further, is the part of the processors that the profile ran no thread on */
	double gain; /* part of the forecast of a step; 0: there is no forecast */
} Advice;

typedef ARRAY(Advice) AdviceList;

/* In the order of their gains by forecast, where there is one; else in that of their kinds. */
AdviceList advice_of(Arena *a, const ExploreData *d);
#endif
