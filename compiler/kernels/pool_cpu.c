/* SPDX-License-Identifier: MIT */
/* C loops of the pooling operators. The parallel loop runs over rows of pixels of the result, the innermost loop,
 * vectorised, over channels; so every element is computed by one thread and written once.
 *
 * Small windows that lie inside the image are unrolled into straight-line code for each channel. All others collect
 * into a small local array, window element by window element. The gradient of a maximum over windows that overlap first
 * notes which element each window took: one comparison an element, where asking for each pixel and window
 * whether an earlier element is equal takes half a window of them. */
#include "kernels/pool.h"

#include "kernels/channel_blocks.h"
#include "codegen/lanes.h"

enum {
	UNROLLED = 9,        /* elements of a window that is written out */
	CHANNEL_BLOCK = 256, /* elements of the local array */
};

typedef struct Pool {
	KernelText *k;
	Window w;
	long long batch, height, width, rows, columns; /* image height x width, result rows x columns */
	ChannelBlocks c;
	const char *max; /* name of the maximum for the element type */
} Pool;

static Pool pool_of(KernelText *k, const Node *n, Type x)
{
	Pool p = {.k = k, .batch = x.dim[0], .c.channels = x.dim[3]};
	pool_window(n, x, &p.w);
	p.height = p.w.in[0];
	p.width = p.w.in[1];
	p.rows = p.w.out[0];
	p.columns = p.w.out[1];
	p.c.block = p.c.channels < CHANNEL_BLOCK ? p.c.channels : CHANNEL_BLOCK;
	p.max = k->real[0] == 'f' ? "nnr_maxf" : "nnr_max";
	return p;
}

static bool window_unrolls(const Pool *p)
{
	const Window *w = &p->w;
	return w->size[0] * w->size[1] <= UNROLLED && !(w->pad[0] | w->pad[1] | w->pad[2] | w->pad[3]);
}

/* Every pixel of the image is in exactly one window. */
static bool windows_tile(const Pool *p)
{
	const Window *w = &p->w;
	return window_unrolls(p) && w->size[0] == w->stride[0] && w->size[1] == w->stride[1] &&
	       w->in[0] % w->size[0] == 0 && w->in[1] % w->size[1] == 0;
}

/* Loops over the pixels (n, row, column) of an image of `height` x `width`; three to close. */
static void open_pixels(Pool *p, const char *row, const char *column, long long height, long long width)
{
	code_turns(p->k->code, TURNS_THREADS, " collapse(2)");
	kernel_loop(p->k, "n", "0", kernel_literal(p->k, p->batch), 1);
	kernel_loop(p->k, row, "0", kernel_literal(p->k, height), 1);
	kernel_loop(p->k, column, "0", kernel_literal(p->k, width), 1);
}

/* The local array `name` of a block. */
static void write_sums(Pool *p, const char *name, const char *start)
{
	code_array(p->k->code, "%s", "%s", "%lld", p->k->real, name, p->c.block);
	code_for_bare(p->k->code, "c", "%s", channel_blocks_count(p->k->arena, &p->c));
	code_set(p->k->code, "%s[c]", "%s", name, start);
	code_close(p->k->code, 1);
}

/* Blocks of channels with their local array; returns how many loops there are to close. */
static int open_block(Pool *p, const char *name, const char *start)
{
	int loops = channel_blocks_open(p->k, &p->c);
	write_sums(p, name, start);
	return loops;
}

static void each_channel(Pool *p, const char *statement)
{
	channel_blocks_each(p->k, &p->c, statement);
}

/* Hands the finished local array to the epilogue. */
static void finish_block(Pool *p, const char *row, const char *value)
{
	channel_blocks_finish(p->k, &p->c, row, channel_blocks_column(&p->c), value);
}

