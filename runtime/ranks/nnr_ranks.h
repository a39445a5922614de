/* What generated code of a trainer for several ranks calls: the one step in which ranks meet. */
#ifndef NNR_RANKS_STEP_H
#define NNR_RANKS_STEP_H

#include "../nnr.h"

/* Puts the mean of all ranks' `count` elements, f32 or f64, in the place of this rank's. */
void nnr_all_reduce(void *elements, NnrDType dtype, int64_t count);

#endif
