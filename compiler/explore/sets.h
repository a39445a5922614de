/* SPDX-License-Identifier: MIT */
/* Sets of numbers, each once: what many lines of a page have in common. */
#ifndef NNC_SETS_H
#define NNC_SETS_H

#include "base/array.h"
#include "base/map.h"

typedef struct IntSet {
	const int *at; /* from the least on, without repeats */
	int count;
} IntSet;

typedef ARRAY(int) NumberList;

typedef struct IntSets {
	Arena *arena;
	Map *numbers;
	ARRAY(IntSet) at;
} IntSets;

IntSets *int_sets_new(Arena *a);
/* The number of the set of these, which are sorted in place; the empty set has one, too. */
int int_set(IntSets *s, int *at, int count);

#endif