/* Loops over the window elements (r, u) of the result (p, q) that are inside the image; two to close. */
static void open_window(Pool *p)
{
	Code *w = p->k->code;
	const Window *win = &p->w;
	static const char *const result[2] = {"p", "q"}, *const tap[2] = {"r", "u"},
	                         *const place[2] = {"h", "v"};
	for (int i = 0; i < 2; i++) {
		kernel_loop(p->k, tap[i], "0", kernel_literal(p->k, win->size[i]), 1);
		code_let(w, "int64_t", "%s", "%s * %lld + %s - %lld", place[i], result[i],
		         (long long)win->stride[i], tap[i], (long long)win->pad[i]);
		code_leave_if(w, "continue", "%s < 0 || %s >= %lld", place[i], place[i],
		              (long long)win->in[i]);
	}
}

static const char *const result_axis[2] = {"p", "q"}, *const pixel_axis[2] = {"h", "v"};

/* `p_end` or `q_end`: after the last window that holds the pixel along the axis. */
static void write_windows_end(Pool *p, int axis)
{
	long long pad = p->w.pad[axis], stride = p->w.stride[axis], out = p->w.out[axis];
	const char *at = pixel_axis[axis];
	code_let(p->k->code, "int64_t", "%s_end",
	         "(%s + %lld) / %lld + 1 < %lld ? (%s + %lld) / %lld + 1 : %lld", result_axis[axis], at, pad,
	         stride, out, at, pad, stride, out);
}

/* The loop over them, up to that end. Negative numerators are kept away from the division, which rounds towards
 * zero. */
static void open_windows(Pool *p, int axis)
{
	Arena *a = p->k->arena;
	long long pad = p->w.pad[axis], size = p->w.size[axis], stride = p->w.stride[axis];
	const char *at = pixel_axis[axis];
	kernel_loop(p->k, result_axis[axis],
	            arena_printf(a, "%s + %lld < %lld ? 0 : (%s + %lld) / %lld", at, pad, size, at,
	                         pad - size + stride, stride),
	            arena_printf(a, "%s_end", result_axis[axis]), 1);
}

/* Loops over the results (p, q) whose window holds the pixel (h, v); two to close. */
static void open_windows_of_pixel(Pool *p)
{
	for (int axis = 0; axis < 2; axis++) {
		write_windows_end(p, axis);
		open_windows(p, axis);
	}
}

static const char *result_row(Pool *p)
{
	return arena_printf(p->k->arena, "(n * %lld + p) * %lld + q", p->rows, p->columns);
}

static const char *pixel_row(Pool *p)
{
	return arena_printf(p->k->arena, "(n * %lld + h) * %lld + v", p->height, p->width);
}

/* The pointer `v` to the first pixel of an unrolled window, whose element (r, s) is then at v[tap + c]. */
static void point_at_window(Pool *p)
{
	code_let(p->k->code, "%s *", "v", "x + ((n * %lld + p * %lld) * %lld + q * %lld) * %lld", p->k->real,
	         p->height, (long long)p->w.stride[0], p->width, (long long)p->w.stride[1], p->c.channels);
}

static long long tap_offset(const Pool *p, int64_t r, int64_t s)
{
	return (r * p->width + s) * p->c.channels;
}

/* Both poolings: `first` starts an element's value, `next` (with one %s, the window's element) continues it, `last` is
 * the value. */
static void forward_unrolled(Pool *p, bool maximum)
{
	Code *w = p->k->code;
	Arena *a = p->k->arena;
	point_at_window(p);
	code_turns(w, TURNS_SIMD, "");
	kernel_loop(p->k, "c", "0", kernel_literal(p->k, p->c.channels), 1);
	code_var(w, "%s", "t", "v[c]", p->k->real);
	for (int64_t i = 1; i < p->w.size[0] * p->w.size[1]; i++) {
		long long offset = tap_offset(p, i / p->w.size[1], i % p->w.size[1]);
		if (maximum)
			code_set(w, "t", "%s(v[%lld + c], t)", p->max, offset);
		else
			code_add(w, "t", "v[%lld + c]", offset);
	}
	const char *value = "t";
	if (!maximum)
		value = arena_printf(a, "t * %s",
		                     kernel_number(p->k, 1 / (double)(p->w.size[0] * p->w.size[1])));
	kernel_epilogue(p->k, result_row(p), "c", value);
	code_close(p->k->code, 1);
}

