/* SPDX-License-Identifier: MIT */
/* Of operators that move elements: what a concat is made of, and two parts of a tensor the other way round. */
#ifndef NNC_SHAPE_H
#define NNC_SHAPE_H

#include "ir/program.h"
#include "ir/op.h"

/* An operand of a concat: where it begins along the axis, and whether it is computed there
 * (program/place_pieces.c). */
typedef struct ConcatPiece {
	int64_t start, count;
	bool in_place;
} ConcatPiece;

/* By operand. */
const ConcatPiece *concat_pieces(Arena *a, const Program *p, const Node *n);

/* roll.c */
/* The concat of x along the axis, where these are the two parts of one tensor the other way round: that moved; NULL. */
Node *roll_of_parts(Build *b, Node *const *x, int count, int64_t axis);

#endif
