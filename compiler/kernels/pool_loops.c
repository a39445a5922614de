/* SPDX-License-Identifier: MIT */
/* Loops of the pooling operators. Every element of the result is computed by one thread and written once, so nothing
 * depends on the order in which threads run. On CUDA four neighbouring channels share one where their number allows it;
 * in C the parallel loop runs over rows of pixels of the result, the innermost loop, vectorised, over channels.
 *
 * In C, small windows that lie inside the image are unrolled into straight-line code for each channel. The gradient of
 * a maximum over windows that overlap first notes which element each window took: one comparison an element, where
 * asking for each pixel and window whether an earlier element is equal takes half a window of them.
 *
 * On CUDA the gradient of maxpool gathers: a thread owns a block of pixels as large as the stride, aligned to where
 * windows begin. The windows that meet the block are then the same for every block: those that begin in it, and a
 * fixed number above and to the left. Each is scanned up to its last element in the block, `rest` being the part of dy
 * that no element has taken yet. With large windows or strides a thread owns one pixel, as does a turn of the loops in
 * C. */
#include "codegen/lanes.h"
#include "codegen/op_loops.h"
#include "ops/pool.h"

enum {
	BLOCK_PIXELS = 9,    /* most pixels of a block: they stay in registers */
	UNROLLED_TAPS = 36,  /* most elements of a window that is unrolled */
	WRITTEN_OUT = 9,     /* and in C of one that is written out */
	CHANNEL_BLOCK = 256, /* channels of a local array in C */
};

typedef struct Pool {
	Lanes lanes;
	KernelText *k;
	Window w;
	long long batch, height, width, rows, columns,
	        channels; /* image height x width, result rows x columns */
	const char *max;  /* name of the maximum for the element type */
} Pool;

static Pool pool_of(KernelText *k, const Node *n, Type x)
{
	Pool p = {.k = k, .batch = x.dim[0], .channels = x.dim[3]};
	p.lanes = lanes_of_blocks(k, n, x.dim[3], CHANNEL_BLOCK);
	p.w = pool_window(n, x);
	p.height = p.w.in[0];
	p.width = p.w.in[1];
	p.rows = p.w.out[0];
	p.columns = p.w.out[1];
	p.max = k->real[0] == 'f' ? "nnr_maxf" : "nnr_max";
	return p;
}

static bool window_unrolls(const Window *w)
{
	return w->size[0] * w->size[1] <= UNROLLED_TAPS;
}

static const char *const result_axis[2] = {"p", "q"}, *const pixel_axis[2] = {"h", "v"};

/* A loop with a known number of turns. */
static void open_turns(const Pool *p, const char *variable, long long turns, bool unrolled)
{
	if (unrolled && !p->lanes.in_loops)
		code_turns(p->lanes.k->code, TURNS_UNROLLED, "");
	code_loop(p->lanes.k->code,
	          (CodeLoop){.type = p->lanes.in_loops ? "int64_t" : "int", .var = variable, .count = turns});
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
	const Window *w = &p->w;
	bool above = (w->out[i] - 1) * w->stride[i] - w->pad[i] + w->size[i] > w->in[i];
	lanes_index(&p->lanes, pixel_axis[i], "%s", at);
	return open_inside(p, pixel_axis[i], w->pad[i] > 0, above, w->in[i]);
}

static const char *pixel_row(const Pool *p, const char *h, const char *v)
{
	return arena_printf(p->lanes.k->arena, "(n * %lld + %s) * %lld + %s", p->height, h, p->width, v);
}

