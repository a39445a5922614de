/* SPDX-License-Identifier: MIT */
/* Which loops one kernel computes (ir/loop_kernel.h), and what is done to loops for that. */
#ifndef NNC_LOOP_KERNELS_H
#define NNC_LOOP_KERNELS_H

#include "ir/loop_kernel.h"
#include "passes/pass.h"

/* Whether a kernel could compute the loop; asked before differentiate. Else *why not. */
bool loop_may_be_kernel(PassContext *ctx, const Node *loop, const char **why);
/* The graph with kernels in the place of the loops that are chosen; but of those that none computes after all. */
Graph *loops_to_kernels(PassContext *ctx, const Graph *g);
/* The loop, over these operands, with what is the same in all its periods ahead of it; NULL: there is no such thing. */
Node *loop_hoisted(Graph *to, const Node *n, Node **operands);

#endif
