/* SPDX-License-Identifier: MIT */
/* What a command trains on, evaluates or predicts for: the data that its options name, divided as they say. */
#ifndef NNR_DATASET_H
#define NNR_DATASET_H

#include "runtime/data/data.h"
#include "runtime/host/options.h"

/* Reads --data and --eval-data, or the recipe's synthetic data. For `predict` the samples to predict for are the
 * held-out part: that of the data or, where it has none of its own, all of it. */
Dataset data_load(const Options *options, const NnrModel *model, uint64_t seed, bool show_progress);

#endif
