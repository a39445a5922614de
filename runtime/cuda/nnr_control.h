/* SPDX-License-Identifier: MIT */
/* What host and device share: NnrControl, where the training stands, and NnrSupply, what a step is given from.
 *
 * Self-contained, because NVRTC compiles it inside nnc, where no system header is; the host's C includes it as it
 * is. */
#ifndef NNR_CONTROL_H
#define NNR_CONTROL_H

#define NNR_FUNCTION static __device__ __forceinline__ /* of the device headers */

#ifdef __CUDACC_RTC__
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long long int64_t;
typedef unsigned long long uint64_t;
#ifndef INFINITY
#define INFINITY __int_as_float(0x7f800000)
#endif
#ifndef NAN
#define NAN __int_as_float(0x7fffffff)
#endif
#else
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#endif

#ifndef NNR_H
typedef struct NnrScalars { /* as in nnr.h */
	double rate, step, last;
	uint64_t seed;
	int64_t rank;
	double samples;
} NnrScalars;
#endif

enum { NNR_SCORES = 9, NNR_FEEDS = 16, NNR_BLOCK = 256 };
enum { NNR_TILE_SAMPLES = 64, NNR_TILE_BYTES = 512 /* of each */ }; /* what a block gathers and transposes */

/* Where the training stands. The host writes it before it asks for some steps and reads it when they are done; in
 * between only the device touches it. A launch is a number of steps captured together: step `u` of a launch stands at
 * (step + u), and only nnr_end_steps, after the last of them, moves the base.
 *
 * There are two slots of what a step is given, scalars and batch: while a step runs on one, the next is prepared in the
 * other. */
typedef struct NnrControl {
	NnrScalars scalars[2]; /* by slot */
	int64_t step;          /* optimizer steps done before this launch */
	int64_t epoch, in_epoch;
	int64_t asked;           /* steps done since the host last wrote: index into `rates` */
	int64_t first;           /* evaluation: the first sample of the batch, of all ranks that share it */
	int64_t bad_step;        /* the first whose loss is no finite number, counted from 1; 0: none */
	uint32_t key[2][8];      /* of the permutation of epoch e: key[e % 2] */
	double sums[NNR_SCORES]; /* of loss and metrics */
	double last[NNR_SCORES]; /* of the last step, or of the first bad one */
} NnrControl;

/* One input of the model, copied sample by sample from the data set to the batch. */
typedef struct NnrFeed {
	const uint8_t *from; /* the part of the data set */
	uint8_t *to;         /* the input block of slot 0 */
	uint8_t *transposed; /* there too: the copy as [units, batch]; NULL: none */
	uint32_t unit;       /* bytes a thread copies at once: 16, 4 or 1; an element of what is transposed */
	uint32_t units;      /* of a sample */
	uint32_t first_block, blocks;
	uint32_t height, width, channels; /* of an augmented image; height 0: plain */
	bool reflect; /* of an augmented image: what comes in from outside is mirrored at the border, not zero */
	bool rounded; /* f32, to tf32 on the way */
} NnrFeed;

typedef struct NnrScore {
	const void *at; /* in the arena */
	int dtype;      /* NNR_F32, NNR_F64, NNR_I32 */
} NnrScore;

/* What does not change from step to step; an argument by value of the kernels below. */
typedef struct NnrSupply {
	NnrFeed feeds[NNR_FEEDS];
	NnrScore scores[NNR_SCORES];
	int feed_count, score_count;
	uint32_t batch, samples, turns; /* turns: units that each thread copies */
	uint32_t stride,
	        begin;   /* in the order of samples: from chunk to chunk, and of this rank's share in one */
	uint32_t chunks; /* batches of one optimizer step: a launch's unit `u` is a chunk */
	uint32_t low_bits, high_bits; /* of the permutation's network (host/rng.c) */
	int32_t crop;
	bool flip, alternate, shuffle;
	bool counted;       /* a step adds up its own scores (NnrProgram.fetches) */
	int64_t slot_bytes; /* from the input block of slot 0 to that of slot 1 */
	/* Not 0: `from` holds the samples of this batch alone, in its order, those of slot 1 so many bytes after
	 * (stream.c). */
	int64_t streamed_bytes;
	int64_t steps_per_epoch;
	const double *rates; /* of the steps the host asked for */
	uint64_t seed;
} NnrSupply;

/* The part of a gather that goes on in a product (nnr_carry.h): of the batch of chunk `unit` of a launch, to a slot. */
typedef struct NnrCarried {
	const NnrControl *control;
	NnrSupply supply;
	int unit, slot;
	uint32_t feed, first, end; /* units of the feed; first == end: nothing */
} NnrCarried;

#endif
