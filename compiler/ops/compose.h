/* SPDX-License-Identifier: MIT */
/* Pieces that several families are written with: formulas over named nodes, reductions over the last dimension,
 * checks of operands, axes as the user counts them. */
#ifndef NNC_COMPOSE_H
#define NNC_COMPOSE_H

#include "ir/op.h"

typedef struct Term {
	const char *name;
	Node *value;
} Term;

enum { COMPOSE_TERMS = 24 };

/* compose(b, "(x - mean)*a", TERMS({"x", x}, {"mean", mean}, {"a", a})) */
#define TERMS(...) ((const Term[]){__VA_ARGS__, {0}})
Node *compose(Build *b, const char *formula, const Term *terms);

/* `sum` or `max` over the last dimension, or over one axis; the dimension stays as 1. */
Node *reduce_last(Build *b, const char *op, Node *x);
Node *reduce_axis(Build *b, const char *op, Node *x, int64_t axis);
/* The mean over the given axes, which stay as 1. */
Node *reduce_mean(Build *b, Node *x, const int64_t *axes, int count);
/* The mean over everything but the batch: f32[batch]. */
Node *mean_per_sample(Build *b, Node *x);
/* `x` with its last dimension, which is 1, dropped. */
Node *drop_last(Build *b, Node *x);
/* Indices x [...] as [..., classes], 1 at the index. */
Node *one_hot(Build *b, Node *x, int64_t classes);
Node *reshape_like(Build *b, Node *x, Type like); /* x itself when it has the type already */
/* x of every sample: a tensor without a batch, [1, ...], is repeated. x itself when it is of the batch. */
Node *build_batch(Build *b, Node *x);
/* x [n, ...] so many times, one after another: [times*n, ...]. x itself when it is once. */
Node *build_repeated(Build *b, Node *x, int64_t times);
/* Of several ranks: the numbers, f32[share], that this rank's rows have in the batch of `whole`. (ops/ranks.c) */
Node *rows_in_batch(Build *b, int64_t share, int64_t whole);
/* A tensor that is the same for all samples, a `param` or what is computed of some, given as the argument `weight` of a
 * call, in its shape, without a batch. NULL after a diagnostic. */
Node *call_weight(Call *c, int rank, const int64_t *dim);
/* y plus the bias of its last dimension, which begins as that of a layer with so many inputs; y itself where the
 * argument `bias` is false. */
Node *call_with_bias(Call *c, Node *y, int64_t fan_in);
Node *build_cast(Build *b, Node *x, DType to); /* x itself when it has the type already */

/* An axis of the call (0 is the first after the batch, -1 the last) as an axis of a graph tensor of rank `rank`.
 * False after a diagnostic at argument `name`. */
bool call_axis(Call *c, const char *name, int64_t given, int rank, int64_t *axis);
/* The operator along the argument `axis` of the argument `x`. NULL after a diagnostic. */
Node *call_along(Call *c, const char *op);

/* The input or target that x is, or that it was made a real of; NULL. */
const Node *declared_input(const Node *x);
/* Its classes, where it is declared as class[N]; else 0. */
int64_t declared_classes(const Node *x);
/* For messages: users count no batch. Operand i of a shape rule as "f32[12]", and the shape of one sample of t as
 * "[12]". */
char *operand_text(const Infer *in, int i);
char *sample_shape(Arena *a, Type t);
/* The shape and the elements of t, which has a batch where operand 0 has one, and the axis as the user counts them. */
char *user_shape(const Infer *in, Type t);
int64_t user_elements(const Infer *in, Type t);
int64_t user_axis(const Infer *in, int64_t axis);

/* Shape rules: operand i is of a real type; operands i and k agree in it. */
bool infer_real(Infer *in, int i);
bool infer_same_dtype(Infer *in, int i, int k);
/* All operands are real and of one type, or f32 and one 16-bit type mixed: then the result is 16 bits wide, since these
 * types say how a value is stored, and what is computed with is f32. */
bool infer_mixed(Infer *in, DType *result);
/* Operand i holds class indices or positions: i32 or u8. */
bool infer_integer(Infer *in, int i);
/* Integer attribute `name` is an axis of operand 0. */
bool infer_axis(Infer *in, const char *name, int64_t *axis);
/* Of an operator without operands, which says its shape itself: f32. */
bool infer_stated_shape(Infer *in);
bool infer_like(Infer *in, int i); /* the result has the type of operand i */

/* A dropout's rate as it is drawn: the nearest multiple of 2^-15, so that a random number is compared with it by
 * 15 bits (nnr_math.h). */
double dropout_share(double rate);

#endif
