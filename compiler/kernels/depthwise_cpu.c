/* SPDX-License-Identifier: MIT */
/* C loops of depthwise convolution (groups = channels = filters) and its gradients. As a product, each channel would be
 * one column wide; here the innermost loop, vectorised, runs over a block of channels, whose sums are a small local
 * array. Weights are first laid out by taps, v[tap][channel], so that they too are read in order. Every element is
 * computed by one thread. */
#include "kernels/conv.h"
#include "codegen/lanes.h"

enum {
	CHANNEL_BLOCK = 64,
	WEIGHT_ELEMENTS = 1 << 17,   /* most of the copy of the weights, which is on the stack */
	PARALLEL_PRODUCTS = 1 << 16, /* fewer are not worth waking threads */
};

typedef struct Depthwise {
	KernelText *k;
	const ConvShape *shape;
	const Window *w;
	Lanes lanes;
	long long taps;
	int depth; /* open braces */
} Depthwise;

bool conv_is_depthwise(const ConvShape *c)
{
	return c->groups > 1 && c->groups == c->channels && c->filters == c->channels &&
	       c->win.size[0] * c->win.size[1] <= WEIGHT_ELEMENTS / c->channels;
}

static Depthwise depthwise_of(KernelText *k, const ConvShape *c)
{
	return (Depthwise){.k = k,
	                   .shape = c,
	                   .w = &c->win,
	                   .lanes = lanes_of_blocks(k, k->step->root, c->channels, CHANNEL_BLOCK),
	                   .taps = c->win.size[0] * c->win.size[1]};
}

static void open_loop(Depthwise *d, const char *variable, int64_t to)
{
	kernel_loop(d->k, variable, "0", kernel_literal(d->k, to), 1);
	d->depth++;
}

static void close_to(Depthwise *d, int depth)
{
	code_close(d->k->code, d->depth - depth);
	d->depth = depth;
}

static void write_parallel(Depthwise *d, int loops)
{
	const int64_t *out = d->w->out;
	if (d->shape->batch * out[0] * out[1] * d->shape->channels * d->taps >= PARALLEL_PRODUCTS)
		code_turns(d->k->code, TURNS_THREADS, arena_printf(d->k->arena, " collapse(%d)", loops));
}

static void write_weights_by_taps(Depthwise *d)
{
	Code *w = d->k->code;
	const long long channels = (long long)d->shape->channels;
	code_array(w, "%s", "v", "%lld][%lld", d->k->real, d->taps, channels);
	code_for(w, "c", "%lld", channels);
	code_for_bare(w, "tap", "%lld", d->taps);
	code_set(w, "v[tap][c]", "w[c * %lld + tap]", d->taps);
	code_close(w, 2);
}

/* Blocks of channels, with their sums t. */
static void open_block(Depthwise *d)
{
	d->depth += lanes_open_blocks(&d->lanes);
	lanes_value(&d->lanes, "t", "0");
}

/* The pixel of the image, on this axis, that tap r (u) of the result p (q) meets: h (i); skipped on the border. */
static void write_pixel(Depthwise *d, int axis)
{
	static const char *const pixel = "hi", *const result = "pq", *const tap = "ru";
	const Window *w = d->w;
	code_let(d->k->code, "int64_t", "%c", "%c * %lld + %c * %lld - %lld", pixel[axis], result[axis],
	         (long long)w->stride[axis], tap[axis], (long long)w->dilation[axis],
	         (long long)w->pad[axis]);
	code_leave_if(d->k->code, "continue", "%c < 0 || %c >= %lld", pixel[axis], pixel[axis],
	              (long long)w->in[axis]);
}

