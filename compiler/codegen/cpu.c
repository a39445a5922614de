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
#include "ops/conv.h"
#include "ops/op.h"
#include "ops/matmul.h"
#include "codegen/implementation.h"
#include "codegen/library.h"

enum { NARROW = 16, DEEP = 64, FEW_CHANNELS = 16, MIDDLE_PIXELS = 4, MANY_PIXELS = 16 };

static bool library_wins_matmul(const Node *n)
{
	MatmulShape s;
	matmul_shape(n, &s);
	return (s.m <= NARROW || s.n <= NARROW) && s.k >= DEEP;
}

static bool library_wins_conv(const Node *n)
{
	ConvShape s;
	conv_shape(n, &s);
	int64_t pixels = s.win.out[0] * s.win.out[1], taps = s.win.size[0] * s.win.size[1];
	if (s.groups > 1 || s.channels < FEW_CHANNELS)
		return true;
	if (n->op->gemm == GEMM_WGRAD)
		return pixels >= MANY_PIXELS && s.win.stride[0] == 1 && s.win.stride[1] == 1;
	return pixels >= (taps > 1 ? MIDDLE_PIXELS : MANY_PIXELS);
}

static bool onednn_fits(const PassContext *ctx, const Node *n)
{
	const Target *t = ctx->target;
	if (t->dialect != DIALECT_C || !t->library_present || t->library == LIBRARY_NONE || !n->op->dnn ||
	    n->type.dtype != DTYPE_F32)
		return false;
	return t->library == LIBRARY_ONEDNN ||
	       (n->op->gemm == GEMM_PRODUCT ? library_wins_matmul(n) : library_wins_conv(n));
}

static const char *onednn_library(const Node *n, const Target *t)
{
	return "oneDNN";
}

const Implementation implementation_onednn = {
        .name = "onednn",
        .doc = "a call of oneDNN",
        .flags = IMPL_CALL,
        .fits = onednn_fits,
        .library = onednn_library,
        .emit = library_emit,
};

const Target target_cpu = {
        .name = "cpu",
#ifdef NNC_ONEDNN
        .library_present = true,
#endif
};
