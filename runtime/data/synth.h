/* SPDX-License-Identifier: MIT */
/* What the makers of synthetic data share; private to synth*.c and their tests. */
#ifndef NNR_SYNTH_H
#define NNR_SYNTH_H

#include "runtime/data/data.h"
#include "runtime/host/rng.h"

typedef struct Synth {
	const NnrModel *model;
	int input, target;
	uint64_t seed;
} Synth;

/* Sample number `sample`, put at place k of the part. */
void digits_make(const Synth *s, DataPart *part, int64_t k, uint64_t sample);
void digits_check(const Synth *s);

/* sum over i of 100 (x_i+1 - x_i^2)^2 + (1 - x_i)^2 */
double rosenbrock(const double *x, int64_t d);
/* Of that sum for x uniform in [-1, 1]^d. */
void rosenbrock_moments(int64_t d, double *mean, double *variance);

#endif
