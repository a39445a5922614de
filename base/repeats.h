/* SPDX-License-Identifier: MIT */
/* Repeats in a list of calls, for generated code to be loops: pure, over numbers. */
#ifndef NNC_REPEATS_H
#define NNC_REPEATS_H

#include "base/array.h"

/* A call of the list, as far as a repeat goes by it. */
typedef struct RepeatCall {
	int symbol;        /* equal: the calls differ in numbers and addresses alone */
	const char *scope; /* the block of the network that it is of, "encoder.layer_3"; "": none */
} RepeatCall;

/* The calls first to first + length * times - 1 are `times` repeats of a block. Runs with the same `block` repeat the
 * same symbols; the repeats of a block are numbered over all of its runs, in the order of the list. */
typedef struct Run {
	int first, length, times;
	int block;
	int number; /* of the run's first repeat */
} Run;

typedef struct Runs {
	Run *at;
	int count, room;
	int block_count;
	int calls_saved; /* of the list: those of repeats but the first of each block */
} Runs;

/* The runs, in the order of the list, apart from one another. A block is repeated twice at least, and often enough
 * that code which loops is shorter. They are calls that follow themselves, or what the blocks of the network delimit,
 * wherever that stands: whichever comes first leaves less to the other, and the order is that which saves more. Takes
 * time proportional to the length of the list. */
Runs find_repeats(Arena *a, const RepeatCall *calls, int count);

#endif
