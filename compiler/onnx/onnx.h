/* SPDX-License-Identifier: MIT */
/* The network of a prediction as nodes of ONNX, in text: what `export --format onnx` of a trainer makes its file of.
 *
 * A line is one of
 *   input NAME TYPE [DIMENSIONS]            of one sample; the batch is in front of them
 *   output NAME TYPE [DIMENSIONS] VALUE
 *   NAME = ints [..], NAME = reals [..]     constants; a single real is `NAME = real X`
 *   NAME = OP(NAME, ..) ATTRIBUTE=..        a node; attributes are `[1,2]`, `3`, or a real with a point or an exponent
 * and follows all nodes that it names. A loop (ir/loop.h) is a Scan, whose body stands ahead of it:
 *   body
 *   argument NAME                           of what is carried, then of each sequence; then the body's lines
 *   yield NAME TYPE [DIMENSIONS]            what is carried on, then what is stacked; 0: so many as the batch makes it
 *   NAME = Scan(NAME, ..) ATTRIBUTE=..      with results NAME.0, NAME.1 ..
 * The lines of a body name values outside of it as those outside do.
 * A name may be a tensor of the trainer's: `conv.weight`, or `filters conv.weight`
 * in PyTorch's order, which is ONNX's.
 *
 * Images have the channels first in ONNX. A value may be known in both orders: an operator that wants the channels
 * first asks for them (onnx_first), pointwise ones take the order that their operands have, and all else gets the plain
 * one, by a Transpose where that is not there yet. */
#ifndef NNC_ONNX_H
#define NNC_ONNX_H

#include "ir/graph.h"

typedef struct Onnx Onnx;

/* The lines of a model, *count of them, of two evaluation graphs of it that differ in their batch alone, which is at
 * least 2: what differs in them is the batch's, and what does not is a number. NULL with *why where an operator has no
 * form, or one that depends on the size of the batch. */
const char **onnx_lines(Arena *a, const Graph *evaluation, const Graph *of_other_batch, int *count,
                        const char **why);

/* ---- for the forms of operators (onnx/forms.h) */

const char *onnx_plain(Onnx *o, const Node *x); /* the name of its value in nnc's order */
const char *onnx_first(Onnx *o, const Node *x); /* of an image, channels first */
const char *onnx_filters(Onnx *o, const Node *w);
const char *onnx_ints(Onnx *o, const int64_t *values, int count);
const char *onnx_real(Onnx *o, double value); /* without dimensions */
const char *onnx_reals(Onnx *o, const double *values, int count);
/* `count` numbers as a node of its own, that a list in the text would make long; `by` is not 0. */
const char *onnx_range(Onnx *o, double first, double by, int64_t count);
/* The same of `by_batch` numbers for each sample of the batch. */
const char *onnx_range_of_batch(Onnx *o, double first, double by, int64_t by_batch);
/* Adds a node and gives its name; `attrs` as in a line, or "". */
const char *onnx_call(Onnx *o, const char *op, const char *attrs, int count, const char *const *operands);
char *onnx_list(Onnx *o, const int64_t *values, int count); /* "[1,2]" */
char *onnx_text(Onnx *o, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* How many times the batch dimension i of n is; 0: it is a number, n->type.dim[i]. */
int64_t onnx_batches(const Onnx *o, const Node *n, int i);
/* So many times the batch, as int64[1]. */
const char *onnx_batch(Onnx *o, int64_t times);
/* The value `x` in n's shape, for any batch: by Reshape, or by Expand from the shape of `from` (NULL: a number). */
const char *onnx_reshape(Onnx *o, const char *x, const Node *n);
const char *onnx_expand(Onnx *o, const char *x, const Node *from, const Node *n);

#endif
