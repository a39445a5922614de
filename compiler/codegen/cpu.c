/* SPDX-License-Identifier: MIT */
/* The CPU target: which heavy operators go to oneDNN and which to generated loops.
 *
 * The rule is measured (bench/results/2026-11-20-cpu-kernels.txt, one Zen 4 core with AVX-512, both ways of computing
 * each shape, oneDNN's reorders included):
 *
 *   - on images of 4x4 and more (2x2 where the window has several taps) oneDNN's convolutions are 10 to 50 % faster,
 *     several times with few channels; below, where weights outweigh the image, loops are up to 5 times faster, and
 *     their dgrad skips the taps that only meet the border
 *   - a weight gradient with strides, or on small images, is faster in loops
 *   - matrix products are 12 to 17 % faster in oneDNN, but loops take the epilogue, which saves a pass over the
 *     result; a deep product with a narrow result is up to twice as fast in oneDNN
 *   - groups are loops over small products, where oneDNN has kernels about 4 times faster; a step of a network of
 *     depthwise convolutions (loops of their own) takes about half the time in oneDNN
 *   - batchnorm takes the same in loops, 4 % less forward, from 2 % less to 6 % more backward, with the residual
 *     additions and sums of gradients in them that would be passes of their own after a call; so does pooling, with
 *     the mask of the ReLU before it, 31 % less forward and 20 % more backward, except for windows that overlap: 2 to 3
 *     times the time, and 0.1 % of a step (bench/results/2026-11-22-cpu-norms.txt) */
#include "ops/attention.h"
#include "codegen/op_loops.h"
#include "ops/conv.h"
#include "ir/op.h"
#include "ops/matmul.h"
#include "codegen/dialect.h"
#include "codegen/implementations.h"
#include "codegen/library.h"

enum { NARROW = 16, DEEP = 64, FEW_CHANNELS = 16, MIDDLE_PIXELS = 4, MANY_PIXELS = 16 };

/* Of a product 0.85 at most, but loops take the epilogue, which saves a pass over the result. */
static double cost_of_matmul(const Node *n)
{
	MatmulShape s;
	matmul_shape(n, &s);
	return (s.m <= NARROW || s.n <= NARROW) && s.k >= DEEP ? 0.6 : 1.1;
}

static double cost_of_conv(const Node *n)
{
	const ConvShape s = conv_shape(n);
	const int64_t pixels = s.win.out[0] * s.win.out[1], taps = s.win.size[0] * s.win.size[1];
	if (s.groups > 1 || s.channels < FEW_CHANNELS)
		return 0.5;
	if (n->op->gemm == GEMM_WGRAD && (s.win.stride[0] > 1 || s.win.stride[1] > 1))
		return 1.3;
	const int64_t from = taps > 1 && n->op->gemm != GEMM_WGRAD ? MIDDLE_PIXELS : MANY_PIXELS;
	return pixels >= from ? 0.8 : 2;
}

/* oneDNN (2.6 with AVX2, at least) takes every other pixel of a 1x1 convolution to a buffer that holds as many channels
 * as there are, and writes them by blocks of eight: where they are no multiple, its weight gradient goes beyond it. */
static bool overruns(const Node *n)
{
	enum { BLOCK = 8 };
	if (n->op->gemm != GEMM_WGRAD)
		return false;
	const ConvShape s = conv_shape(n);
	return s.win.size[0] * s.win.size[1] == 1 && (s.win.stride[0] > 1 || s.win.stride[1] > 1) &&
	       s.channels / s.groups % BLOCK != 0;
}

static bool onednn_fits(const Region *r)
{
	const Target *t = r->target;
	return t->library_present && t->library != LIBRARY_NONE && op_loops(r->root->op)->dnn &&
	       r->root->type.dtype == DTYPE_F32 && !overruns(r->root);
}

static double onednn_cost(const Region *r)
{
	if (r->target->library == LIBRARY_ONEDNN) /* it is asked for */
		return 0;
	return r->root->op->gemm == GEMM_PRODUCT ? cost_of_matmul(r->root) : cost_of_conv(r->root);
}

static const char *onednn_library(const Node *n, const Target *t)
{
	return "oneDNN";
}

static CudaLaunch onednn_emit(KernelText *k, const Node *n)
{
	library_call(k, n, "NnrDnn", op_loops(n->op)->dnn, NULL);
	return (CudaLaunch){0};
}

const Implementation implementation_onednn = {
        .name = "onednn",
        .doc = "a call of oneDNN",
        .flags = IMPL_CALL | IMPL_ON_CPU,
        .fits = onednn_fits,
        .cost = onednn_cost,
        .library = onednn_library,
        .emit = onednn_emit,
};

const Target target_cpu = {
        .name = "cpu",
        .dialect = &dialect_c,
        .epilogues = OP_EPILOGUE,
        .attention_places = ATTENTION_CPU_PLACES,
        .library_note = " * Instances share nothing: several threads may use several at once. */\n",
        .product_shape = "NnrMatmulShape",
        .ranks_library = "MPI",
        .ranks_prefix = "nnr_rank_",
#ifdef NNC_ONEDNN
        .library_present = true,
#endif
};