static void forward_emit(KernelText *k, const Node *n, bool maximum)
{
	Pool p = pool_of(k, n, n->operands[0]->type);
	open_pixels(&p, "p", "q", p.rows, p.columns);
	if (window_unrolls(&p)) {
		forward_unrolled(&p, maximum);
		code_close(p.k->code, 3);
		return;
	}
	int blocks = open_block(&p, "t", maximum ? "-INFINITY" : "0");
	open_window(&p);
	code_let(k->code, "%s *", "e", "x + ((n * %lld + h) * %lld + v) * %lld%s", k->real, p.height, p.width,
	         p.c.channels, channel_blocks_first(&p.c));
	each_channel(&p, maximum ? arena_printf(k->arena, "t[c] = %s(e[c], t[c])", p.max) : "t[c] += e[c]");
	code_close(p.k->code, 2);
	const char *area = kernel_number(k, 1 / (double)(p.w.size[0] * p.w.size[1]));
	finish_block(&p, result_row(&p), maximum ? "t[c]" : arena_printf(k->arena, "t[c] * %s", area));
	code_close(p.k->code, 3 + blocks);
}

void maxpool_emit(KernelText *k, const Node *n)
{
	forward_emit(k, n, true);
}

void avgpool_emit(KernelText *k, const Node *n)
{
	forward_emit(k, n, false);
}

/* Windows that tile the image: for each channel, `rest` is the part of dy that no element has taken yet. */
static void maxpool_grad_tiled(Pool *p)
{
	Code *w = p->k->code;
	Arena *a = p->k->arena;
	int64_t count = p->w.size[0] * p->w.size[1];
	open_pixels(p, "p", "q", p->rows, p->columns);
	point_at_window(p);
	code_turns(w, TURNS_SIMD, "");
	kernel_loop(p->k, "c", "0", kernel_literal(p->k, p->c.channels), 1);
	code_let(w, "int64_t", "o", "(%s) * %lld + c", result_row(p), p->c.channels);
	code_let(w, "%s", "top", "y[o]", p->k->real);
	code_var(w, "%s", "rest", "dy[o]", p->k->real);
	for (int64_t i = 0; i < count; i++) {
		long long r = i / p->w.size[1], s = i % p->w.size[1], offset = tap_offset(p, r, s);
		code_let(w, "%s", "g%lld", "v[%lld + c] == top ? rest : 0", p->k->real, (long long)i, offset);
		if (i + 1 < count)
			code_set(w, "rest", "v[%lld + c] == top ? 0 : rest", offset);
	}
	for (int64_t i = 0; i < count; i++) {
		long long r = i / p->w.size[1], s = i % p->w.size[1];
		const char *row =
		        arena_printf(a, "(n * %lld + p * %lld + %lld) * %lld + q * %lld + %lld", p->height,
		                     (long long)p->w.size[0], r, p->width, (long long)p->w.size[1], s);
		code_block(w);
		kernel_epilogue(p->k, row, "c", arena_printf(a, "g%lld", (long long)i));
		code_close(p->k->code, 1);
	}
	code_close(p->k->code, 4);
}

/* Fills place[ready % kept][q][c] for the windows q of row `ready`: which of their elements is the first maximum,
 * counted along rows. From the last element on, so that the first one stays; -1 where none is equal, which is NaN. */
