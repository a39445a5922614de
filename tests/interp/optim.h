/* SPDX-License-Identifier: MIT */
/* Optimizers and learning rates as loops over one parameter, from their papers and PyTorch's documentation: the second
 * opinion on compiler/ops/optim.c and on the runtime's schedules. */
#ifndef NNC_TESTS_OPTIM_H
#define NNC_TESTS_OPTIM_H

#include "ir/recipe.h"

enum { REFERENCE_STATES = 3 };

/* One parameter tensor: its values, gradients and whatever the optimizer keeps, zero before the first step. */
typedef struct Tuned {
	int64_t count, rows; /* the first of its dimensions */
	double *p, *g;
	double *state[REFERENCE_STATES];
	bool decays, is_weight;
	const ParamGroup *group; /* NULL: it is in none */
} Tuned;

/* Scales all gradients so that their common norm is at most about `limit`, when limit > 0. */
void reference_clip(Tuned *t, int count, double limit);
/* One step on `t` of the optimizer of its group or of the recipe; `step` counts from 1. False: the reference does not
 * know it. */
bool reference_update(const Recipe *r, Tuned *t, double rate, double step);

#endif
