/* SPDX-License-Identifier: MIT */
/* Valid .net files drawn by seed: small networks that mix everything the language has a layer for. The same seed gives
 * the same text on every machine. */
#ifndef NNC_TESTS_GENERATE_H
#define NNC_TESTS_GENERATE_H

#include "base/arena.h"
#include <stdint.h>

/* Indices that are no classes are below this; tables of embeddings may be shorter, and give zeros after their end. */
enum { RANDOM_WORDS = 8 };

/* A file with one model and one recipe, both named `name`. `precision` is that of the recipe. */
char *random_net(Arena *a, const char *name, uint64_t seed, const char *precision);

/* A small generator of its own, for what else a test draws. */
typedef struct Dice {
	uint64_t state;
} Dice;

int roll(Dice *d, int below); /* 0 .. below - 1 */
double roll_real(Dice *d);    /* uniform in [-1, 1) */

#endif
