/* SPDX-License-Identifier: MIT */
/* CUDA kernels of the pooling operators. Every element of the result is computed by one thread, so nothing depends on
 * the order in which threads run; four neighbouring channels share one where their number allows it.
 *
 * The gradient of maxpool gathers: a thread owns a block of pixels as large as the stride, aligned to where windows
 * begin. The windows that meet the block are then the same for every block: those that begin in it, and a fixed number
 * above and to the left. Each is scanned up to its last element in the block, `rest` being the part of dy that no
 * element has taken yet. With large windows or strides a thread owns one pixel. */
#include "codegen/lanes.h"
#include "kernels/pool.h"

enum {
	BLOCK_PIXELS = 9,   /* most pixels of a block: they stay in registers */
	UNROLLED_TAPS = 36, /* most elements of a window that is unrolled */
};

typedef struct Pool {
	Lanes lanes;
	Window w;
	long long batch, height, width, rows, columns,
	        channels; /* image height x width, result rows x columns */
} Pool;

static Pool pool_of(KernelText *k, const Node *n, Type x)
{
	Pool p = {.batch = x.dim[0], .channels = x.dim[3]};
	p.lanes = lanes_new(k, n, lanes_width(1, &x.dim[3]));
	pool_window(n, x, &p.w);
	p.height = p.w.in[0];
	p.width = p.w.in[1];
	p.rows = p.w.out[0];
	p.columns = p.w.out[1];
	return p;
}

static bool window_unrolls(const Window *w)
{
	return w->size[0] * w->size[1] <= UNROLLED_TAPS;
}

/* From the number of the thread: channel `c`, sample `n`, and the place named `column` and `row` in a grid of
 * `rows` x `columns`. */
static void write_place(const Pool *p, const char *row, const char *column, long long rows, long long columns)
{
	long long units = p->channels / p->lanes.width;
	Arena *a = p->lanes.k->arena;
	lanes_begin(&p->lanes, p->batch * rows * columns * units);
	lanes_index(&p->lanes, "c", "%s", index_times(a, index_digit(a, "i", 1, units), p->lanes.width));
	lanes_index(&p->lanes, column, "%s", index_digit(a, "i", units, columns));
	lanes_index(&p->lanes, row, "%s", index_digit(a, "i", units * columns, rows));
	lanes_index(&p->lanes, "n", "%s", index_over(a, "i", units * columns * rows));
}

/* A loop with a known number of turns. */
static void open_turns(const Pool *p, const char *variable, long long turns, bool unrolled)
{
	if (unrolled)
		code_turns(p->lanes.k->code, TURNS_UNROLLED, "");
	code_loop(p->lanes.k->code, (CodeLoop){.type = "int", .var = variable, .count = turns});
}

/* Asks whether `variable` is in [0, end), where it can be below or above; returns the braces to close. */
static int open_inside(const Pool *p, const char *variable, bool below, bool above, long long end)
{
	if (below && above)
		code_if(p->lanes.k->code, "%s >= 0 && %s < %lld", variable, variable, end);
	else if (below)
		code_if(p->lanes.k->code, "%s >= 0", variable);
	else if (above)
		code_if(p->lanes.k->code, "%s < %lld", variable, end);
	return below || above;
}

/* The pixel of window element r of window p, or k of window q, when it is in the image; returns the braces to close. */
static int open_pixel(const Pool *p, int i, const char *at)
{
	static const char *const place[2] = {"h", "v"};
	const Window *w = &p->w;
	bool above = (w->out[i] - 1) * w->stride[i] - w->pad[i] + w->size[i] > w->in[i];
	lanes_index(&p->lanes, place[i], "%s", at);
	return open_inside(p, place[i], w->pad[i] > 0, above, w->in[i]);
}

static const char *pixel_row(const Pool *p, const char *h, const char *v)
{
	return arena_printf(p->lanes.k->arena, "(n * %lld + %s) * %lld + %s", p->height, h, p->width, v);
}

static const char *result_row(const Pool *p)
{
	return arena_printf(p->lanes.k->arena, "(n * %lld + p) * %lld + q", p->rows, p->columns);
}

static const char *element(const Pool *p, const char *row)
{
	return arena_printf(p->lanes.k->arena, "(%s) * %lld + c", row, p->channels);
}

