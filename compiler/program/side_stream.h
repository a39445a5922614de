/* SPDX-License-Identifier: MIT */
/* Which steps run on the branch, beside the chain of all others, and which of them a step must wait for. Private to
 * codegen/. */
#ifndef NNC_SIDE_STREAM_H
#define NNC_SIDE_STREAM_H

#include "ir/program.h"

/* Whether the branch is for such a step, whatever stands around it: a weight gradient. */
bool step_may_branch(const Step *s);
/* Who reads what: the steps step[first[b]] to step[first[b + 1] - 1] of the program read the buffer b, or what is
 * inside it; b < count. In `a`; until steps are moved or added. */
typedef struct StepReaders {
	const Program *program;
	int count, *first, *step;
} StepReaders;

StepReaders step_readers(Arena *a, const Program *p);
/* Whether nothing in the chain needs what a step writes; of the program, or about to come into it. */
bool step_leaves_chain(const StepReaders *readers, const Step *s);
/* Whether it reads what that one writes, or gives parameters or states their new values. */
bool step_waits(const Step *s, const Step *before);
/* By step: -1, or the number of the last step of the branch (numbered 0, 1, ... in order) that must have ended before
 * this one may run, because it reads what that one wrote or overwrites what that one reads. The branch runs in order,
 * so waiting for one waits for all before it; and whoever waits for a step of the branch ahead of the chain waits for
 * all there, once, since they have long ended where they are first read. */
int *branch_waits(Arena *a, const Program *p);
/* By step: its number in the branch, or -1. */
int *branch_numbers(Arena *a, const Program *p);

/* The first step of a training program that writes into the bytes of a score: by then the scores of the step before
 * must have been counted (nnr_scores_wait). -1: none does. */
int scores_overwritten(const Program *p);

/* By step: -1, or which of the means over several ranks it is (STEP_ALL_REDUCE), numbered 0, 1, ... in order. */
int *bucket_numbers(Arena *a, const Program *p);
/* By step: -1, or the last mean that it waits for, and so for all before: they run in order, beside the chain and the
 * branch. A step waits for those that it reads or overwrites, the last step for all. */
int *bucket_waits(Arena *a, const Program *p);

#endif
