/* SPDX-License-Identifier: MIT */
/* Depthwise convolutions on CUDA, forward and by both operands: how they are cut, the calls of
 * runtime/cuda/nnr_depthwise.h, and the implementation `depthwise`.
 *
 * A library's kernels for any groups multiply tiles of channels of which a filter takes one, and take several
 * times what memory would. A weight gradient becomes conv_wgrad_parts (kernels/conv_image.h) and a plain sum of the
 * parts, which fuses as sums do. Nothing is rounded on its way, whatever the precision. */
#include "base/checked.h"
#include "kernels/conv_image.h"
#include "codegen/lanes.h"
#include "codegen/expr.h"
#include "codegen/implementations.h"

enum {
	MOST_TAPS = 7, /* of a side: filters and their sums are unrolled */
	MOST_STRIDE = 2,
	MOST_ELEMENTS = 1 << 30, /* of a tensor: offsets are of type int, and go beyond its end */
	WIDE = 4,                /* pixels of a piece, along the image */
	MOST_ROWS = 16,          /* of a strip */
	MOST_ALONG = 96,         /* taps of a line's window */
	WIDE_OF_LINE = 8,        /* pixels of a piece of it, where windows are long: more of them overlap */
	MOST_OF_LINE = 128,      /* pixels of its strip */
	MOST_LANES = 32,
	LEAST_LANES = 8,
};
static const double CACHED = 0.3; /* what a byte from the cache costs, of one from memory */

typedef enum { FORWARD, BY_IMAGE, BY_FILTERS } Direction;

typedef struct DepthwisePlan {
	bool line;            /* of one row: a sequence, whose steps lie along it */
	int tall, wide;       /* rows of a piece, and pixels of a row */
	int vector, lanes;    /* channels of a thread; threads that share the channels of a pixel */
	int at_once;          /* blocks of a multiprocessor */
	int64_t slices;       /* of the channels */
	int64_t rows, blocks; /* of a strip; for each slice, of a weight gradient its parts */
	int64_t shared_bytes; /* of a block */
} DepthwisePlan;

static Direction direction_of(const Node *n)
{
	return n->op->gemm == GEMM_FPROP ? FORWARD : n->op->gemm == GEMM_DGRAD ? BY_IMAGE : BY_FILTERS;
}

/* A sequence has its steps down an image of width 1. Seen along one, as they lie in memory, windows share what they
 * read in a thread's registers. */
static bool is_line(const Window *w)
{
	return w->in[1] == 1 && w->out[1] == 1 && w->size[1] == 1 && w->pad[1] == 0;
}

/* Rows above and below a piece are read again for the next one, which counts where windows are high: then as many as
 * registers allow. Of others two: each kernel is unrolled, and takes its time to compile. */
static int rows_of_piece(const ConvShape *s, Direction d)
{
	const Window *w = &s->win;
	const bool strides = w->stride[0] > 1 || w->stride[1] > 1;
	if (d == BY_FILTERS || w->size[1] > 5)
		return 2;
	/* of the gradient after a stride few windows meet a pixel */
	return (d == BY_IMAGE && strides) || (!strides && w->size[0] > 3) ? 4 : 2;
}

/* So many that few threads are idle, whether slices end beyond the last channel or no whole group is left; of equally
 * good ones the most. Multiples of four: a slice of 16 bits, too, is of whole sectors of 32 bytes. */
static int lanes_of(int64_t vectors)
{
	if (vectors <= LEAST_LANES)
		return (int)vectors;
	int best = 0;
	double most = 0;
	for (int lanes = MOST_LANES; lanes >= LEAST_LANES; lanes -= 4) {
		const double channels = (double)vectors / (double)(ceil_div(vectors, lanes) * lanes),
		             threads = (double)(CUDA_THREADS / lanes * lanes) / CUDA_THREADS;
		if (channels * threads > most + 0.07) {
			most = channels * threads;
			best = lanes;
		}
	}
	return best;
}

/* High strips read few rows twice, the second time from the cache; low ones are many, so that all blocks end at
 * about the same time. */