static void find_places(Pool *p, long long kept)
{
	Code *w = p->k->code;
	const Window *win = &p->w;
	kernel_loop(p->k, "q", "0", kernel_literal(p->k, p->columns), 1);
	code_let(w, "%s *", "top", "y + ((n * %lld + ready) * %lld + q) * %lld%s", p->k->real, p->rows,
	         p->columns, p->c.channels, channel_blocks_first(&p->c));
	code_var(w, "int32_t *", "first", "place[ready %% %lld][q]", kept);
	each_channel(p, "first[c] = -1");
	static const char *const tap[2] = {"r", "u"}, *const at[2] = {"i", "j"},
	                         *const window[2] = {"ready", "q"};
	for (int axis = 0; axis < 2; axis++) {
		code_loop(w, (CodeLoop){.type = "int64_t",
		                        .var = tap[axis],
		                        .from = kernel_literal(p->k, win->size[axis] - 1),
		                        .to = "0",
		                        .down = true});
		code_let(w, "int64_t", "%s", "%s * %lld + %s - %lld", at[axis], window[axis],
		         (long long)win->stride[axis], tap[axis], (long long)win->pad[axis]);
		code_leave_if(w, "continue", "%s < 0 || %s >= %lld", at[axis], at[axis],
		              (long long)win->in[axis]);
	}
	code_let(w, "int32_t", "own", "(int32_t)(r * %lld + u)", (long long)win->size[1]);
	code_let(w, "%s *", "e", "x + ((n * %lld + i) * %lld + j) * %lld%s", p->k->real, p->height, p->width,
	         p->c.channels, channel_blocks_first(&p->c));
	each_channel(p, "first[c] = e[c] == top[c] ? own : first[c]");
	code_close(p->k->code, 3);
}

/* Row by row of the image: a pixel takes dy of each window whose first maximum it is. Of the places of these, the
 * window rows are kept that one row of pixels can be in. */
void maxpool_grad_emit(KernelText *k, const Node *n)
{
	enum { MOST_PLACES = 32768, LEAST_CHANNELS = 16 };
	Pool p = pool_of(k, n, n->operands[1]->type);
	Code *w = k->code;
	if (windows_tile(&p)) {
		maxpool_grad_tiled(&p);
		return;
	}
	long long kept = (p.w.size[0] + p.w.stride[0] - 1) / p.w.stride[0];
	kept = kept < p.rows ? kept : p.rows;
	long long fits = MOST_PLACES / (kept * p.columns) / LEAST_CHANNELS * LEAST_CHANNELS;
	fits = fits > LEAST_CHANNELS ? fits : LEAST_CHANNELS;
	p.c.block = p.c.block < fits ? p.c.block : fits;
	code_turns(w, TURNS_THREADS, channel_blocks_loops(&p.c) ? " collapse(2)" : "");
	kernel_loop(p.k, "n", "0", kernel_literal(p.k, p.batch), 1);
	int blocks = channel_blocks_open(k, &p.c);
	code_array(w, "int32_t", "place", "%lld][%lld][%lld", kept, p.columns, p.c.block);
	code_var(w, "int64_t", "ready", "0");
	kernel_loop(p.k, "h", "0", kernel_literal(p.k, p.height), 1);
	write_windows_end(&p, 0);
	code_loop(w, (CodeLoop){.var = "ready", .to = "p_end"});
	find_places(&p, kept);
	code_close(p.k->code, 1);
	kernel_loop(p.k, "v", "0", kernel_literal(p.k, p.width), 1);
	write_sums(&p, "t", "0");
	open_windows(&p, 0);
	write_windows_end(&p, 1);
	open_windows(&p, 1);
	code_let(w, "int32_t", "own", "(int32_t)((h + %lld - p * %lld) * %lld + v + %lld - q * %lld)",
	         (long long)p.w.pad[0], (long long)p.w.stride[0], (long long)p.w.size[1],
	         (long long)p.w.pad[1], (long long)p.w.stride[1]);
	code_let(w, "int32_t *", "first", "place[p %% %lld][q]", kept);
	code_let(w, "%s *", "g", "dy + (%s) * %lld%s", k->real, result_row(&p), p.c.channels,
	         channel_blocks_first(&p.c));
	each_channel(&p, "t[c] += first[c] == own ? g[c] : 0");
	code_close(p.k->code, 2);
	finish_block(&p, pixel_row(&p), "t[c]");
	code_close(p.k->code, 3 + blocks);
}

