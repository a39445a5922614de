/* SPDX-License-Identifier: MIT */
/* The strategy of a training step on chip: what its passes and its text ask about its form (ir/onchip.h). */
#ifndef NNC_ONCHIP_STRATEGY_H
#define NNC_ONCHIP_STRATEGY_H

#include "ir/onchip.h"
#include "passes/pass.h"

/* Whether a training graph that no strategy has touched can't be split into samples, for a reason that shows before its
 * nodes are in groups; it is remarked. */
bool onchip_refuses(PassContext *ctx, const Graph *g);
/* Which of the samples' sums a node is, through views; NULL. */
const BatchSum *onchip_sum(const OnChip *o, const Node *n);
/* The step of the sample program that computes the terms of a SUM_FILTERS. */
const Step *onchip_filter_step(const OnChip *o, const BatchSum *sum);

#endif
