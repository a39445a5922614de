/* SPDX-License-Identifier: MIT */
/* C text of pointwise formulas. Private to codegen/. */
#ifndef NNC_EXPR_H
#define NNC_EXPR_H

#include "ir/op.h"

/* What the free words of a formula stand for. */
typedef struct ExprWords {
	const char *const *operands; /* C text by operand */
	const char *index, *last;    /* of OP_INDEXED formulas: `i` and `c`; NULL when unused */
	const char *on;              /* of operators with places: `on` */
	const char *stream;          /* of OP_SEEDED ones: `stream`; NULL: its number */
	bool in_double;              /* whatever the node's type: scalar arithmetic ahead of the loops */
} ExprWords;

/* The node's formula with everything replaced: operands, attributes, indices, functions and literals of its type. */
char *expr_text(Arena *a, const Node *n, const ExprWords *words);
/* How often operand i stands in the formula. */
int expr_mentions(Arena *a, const Node *n, int i);
/* An identifier or a number, which needs no brackets. */
bool is_c_word(const char *text);
/* Without the brackets around all of it, which a place between other brackets or commas does not need. */
const char *without_brackets(Arena *a, const char *text);
/* A literal of the type: 0.5 -> "0.5f"; integers without a point. */
char *c_number(Arena *a, double value, bool in_double);
const char *dtype_c_name(DType d);       /* of a tensor in memory: "float", in CUDA also "NnrBf16" */
const char *dtype_runtime_name(DType d); /* "NNR_F32", of nnr.h */
const char *dtype_value_name(DType d);   /* of a value: 16-bit types are computed with as "float" */

#endif
