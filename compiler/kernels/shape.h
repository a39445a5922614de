/* SPDX-License-Identifier: MIT */
/* The loops of what moves elements, and tensors along one axis as rows: shape_cpu.c, shape_cuda.c. */
#ifndef NNC_KERNELS_SHAPE_H
#define NNC_KERNELS_SHAPE_H

#include "codegen/kernel.h"
#include "codegen/op_loops.h"
#include "ops/shape.h"

typedef struct Rows {
	int64_t outer, along, cols; /* `along` rows of `cols` elements in each of `outer` blocks */
} Rows;

/* Along the last axis a row is the axis itself. */
Rows rows_along(Type t, int64_t axis);
/* Elements of one step along the axis, in units of rows; only where the axis is not the last. */
int64_t rows_per_step(Type t, int64_t axis);
bool axis_is_last(const Node *n);
/* Of flip: the row `r`, or on the last axis the column `c`, that the one of that number is of x. */
char *axis_reversed(Arena *a, const Node *n);
/* Of a node roll: the row, or column, of x that row `row`, or column, of the result is. */
char *roll_row(Arena *a, const Node *n, const char *row);
char *roll_column(Arena *a, const Node *n, const char *column);

/* shape_cuda.c */
void roll_emit_cuda(KernelText *k, const Node *n);
void transpose_emit_cuda(KernelText *k, const Node *n);
void concat_emit_cuda(KernelText *k, const Node *n);
void pad_emit_cuda(KernelText *k, const Node *n);
void flip_emit_cuda(KernelText *k, const Node *n);

#endif