static const char *result_row(const Pool *p)
{
	return arena_printf(p->lanes.k->arena, "(n * %lld + p) * %lld + q", p->rows, p->columns);
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

static bool window_is_written_out(const Pool *p)
{
	const Window *w = &p->w;
	return w->size[0] * w->size[1] <= WRITTEN_OUT && !(w->pad[0] | w->pad[1] | w->pad[2] | w->pad[3]);
}

/* Opens the loops over windows, and all channels of one; `v` is the first pixel of the window, whose element (r, s) is
 * then at v[tap + c]. */
static void open_written_out(Pool *p)
{
	p->lanes.block = p->channels;
	lanes_open_grid(&p->lanes, p->batch, result_axis, p->w.out);
	code_let(p->k->code, "%s *", "v", "x + ((n * %lld + p * %lld) * %lld + q * %lld) * %lld", p->k->real,
	         p->height, (long long)p->w.stride[0], p->width, (long long)p->w.stride[1], p->channels);
	code_turns(p->k->code, TURNS_SIMD, "");
	kernel_loop(p->k, "c", "0", kernel_literal(p->k, p->channels), 1);
}

static long long tap_offset(const Pool *p, int64_t r, int64_t s)
{
	return (r * p->width + s) * p->channels;
}

static void forward_written_out(Pool *p, bool maximum)
{
	Code *w = p->k->code;
	Arena *a = p->k->arena;
	open_written_out(p);
	code_var(w, "%s", "t", "v[c]", p->k->real);
	for (int64_t i = 1; i < p->w.size[0] * p->w.size[1]; i++) {
		long long offset = tap_offset(p, i / p->w.size[1], i % p->w.size[1]);
		if (maximum)
			code_set(w, "t", "%s(v[%lld + c], t)", p->max, offset);
		else
			code_add(w, "t", "v[%lld + c]", offset);
	}
	const char *value = maximum ? "t" : arena_printf(a, "t * %s", area(p));
	kernel_epilogue(p->k, result_row(p), "c", value);
	code_close(p->k->code, 1);
}

static void forward_emit(KernelText *k, const Node *n, bool max)
{
	Pool p = pool_of(k, n, n->operands[0]->type);
	const Window *w = &p.w;
	bool unrolled = window_unrolls(w);
	if (p.lanes.in_loops && window_is_written_out(&p)) {
		forward_written_out(&p, max);
		return;
	}
	lanes_open_grid(&p.lanes, p.batch, result_axis, w->out);
	lanes_value(&p.lanes, "t", max ? "-INFINITY" : "0");
	open_turns(&p, "r", w->size[0], unrolled);
	int open = 2 + open_pixel(&p, 0, window_place(&p, 0, "p", "r"));
	open_turns(&p, "k", w->size[1], unrolled);
	open += open_pixel(&p, 1, window_place(&p, 1, "q", "k"));
	lanes_load(&p.lanes, "e", 0, lanes_at(&p.lanes, pixel_row(&p, "h", "v")));
	if (max)
		lanes_each(&p.lanes, "t@ = %s(e@, t@)", p.max);
	else
		lanes_each(&p.lanes, "t@ += e@");
	code_close(k->code, open);
	lanes_finish(&p.lanes, result_row(&p), "c", max ? "t@" : arena_printf(k->arena, "t@ * %s", area(&p)));
}

static void maxpool_emit(KernelText *k, const Node *n)
{
	forward_emit(k, n, true);
}

static void avgpool_emit(KernelText *k, const Node *n)
{
	forward_emit(k, n, false);
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

static Blocks maxpool_blocks(const Window *w, bool in_loops)
{
	bool small = !in_loops && window_unrolls(w) && w->stride[0] * w->stride[1] <= BLOCK_PIXELS;
	return small ? blocks_of_stride(w) : blocks_of_pixels(w);
}

/* The block of the thread: (h0, v0), and (p0, q0), the last window that begins at or before it. */
static void write_block(const Pool *p, const Blocks *b)
{
	static const char *const first[2] = {"h0", "v0"}, *const window[2] = {"p0", "q0"};
	bool pixels[2] = {b->size[0] == 1, b->size[1] == 1};
	Arena *a = p->lanes.k->arena;
	const char *const names[2] = {pixels[0] ? "h0" : "p0", pixels[1] ? "v0" : "q0"};
	const int64_t counts[2] = {b->count[0], b->count[1]};
	lanes_open_grid(&p->lanes, p->batch, names, counts);
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
	static const char *const turn[2] = {"a", "b"}, *const tap[2] = {"r0", "k0"},
	                         *const first[2] = {"h0", "v0"};
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
			lanes_index(&p->lanes, result_axis[i], "%s0 - %lld + %s", result_axis[i], before,
			            turn[i]);
		} else {
			lanes_index(&p->lanes, result_axis[i], "%s0", result_axis[i]);
		}
		bool beyond =
		        !aligned && (before + 1) * stride > size; /* the last may end before the block */
		if (!taps && !beyond)
			;
		else if (!aligned)
			lanes_index(&p->lanes, tap[i], "%s - %s * %lld",
			            index_plus(p->lanes.k->arena, first[i], pad), result_axis[i], stride);
		else if (before > 0)
			lanes_index(&p->lanes, tap[i], "(%lld - %s) * %lld", before, turn[i], stride);
		else
			lanes_index(&p->lanes, tap[i], "0");
		open += open_inside(p, result_axis[i], before > 0, last >= w->out[i], w->out[i]);
		if (beyond)
			open += open_inside(p, tap[i], false, true, size);
	}
	return open;
}

