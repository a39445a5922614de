/* SPDX-License-Identifier: MIT */
/* Terms of a sum, and pieces of a tensor, that are computed side by side. For passes/simplify.c. */
#ifndef NNC_JOIN_TERMS_H
#define NNC_JOIN_TERMS_H

#include "ir/graph.h"

typedef struct Joins Joins;

/* What the rules below look up in `g`, the graph that is rewritten. */
Joins *joins_of(Arena *a, const Graph *g);
/* n, an `add` of g, where it is a whole sum: of its terms the pads that lie side by side become one `concat`, the
 * products that sum over rows one of all rows, and the sums over rows likewise. Takes time proportional to the terms,
 * but for sorting. NULL: nothing to join. */
Node *join_terms(const Joins *j, Graph *to, const Node *n, Node **operands);
/* n, a `concat` of g: many slices of 1 along an inner axis that others read too become one after the other, as they are
 * computed, and a transposition of all. NULL: they are something else. */
Node *join_stack(const Joins *j, Graph *to, const Node *n, Node **operands);
/* n, a `concat` of g along the first axis: of two that have the same pieces but for one at each end, as the states
 * ahead of the steps of a sequence and after them, both are parts of one. NULL: it is no such. */
Node *join_windows(const Joins *j, Graph *to, const Node *n);
/* To be told of each node of g that is met, with its new operands. */
void joins_note(const Joins *j, const Node *n, Node **operands);

#endif
