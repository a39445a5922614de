/* SPDX-License-Identifier: MIT */
/* What is computed of constants alone: masks of indices, ones, tables of places. */
#ifndef NNC_KNOWN_H
#define NNC_KNOWN_H

#include "ir/graph.h"

/* Whether n is made of constants and of functions of the index, by pointwise operators and moves, in a few steps. */
bool node_is_known(const Node *n);
/* Its elements, in `a`. NULL: it is not known, there are too many, or an operator is not computed ahead (Op.fold). */
const double *known_values(Arena *a, const Node *n);

#endif