static void avgpool_grad_emit(KernelText *k, const Node *n)
{
	Pool p = pool_of(k, n, n->type);
	Blocks b = blocks_of_pixels(&p.w);
	write_block(&p, &b);
	lanes_value(&p.lanes, "t", "0");
	int open = open_windows(&p, &b, false);
	lanes_load(&p.lanes, "e", 0, lanes_at(&p.lanes, result_row(&p)));
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
	lanes_load(&p->lanes, "top", 2, lanes_at(&p->lanes, result_row(p)));
	lanes_load(&p->lanes, "rest", 0, lanes_at(&p->lanes, result_row(p)));
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
	lanes_load(&p->lanes, "e", 1, lanes_at(&p->lanes, pixel_row(p, "h", "v")));
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
	const char *at = lanes_at(&p->lanes, result_row(p)), *turn[2] = {"r", "k"}, *first[2] = {"r0", "k0"};
	lanes_load(&p->lanes, "e", 0, at);
	lanes_load_typed(&p->lanes, "uint8_t", "own", 1, at);
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
	Blocks b = maxpool_blocks(&p.w, p.lanes.in_loops);
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

static void maxpool_grad_emit_cuda(KernelText *k, const Node *n)
{
	gradient_emit(k, n, scan_window);
}

static void unpool_emit(KernelText *k, const Node *n)
{
	gradient_emit(k, n, place_window);
}

/* ---- the gradient of maxpool in C */

/* Every pixel of the image is in exactly one window. */
static bool windows_tile(const Pool *p)
{
	const Window *w = &p->w;
	return window_is_written_out(p) && w->size[0] == w->stride[0] && w->size[1] == w->stride[1] &&
	       w->in[0] % w->size[0] == 0 && w->in[1] % w->size[1] == 0;
}

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
static void open_windows_along(Pool *p, int axis)
{
	Arena *a = p->k->arena;
	long long pad = p->w.pad[axis], size = p->w.size[axis], stride = p->w.stride[axis];
	const char *at = pixel_axis[axis];
	kernel_loop(p->k, result_axis[axis],
	            arena_printf(a, "%s + %lld < %lld ? 0 : (%s + %lld) / %lld", at, pad, size, at,
	                         pad - size + stride, stride),
	            arena_printf(a, "%s_end", result_axis[axis]), 1);
}

/* Windows that tile the image: for each channel, `rest` is the part of dy that no element has taken yet. */
static void maxpool_grad_tiled(Pool *p)
{
	Code *w = p->k->code;
	Arena *a = p->k->arena;
	int64_t count = p->w.size[0] * p->w.size[1];
	open_written_out(p);
	code_let(w, "int64_t", "o", "(%s) * %lld + c", result_row(p), p->channels);
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
	code_close(p->k->code, 1);
}

/* Fills place[ready % kept][q][c] for the windows q of row `ready`: which of their elements is the first maximum,
 * counted along rows. From the last element on, so that the first one stays; -1 where none is equal, which is NaN. */
static void find_places(Pool *p, long long kept)
{
	Code *w = p->k->code;
	const Window *win = &p->w;
	kernel_loop(p->k, "q", "0", kernel_literal(p->k, p->columns), 1);
	lanes_load(&p->lanes, "top", 2,
	           lanes_at(&p->lanes,
	                    arena_printf(p->k->arena, "(n * %lld + ready) * %lld + q", p->rows, p->columns)));
	code_var(w, "int32_t *", "first", "place[ready %% %lld][q]", kept);
	lanes_each(&p->lanes, "first@ = -1");
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
	lanes_load(&p->lanes, "e", 1, lanes_at(&p->lanes, pixel_row(p, "i", "j")));
	lanes_each(&p->lanes, "first@ = e@ == top@ ? own : first@");
	code_close(p->k->code, 3);
}

/* Row by row of the image: a pixel takes dy of each window whose first maximum it is. Of the places of these, the
 * window rows are kept that one row of pixels can be in. */
static void maxpool_grad_emit_cpu(KernelText *k, const Node *n)
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
	p.lanes.block = p.lanes.block < fits ? p.lanes.block : fits;
	code_turns(w, TURNS_THREADS, lanes_block_loops(&p.lanes) ? " collapse(2)" : "");
	kernel_loop(p.k, "n", "0", kernel_literal(p.k, p.batch), 1);
	int blocks = lanes_open_blocks(&p.lanes);
	code_array(w, "int32_t", "place", "%lld][%lld][%lld", kept, p.columns, (long long)p.lanes.block);
	code_var(w, "int64_t", "ready", "0");
	kernel_loop(p.k, "h", "0", kernel_literal(p.k, p.height), 1);
	write_windows_end(&p, 0);
	code_loop(w, (CodeLoop){.var = "ready", .to = "p_end"});
	find_places(&p, kept);
	code_close(p.k->code, 1);
	kernel_loop(p.k, "v", "0", kernel_literal(p.k, p.width), 1);
	lanes_value(&p.lanes, "t", "0");
	open_windows_along(&p, 0);
	write_windows_end(&p, 1);
	open_windows_along(&p, 1);
	code_let(w, "int32_t", "own", "(int32_t)((h + %lld - p * %lld) * %lld + v + %lld - q * %lld)",
	         (long long)p.w.pad[0], (long long)p.w.stride[0], (long long)p.w.size[1],
	         (long long)p.w.pad[1], (long long)p.w.stride[1]);
	code_let(w, "int32_t *", "first", "place[p %% %lld][q]", kept);
	lanes_load(&p.lanes, "g", 0, lanes_at(&p.lanes, result_row(&p)));
	lanes_each(&p.lanes, "t@ += first@ == own ? g@ : 0");
	code_close(p.k->code, 2);
	lanes_finish(&p.lanes, pixel_row(&p, "h", "v"), "c", "t@");
	code_close(p.k->code, 3 + blocks);
}

/* Windows that tile the image: the unit that writes a window has read it, and no other reads it. */
static bool maxpool_grad_overwrites(const Node *n, int operand)
{
	const Window w = pool_window(n, n->type);
	bool tiles = true;
	for (int i = 0; i < 2; i++)
		tiles = tiles && w.stride[i] == w.size[i] && w.pad[i] == 0 && w.out[i] * w.size[i] == w.in[i];
	return operand == 1 && tiles;
}

const OpLoops pool_loops[] = {
        {.op = "maxpool", .emit = maxpool_emit},
        {.op = "maxpool_grad",
         .emit_cpu = maxpool_grad_emit_cpu,
         .emit_cuda = maxpool_grad_emit_cuda,
         .block_overwrites = maxpool_grad_overwrites},
        {.op = "unpool", .emit = unpool_emit},
        {.op = "avgpool", .emit = avgpool_emit},
        {.op = "avgpool_grad", .emit = avgpool_grad_emit},
        {0},
};