/* Where element r of window p is: "p * 2 + r - 1". */
static const char *window_place(const Pool *p, int i, const char *window, const char *tap)
{
	Arena *a = p->lanes.k->arena;
	return index_plus(a, arena_printf(a, "%s + %s", index_times(a, window, p->w.stride[i]), tap),
	                  -p->w.pad[i]);
}

static const char *area(const Pool *p)
{
	return kernel_number(p->lanes.k, 1 / (double)(p->w.size[0] * p->w.size[1]));
}

/* ---- forward */

static void forward_emit(KernelText *k, const Node *n, bool max)
{
	Pool p = pool_of(k, n, n->operands[0]->type);
	const Window *w = &p.w;
	bool unrolled = window_unrolls(w);
	write_place(&p, "p", "q", p.rows, p.columns);
	lanes_value(&p.lanes, "t", max ? "-INFINITY" : "0");
	open_turns(&p, "r", w->size[0], unrolled);
	int open = 2 + open_pixel(&p, 0, window_place(&p, 0, "p", "r"));
	open_turns(&p, "k", w->size[1], unrolled);
	open += open_pixel(&p, 1, window_place(&p, 1, "q", "k"));
	lanes_load(&p.lanes, "e", 0, element(&p, pixel_row(&p, "h", "v")));
	if (max)
		lanes_each(&p.lanes, "t@ = %s(e@, t@)", k->real[0] == 'f' ? "nnr_maxf" : "nnr_max");
	else
		lanes_each(&p.lanes, "t@ += e@");
	code_close(k->code, open);
	lanes_finish(&p.lanes, result_row(&p), "c", max ? "t@" : arena_printf(k->arena, "t@ * %s", area(&p)));
}

void maxpool_emit_cuda(KernelText *k, const Node *n)
{
	forward_emit(k, n, true);
}

void avgpool_emit_cuda(KernelText *k, const Node *n)
{
	forward_emit(k, n, false);
}

int64_t pool_cuda_threads(const Node *n)
{
	return type_elements(n->type) / lanes_width(1, &n->type.dim[3]);
}

/* ---- gradients */

/* What a thread of a gradient owns: `size` pixels from (h0, v0) on, one of `count` such blocks. */
typedef struct Blocks {
	long long size[2], count[2];
} Blocks;

static Blocks blocks_of_stride(const Window *w)
{
	Blocks b;
	for (int i = 0; i < 2; i++) {
		long long reach = (long long)(w->in[i] + (w->stride[i] > 1 ? w->pad[i] : 0));
		b.size[i] = w->stride[i];
		b.count[i] = (reach + w->stride[i] - 1) / w->stride[i];
	}
	return b;
}

static Blocks blocks_of_pixels(const Window *w)
{
	return (Blocks){.size = {1, 1}, .count = {w->in[0], w->in[1]}};
}

static Blocks maxpool_blocks(const Window *w)
{
	bool small = window_unrolls(w) && w->stride[0] * w->stride[1] <= BLOCK_PIXELS;
	return small ? blocks_of_stride(w) : blocks_of_pixels(w);
}

/* The block of the thread: (h0, v0), and (p0, q0), the last window that begins at or before it. */
static void write_block(const Pool *p, const Blocks *b)
{
	static const char *const first[2] = {"h0", "v0"}, *const window[2] = {"p0", "q0"};
	bool pixels[2] = {b->size[0] == 1, b->size[1] == 1};
	Arena *a = p->lanes.k->arena;
	write_place(p, pixels[0] ? "h0" : "p0", pixels[1] ? "v0" : "q0", b->count[0], b->count[1]);
	for (int i = 0; i < 2; i++) {
		long long stride = p->w.stride[i], pad = p->w.pad[i];
		if (!pixels[i])
			lanes_index(&p->lanes, first[i], "%s",
			            index_plus(a, index_times(a, window[i], stride), -pad));
		else if (stride > 1)
			lanes_index(&p->lanes, window[i], "(%s) / %lld", index_plus(a, first[i], pad),
			            stride);
		else
			lanes_index(&p->lanes, window[i], "%s", index_plus(a, first[i], pad));
	}
}

