/* SPDX-License-Identifier: MIT */
/* What leaves a loop: values that do not depend on what the loop carries, computed ahead of it. */
#ifndef NNC_LEAVE_LOOP_H
#define NNC_LEAVE_LOOP_H

#include "ir/loop.h"

/* What a node of a body depends on, at most. */
typedef enum {
	LEVEL_KNOWN,   /* constants */
	LEVEL_SAME,    /* captured values: it is the same in all periods */
	LEVEL_PART,    /* parts of sequences: it is known ahead of the loop, for each period */
	LEVEL_CARRIED, /* what is carried, or a random number of the period */
} LoopLevel;

/* By node of the body, which is that of a loop with these sequences and carried values. */
LoopLevel *loop_levels(Arena *a, const Graph *body, const Loop *l);
/* The loop n with that body, in `to`, over these operands of n: products of parts by a matrix that is the same in all
 * periods are computed ahead of it, each as one product of all periods, and so is what is the same in all periods.
 * NULL: neither is there, and no other body. */
Node *leave_loop(Graph *to, const Node *n, const Graph *body, Node **operands);

#endif