static void choose_rows(DepthwisePlan *p, const ConvShape *s, Direction d)
{
	const Window *w = &s->win;
	const double again = d == BY_IMAGE ? (double)(w->size[0] - 1) / (double)w->stride[0]
	                                   : (double)(w->size[0] - w->stride[0]) / (double)w->stride[0];
	const int64_t height = d == BY_IMAGE ? w->in[0] : w->out[0];
	const int64_t blocks = p->blocks, fewest = p->line ? p->wide : p->tall;
	double least = 0;
	for (int64_t rows = p->line ? MOST_OF_LINE : MOST_ROWS; rows >= fewest; rows /= 2) {
		const int64_t strips = s->batch * ceil_div(height, rows);
		const double idle = (double)(ceil_div(strips, blocks) * blocks) / (double)strips;
		const double cost = idle * (1 + again / (double)rows * CACHED);
		if (least == 0 || cost < least) {
			least = cost;
			p->rows = rows;
			p->blocks = strips < blocks ? strips : blocks;
		}
	}
}

/* Every pixel begins at a multiple of it. */
static int vector_of(const ConvShape *s)
{
	return s->channels % 4 == 0 ? 4 : s->channels % 2 == 0 ? 2 : 1;
}

static DepthwisePlan plan_of(const ConvShape *s, Direction d, const Target *t)
{
	const Window *w = &s->win;
	const int64_t taps = w->size[0] * w->size[1];
	DepthwisePlan p = {.line = is_line(w), .tall = 1, .wide = WIDE, .vector = vector_of(s), .at_once = 2};
	if (!p.line)
		p.tall = rows_of_piece(s, d);
	else if (d != BY_FILTERS && taps > MOST_TAPS)
		p.wide = WIDE_OF_LINE;
	if (d == BY_FILTERS && taps > 9) { /* the sums of all taps are in registers */
		p.vector = p.vector < 2 ? p.vector : 2;
		p.at_once = taps > 25 ? 1 : 2;
	}
	/* and what a piece of a line reads: [taps + wide, vector] */
	const int most = taps > 40 ? 1 : taps > MOST_TAPS ? 2 : 4;
	if (p.line && p.vector > most)
		p.vector = most;
	const int64_t vectors = s->channels / p.vector;
	p.lanes = lanes_of(vectors);
	p.slices = ceil_div(vectors, p.lanes);
	const int64_t width = p.lanes * p.vector, groups = CUDA_THREADS / p.lanes;
	p.shared_bytes = (d == BY_FILTERS ? groups * (p.line ? taps : w->size[1]) : taps) * width *
	                 (int64_t)sizeof(float);
	p.blocks = target_arch(t).multiprocessors * p.at_once / p.slices;
	p.blocks = p.blocks < 1 ? 1 : p.blocks;
	choose_rows(&p, s, d);
	return p;
}

/* Whether all images that it reads begin at a multiple of a thread's channels: a parameter may begin at any element. */
static bool reads_vectors(const KernelText *k, Direction d, int vector)
{
	return kernel_operand_aligned(k, 0, vector) &&
	       (d != BY_FILTERS || kernel_operand_aligned(k, 1, vector));
}

/* The types of both axes and of the convolution. */
static void write_shape(KernelText *k, const Node *n, const ConvShape *s, const DepthwisePlan *p)
{
	static const char *const names[] = {"Down", "Along"};
	const Window *w = &s->win;
	code_note(k->code, "of each side: taps, stride and border; pixels of the image and of the result");
	for (int side = 0; side < 2; side++) {
		const int i = p->line ? 1 - side : side;
		code_type(k->code, "%s", "NnrDepthwiseAxis<%lld, %lld, %lld, %lld, %lld>", names[side],
		          (long long)w->size[i], (long long)w->stride[i], (long long)w->pad[i],
		          (long long)w->in[i], (long long)w->out[i]);
	}
	code_note(k->code,
	          "images, channels; rows and columns of a thread's piece, its channels; threads of a slice; "
	          "rows of a strip; blocks; whether images are lines; whether they are read by vectors");
	code_type(k->code, "Depthwise",
	          "NnrDepthwise<%s, %lld, %lld, Down, Along, %d, %d, %d, %d, %lld, %lld, %s, %s>",
	          dtype_c_name(n->operands[0]->type.dtype), (long long)s->batch, (long long)s->channels,
	          p->tall, p->wide, p->vector, p->lanes, (long long)p->rows, (long long)p->blocks,
	          p->line ? "true" : "false",
	          reads_vectors(k, direction_of(n), p->vector) ? "true" : "false");
	code_do(k->code, "NNR_CHIP(chip, %lld)", (long long)p->shared_bytes);
	code_do(k->code, "static_assert(Depthwise::%s == %lld, \"what the launch asks for\")",
	        direction_of(n) == BY_FILTERS ? "SUM_BYTES" : "FILTER_BYTES", (long long)p->shared_bytes);
}