/* Loops over the windows (p, q) that meet the thread's block, in scan order; the block begins at the elements (r0, k0)
 * of the window, which are declared when `taps`. Returns the braces to close. */
static int open_windows(const Pool *p, const Blocks *b, bool taps)
{
	static const char *const result[2] = {"p", "q"}, *const turn[2] = {"a", "b"},
	                         *const tap[2] = {"r0", "k0"}, *const first[2] = {"h0", "v0"};
	const Window *w = &p->w;
	int open = 0;
	for (int i = 0; i < 2; i++) {
		long long stride = w->stride[i], size = w->size[i], pad = w->pad[i];
		long long before = (size + stride - 1) / stride - 1;
		long long last = b->size[i] > 1 ? b->count[i] - 1 : (w->in[i] - 1 + pad) / stride;
		bool aligned = b->size[i] == stride;
		if (before > 0) {
			open_turns(p, turn[i], before + 1, window_unrolls(w));
			open++;
			lanes_index(&p->lanes, result[i], "%s0 - %lld + %s", result[i], before, turn[i]);
		} else {
			lanes_index(&p->lanes, result[i], "%s0", result[i]);
		}
		bool beyond =
		        !aligned && (before + 1) * stride > size; /* the last may end before the block */
		if (!taps && !beyond)
			;
		else if (!aligned)
			lanes_index(&p->lanes, tap[i], "%s - %s * %lld",
			            index_plus(p->lanes.k->arena, first[i], pad), result[i], stride);
		else if (before > 0)
			lanes_index(&p->lanes, tap[i], "(%lld - %s) * %lld", before, turn[i], stride);
		else
			lanes_index(&p->lanes, tap[i], "0");
		open += open_inside(p, result[i], before > 0, last >= w->out[i], w->out[i]);
		if (beyond)
			open += open_inside(p, tap[i], false, true, size);
	}
	return open;
}

void avgpool_grad_emit_cuda(KernelText *k, const Node *n)
{
	Pool p = pool_of(k, n, n->type);
	Blocks b = blocks_of_pixels(&p.w);
	write_block(&p, &b);
	lanes_value(&p.lanes, "t", "0");
	int open = open_windows(&p, &b, false);
	lanes_load(&p.lanes, "e", 0, element(&p, result_row(&p)));
	lanes_each(&p.lanes, "t@ += e@");
	code_close(k->code, open);
	lanes_finish(&p.lanes, pixel_row(&p, "h0", "v0"), "c", arena_printf(k->arena, "t@ * %s", area(&p)));
}

/* Scans the window (p, q) from its first element to the last that is in the block: the first that is equal to y takes
 * dy, which is added to g where it is one of the block's pixels. */
static void scan_window(const Pool *p, const Blocks *b)
{
	KernelText *k = p->lanes.k;
	const Window *w = &p->w;
	static const char *const first[2] = {"r0", "k0"}, *const extent[2] = {"rows", "columns"};
	const char *unroll = window_unrolls(w) ? "" : " 1";
	lanes_load(&p->lanes, "top", 2, element(p, result_row(p)));
	lanes_load(&p->lanes, "rest", 0, element(p, result_row(p)));
	for (int d = 0; d < 2; d++) {
		long long size = w->size[d], stride = w->stride[d];
		const char *end = index_plus(k->arena, first[d], b->size[d]);
		bool alone =
		        b->size[d] == stride && size <= stride; /* one window, which begins with the block */
		if (alone)
			lanes_index(&p->lanes, extent[d], "%lld", size);
		else
			lanes_index(&p->lanes, extent[d], "%s < %lld ? %s : %lld", end, size, end, size);
	}
	code_turns(k->code, TURNS_UNROLLED, unroll);
	code_loop(k->code, (CodeLoop){.type = "int", .var = "r", .to = "rows"});
	int open = 3 + open_pixel(p, 0, "h0 - r0 + r");
	code_turns(k->code, TURNS_UNROLLED, unroll);
	code_loop(k->code, (CodeLoop){.type = "int",
	                              .var = "k",
	                              .to = arena_printf(k->arena, "(r + 1 < rows ? %lld : columns)",
	                                                 (long long)w->size[1])});
	open += open_pixel(p, 1, "v0 - k0 + k");
	lanes_load(&p->lanes, "e", 1, element(p, pixel_row(p, "h", "v")));
	code_if(k->code, "r >= r0 && k >= k0 && k < columns");
	if (b->size[0] * b->size[1] > 1)
		lanes_each(&p->lanes, "g[(r - r0) * %lld + k - k0]@ += e@ == top@ ? rest@ : 0", b->size[1]);
	else
		lanes_each(&p->lanes, "g@ += e@ == top@ ? rest@ : 0");
	code_close(k->code, 1);
	lanes_each(&p->lanes, "rest@ = e@ == top@ ? 0 : rest@");
	code_close(k->code, open - 1);
}

