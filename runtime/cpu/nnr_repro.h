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

/* What a training step touches between two runs of the kernel, a piece of memory once, where it is touched last. */
typedef struct NnrReproTouch {
	int region;     /* -1: memory that the kernel knows nothing of */
	int64_t offset; /* bytes into the region */
	int64_t bytes;
	bool written;
} NnrReproTouch;

/* A block that tensors overlap in. `at`: how far into a huge page it begins, as in the training step. */
typedef struct NnrReproRegion {
	int64_t bytes, at;
} NnrReproRegion;

struct NnrRepro;

/* Where a kernel runs. */
typedef struct NnrReproMachine {
	char *(*allocate)(int64_t bytes, const char *what);
	void (*copy)(void *to, const char *from, int64_t bytes);
	void (*copy_back)(char *to, const void *from, int64_t bytes);
	int64_t (*cache_bytes)(void);
	/* That one call takes; it has ended then. */
	double (*seconds)(const struct NnrRepro *r, char *const *at);
	/* Around some calls: where the machine can tell better, the seconds of each. NULL: it can't. */
	void (*begin)(void);
	void (*end)(double *seconds, int calls);
} NnrReproMachine;

typedef struct NnrRepro {
	const char *kernel;
	double flops, bytes;
	const NnrReproArgument *arguments;
	int count;
	const NnrReproRegion *regions;
	int region_count;
	const NnrReproTouch *touches; /* ahead of a run, in order */
	int touch_count;
	void (*touch)(char *at, int64_t bytes,
	              bool write);        /* reads, and writes as it is, each line of the caches */
	void (*call)(char *const *at);    /* by argument */
	const NnrReproExpected *expected; /* NULL: not known yet */
	const NnrReproMachine *machine;   /* NULL: the host */
} NnrRepro;

/* NnrRepro.touch of the host: by the threads that kernels run on, which it keeps awake. */
static inline void nnr_repro_touch(char *at, int64_t bytes, bool write)
{
	enum { LINE = 64 };
#ifdef _OPENMP
#pragma omp parallel for schedule(static)
#endif
	for (int64_t i = 0; i < bytes; i += LINE) {
		volatile char *line = at + i;
		const char was = *line;
		if (write)
			*line = was;
	}
}

/* Runs it: prints whether the results are as expected, and the time. `--expect FILE` writes what it computes as C. The
 * status: 0; 1 where the results are others, by more than the order of sums can make; 2 where it can't run. */
int nnr_repro(const NnrRepro *r, int argc, char **argv);

#endif
