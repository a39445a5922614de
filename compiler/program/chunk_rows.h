/* SPDX-License-Identifier: MIT */
/* Steps of some rows of a matrix, and those that go through one by rows: see chunk_rows.c. Private to codegen/. */
#ifndef NNC_CHUNK_ROWS_H
#define NNC_CHUNK_ROWS_H

#include "codegen/loops.h"

/* A product of two matrices by the library, with nothing after it and no kernel of ours beside it. */
bool step_is_product(const Step *s);
/* A kernel of two loops, rows and the elements of a row, each a dimension of the tensors. */
bool step_is_of_rows(const Step *s);
/* Of a step of some rows: how many elements of buffer b, one of its tensors, stand before the first that it takes. */
int64_t step_rows_from(Arena *a, const Program *p, const Step *s, const Target *target, const Buffer *b);

#endif