/* The reverse: the result p (q) whose tap r (u) meets the pixel h (i); skipped where there is none. */
static void write_result(Depthwise *d, int axis)
{
	static const char *const pixel = "hi", *const result = "pq", *const tap = "ru";
	const Window *w = d->w;
	char p = result[axis];
	long long stride = w->stride[axis];
	code_let(d->k->code, "int64_t", "%c_", "%c + %lld - %c * %lld", p, pixel[axis],
	         (long long)w->pad[axis], tap[axis], (long long)w->dilation[axis]);
	code_leave_if(d->k->code, "continue", "%c_ < 0 || %c_ %% %lld || %c_ / %lld >= %lld", p, p, stride, p,
	              stride, (long long)w->out[axis]);
	code_let(d->k->code, "int64_t", "%c", "%c_ / %lld", p, p, stride);
}

/* `name` is the block of channels of an image [batch, rows, columns, channels] at (n, row, column). */
static void load_place(Depthwise *d, const char *name, int operand, const char *row, const char *column,
                       const int64_t size[2])
{
	lanes_load(&d->lanes, name, operand,
	           lanes_at(&d->lanes, arena_printf(d->k->arena, "(n * %lld + %s) * %lld + %s",
	                                            (long long)size[0], row, (long long)size[1], column)));
}

/* y: each result gathers from its patch. dx: each pixel gathers from the results that it was in. */
static void gather(Depthwise *d, bool forward)
{
	const Window *w = d->w;
	const int64_t *size = forward ? w->out : w->in;
	const char *row = forward ? "p" : "h", *column = forward ? "q" : "i";
	void (*meet)(Depthwise *, int) = forward ? write_pixel : write_result;
	write_weights_by_taps(d);
	write_parallel(d, 2);
	open_loop(d, "n", d->shape->batch);
	open_loop(d, row, size[0]);
	open_loop(d, column, size[1]);
	open_block(d);
	int block = d->depth;
	open_loop(d, "r", w->size[0]);
	meet(d, 0);
	open_loop(d, "u", w->size[1]);
	meet(d, 1);
	if (forward)
		load_place(d, "e", 0, "h", "i", w->in);
	else
		load_place(d, "e", 0, "p", "q", w->out);
	code_let(d->k->code, "%s *", "f", "v[r * %lld + u]%s", d->k->real, (long long)w->size[1],
	         lanes_first(&d->lanes));
	lanes_each(&d->lanes, "t@ += e@ * f@");
	close_to(d, block);
	lanes_finish(&d->lanes,
	             arena_printf(d->k->arena, "(n * %lld + %s) * %lld + %s", (long long)size[0], row,
	                          (long long)size[1], column),
	             "c", "t@");
	close_to(d, 0);
}

void depthwise_fprop_emit(KernelText *k, const ConvShape *c)
{
	Depthwise d = depthwise_of(k, c);
	gather(&d, true);
}

void depthwise_dgrad_emit(KernelText *k, const ConvShape *c)
{
	Depthwise d = depthwise_of(k, c);
	gather(&d, false);
}

/* Sums of one image at a time, added up: fewer roundings than one sum over the whole batch. */
void depthwise_wgrad_emit(KernelText *k, const ConvShape *c)
{
	Depthwise d = depthwise_of(k, c);
	const Window *w = d.w;
	write_parallel(&d, 2 + lanes_block_loops(&d.lanes));
	open_loop(&d, "r", w->size[0]);
	open_loop(&d, "u", w->size[1]);
	open_block(&d);
	int block = d.depth;
	open_loop(&d, "n", c->batch);
	int image = d.depth;
	lanes_value(&d.lanes, "of_image", "0");
	open_loop(&d, "p", w->out[0]);
	write_pixel(&d, 0);
	open_loop(&d, "q", w->out[1]);
	write_pixel(&d, 1);
	load_place(&d, "e", 0, "h", "i", w->in);
	load_place(&d, "f", 1, "p", "q", w->out);
	lanes_each(&d.lanes, "of_image@ += e@ * f@");
	close_to(&d, image);
	lanes_each(&d.lanes, "t@ += of_image@");
	close_to(&d, block);
	lanes_finish(&d.lanes,
	             arena_printf(k->arena, "%s * %lld + r * %lld + u",
	                          lanes_block_loops(&d.lanes) ? "(c0 + c)" : "c", d.taps,
	                          (long long)w->size[1]),
	             "0", "t@");
	close_to(&d, 0);
}
