/* SPDX-License-Identifier: MIT */
/* Where a training step for the CPU says how far it is, for `EXE profile`. */
#ifndef NNR_STEP_H
#define NNR_STEP_H

/* NULL, except while a profile is made. */
extern void (*nnr_on_step)(int number);
/* Likewise: a library's call says which of its implementations computes the step. */
extern void (*nnr_on_engine)(const char *name);

/* Step `number` of the training program comes next, from 1. Costs one test where nobody listens. */
static inline void nnr_step(int number)
{
	if (nnr_on_step)
		nnr_on_step(number);
}

#endif
