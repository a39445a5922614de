/* Tensors along one axis, as rows; for the code generators of every target. The loops are in axis.c and
 * shape_cuda.c. */
#ifndef NNC_SHAPE_H
#define NNC_SHAPE_H

#include "ir/program.h"
#include "ir/op.h"

typedef struct Rows {
	int64_t outer, along, cols; /* `along` rows of `cols` elements in each of `outer` blocks */
} Rows;

/* Along the last axis a row is the axis itself. */
Rows rows_along(Type t, int64_t axis);
/* Elements of one step along the axis, in units of rows; only where the axis is not the last. */
int64_t rows_per_step(Type t, int64_t axis);
bool axis_is_last(const Node *n);
/* An operand of a concat: where it begins along the axis, and whether it is computed there
 * (program/place_pieces.c). */
typedef struct ConcatPiece {
	int64_t start, count;
	bool in_place;
} ConcatPiece;

/* By operand. */
const ConcatPiece *concat_pieces(Arena *a, const Program *p, const Node *n);
/* Of flip: the row `r`, or on the last axis the column `c`, that the one of that number is of x. */
char *axis_reversed(Arena *a, const Node *n);

/* roll.c */
/* The concat of x along the axis, where these are the two parts of one tensor the other way round: that moved; NULL. */
Node *roll_of_parts(Build *b, Node *const *x, int count, int64_t axis);
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
