/* Convolutions of images with few channels, forward and by the filters: how they are cut for a multiprocessor, and the
 * calls of runtime/cuda/nnr_image.h. */
#include "base/checked.h"
#include "ops/conv_image.h"
#include "codegen/expr.h"
#include "codegen/kernel.h"

enum {
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

/* Filters of a block. */
static int64_t block_filters(const ConvShape *s)
{
	return s->filters % 64 == 0 ? 64 : s->filters % 32 == 0 ? 32 : 16;
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

bool conv_image_plan(const ConvShape *s, DType dtype, bool gradient, const Target *t, ConvImagePlan *plan)
{
	Arch arch = target_arch(t);
	int64_t at_once = arch.multiprocessors * BLOCKS_AT_ONCE, filter_tiles = s->filters / block_filters(s);
	int64_t rows = MOST_ROWS, most = arch.shared_bytes / BLOCKS_AT_ONCE - RESERVED_BYTES;
	if (s->filters % 16 != 0 || s->win.size[0] * s->win.size[1] * s->channels > MOST_TAPS)
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
	return !node_is(n, "conv");
}

int64_t conv_image_shared(const Node *n)
{
	ConvShape s;
	conv_shape(n, &s);
	return bytes_of(&s, n->operands[0]->type.dtype, is_gradient(n), node_int(n, "rows"));
}

int64_t conv_image_threads(const Node *n)
{
	ConvShape s;
	conv_shape(n, &s);
	return THREADS * node_int(n, is_gradient(n) ? "parts" : "blocks") * (s.filters / block_filters(&s));
}

/* The type of the convolution, and its shared memory, the size of which the runtime's header knows too. */
static void write_shape(KernelText *k, const Node *n, const char *layout)
{
	ConvShape s;
	conv_shape(n, &s);
	const Window *w = &s.win;
	write_line(k->w, "/* images, height, width, channels; filters, window; result, stride, border; rows "
	                 "of a tile */");
	write_line(k->w,
	           "typedef NnrImage<%s, %lld, %lld, %lld, %lld, %lld, %lld, %lld, %lld, %lld, %lld, %lld, "
	           "%lld, %lld, %lld> Image;",
	           dtype_c_name(n->operands[0]->type.dtype), (long long)s.batch, (long long)w->in[0],
	           (long long)w->in[1], (long long)s.channels, (long long)s.filters, (long long)w->size[0],
	           (long long)w->size[1], (long long)w->out[0], (long long)w->out[1], (long long)w->stride[0],
	           (long long)w->stride[1], (long long)w->pad[0], (long long)w->pad[1],
	           (long long)node_int(n, "rows"));
	write_line(k->w, "NNR_CHIP(chip, %lld);", (long long)conv_image_shared(n));
	write_line(k->w, "static_assert(%s<Image>::BYTES == %lld, \"what the launch asks for\");", layout,
	           (long long)conv_image_shared(n));
}

void conv_image_fprop_emit_cuda(KernelText *k, const Node *n)
{
	write_shape(k, n, "NnrForward");
	write_line(k->w,
	           "nnr_image_forward<Image, %lld, %s>(chip, x, w, [&](int64_t row, int col, const float "
	           "*value) {",
	           (long long)node_int(n, "blocks"), kernel_operand_aligned(k, 0, 4) ? "true" : "false");
	write_indent(k->w, 1);
	kernel_epilogue4(k, "row", "col", "value[u]");
	write_indent(k->w, -1);
	write_line(k->w, "});");
}

void conv_image_wgrad_emit_cuda(KernelText *k, const Node *n)
{
	int vector = 16 / (int)dtype_bytes(n->operands[0]->type.dtype);
	bool vectors = kernel_operand_aligned(k, 0, vector) && kernel_operand_aligned(k, 1, vector);
	write_shape(k, n, "NnrGradient");
	write_line(k->w, "nnr_image_gradient<Image, %lld, %s>(chip, x, dy, dw);",
	           (long long)node_int(n, "parts"), vectors ? "true" : "false");
}
