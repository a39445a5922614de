/* SPDX-License-Identifier: MIT */
/* What the loops of lrn and of its gradient read from a node. */
#ifndef NNC_LRN_H
#define NNC_LRN_H

#include "ir/op.h"

/* Channels of a window on either side of its own. */
int64_t lrn_reach(const Node *n);
/* alpha/size, the factor of a sum of squares. */
double lrn_factor(const Node *n);

#endif
