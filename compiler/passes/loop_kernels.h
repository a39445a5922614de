/* SPDX-License-Identifier: MIT */
/* Which loops one kernel computes (ir/loop_kernel.h). */
#ifndef NNC_LOOP_KERNELS_H
#define NNC_LOOP_KERNELS_H

#include "ir/loop_kernel.h"
#include "passes/pass.h"

/* Whether a kernel could compute the loop; asked before differentiate. Else *why not. */
bool loop_may_be_kernel(PassContext *ctx, const Node *loop, const char **why);
/* The graph with kernels in the place of the loops that are chosen; but of those that none computes after all. */
Graph *loops_to_kernels(PassContext *ctx, const Graph *g);

#endif
