/* SPDX-License-Identifier: MIT */
/* Loops that one kernel computes, with the loop over the periods inside it: bodies of pointwise steps, moves and small
 * reductions. What elements of the carried values do not meet in any period has lanes of its own.
 *
 *     loop_kernel(sequences..., begun..., captured...) {axis, begun, carried, count, kept, reverse, sequences} { body }
 *
 * It is a loop (ir/loop.h), but that of what is carried the first `begun` alone begin as operands, the others as 0; and
 * that its value is what the body's outputs `kept` leave, carried or stacked: one after the other in one dimension,
 * each from a multiple of LOOP_KERNEL_ALIGNED elements on, all of one type. */
#ifndef NNC_LOOP_KERNEL_H
#define NNC_LOOP_KERNEL_H

#include "ir/loop.h"

enum { LOOP_KERNEL_ALIGNED = 16 };

typedef struct LoopKernel {
	Loop l;
	int begun;
	const int64_t *kept;
	int kept_count;
} LoopKernel;

bool node_is_loop_kernel(const Node *n);
LoopKernel loop_kernel_of(const Node *n);
/* The operand that argument `index` of the body stands for; -1: it begins as 0. */
int loop_kernel_operand(const LoopKernel *k, int64_t index);
/* The type of what output `i` of the body leaves. */
Type loop_kernel_result(const Loop *l, int64_t i);
/* The element that the i-th that is kept begins at; of i = kept_count, how many elements there are. */
int64_t loop_kernel_offset(const LoopKernel *k, int i);

/* ---- what of a body runs along what */

enum { AXIS_OF_ONE = -1 };

/* Dimensions of values that go along each other are one axis. An axis has lanes where each element of all values along
 * it follows from those at the same place: no reduction, slice or concat goes along it, and what is carried has it. */
typedef struct LoopAxes {
	int count;
	int64_t *size; /* by axis */
	bool *has_lanes;
	int *of; /* by node of the body and dimension, LIMIT_RANK each: the axis; AXIS_OF_ONE of a dimension of 1 */
	bool *leaves; /* by node: a sum along axes with lanes, which is to be taken of all periods, after the loop */
	bool *same; /* by node: it is the same in all periods */
	/* What is carried, or else yielded, of most elements: an axis has lanes where this has it, and lanes are
	 * numbered as its elements. */
	const Node *largest;
	int64_t lanes, most_inside; /* in all; elements of the largest value that one lane has by itself */
	int64_t inside;             /* elements of all that a lane carries */
} LoopAxes;

/* NULL and *why where no kernel computes such a body. sums_leave: sums may be taken after the loop; else they have
 * been. */
LoopAxes *loop_axes(Arena *a, const Loop *l, bool sums_leave, const char **why);
static inline int loop_axis(const LoopAxes *x, const Node *n, int dimension)
{
	return x->of[n->id * LIMIT_RANK + dimension];
}
/* Whether the node of a body is a product of matrices that a lane computes its rows of. */
bool loop_has_product(const Node *n);
/* Elements of n that a lane has by itself. */
int64_t loop_inside(const LoopAxes *x, const Node *n);
/* Of a sum that leaves the loop: the output that it is all of, through views, or the carried value that it is added to;
 * -1: it is of none. */
int loop_sum_output(const Loop *l, const int *uses, const Node *sum);

#endif
