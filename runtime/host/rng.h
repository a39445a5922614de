/* SPDX-License-Identifier: MIT */
/* Counter-based random numbers: every number is a function of (seed, stream, counters) and of nothing else.
 *
 * So any of them can be computed anywhere, in any order, again: a resumed run, another number of threads or a GPU get
 * the same ones. The generator is Philox4x32-10 (Salmon et al., SC'11). */
#ifndef NNR_RNG_H
#define NNR_RNG_H

#include <stdint.h>

/* What numbers are for. Streams of one seed are independent. Stream 0 is the generated code's (dropout). */
typedef enum {
	RNG_INIT = 1,
	RNG_SHUFFLE,
	RNG_AUGMENT,
	RNG_SYNTH,
	RNG_HOLDOUT,
	RNG_WINDOW,
	RNG_COLOUR,
	RNG_PLACE, /* of windows of a text */
	RNG_SAMPLE,
	RNG_AFFINE,
	RNG_ERASE,
	RNG_MIXTURE,
	RNG_OPERATION
} RngStream;

typedef struct Philox {
	uint32_t word[4];
} Philox;

/* The block at counter (a: 64 bits, b: 28 bits, stream) under the key `seed`. */
Philox rng_block(uint64_t seed, RngStream stream, uint64_t a, uint32_t b);
/* Philox4x32-10 itself, for the test vectors. */
Philox philox(const uint32_t counter[4], const uint32_t key[2]);

double rng_unit(uint32_t word);                     /* in (0, 1): (word + 1/2) / 2^32 */
double rng_normal(uint32_t first, uint32_t second); /* N(0, 1) by Box and Muller */
int64_t rng_below(uint32_t word, int64_t n);        /* in [0, n), n <= 2^31, by multiplication */

/* A pseudo-random permutation of [0, count): a Feistel network over the next power of two, walked until it lands
 * inside. Needs no memory, and any element can be computed alone. */
typedef struct Permutation {
	int64_t count;
	uint32_t key[8];
	int low_bits, high_bits;
} Permutation;

/* count in 1 .. 2^62. `which` is the epoch, or whatever numbers the permutations of this stream. */
Permutation permutation_new(uint64_t seed, RngStream stream, uint64_t which, int64_t count);
int64_t permutation_at(const Permutation *p, int64_t i);

#endif
