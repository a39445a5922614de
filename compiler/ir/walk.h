/* SPDX-License-Identifier: MIT */
/* Walks along operands without recursion: a graph may be as deep as it has nodes, and the stack is not. Passes that
 * copy or look at what a node is computed of use it; what walks no further than an inline node, or a few nodes of a
 * kernel, may recurse, and says so. */
#ifndef NNC_WALK_H
#define NNC_WALK_H

#include "ir/graph.h"

/* Calls leave(ctx, n) for `root` and all that it is computed of, operands first and in order, as a recursion would.
 * Only nodes for which enter(ctx, n) is true are walked through and left; it is asked each time that the walk comes to
 * a node, so it must be false for those that were left. The walk's stack is in `scratch`. */
void walk_operands(Arena *scratch, const Node *root, bool (*enter)(void *ctx, const Node *n),
                   void (*leave)(void *ctx, const Node *n), void *ctx);

#endif
