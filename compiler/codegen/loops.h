/* SPDX-License-Identifier: MIT */
/* The loops of a kernel: its domain with neighbouring dimensions merged wherever every tensor runs through them in one
 * stride, and the C text of each tensor's index. Private to codegen/. */
#ifndef NNC_LOOPS_H
#define NNC_LOOPS_H

#include "base/checked.h"
#include "ir/program.h"
#include "ir/domain.h"
#include "target/target.h"

typedef struct Loop {
	int64_t count;
	bool reduced;
	const char *var; /* C variable: i0, i1 ... */
} Loop;

typedef struct LoopNest {
	KernelShape shape;
	Arch arch;          /* of a CUDA kernel */
	Node *const *nodes; /* of the step */
	int node_count;
	Loop loops[LIMIT_RANK];
	int loop_count;
	int merged[LIMIT_RANK];         /* which loop each dimension of the domain is in */
	int first_reduced, first_inner; /* loops [0, first_reduced) are outer, then reduced, then inner */
	const char *
	        origin; /* of an epilogue on a single element: its index, always 0, over the caller's variables */
	int64_t outer, middle, inner;
	int chunks;      /* 0, or the parts loop first_reduced is cut into */
	int reductions;  /* number of reduction nodes */
	bool remainders; /* an index in the last dimension may be the remainder of a loop over several */
} LoopNest;

/* Decides Step.shape, of nodes that fit one loop nest. */
void step_decide_shape(Arena *a, Step *s);
LoopNest loops_of_step(Arena *a, const Step *s, const Target *target);
/* Index into `x` read by the node at `position` (its own result when x == that node), as C text over the loop
 * variables; "0" when it is a single element. */
char *loop_index(Arena *a, const LoopNest *nest, int position, Type x);
/* The same in memory, where rows along the last dimension are `pitch` elements apart; 0: without gaps. */
char *loop_place(Arena *a, const LoopNest *nest, int position, Type x, int64_t pitch);
/* The stride with which the innermost loop runs through x, read likewise; 0 also where it is at some elements several
 * times. */
int64_t loop_last_stride(const LoopNest *nest, int position, Type x);
/* Whether vectors of so many elements begin at multiples of them in x too, read likewise, where it is of another size
 * than the node. */
bool loop_keeps_multiples(const LoopNest *nest, int position, Type x, int64_t elements);
/* Whether x, read likewise, differs from one reduced index to another, or from one kept index to another. */
bool loop_runs_along(const LoopNest *nest, int position, Type x, bool reduced);
/* Whether the loops run through x, read likewise, in the order in which it lies in memory, all of it once. */
bool loop_runs_through(const LoopNest *nest, int position, Type x);
/* The index in the last dimension of the node's type. */
const char *loop_last_index(Arena *a, const LoopNest *nest, int position);
/* Of an operator with places (Op.place): the condition `on` of its formula. */
const char *loop_on(Arena *a, const LoopNest *nest, int position);
/* Linear index over the loops from `first` to the last: where an inner accumulator or a kept value stands. */
char *loop_linear_index(Arena *a, const LoopNest *nest, int first);
/* The nest after a heavy operator: its "loops" are the C expressions for the position (row, col) of its result. */
LoopNest loops_of_epilogue(Arena *a, const Step *s, const char *row, const char *col);
int nest_position(const LoopNest *nest, const Node *n); /* -1: outside */

#endif
