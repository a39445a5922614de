/* SPDX-License-Identifier: MIT */
/* Convolutions of images with few channels, forward and by the filters: how they are cut for a multiprocessor, and the
 * calls of runtime/cuda/nnr_image.h.
 *
 * Gives convolutions of images with few channels to kernels of our own: the first layer of a network on pictures.
 *
 * Of an image with 3 channels the libraries' kernels read 4 or 8, and their tiles along the depth of 7x7x3 are mostly
 * air. Times of ResNet-50's first layer, 64 filters of 7x7 with stride 2, in us (H200, 2026-11-22), without the sum of
 * the parts; those of the small images are of a prototype, with which a step at batch 128 took 2.4 % less in tf32 and
 * 7.3 % in bf16:
 *
 *                                        cuDNN: tf32   bf16    ours: tf32   bf16
 *     256x224x224x3, forward                    1646   1759           611    280
 *         weight gradient                       3042   1101           767    265
 *     128x32x32x3, forward                      26.3   27.6          12.0    9.2
 *         weight gradient                       34.7   29.5            15     11
 *
 * Their arithmetic is that of tensor cores, so fp32 stays what it is; dgrad too, which nothing asks for at the
 * first layer.
 *
 * A weight gradient becomes conv_wgrad_parts (kernels/conv_image.h) and a plain sum of these, which fuses as sums do.
 */
#include "base/checked.h"
#include "kernels/conv_image.h"
#include "codegen/expr.h"
#include "codegen/implementations.h"

enum {
	MOST_CHANNELS = 4,
	THREADS = 256,
	BLOCKS_AT_ONCE = 2,    /* on a multiprocessor: one waits for memory while the other computes */
	RESERVED_BYTES = 1024, /* of shared memory, by CUDA for each block */
	MOST_ROWS = 8,
	MOST_TAPS = 8 * 5 * 8 /* a block's warps have at most five products of eight taps each */
};

static int64_t round_up(int64_t x, int64_t multiple)
{
	return ceil_div(x, multiple) * multiple;
}