/* Adds dy to the element of the window that `place` says, if it is one of the block's pixels. */
static void place_window(const Pool *p, const Blocks *b)
{
	KernelText *k = p->lanes.k;
	const Window *w = &p->w;
	const char *at = element(p, result_row(p)), *turn[2] = {"r", "k"}, *first[2] = {"r0", "k0"};
	lanes_load(&p->lanes, "e", 0, at);
	code_declare(k->code, "uint8_t", "own%s", p->lanes.width > 1 ? "[4]" : "");
	lanes_reload(&p->lanes, "own", 1, at);
	if (b->size[0] * b->size[1] == 1) {
		lanes_each(&p->lanes, "g@ += own@ == r0 * %lld + k0 ? e@ : 0", (long long)w->size[1]);
		return;
	}
	int open = 0;
	for (int d = 0; d < 2; d++) {
		open_turns(p, turn[d], b->size[d], true);
		open += 1 + open_inside(p, arena_printf(k->arena, "%s + %s", first[d], turn[d]), false,
		                        w->size[d] % w->stride[d] != 0, w->size[d]);
	}
	lanes_each(&p->lanes, "g[r * %lld + k]@ += own@ == (r0 + r) * %lld + k0 + k ? e@ : 0", b->size[1],
	           (long long)w->size[1]);
	code_close(k->code, open);
}

/* A gradient in blocks of the stride, to which `add_window` adds what comes from one window. */
static void gradient_emit(KernelText *k, const Node *n, void (*add_window)(const Pool *p, const Blocks *b))
{
	Pool p = pool_of(k, n, n->type);
	Blocks b = maxpool_blocks(&p.w);
	long long pixels = b.size[0] * b.size[1];
	write_block(&p, &b);
	if (pixels > 1)
		code_var(k->code, "%s", "g[%lld]%s", "{}", k->real, pixels, p.lanes.width > 1 ? "[4]" : "");
	else
		lanes_value(&p.lanes, "g", "0");
	int open = open_windows(&p, &b, true);
	add_window(&p, &b);
	code_close(k->code, open);
	if (pixels == 1) {
		lanes_finish(&p.lanes, pixel_row(&p, "h0", "v0"), "c", "g@");
		return;
	}
	open_turns(&p, "r", b.size[0], true);
	lanes_index(&p.lanes, "h", "h0 + r");
	open = 2 + open_inside(&p, "h", b.size[0] > 1 && p.w.pad[0] > 0,
	                       b.count[0] * b.size[0] - p.w.pad[0] > p.height, p.height);
	open_turns(&p, "k", b.size[1], true);
	lanes_index(&p.lanes, "v", "v0 + k");
	open += open_inside(&p, "v", b.size[1] > 1 && p.w.pad[1] > 0,
	                    b.count[1] * b.size[1] - p.w.pad[1] > p.width, p.width);
	lanes_finish(&p.lanes, pixel_row(&p, "h", "v"), "c",
	             arena_printf(k->arena, "g[r * %lld + k]@", b.size[1]));
	code_close(k->code, open);
}

void maxpool_grad_emit_cuda(KernelText *k, const Node *n)
{
	gradient_emit(k, n, scan_window);
}

void unpool_emit_cuda(KernelText *k, const Node *n)
{
	gradient_emit(k, n, place_window);
}

int64_t maxpool_grad_cuda_threads(const Node *n)
{
	Window w;
	pool_window(n, n->type, &w);
	Blocks b = maxpool_blocks(&w);
	return n->type.dim[0] * b.count[0] * b.count[1] * n->type.dim[3] / lanes_width(1, &n->type.dim[3]);
}
