/* SPDX-License-Identifier: MIT */
/* Constant tensors: values that are a function of the index, computed where they are read and never stored for it. What
 * the language calls arange, eye and causal_mask (front/constant.c). */
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

static void ramp_values(const Node *n, int64_t count, double *y)
{
	const double first = node_real(n, "first"), by = node_real(n, "by");
	for (int64_t i = 0; i < count; i++)
		y[i] = first + by * (double)i;
}

static void diagonal_values(const Node *n, int64_t count, double *y)
{
	const int64_t side = node_int(n, "n");
	for (int64_t i = 0; i < count; i++)
		y[i] = i % side == i / side;
}

static void lower_triangle_values(const Node *n, int64_t count, double *y)
{
	const int64_t side = node_int(n, "n");
	for (int64_t i = 0; i < count; i++)
		y[i] = i % side <= i / side;
}

const Op constant_ops[] = {
        {.name = "ramp",
         .fold_all = ramp_values,
         .signature = "-> y",
         .flags = OP_POINTWISE | OP_BY_ELEMENT | OP_CHEAP | OP_WIDENS,
         .infer = infer_stated_shape,
         .expr = "first + by*i",
         .expr_flops = 2,
         .samples = ramp_samples,
         .doc = "first, first + by, first + 2*by and so on: `arange` in a .net file."},
        {.name = "diagonal",
         .fold_all = diagonal_values,
         .signature = "-> y",
         .flags = OP_POINTWISE | OP_BY_ELEMENT | OP_CHEAP,
         .infer = square_infer,
         .expr = "i % (n + 1) == 0 ? 1 : 0",
         .expr_flops = 2,
         .samples = square_samples,
         .doc = "The identity matrix of n rows: `eye(n)` in a .net file."},
        {.name = "lower_triangle",
         .fold_all = lower_triangle_values,
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