static int64_t larger(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* Filters of a block; the forward kernel fills fewer than a multiple of 16 up with zeros. */
static int64_t block_filters(const ConvShape *s)
{
	return s->filters % 64 == 0   ? 64
	       : s->filters % 32 == 0 ? 32
	       : s->filters % 16 == 0 ? 16
	                              : round_up(s->filters, 16);
}

/* A thread stores four neighbours. */
static bool takes_filters(const ConvShape *s, bool gradient)
{
	return s->filters % 16 == 0 || (!gradient && s->filters % 4 == 0 && s->filters < 64);
}

static int64_t image_rows(const ConvShape *s, int64_t rows)
{
	return (rows - 1) * s->win.stride[0] + s->win.size[0];
}

/* NnrForward::BYTES of nnr_image.h, which the kernel compares with it. */
static int64_t forward_bytes(const ConvShape *s, DType dtype, int64_t rows)
{
	const Window *w = &s->win;
	int64_t bytes = dtype_bytes(dtype), line = w->size[1] * s->channels,
	        step = w->stride[1] * s->channels;
	int64_t chunk = 8 / bytes, needed = ceil_div(line, chunk), fours = round_up(needed, 4);
	int64_t chunks = 10 * fours <= 11 * needed ? fours : needed;
	int64_t steps = ceil_div(w->size[0] * chunks, 4), copies = step % 2 == 0 || bytes == 4 ? 1 : 2;
	int64_t row = round_up(
	        larger((w->pad[1] + w->in[1]) * s->channels, (w->out[1] - 1) * step + chunks * chunk) + 1, 4);
	int64_t copy = round_up(image_rows(s, rows) * row + 1, 8);
	return steps * block_filters(s) * 32 + round_up(copies * copy * bytes, 16);
}

/* NnrGradient::BYTES, likewise. */
static int64_t gradient_bytes(const ConvShape *s, DType dtype, int64_t rows)
{
	const Window *w = &s->win;
	int64_t bytes = dtype_bytes(dtype), vector = 16 / bytes, line = w->size[1] * s->channels;
	int64_t pixels = round_up(w->out[1], 32 / bytes), border = w->pad[1] * s->channels;
	int64_t begin = round_up(border, vector), step = w->stride[1] * s->channels;
	int64_t row = round_up(
	        larger(begin + w->in[1] * s->channels, begin - border + (pixels - 1) * step + line), vector);
	int64_t tile = (rows * pixels * (block_filters(s) + 8) + image_rows(s, rows) * row) * bytes;
	return larger(tile, block_filters(s) * round_up(w->size[0] * line, 8) * (int64_t)sizeof(float));
}

static int64_t bytes_of(const ConvShape *s, DType dtype, bool gradient, int64_t rows)
{
	return (gradient ? gradient_bytes : forward_bytes)(s, dtype, rows);
}

/* Whether there is a kernel for the shape, x and w (or dy) being of type `dtype`, and how it is cut. Without groups and
 * dilation, of at most four channels. */
static bool conv_image_plan(const ConvShape *s, DType dtype, bool gradient, const Target *t,
                            ConvImagePlan *plan)
{
	Arch arch = target_arch(t);
	int64_t at_once = arch.multiprocessors * BLOCKS_AT_ONCE,
	        filter_tiles = ceil_div(s->filters, block_filters(s));
	int64_t rows = MOST_ROWS, most = arch.shared_bytes / BLOCKS_AT_ONCE - RESERVED_BYTES;
	if (!takes_filters(s, gradient) || s->win.size[0] * s->win.size[1] * s->channels > MOST_TAPS)
		return false;
	while (rows > 1 && (rows >= 2 * s->win.out[0] || bytes_of(s, dtype, gradient, rows) > most ||
	                    s->batch * conv_image_tiles(s, rows) * filter_tiles < 2 * at_once))
		rows /= 2;
	int64_t tiles = s->batch * conv_image_tiles(s, rows), blocks = larger(at_once / filter_tiles, 1);
	*plan = (ConvImagePlan){.rows = rows, .blocks = tiles < blocks ? tiles : blocks};
	return bytes_of(s, dtype, gradient, rows) <= arch.shared_bytes;
}

static bool is_gradient(const Node *n)
{
	return n->op->gemm != GEMM_FPROP;
}

static int64_t shared_of(const Node *n)
{
	const ConvShape s = conv_shape(n);
	return bytes_of(&s, n->operands[0]->type.dtype, is_gradient(n), node_int(n, "rows"));
}

static int64_t threads_of(const Node *n)
{
	const ConvShape s = conv_shape(n);
	return THREADS * node_int(n, is_gradient(n) ? "parts" : "blocks") *
	       ceil_div(s.filters, block_filters(&s));
}

/* The type of the convolution, and its shared memory, the size of which the runtime's header knows too. */
static void write_shape(KernelText *k, const Node *n, const char *layout)
{
	const ConvShape s = conv_shape(n);
	const Window *w = &s.win;
	code_note(k->code,
	          "images, height, width, channels; filters, window; result, stride, border; rows of a tile");
	code_type(k->code, "Image",
	          "NnrImage<%s, %lld, %lld, %lld, %lld, %lld, %lld, %lld, %lld, %lld, %lld, %lld, "
	          "%lld, %lld, %lld>",
	          dtype_c_name(n->operands[0]->type.dtype), (long long)s.batch, (long long)w->in[0],
	          (long long)w->in[1], (long long)s.channels, (long long)s.filters, (long long)w->size[0],
	          (long long)w->size[1], (long long)w->out[0], (long long)w->out[1], (long long)w->stride[0],
	          (long long)w->stride[1], (long long)w->pad[0], (long long)w->pad[1],
	          (long long)node_int(n, "rows"));
	code_do(k->code, "NNR_CHIP(chip, %lld)", (long long)shared_of(n));
	code_do(k->code, "static_assert(%s<Image>::BYTES == %lld, \"what the launch asks for\")", layout,
	        (long long)shared_of(n));
}

static void emit_fprop(KernelText *k, const Node *n)
{
	write_shape(k, n, "NnrForward");
	code_scope(k->code, ");",
	           "nnr_image_forward<Image, %lld, %s>(chip, x, w, [&](int64_t row, int col, const float "
	           "*value)",
	           (long long)node_int(n, "blocks"), kernel_operand_aligned(k, 0, 4) ? "true" : "false");
	kernel_vector_epilogue(k, 4, "row", "col", "value[u]");
	code_close(k->code, 1);
}

static void emit_wgrad(KernelText *k, const Node *n)
{
	int vector = 16 / (int)dtype_bytes(n->operands[0]->type.dtype);
	bool vectors = kernel_operand_aligned(k, 0, vector) && kernel_operand_aligned(k, 1, vector);
	write_shape(k, n, "NnrGradient");
	code_do(k->code, "nnr_image_gradient<Image, %lld, %s>(chip, x, dy, dw)",
	        (long long)node_int(n, "parts"), vectors ? "true" : "false");
}

/* ---- the implementation */

static bool is_image(const Region *r, const ConvShape *s)
{
	const Window *w = &s->win;
	int64_t from = r->target->conv_images_from, pixels = s->batch * w->out[0] * w->out[1];
	return s->groups == 1 && w->dilation[0] == 1 && w->dilation[1] == 1 && s->channels <= MOST_CHANNELS &&
	       pixels >= from;
}

static bool plan_of(const Region *r, ConvImagePlan *plan)
{
	const DType dtype = r->root->operands[0]->type.dtype;
	if (r->target->conv_images_from == 0 || !dtype_on_tensor_cores(dtype, r->tf32))
		return false;
	const ConvShape s = conv_shape(r->root);
	return is_image(r, &s) &&
	       conv_image_plan(&s, dtype, r->root->op->gemm == GEMM_WGRAD, r->target, plan);
}

static bool image_fits(const Region *r)
{
	ConvImagePlan plan;
	return (r->root->op->gemm == GEMM_FPROP || r->root->op->gemm == GEMM_WGRAD) && plan_of(r, &plan);
}

/* The table above. */
static double image_cost(const Region *r)
{
	return 0.4 * region_us(r);
}

static Node *offer_image(PassContext *ctx, Graph *to, const Node *n, Node **operands)
{
	const bool wgrad = n->op->gemm == GEMM_WGRAD;
	ConvImagePlan plan;
	const Region r = region_of(ctx, n, NULL);
	require(plan_of(&r, &plan));
	const char *cut = wgrad ? arena_printf(to->arena, "%lld parts", (long long)plan.blocks)
	                        : arena_printf(to->arena, "%lld blocks", (long long)plan.blocks);
	pass_remark(ctx, "%s: %s: a kernel of our own for %s: %lld rows at a time, in %s",
	            sites_text(to->arena, n->sites, 3),
	            graph_phase_name(to, wgrad ? PHASE_BACKWARD : PHASE_FORWARD), n->op->name,
	            (long long)plan.rows, cut);
	return conv_in_tiles(to, n, operands, plan.rows, plan.blocks);
}

static CudaLaunch emit_image(KernelText *k, const Node *n)
{
	(n->op->gemm == GEMM_FPROP ? emit_fprop : emit_wgrad)(k, n);
	return (CudaLaunch){.blocks = ceil_div(threads_of(n), THREADS),
	                    .threads = THREADS,
	                    .shared_bytes = shared_of(n),
	                    .per_multiprocessor = BLOCKS_AT_ONCE,
	                    .tensor_cores = true};
}

static const char *const operators[] = {"conv_wgrad_parts", NULL};

const Implementation implementation_image = {
        .name = "image",
        .doc = "convolutions of images with few channels, and their weight gradients, on tensor cores",
        .operators = operators,
        .flags = IMPL_TENSOR_CORES | IMPL_BATCH | IMPL_OPTIONAL | IMPL_ON_GPU,
        .fits = image_fits,
        .cost = image_cost,
        .offer = offer_image,
        .emit = emit_image,
        .header = "cuda/nnr_image.h",
};
