/* SPDX-License-Identifier: MIT */
/* Matrices of one row in loops, as vectors. */
#ifndef NNC_ROW_LOOP_H
#define NNC_ROW_LOOP_H

#include "ir/loop.h"

/* The body, in which what is carried as [batch, 1, n] is carried as [batch, n], and computed so as far as that goes.
 * The body itself where nothing is. */
const Graph *loop_of_vectors(Arena *a, const Graph *body, const Loop *l);

#endif
