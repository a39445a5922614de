/* What generated code of a trainer for several ranks calls: where ranks meet in a step. */
#ifndef NNR_RANKS_STEP_H
#define NNR_RANKS_STEP_H

#include "../nnr.h"

/* Puts the mean of all ranks' `count` elements, f32 or f64, in the place of this rank's. */
void nnr_all_reduce(void *elements, NnrDType dtype, int64_t count);
/* y = the mean of all ranks' x. */
void nnr_rank_mean(const void *x, void *y, NnrDType dtype, int64_t count);

#endif
