/* SPDX-License-Identifier: MIT */
/* The data that candidates for one operation are timed on, and whether they all compute the same: a library's word that
 * a plan works is not taken for it. */
#ifndef NNR_CUDA_PLAN_CHECK_H
#define NNR_CUDA_PLAN_CHECK_H

#include "runtime/cuda/plan.h"

enum { PLAN_TENSORS = 8 };

/* What an operation does with a tensor. Workspace may hold anything afterwards. One of PLAN_ZEROS is read too: noise in
 * it would contradict another. */
typedef enum { PLAN_READ, PLAN_RESULT, PLAN_WORKSPACE, PLAN_ZEROS } PlanUse;

/* A tensor of a step, f32 or of 16 bits: rows of `columns` elements, each `pitch` elements after the one before. */
typedef struct PlanTensor {
	const void *at;
	NnrDType dtype;
	int64_t rows, columns, pitch;
	PlanUse use;
} PlanTensor;

/* Some of the elements of a result. */
typedef struct PlanSample {
	float *value; /* malloc'd; NULL: not taken yet */
	int taken;
	double rms; /* of those elements */
} PlanSample;

/* The trials of one operation's candidates. The caller fills `tensor` and `passes_nan` in. */
typedef struct PlanTrials {
	/* Those that are there (`at`), to run on: from plan_trials_begin on, other addresses than the step's. */
	PlanTensor tensor[PLAN_TENSORS];
	/* The results are after an activation, and NaN in the first tensor must reach them: a relu that hides it
	 * would hide that a training has diverged. */
	bool passes_nan;
	CUdeviceptr scratch;               /* 0: no room for it, they are the step's own */
	PlanSample expected[PLAN_TENSORS]; /* of the results of the first candidate that works */
	int dropped, hiding;               /* candidates: for their results; for hiding NaN */
	bool blind; /* the step's own tensors hold what is no number: nothing can be compared */
} PlanTrials;

/* Moves the tensors to memory of the trials' own, each with exactly the alignment it has (up to 256), and fills those
 * that are read with noise. A kernel's speed depends on it beyond what a plan asks for: with 16 bytes the weight
 * gradient of 8000 samples by 1000x1000 took 97 us in place of 63. Where the device has no room they stay, and the
 * results are overwritten; beside a training they must not be: false, and nothing is to be tried. */
bool plan_trials_begin(PlanTrials *t);
/* Microseconds of one run as plan_time has it; INFINITY also for what would be the fastest, but does not write all of
 * the results, or computes something else than the first candidate that worked, or far less precisely, or hides NaN
 * (looked for only in memory of the trials' own). */
double plan_trial(PlanTrials *t, PlanRun *run, void *context, double best_us);
/* Frees the trials' memory, and says how many candidates for `key` were dropped; false where none could be compared, so
 * that another start is to begin again. */
bool plan_trials_end(PlanTrials *t, const char *key);

#endif
