/* SPDX-License-Identifier: MIT */
/* The walk back over a graph, from a loss to what it is differentiated by (differentiate.c), and what it does where it
 * meets a loop (loop_gradient.c). */
#ifndef NNC_DIFFERENTIATE_H
#define NNC_DIFFERENTIATE_H

#include "ir/loop.h"
#include "passes/pass.h"

/* Arrays are by id of the nodes that were there when the walk began; nodes that it makes come after them. */
typedef struct Walk {
	Graph *g;
	bool *trained;   /* a parameter reaches it */
	Node **gradient; /* what has been collected of dy */
	bool *reached;   /* by a way that no choice of a `select` cuts off */
	Node **stands_for; /* the node whose value it has, and which is not computed again; NULL: it is itself */
} Walk;

/* Of the nodes that are there; nothing is trained, nothing reached. */
Walk walk_over(Graph *g);
/* Adds to the gradient by `to`; part may be NULL. */
void walk_contribute(Walk *w, const Node *to, Node *part);
/* Visits nodes last - 1 ... first: each that has collected a gradient contributes to its operands. */
void walk_back(Walk *w, int first, int last);

/* Contributes to the operands of a loop whose results, which stand before node `last`, have collected their gradients:
 * appends a loop in the other direction. The loop then yields what that one reads of its periods. */
void loop_gradient(Walk *w, Node *loop, int last);

bool is_composite_without_gradient(const Node *n);

#endif