static CudaLaunch emit_depthwise(KernelText *k, const Node *n)
{
	const ConvShape s = conv_shape(n);
	const Direction d = direction_of(n);
	DepthwisePlan p = plan_of(&s, d, k->target);
	p.rows = node_int(n, "rows");
	p.blocks = node_int(n, d == BY_FILTERS ? "parts" : "blocks");
	write_shape(k, n, &s, &p);
	if (d == BY_FILTERS) {
		code_do(k->code, "nnr_depthwise_by_filters<Depthwise>(chip, x, dy, dw)");
	} else {
		code_scope(k->code, ");",
		           "nnr_depthwise<Depthwise, %s>(chip, %s, w, [&](int64_t row, int col, const float "
		           "*value)",
		           d == FORWARD ? "false" : "true", d == FORWARD ? "x" : "dy");
		if (p.vector > 1)
			kernel_vector_epilogue(k, p.vector, "row", "col", "value[u]");
		else
			kernel_epilogue(k, "row", "col", "*value");
		code_close(k->code, 1);
	}
	return (CudaLaunch){.blocks = p.slices * p.blocks,
	                    .threads = CUDA_THREADS,
	                    .shared_bytes = p.shared_bytes,
	                    .per_multiprocessor = p.at_once};
}

/* ---- the implementation */

static bool depthwise_fits(const Region *r)
{
	const Node *n = r->root;
	const bool convolves =
	        n->op->gemm == GEMM_FPROP || n->op->gemm == GEMM_DGRAD || n->op->gemm == GEMM_WGRAD;
	if (!convolves || n->type.dtype == DTYPE_F64)
		return false;
	const ConvShape s = conv_shape(n);
	const Window *w = &s.win;
	bool fits = s.groups == s.channels && s.filters == s.channels;
	for (int i = 0; i < 2; i++)
		fits = fits && w->size[i] <= (is_line(w) ? MOST_ALONG : MOST_TAPS) &&
		       w->stride[i] <= MOST_STRIDE && w->dilation[i] == 1;
	return fits && s.batch * w->in[0] * w->in[1] <= MOST_ELEMENTS / s.channels &&
	       s.batch * w->out[0] * w->out[1] <= MOST_ELEMENTS / s.channels;
}

/* A step of MobileNetV2 with cuDNN's kernels took 2.5 (tf32) to 4.9 times (bf16) as long on an H100, other layers
 * included (bench/results/2026-11-25-odd-and-depthwise.txt). */
static double depthwise_cost(const Region *r)
{
	return 0.3 * region_us(r);
}

/* The node, or of a weight gradient its parts and their sum. */
static Node *offer_depthwise(PassContext *ctx, Graph *to, const Node *n, Node **operands)
{
	const ConvShape s = conv_shape(n);
	const DepthwisePlan p = plan_of(&s, direction_of(n), ctx->target);
	pass_remark(ctx, "%s: %s: a kernel of our own: %lld rows at a time, in %lld blocks",
	            sites_text(to->arena, n->sites, 3), n->op->name, (long long)p.rows,
	            (long long)(p.slices * p.blocks));
	return conv_in_tiles(to, n, operands, p.rows, p.blocks);
}

const Implementation implementation_depthwise = {
        .name = "depthwise",
        .doc = "convolutions with a filter for each channel, and their gradients, at the rate of memory",
        .flags = IMPL_BATCH | IMPL_OPTIONAL | IMPL_ON_GPU,
        .fits = depthwise_fits,
        .cost = depthwise_cost,
        .offer = offer_depthwise,
        .emit = emit_depthwise,
        .header = "cuda/nnr_depthwise.h",
};