void avgpool_grad_emit(KernelText *k, const Node *n)
{
	Pool p = pool_of(k, n, n->type);
	open_pixels(&p, "h", "v", p.height, p.width);
	int blocks = open_block(&p, "t", "0");
	open_windows_of_pixel(&p);
	code_let(k->code, "%s *", "g", "dy + (%s) * %lld%s", k->real, result_row(&p), p.c.channels,
	         channel_blocks_first(&p.c));
	each_channel(&p, "t[c] += g[c]");
	code_close(p.k->code, 2);
	const char *area = kernel_number(k, 1 / (double)(p.w.size[0] * p.w.size[1]));
	finish_block(&p, pixel_row(&p), arena_printf(k->arena, "t[c] * %s", area));
	code_close(p.k->code, 3 + blocks);
}

void unpool_emit(KernelText *k, const Node *n)
{
	Pool p = pool_of(k, n, n->type);
	open_pixels(&p, "h", "v", p.height, p.width);
	int blocks = open_block(&p, "t", "0");
	open_windows_of_pixel(&p);
	code_let(k->code, "int64_t", "own", "(h + %lld - p * %lld) * %lld + v + %lld - q * %lld",
	         (long long)p.w.pad[0], (long long)p.w.stride[0], (long long)p.w.size[1],
	         (long long)p.w.pad[1], (long long)p.w.stride[1]);
	code_let(k->code, "%s *", "g", "dy + (%s) * %lld%s", k->real, result_row(&p), p.c.channels,
	         channel_blocks_first(&p.c));
	code_let(k->code, "uint8_t *", "at", "place + (%s) * %lld%s", result_row(&p), p.c.channels,
	         channel_blocks_first(&p.c));
	each_channel(&p, "t[c] += at[c] == own ? g[c] : 0");
	code_close(p.k->code, 2);
	finish_block(&p, pixel_row(&p), "t[c]");
	code_close(p.k->code, 3 + blocks);
}

/* Windows that tile the image: the unit that writes a window has read it, and no other reads it. */
static bool maxpool_grad_overwrites(const Node *n, int operand)
{
	Window w;
	pool_window(n, n->type, &w);
	bool tiles = true;
	for (int i = 0; i < 2; i++)
		tiles = tiles && w.stride[i] == w.size[i] && w.pad[i] == 0 && w.out[i] * w.size[i] == w.in[i];
	return operand == 1 && tiles;
}

const OpLoops pool_loops[] = {
        {.op = "maxpool",
         .emit_cpu = maxpool_emit,
         .emit_cuda = maxpool_emit_cuda,
         .cuda_threads = pool_cuda_threads},
        {.op = "maxpool_grad",
         .emit_cpu = maxpool_grad_emit,
         .emit_cuda = maxpool_grad_emit_cuda,
         .cuda_threads = maxpool_grad_cuda_threads,
         .block_overwrites = maxpool_grad_overwrites},
        {.op = "unpool",
         .emit_cpu = unpool_emit,
         .emit_cuda = unpool_emit_cuda,
         .cuda_threads = maxpool_grad_cuda_threads},
        {.op = "avgpool",
         .emit_cpu = avgpool_emit,
         .emit_cuda = avgpool_emit_cuda,
         .cuda_threads = pool_cuda_threads},
        {.op = "avgpool_grad",
         .emit_cpu = avgpool_grad_emit,
         .emit_cuda = avgpool_grad_emit_cuda,
         .cuda_threads = pool_cuda_threads},
        {0},
};
