/* SPDX-License-Identifier: MIT */
/* Recurrences: the periods of an unrolled loop over time as one kernel.
 *
 * A period begins with a product by a matrix that is the same in every period; maps follow, and perhaps more products.
 * All of it goes row by row, a row being a sample, so that a group of rows is computed from the first period to the
 * last by one cluster of blocks (runtime/cuda/nnr_recurrence.h). Results of [rows, columns] are seen as parts of
 * `units` columns; a block owns the same `own` units of every part. Private to codegen/. */
#ifndef NNC_RECURRENCE_H
#define NNC_RECURRENCE_H

#include "ir/program.h"
#include "ops/matmul.h"
#include "target/target.h"

enum {
	RECURRENCE_ROWS = 16,
	RECURRENCE_THREADS = 256,
	VECTOR_BYTES = 16, /* of a thread's longest load, whose address is a multiple of it */
};

typedef struct RecurrenceShape {
	int64_t rows, units, own;
	int blocks; /* of a cluster */
} RecurrenceShape;

/* Of steps that the pass has marked. */
RecurrenceShape recurrence_shape(const Program *p, const Recurrence *r);
/* By position in a period: whether the blocks of a cluster meet ahead of that step, which reads what other blocks have
 * written since they met. In `a`. */
const bool *recurrence_meetings(Arena *a, const Program *p, const Recurrence *r);
/* The matrix of all columns of a period that the buffer is part of, or itself. */
const Buffer *recurrence_matrix(const Buffer *b, int64_t rows);
/* By buffer, of such matrices: whether a step reads more of one than the columns that its block owns. In `a`. */
const bool *recurrence_exchanges(Arena *a, const Program *p, const Recurrence *r);
/* How a map's node reads an operand, where that is by the columns that it is at itself, in one part of `units` or
 * another: elements from row to row (0: all rows have the same), and how many parts there are up to the last that it
 * reads. False: otherwise. */
bool recurrence_strides(const RecurrenceShape *shape, const Node *n, const Node *x, int64_t *row,
                        int64_t *parts);
/* Whether the step is a product of one; else it is a map. */
bool recurs_as_product(const Step *s);
/* A matrix as such a product reads or writes it: the elements from row to row. */
int64_t recurrence_pitch(const Program *p, const Node *matrix, int64_t columns);
/* Shared memory of a block for the elements that it owns of a tensor. */
int64_t recurrence_owned_bytes(const RecurrenceShape *shape, Type t);
/* Whether the step puts columns side by side. */
bool recurs_as_concat(const Step *s);
/* Shared memory of a block for a product, in bytes; `tensor_cores`: they multiply. */
int64_t recurrent_product_bytes(const RecurrenceShape *shape, const Node *product, bool tensor_cores);
/* Of that, the rows that it multiplies: once more where other blocks write those of the next period meanwhile. */
int64_t recurrent_rows_bytes(const Node *product, bool tensor_cores);
/* Whether tensor cores multiply its operands. */
bool recurrent_tensor_cores(const Node *product, bool tf32);

#endif
