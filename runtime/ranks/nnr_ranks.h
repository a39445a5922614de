/* SPDX-License-Identifier: MIT */
/* What generated code of a trainer for several ranks calls: where ranks meet in a step. */
#ifndef NNR_RANKS_STEP_H
#define NNR_RANKS_STEP_H

#include "../nnr.h"

/* Puts the mean of all ranks' `count` elements, f32 or f64, in the place of this rank's. */
void nnr_all_reduce(void *elements, NnrDType dtype, int64_t count);
/* y = the mean of all ranks' x. */
void nnr_rank_mean(const void *x, void *y, NnrDType dtype, int64_t count);

typedef uint16_t NnrBf16;

/* As nnr_all_reduce, of f32 and sent in 16 bits: each rank's are rounded to bf16 in `wire`, added up in f32, rounded,
 * and widened. */
void nnr_all_reduce_bf16(float *elements, NnrBf16 *wire, int64_t count);

/* Where ranks share the parameters out (`shard optimizer`): rank r has the r-th `share` of the whole's elements, f32 or
 * f64, the last ranks fewer or none. Of the `count` elements from the whole's `first` on, which stand here, this rank's
 * become the mean of all ranks'; the others are lost. */
void nnr_reduce_scatter(void *elements, NnrDType dtype, int64_t first, int64_t count, int64_t share);
/* y = this rank's share of x, then zeros. */
void nnr_rank_share(const void *x, void *y, NnrDType dtype, int64_t whole, int64_t share);
/* y = all ranks' shares x. */
void nnr_rank_gather(const void *x, void *y, NnrDType dtype, int64_t whole, int64_t share);

#endif
