/* SPDX-License-Identifier: MIT */
/* Terms of a sum that are computed side by side. For passes/simplify.c. */
#ifndef NNC_JOIN_TERMS_H
#define NNC_JOIN_TERMS_H

#include "ir/graph.h"

typedef struct Joins Joins;

/* What the rule below looks up in `g`, the graph that is rewritten. */
Joins *joins_of(Arena *a, const Graph *g);
/* n, an `add` of g, where it is a whole sum: of its terms the pads that lie side by side become one `concat`, the
 * products that sum over rows one of all rows, and the sums over rows likewise. Takes time proportional to the terms,
 * but for sorting. NULL: nothing to join. */
Node *join_terms(const Joins *j, Graph *to, const Node *n, Node **operands);

#endif
