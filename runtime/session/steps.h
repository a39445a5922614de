/* SPDX-License-Identifier: MIT */
/* The table of a training program's steps. */
#ifndef NNR_STEPS_H
#define NNR_STEPS_H

#include "nnr.h"

/* The row of step i, from 0 on. */
static inline const NnrStep *program_step(const NnrProgram *p, int i)
{
	const NnrStep *row = p->steps;
	for (int r = 0; r < p->step_run_count; r++) {
		const NnrStepRun *run = &p->step_runs[r];
		if (i < run->length * run->times)
			return row + i % run->length;
		i -= run->length * run->times;
		row += run->length;
	}
	return row + i;
}

#endif
