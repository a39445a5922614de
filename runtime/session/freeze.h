/* SPDX-License-Identifier: MIT */
/* --freeze, and the first phase of a recipe: tensors that a training step computes like all others, and that are what
 * they were when it has ended.
 *
 * Bytes of the parameter and of the state block are kept, and put back after each step: those of the parameters that
 * the patterns match, of --freeze also the optimizer's states that belong to them, and those of running statistics
 * that the patterns match. Where only the recipe's `freeze` is given for all of the training, nothing is kept: its step
 * has no update for them. */
#ifndef NNR_FREEZE_H
#define NNR_FREEZE_H

#include "runtime/session/session.h"

typedef struct FrozenRange {
	bool in_state;  /* of the state block, else of the parameters */
	int64_t offset; /* bytes into it */
	int64_t bytes;
} FrozenRange;

struct Frozen {
	FrozenRange *ranges; /* neighbours are one */
	int count;
	int64_t bytes; /* of all */
	char *kept;    /* by freeze_keep: one range after the other */
};

/* What --freeze names and, in the first phase of a recipe that has one, what that freezes. `frozen` is then the larger
 * of both. Ends the process with STATUS_USAGE where a pattern matches nothing. */
void freeze_open(Session *s);
/* Steps of the first phase that are left; INT64_MAX: it is over, or there is none. */
int64_t freeze_steps_left(const Session *s);
/* Has `frozen` be that of the next step; true: it was another, and is to be kept. */
bool freeze_enter(Session *s);
/* Keeps what the ranges hold in these blocks, and puts it back; `f` NULL: nothing. */
void freeze_keep(struct Frozen *f, const NnrMemory *memory);
void freeze_restore(const struct Frozen *f, const NnrMemory *memory);
/* The place of a range in the blocks of `memory`. */
char *freeze_place(const FrozenRange *range, const NnrMemory *memory);
void freeze_close(Session *s);

#endif
