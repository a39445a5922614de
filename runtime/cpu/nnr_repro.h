/* SPDX-License-Identifier: MIT */
/* What a kernel of nnc repro is run by: it alone, on numbers that are drawn, beside what it wrote when nnc tried it. */
#ifndef NNR_REPRO_H
#define NNR_REPRO_H

#include "nnr.h"

/* A tensor. Those that share memory in the training step share a region here. */
typedef struct NnrReproArgument {
	const char *name;
	NnrDType dtype;
	int64_t elements;
	int region;
	int64_t offset;   /* bytes into it */
	double low, high; /* its numbers are drawn from [low, high) */
	bool read, written;
} NnrReproArgument;

/* Of each argument that is written, in order. */
typedef struct NnrReproExpected {
	uint64_t bits;        /* a checksum of its bytes */
	double sum, weighted; /* of its numbers; each by a weight that goes with its place */
} NnrReproExpected;

struct NnrRepro;

/* Where a kernel runs that does not run on the host. */
typedef struct NnrReproMachine {
	void *(*allocate)(int64_t bytes, const char *what);
	void (*copy)(void *to, const char *from, int64_t bytes);
	void (*copy_back)(char *to, const void *from, int64_t bytes);
	double (*seconds)(const struct NnrRepro *r,
	                  char *const *at); /* that one call takes; it has ended then */
} NnrReproMachine;

typedef struct NnrRepro {
	const char *kernel;
	double flops, bytes;
	const NnrReproArgument *arguments;
	int count;
	const int64_t *regions; /* bytes of each */
	int region_count;
	void (*call)(char *const *at);    /* by argument */
	const NnrReproExpected *expected; /* NULL: not known yet */
	const NnrReproMachine *machine;   /* NULL: the host */
} NnrRepro;

/* Runs it: prints whether the results are as expected, and the time. `--expect FILE` writes what it computes as C. The
 * status: 0; 1 where the results are others, by more than the order of sums can make; 2 where it can't run. */
int nnr_repro(const NnrRepro *r, int argc, char **argv);

#endif
