/* SPDX-License-Identifier: MIT */
/* Compares what a compiled network has computed with the interpreter's, and says the first difference. */
#ifndef NNC_TESTS_COMPARE_H
#define NNC_TESTS_COMPARE_H

#include "tests/random/reference.h"

/* How much an element may differ, relative to the largest of its tensor and of the terms that it sums up (at least 1);
 * how much outputs and gradients may, as vectors; and how much a loss. */
typedef struct Arithmetic {
	const char *precision; /* of the recipe */
	double element, vector;
	int bits; /* of a significand */
} Arithmetic;

/* Of one network. */
typedef struct Compare {
	Arena *arena;
	const char *label; /* of the network, in messages */
	const Arithmetic *arithmetic;
	bool promotes; /* outputs may differ by no more where rounding moves the interpreter's */
	int step, wrong;
} Compare;

/* The outputs of a program that has run: a loss, metrics, gradients and values. */
void compare_outputs(Compare *c, const NnrProgram *p, const NnrMemory *memory, Reference *r);
/* Parameters, their average, and states. */
void compare_kept(Compare *c, const NnrModel *m, const NnrMemory *memory, Reference *r);
/* The 16-bit copy of the parameters is what the parameters round to. */
void compare_copy(Compare *c, const NnrModel *m, const NnrMemory *memory);
/* Has the reference go on from the gradients that the program has computed. */
void compare_take_gradients(Compare *c, const NnrProgram *p, const NnrMemory *memory, Reference *r);

#endif
