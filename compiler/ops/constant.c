/* Constant tensors: values that are a function of the index, computed where they are read and never stored for it. What
 * the language calls arange, eye and causal_mask (front/constant.c). */
#include "emit/onnx.h"
#include "ops/compose.h"

/* An n x n matrix, in any shape of as many elements. */
static bool square_infer(Infer *in)
{
	if (!infer_stated_shape(in))
		return false;
	Type t = in->result;
	int64_t n = infer_int(in, "n");
	if (n >= 1 && type_elements(t) == n * n)
		return true;
	return infer_error(in, "shape-mismatch", "`%s` of %lld is no %s", in->op->name, (long long)n,
	                   shape_text(in->graph->arena, t));
}

static const char *const ramp_samples[] = {
        "shape=[1] first=0.0 by=1.0",         "shape=[2] first=0.0 by=1.0",
        "shape=[7] first=0.0 by=1.0",         "shape=[64] first=0.0 by=1.0",
        "shape=[1000] first=0.0 by=1.0",      "shape=[7] first=3.0 by=1.0",
        "shape=[7] first=-3.0 by=0.5",        "shape=[7] first=10.0 by=-1.0",
        "shape=[1,1] first=2.0 by=1.0",       "shape=[1,5] first=0.0 by=1.0",
        "shape=[1,9] first=0.25 by=0.25",     "shape=[5,1] first=0.0 by=1.0",
        "shape=[3,5] first=0.0 by=2.0",       "shape=[1,1,7] first=0.0 by=1.0",
        "shape=[1,7,1] first=1.0 by=1.0",     "shape=[2,3,5] first=0.0 by=1.0",
        "shape=[1,1,1,1] first=0.5 by=1.0",   "shape=[1,4,1,1] first=0.0 by=1.0",
        "shape=[2,3,3,4] first=0.0 by=0.125", "shape=[33,31] first=-512.0 by=1.0",
        "shape=[2,1,3,1,5] first=0.0 by=3.0", NULL,
};

#define SQUARES(N) \
	"n=" N " shape=[" N "," N "]", "n=" N " shape=[1," N "," N "]", "n=" N " shape=[1,1," N "," N "]"
static const char *const square_samples[] = {SQUARES("1"),  SQUARES("2"),  SQUARES("3"),
                                             SQUARES("4"),  SQUARES("5"),  SQUARES("7"),
                                             SQUARES("16"), SQUARES("33"), NULL};

/* ---- in ONNX */

static const char *ramp_onnx(Onnx *o, const Node *n, bool *channels_first)
{
	double first = node_real(n, "first"), by = node_real(n, "by");
	if (by == 0)
		return onnx_expand(o, onnx_real(o, first), NULL, n);
	int64_t numbers = 1, batches = 0;
	for (int i = 0; i < n->type.rank; i++) {
		const int64_t times = onnx_batches(o, n, i);
		batches = times ? times : batches;
		numbers *= times ? 1 : n->type.dim[i];
	}
	return onnx_reshape(o,
	                    batches ? onnx_range_of_batch(o, first, by, batches * numbers)
	                            : onnx_range(o, first, by, numbers),
	                    n);
}

/* 1 where the index of a column `compare`s with that of a row. */
static const char *square_onnx(Onnx *o, const Node *n, const char *compare)
{
	const char *index = onnx_range(o, 0, 1, node_int(n, "n")),
	           *rows[] = {index, onnx_ints(o, (int64_t[]){-1, 1}, 2)},
	           *pair[] = {index, onnx_call(o, "Reshape", "", 2, rows)},
	           *is = onnx_call(o, compare, "", 2, pair);
	return onnx_reshape(o, onnx_call(o, "Cast", "to=1", 1, &is), n);
}

static const char *lower_triangle_onnx(Onnx *o, const Node *n, bool *channels_first)
{
	return square_onnx(o, n, "LessOrEqual");
}

static const char *diagonal_onnx(Onnx *o, const Node *n, bool *channels_first)
{
	return square_onnx(o, n, "Equal");
}

const Op constant_ops[] = {
        {.name = "ramp",
         .signature = "-> y",
         .flags = OP_POINTWISE | OP_BY_ELEMENT | OP_CHEAP,
         .infer = infer_stated_shape,
         .expr = "first + by*i",
         .expr_flops = 2,
         .samples = ramp_samples,
         .onnx_node = ramp_onnx,
         .doc = "first, first + by, first + 2*by and so on: `arange` in a .net file."},
        {.name = "diagonal",
         .onnx_node = diagonal_onnx,
         .signature = "-> y",
         .flags = OP_POINTWISE | OP_BY_ELEMENT | OP_CHEAP,
         .infer = square_infer,
         .expr = "i % (n + 1) == 0 ? 1 : 0",
         .expr_flops = 2,
         .samples = square_samples,
         .doc = "The identity matrix of n rows: `eye(n)` in a .net file."},
        {.name = "lower_triangle",
         .onnx_node = lower_triangle_onnx,
         .signature = "-> y",
         .flags = OP_POINTWISE | OP_BY_ELEMENT | OP_CHEAP,
         .infer = square_infer,
         .expr = "i % n <= i/n ? 1 : 0",
         .expr_flops = 2,
         .samples = square_samples,
         .doc = "An n x n matrix of 1 on the diagonal and left of it, else 0: `causal_mask(n)` in a .net "
                "file."},
        {0},
};
