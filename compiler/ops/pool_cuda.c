/* CUDA kernels of the pooling operators. Every element of the result is computed by one thread, so nothing depends on
 * the order in which threads run; four neighbouring channels share one where their number allows it.
 *
 * The gradient of maxpool gathers: a thread owns a block of pixels as large as the stride, aligned to where windows
 * begin. The windows that meet the block are then the same for every block: those that begin in it, and a fixed number
 * above and to the left. Each is scanned up to its last element in the block, `rest` being the part of dy that no
 * element has taken yet. With large windows a thread owns one pixel, and the loops are not unrolled. */
#include "ops/lanes.h"
#include "ops/pool.h"

enum {
	BLOCK_PIXELS = 9,   /* most pixels of a block: they stay in registers */
	UNROLLED_TAPS = 36, /* most elements of a window that is unrolled */
};

typedef struct Pool {
	Lanes lanes;
	Window w;
	long long batch, height, width, rows, columns, channels; /* image height x width, result rows x columns */
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

/* The blocks of maxpool_grad: `size` pixels each, `count` over the image and what the first windows reach beyond it. */
typedef struct Blocks {
	long long size[2], count[2];
} Blocks;

static Blocks blocks_of(const Window *w)
{
	bool strides = window_unrolls(w) && w->stride[0] * w->stride[1] <= BLOCK_PIXELS;
	Blocks b;
	for (int i = 0; i < 2; i++) {
		b.size[i] = strides ? (long long)w->stride[i] : 1;
		b.count[i] = strides ? (long long)((w->in[i] + w->pad[i] + w->stride[i] - 1) / w->stride[i])
		                     : (long long)w->in[i];
	}
	return b;
}

/* Windows that can hold one pixel, in one dimension. */
static long long overlap(const Window *w, int i)
{
	return (long long)((w->size[i] + w->stride[i] - 1) / w->stride[i]);
}

/* From the number of the thread: channel `c`, sample `n`, and the place named `column` and `row` in a grid of
 * `rows` x `columns`. */
static void write_place(const Pool *p, const char *row, const char *column, long long rows, long long columns)
{
	long long units = p->channels / p->lanes.width;
	lanes_begin(&p->lanes, p->batch * rows * columns * units);
	if (p->lanes.width > 1)
		lanes_index(&p->lanes, "c", "i %% %lld * %d", units, p->lanes.width);
	else
		lanes_index(&p->lanes, "c", "i %% %lld", units);
	lanes_index(&p->lanes, column, "i / %lld %% %lld", units, columns);
	lanes_index(&p->lanes, row, "i / %lld %% %lld", units * columns, rows);
	lanes_index(&p->lanes, "n", "i / %lld", units * columns * rows);
}

/* A loop with a known number of turns. */
static void open_turns(const Pool *p, const char *variable, const char *turns, bool unrolled)
{
	if (unrolled)
		write_line(p->lanes.k->w, "#pragma unroll");
	kernel_open(p->lanes.k, "for (int %s = 0; %s < %s; %s++)", variable, variable, turns, variable);
}

static void skip_unless(const Pool *p, const char *variable, long long end)
{
	write_line(p->lanes.k->w, "if (%s < 0 || %s >= %lld)", variable, variable, end);
	write_line(p->lanes.k->w, "\tcontinue;");
}

static const char *literal(const Pool *p, long long value)
{
	return arena_printf(p->lanes.k->arena, "%lld", value);
}

static const char *image_row(const Pool *p)
{
	return arena_printf(p->lanes.k->arena, "(n * %lld + h) * %lld + v", p->height, p->width);
}

static const char *result_row(const Pool *p)
{
	return arena_printf(p->lanes.k->arena, "(n * %lld + p) * %lld + q", p->rows, p->columns);
}

static const char *element(const Pool *p, const char *row)
{
	return arena_printf(p->lanes.k->arena, "(%s) * %lld + c", row, p->channels);
}

static const char *area(const Pool *p)
{
	return kernel_number(p->lanes.k, 1 / (double)(p->w.size[0] * p->w.size[1]));
}

static const char *maximum(const Pool *p)
{
	return p->lanes.k->real[0] == 'f' ? "nnr_maxf" : "nnr_max";
}

/* ---- forward */

static void forward_emit(KernelText *k, const Node *n, bool max)
{
	Pool p = pool_of(k, n, n->operands[0]->type);
	const Window *w = &p.w;
	bool unrolled = window_unrolls(w);
	write_place(&p, "p", "q", p.rows, p.columns);
	lanes_value(&p.lanes, "t", max ? "-INFINITY" : "0");
	open_turns(&p, "r", literal(&p, w->size[0]), unrolled);
	lanes_index(&p.lanes, "h", "p * %lld + r - %lld", (long long)w->stride[0], (long long)w->pad[0]);
	skip_unless(&p, "h", p.height);
	open_turns(&p, "k", literal(&p, w->size[1]), unrolled);
	lanes_index(&p.lanes, "v", "q * %lld + k - %lld", (long long)w->stride[1], (long long)w->pad[1]);
	skip_unless(&p, "v", p.width);
	lanes_load(&p.lanes, "e", 0, element(&p, image_row(&p)));
	if (max)
		lanes_each(&p.lanes, "t@ = %s(e@, t@);", maximum(&p));
	else
		lanes_each(&p.lanes, "t@ += e@;");
	kernel_close(k, 2);
	lanes_finish(&p.lanes, result_row(&p), "c",
	             max ? "t@" : arena_printf(k->arena, "t@ * %s", area(&p)));
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

/* Loops over the windows (p, q) that meet the block of pixels which begins at (h0, v0) and is `block` large, in scan
 * order; two to close. The window begins `a` blocks above the block and `b` blocks to the left. */
static void open_windows(const Pool *p)
{
	static const char *const result[2] = {"p", "q"}, *const offset[2] = {"a", "b"}, *const at[2] = {"h0", "v0"};
	const Window *w = &p->w;
	for (int i = 0; i < 2; i++) {
		open_turns(p, offset[i], literal(p, overlap(w, i)), window_unrolls(w));
		lanes_index(&p->lanes, result[i], "(%s + %lld) / %lld - %lld + %s", at[i], (long long)w->pad[i],
		            (long long)w->stride[i], overlap(w, i) - 1, offset[i]);
		skip_unless(p, result[i], (long long)w->out[i]);
	}
}

/* One pixel a thread: what avgpool_grad needs, and maxpool_grad with large windows. */
void avgpool_grad_emit_cuda(KernelText *k, const Node *n)
{
	Pool p = pool_of(k, n, n->type);
	write_place(&p, "h", "v", p.height, p.width);
	lanes_value(&p.lanes, "t", "0");
}
