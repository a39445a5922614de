/* SPDX-License-Identifier: MIT */
/* Whether this processor runs the code of a model: see cpu/nnr_features.h. */
#ifndef NNR_CORE_FEATURES_H
#define NNR_CORE_FEATURES_H

#include "runtime/nnr.h"

/* What this processor has; what the bits mean, "x86-64-v3, avxvnni"; the largest level of the x86-64 ABI whose features
 * `bits` has, 1 to 4, or 0: of another processor. The text is malloc'd. */
uint64_t features_of_processor(void);
char *features_text(uint64_t bits);
int features_level(uint64_t bits);

/* Dies with STATUS_DEVICE where the model needs what `has` lacks. */
void features_check(const NnrModel *model, uint64_t has);

#endif
