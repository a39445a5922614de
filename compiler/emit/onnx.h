/* The network of a prediction as nodes of ONNX, in text: what `export --format onnx` of a trainer makes its file of.
 *
 * A line is one of
 *   input NAME TYPE [DIMENSIONS]            of one sample; the batch is in front of them
 *   output NAME TYPE [DIMENSIONS] VALUE
 *   NAME = ints [..], NAME = reals [..]     constants; a single real is `NAME = real X`
 *   NAME = OP(NAME, ..) ATTRIBUTE=..        a node; attributes are `[1,2]`, `3`, or a real with a point or an exponent
 * and follows all nodes that it names; in generated code they are folded (emit/fold_lines.h).
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

/* The lines of a model, *count of them; NULL with *why where an operator has no form. */
const char **onnx_lines(Arena *a, const Graph *evaluation, int *count, const char **why);

/* ---- for the records of operators (Op.onnx_node) */

const char *onnx_plain(Onnx *o, const Node *x); /* the name of its value in nnc's order */
const char *onnx_first(Onnx *o, const Node *x); /* of an image, channels first */
const char *onnx_filters(Onnx *o, const Node *w);
const char *onnx_ints(Onnx *o, const int64_t *values, int count);
const char *onnx_real(Onnx *o, double value); /* without dimensions */
const char *onnx_reals(Onnx *o, const double *values, int count);
/* `count` numbers as a node of its own, that a list in the text would make long; `by` is not 0. */
const char *onnx_range(Onnx *o, double first, double by, int64_t count);
/* Adds a node of up to four operands and gives its name; `attrs` as in a line, or "". */
const char *onnx_call(Onnx *o, const char *op, const char *attrs, int count, const char *const *operands);
char *onnx_list(Onnx *o, const int64_t *values, int count); /* "[1,2]" */
char *onnx_text(Onnx *o, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* n's shape as ints; the batch in front is `batch` (-1: what is left, 1: as it broadcasts). */
const char *onnx_shape(Onnx *o, const Node *n, int64_t batch);

#endif
