/* SPDX-License-Identifier: MIT */
/* What fuse asks and does ahead of making groups (fuse_copies.c). */
#ifndef NNC_FUSE_H
#define NNC_FUSE_H

#include "target/target.h"
#include "ir/graph.h"

/* Whether pointwise users of this operator can be computed on its result before it is stored. */
bool fuse_takes_epilogue(const Node *n, const Target *target);
/* Whether kernels can compute all of a concat in its place there (program/place_pieces.c), or, in training, most of one
 * so large that this is worth a launch for the rest: of an evaluation that has not been timed. With an epilogue all of
 * it would be copied instead. */
bool fuse_is_made_in_place(const Graph *g, const Node *n, const Target *target);
/* Nodes that should join their user rather than their operands: those that could be computed again anywhere, and those
 * that only feed a sum, so that the sum's kernel computes them and nobody stores them. */
bool *fuse_find_followers(Arena *a, const Graph *g, const Target *target);
/* The graph in which each user of a cheap node has a copy of its own. */
Graph *fuse_copy_cheap(Arena *a, const Graph *g, const Target *target);

#endif
