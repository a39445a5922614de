/* SPDX-License-Identifier: MIT */
/* Where the elements of a node are in its operands, if it moves them or broadcasts. */
#ifndef NNC_VIEW_H
#define NNC_VIEW_H

#include "ir/graph.h"

/* The element at an index is the operand's element offset + the sum of index[d]*stride[d]. With an axis it is so from
 * `from` on and below `end`; elsewhere it is another operand's, or 0 where it is none's. */
typedef struct View {
	int64_t offset, stride[LIMIT_RANK]; /* in elements */
	int axis;                           /* -1: all is of the operand */
	int64_t from, end;
} View;

/* Whether it is a reshape or has a Move. */
bool node_moves(const Node *n);
/* Of a node that moves elements, or of a pointwise one. */
View view_of(const Node *n, int operand);
/* Writes those of the first `count` elements of n that are the operand's to y. The operand has the values x. */
void view_read(const Node *n, int operand, int64_t count, const double *x, double *y);
/* The shape of what is broadcast to `wide`, beside the same elements as `as`; false: it has some indices of a group of
 * dimensions that `as` has in another way, and not all. */
bool shape_beside(Type x, Type wide, Type as, int64_t dim[]);

#endif
