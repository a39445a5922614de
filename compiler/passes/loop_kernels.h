/* SPDX-License-Identifier: MIT */
/* Which loops one kernel computes (ir/loop_kernel.h), and what is done to loops for that. */
#ifndef NNC_LOOP_KERNELS_H
#define NNC_LOOP_KERNELS_H

#include "ir/loop_kernel.h"
#include "passes/pass.h"

/* Whether the loop is to be kept by the passes up to loop_kernels; asked before differentiate. Else *why not. */
bool loop_is_kept(PassContext *ctx, const Node *loop, const char **why);
/* The loop, over these operands, with what is the same in all its periods ahead of it; NULL: there is no such thing. */
Node *loop_hoisted(Graph *to, const Node *n, Node **operands);

#endif
