/* SPDX-License-Identifier: MIT */
/* What the page shows, made once: data.c. Private to explore/. */
#ifndef NNC_EXPLORE_DATA_H
#define NNC_EXPLORE_DATA_H

#include "explore/explore.h"

typedef struct ExploreStep {
	StepRow row;
	int set;             /* of its places */
	IntSet nodes, reads; /* numbers of its nodes; of those whose values it reads */
	double least_us;     /* on an H200; 0: not known */
	bool by_memory;
} ExploreStep;

typedef struct ExploreData {
	const Explored *of;
	NetPlaces *places;
	ExploreStep *steps;
	int step_count;
	IntSets *step_sets;
	CodeText code[2];
	int code_count;
	CodeText machine[2]; /* of the last code */
	int machine_count;
} ExploreData;

ExploreData explore_data(Arena *a, const Explored *e);
char *explore_json_of(Arena *a, const ExploreData *d);

#endif
