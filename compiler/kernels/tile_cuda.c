/* SPDX-License-Identifier: MIT */
/* The text of products by nnc's own kernels: their two sides (runtime/cuda/nnr_tile_side.h), and the call that
 * multiplies them, on tensor cores (nnr_tile.h; see tile.h) or by threads (nnr_threads.h). */
#include "kernels/tile_shape.h"

#include "base/checked.h"
#include "kernels/conv.h"
#include "codegen/lanes.h"
#include "kernels/matmul.h"
#include "codegen/expr.h"
#include "runtime/cuda/nnr_sizes.h"

enum {
	MOST_STAGES = 4,
	RESERVED_BYTES = 1024, /* of shared memory, by CUDA for each block */
	MOST_SIDE = 64,
	LEAST_SIDE = 16,     /* of a tile by threads */
	BLOCKS_WANTED = 128, /* fewer, and that tile is made smaller */
};

typedef struct Emit {
	KernelText *k;
	const Node *n;
	const char *type; /* of the factors' elements */
	TileShape shape;
	bool by_threads;   /* element by element */
	const char *index; /* C type of a place in a tensor: "int", unless one has 2^31 elements or more */
	const char *wide;  /* of a side's template: then its last argument */
} Emit;

static Emit emit_of(KernelText *k, const Node *n, bool by_threads)
{
	const char *index = lanes_new(k, n, 1).index;
	return (Emit){.k = k,
	              .n = n,
	              .type = dtype_c_name(n->operands[0]->type.dtype),
	              .shape = tile_shape(n),
	              .by_threads = by_threads,
	              .index = index,
	              .wide = strcmp(index, "int") == 0 ? "" : arena_printf(k->arena, ", %s", index)};
}

/* Elements that are read at once from an operand of which neighbours come in runs of `run` that begin at multiples of
 * it. */
static int vector_of(const Emit *e, int operand, int64_t run)
{
	int v = e->by_threads ? 1 : 16 / (int)dtype_bytes(e->n->operands[0]->type.dtype);
	while (v > 1 && (run % v || !kernel_operand_aligned(e->k, operand, v)))
		v /= 2;
	return v;
}

/* "x + z * 64": where the part of an operand begins that is product z's. */
static const char *begin_text(const Emit *e, const char *pointer, int64_t elements)
{
	return e->shape.outer > 1 ? arena_printf(e->k->arena, "%s + z * %lld", pointer, (long long)elements)
	                          : pointer;
}

/* A side that is a matrix as it lies. */
static void write_matrix(const Emit *e, const char *side, const char *begin, int64_t rows, int64_t depth,
                         int64_t row_pitch, int64_t depth_pitch, int vector)
{
	code_let(e->k->code, "NnrMatrix<%s, %lld, %lld, %lld, %lld, %d%s>", "%s", "{%s}", e->type,
	         (long long)rows, (long long)depth, (long long)row_pitch, (long long)depth_pitch, vector,
	         e->wide, side, begin);
}

/* ---- images */

/* What is known of one axis, rows or columns, of windows: numbers, or names where they differ from class to class. */
typedef struct Axis {
	int64_t size;              /* of the image that is read */
	int64_t windows;           /* along it */
	int64_t stride, step;      /* from window to window, and from tap to tap */
	const char *origin, *taps; /* of window 0, and how many there are */
} Axis;

static void write_windows(const Emit *e, const ConvShape *c, const Axis axis[2], int64_t pitch,
                          int64_t channels)
{
	code_note(e->k->code,
	          "images, height, width, channels and those read; windows, stride, distance of taps");
	code_type(e->k->code, "Windows",
	          "NnrWindows<%s, %lld, %lld, %lld, %lld, %lld, %lld, %lld, %lld, %lld, %lld, %lld%s>",
	          e->type, (long long)c->batch, (long long)axis[0].size, (long long)axis[1].size,
	          (long long)pitch, (long long)channels, (long long)axis[0].windows,
	          (long long)axis[1].windows, (long long)axis[0].stride, (long long)axis[1].stride,
	          (long long)axis[0].step, (long long)axis[1].step, e->wide);
}

static void write_gathered(const Emit *e, const char *side, const char *kind, const char *begin,
                           const Axis axis[2], int vector)
{
	code_let(e->k->code, "%s<Windows, %s, %d>", "%s", "{{%s, %s, %s, %s, %s}}", kind, e->type, vector,
	         side, begin, axis[0].origin, axis[1].origin, axis[0].taps, axis[1].taps);
}

static const char *literal(const Emit *e, int64_t value)
{
	return arena_printf(e->k->arena, "%lld", (long long)value);
}

/* Of the windows of x. */
static void window_axes(const Emit *e, const Window *w, Axis axis[2])
{
	for (int i = 0; i < 2; i++)
		axis[i] = (Axis){.size = w->in[i],
		                 .windows = w->out[i],
		                 .stride = w->stride[i],
		                 .step = w->dilation[i],
		                 .origin = literal(e, -w->pad[i]),
		                 .taps = literal(e, w->size[i])};
}

/* Whether the windows are the pixels, so that the image is a matrix as it lies. */
static bool is_matrix(const Window *w)
{
	bool whole = true;
	for (int i = 0; i < 2; i++)
		whole = whole && w->size[i] == 1 && w->stride[i] == 1 && w->pad[i] == 0 &&
		        w->out[i] == w->in[i];
	return whole;
}

/* ---- the products: each writes both sides, and returns the depth where it differs between classes; else NULL */

static const char *write_matmul(const Emit *e)
{
	MatmulShape s;
	matmul_shape(e->n, &s);
	write_matrix(e, "left", begin_text(e, "a", s.m * s.k), s.m, s.k, s.ta ? 1 : s.k, s.ta ? s.m : 1,
	             vector_of(e, 0, s.ta ? s.m : s.k));
	write_matrix(e, "right", begin_text(e, "b", s.n * s.k), s.n, s.k, s.tb ? s.k : 1, s.tb ? 1 : s.n,
	             vector_of(e, 1, s.tb ? s.k : s.n));
	return NULL;
}

static const char *write_forward(const Emit *e)
{
	const ConvShape c = conv_shape(e->n);
	const Window *w = &c.win;
	const int64_t channels = c.channels / c.groups;
	const char *begin = begin_text(e, "x", channels);
	const int vector = vector_of(e, 0, channels);
	if (is_matrix(w)) {
		write_matrix(e, "left", begin, e->shape.m, e->shape.k, c.channels, 1, vector);
	} else {
		Axis axis[2];
		window_axes(e, w, axis);
		write_windows(e, &c, axis, c.channels, channels);
		write_gathered(e, "left", "NnrWindowRows", begin, axis, vector);
	}
	write_matrix(e, "right", begin_text(e, "w", e->shape.n * e->shape.k), e->shape.n, e->shape.k,
	             e->shape.k, 1, vector_of(e, 1, e->shape.k));
	return NULL;
}

static const char *write_by_filters(const Emit *e)
{
	const ConvShape c = conv_shape(e->n);
	const int64_t channels = c.channels / c.groups, filters = c.filters / c.groups;
	const char *begin = begin_text(e, "x", channels);
	const int vector = vector_of(e, 0, channels);
	write_matrix(e, "left", begin_text(e, "dy", filters), filters, e->shape.k, 1, c.filters,
	             vector_of(e, 1, filters));
	if (is_matrix(&c.win)) {
		write_matrix(e, "right", begin, e->shape.n, e->shape.k, 1, c.channels, vector);
		return NULL;
	}
	Axis axis[2];
	window_axes(e, &c.win, axis);
	write_windows(e, &c, axis, c.channels, channels);
	write_gathered(e, "right", "NnrTapRows", begin, axis, vector);
	return NULL;
}

/* Of the windows of dy that a pixel of x is in. After a stride there is a class of pixels for each remainder, `down`
 * and `along`. Of it, pixel + pad - tap * dilation must be a multiple of the stride: that is so of `first`, if of any,
 * and of every `step`-th tap from there on. */
static void gradient_axes(const Emit *e, const Window *w, Axis axis[2])
{
	static const char *const class[] = {"down", "along"};
	Arena *a = e->k->arena;
	for (int i = 0; i < 2; i++) {
		const long long stride = w->stride[i], pad = w->pad[i], size = w->size[i],
		                dilation = w->dilation[i], step = tile_tap_step(w, i), common = stride / step;
		axis[i] = (Axis){.size = w->out[i],
		                 .windows = ceil_div(w->in[i], stride),
		                 .stride = 1,
		                 .step = -dilation / common,
		                 .origin = literal(e, pad),
		                 .taps = literal(e, size)};
		if (stride == 1)
			continue;
		const char *at = arena_printf(a, "(%s + %lld)", class[i], pad), *first = at;
		long long inverse = 1; /* of dilation / common, modulo step */
		while (dilation / common * inverse % step != 1 % step)
			inverse++;
		if (dilation > 1)
			first = arena_printf(a, "%s / %lld * %lld", at, common, inverse);
		code_let(e->k->code, "int", "first_%s", "%s %% %lld", class[i], first, step);
		axis[i].taps = arena_printf(a, "(%lld - first_%s) / %lld", size + step - 1, class[i], step);
		if (common > 1)
			axis[i].taps = arena_printf(a, "%s %% %lld ? 0 : %s", at, common, axis[i].taps);
		if (dilation > 1)
			at = arena_printf(a, "(%s + %lld - first_%s * %lld)", class[i], pad, class[i],
			                  dilation);
		axis[i].origin = arena_printf(a, "%s / %lld", at, stride);
	}
}

static const char *write_by_image(const Emit *e)
{
	const ConvShape c = conv_shape(e->n);
	const Window *w = &c.win;
	const int64_t channels = c.channels / c.groups, filters = c.filters / c.groups,
	              taps = w->size[0] * w->size[1];
	const char *begin = begin_text(e, "dy", filters),
	           *of_w = begin_text(e, "w", filters * taps * channels);
	const int vector = vector_of(e, 0, filters), of_channels = vector_of(e, 1, channels);
	if (is_matrix(w)) {
		write_matrix(e, "left", begin, e->shape.m, e->shape.k, c.filters, 1, vector);
		write_matrix(e, "right", of_w, e->shape.n, e->shape.k, 1, channels, of_channels);
		return NULL;
	}
	Axis axis[2];
	gradient_axes(e, w, axis);
	write_windows(e, &c, axis, c.filters, filters);
	write_gathered(e, "left", "NnrWindowRows", begin, axis, vector);
	code_let(e->k->code, "NnrFilters<%s, %lld, %lld, %lld, %lld, %lld, %lld, %d>", "right",
	         "{%s, %s, %s, %s, %s}", e->type, (long long)filters, (long long)w->size[0],
	         (long long)w->size[1], (long long)channels, (long long)tile_tap_step(w, 0),
	         (long long)tile_tap_step(w, 1), of_channels, of_w, w->stride[0] > 1 ? "first_down" : "0",
	         w->stride[1] > 1 ? "first_along" : "0", axis[0].taps, axis[1].taps);
	if (e->shape.classes == 1)
		return NULL;
	return arena_printf(e->k->arena, "left.windows.taps_down * left.windows.taps_along * %lld",
	                    (long long)filters);
}

/* ---- results: the place of sum (m, n) */

static void write_place(const Emit *e)
{
	Code *w = e->k->code;
	Arena *a = e->k->arena;
	const TileShape *t = &e->shape;
	const char *row = t->outer > 1 && e->n->op->gemm == GEMM_PRODUCT
	                          ? arena_printf(a, "z * %lld + m", (long long)t->m)
	                          : "m",
	           *column = "n";
	code_leave_if(w, "return", "m >= %lld || n >= %lld", (long long)t->m, (long long)t->n);
	if (e->n->op->gemm != GEMM_PRODUCT) {
		const ConvShape c = conv_shape(e->n);
		const Window *win = &c.win;
		const int64_t channels = c.channels / c.groups;
		if (t->outer > 1)
			column = arena_printf(a, "z * %lld + n", (long long)t->n);
		if (e->n->op->gemm == GEMM_WGRAD) {
			const int64_t taps = win->size[0] * win->size[1];
			const char *filter =
			        t->outer > 1 ? arena_printf(a, "(z * %lld + m)", (long long)t->m) : "m";
			row = arena_printf(a, "%s + %s", index_times(a, filter, taps),
			                   index_over(a, "n", channels));
			column = index_digit(a, "n", 1, channels);
		} else if (t->classes > 1) {
			const int64_t rows = ceil_div(win->in[0], win->stride[0]),
			              columns = ceil_div(win->in[1], win->stride[1]);
			code_let(w, "int", "h", "%s + down",
			         index_times(a, index_digit(a, "m", columns, rows), win->stride[0]));
			code_also(w, "v", "%s + along",
			          index_times(a, index_digit(a, "m", 1, columns), win->stride[1]));
			code_leave_if(w, "return", "h >= %lld || v >= %lld", (long long)win->in[0],
			              (long long)win->in[1]);
			row = arena_printf(a, "(%s * %lld + h) * %lld + v",
			                   index_over(a, "m", rows * columns), (long long)win->in[0],
			                   (long long)win->in[1]);
		}
	}
	code_let(w, "%s", "row", "%s", e->index, row);
	code_also(w, "col", "%s", column);
}

static void write_results(const Emit *e)
{
	const Type type = e->n->type;
	const bool fours = type.dim[type.rank - 1] % 4 == 0 && e->shape.n % 4 == 0;
	KernelText *k = e->k;
	if (fours) {
		write_place(e);
		kernel_vector_epilogue(k, 4, "row", "col", "sums[u]");
		return;
	}
	code_let(k->code, "int", "end", "n + 4");
	code_scope(k->code, "", "for (const float *sum = sums; n < end; n++, sum++)");
	write_place(e);
	kernel_epilogue(k, "row", "col", "*sum");
	code_close(k->code, 1);
}

/* Which tile the block computes, of so many rows and columns. */
static void write_outer(const Emit *e, int rows, int columns)
{
	const TileShape *t = &e->shape;
	Code *w = e->k->code;
	code_let(w, "NnrTilePlace", "at", "nnr_tile_place<%lld, %lld, %lld>()",
	         (long long)ceil_div(t->n, columns), (long long)ceil_div(t->m, rows),
	         (long long)(t->outer * t->classes));
	if (t->classes > 1) {
		const ConvShape c = conv_shape(e->n);
		code_let(w, "int", "down", "%s",
		         index_digit(e->k->arena, "at.outer", c.win.stride[1], c.win.stride[0]));
		code_also(w, "along", "%s", index_digit(e->k->arena, "at.outer", 1, c.win.stride[1]));
	}
	if (t->outer > 1)
		code_let(w, "%s", "z", "%s", e->index, index_over(e->k->arena, "at.outer", t->classes));
}

static const char *write_sides(const Emit *e)
{
	const Gemm gemm = e->n->op->gemm;
	return gemm == GEMM_PRODUCT ? write_matmul(e)
	       : gemm == GEMM_WGRAD ? write_by_filters(e)
	       : gemm == GEMM_DGRAD ? write_by_image(e)
	                            : write_forward(e);
}

void product_emit_by_threads(KernelText *k, const Node *n)
{
	const Emit e = emit_of(k, n, true);
	TileForm f = {.rows = MOST_SIDE, .columns = MOST_SIDE};
	while (f.rows > LEAST_SIDE && tile_count(&e.shape, &f) < BLOCKS_WANTED)
		f.rows = f.columns = f.rows / 2;
	k->units = tile_count(&e.shape, &f) * CUDA_THREADS;
	write_outer(&e, f.rows, f.columns);
	const char *depth = write_sides(&e);
	code_scope(k->code, ");",
	           "nnr_threads_product<%s, %d>(left, right, at, %s, [&](int m, int n, %s sum)", k->real,
	           f.rows, depth ? depth : literal(&e, e.shape.k), k->real);
	write_place(&e);
	kernel_epilogue(k, "row", "col", "sum");
	code_close(k->code, 1);
}

CudaLaunch tile_emit(KernelText *k, const Node *n)
{
	const Emit emit = emit_of(k, n, false), *e = &emit;
	const TileForm *f = tile_form(n);
	const int64_t parts = tile_parts(n), tiles = tile_count(&e->shape, f),
	              slices = tile_slices(n, &e->shape);
	const int64_t stage = (f->rows + f->columns) * NNR_SLICE_BYTES,
	              chip = target_arch(k->target).shared_bytes;
	int64_t blocks = f->blocks, stages;
	while (blocks > 1 && chip / blocks - RESERVED_BYTES < 3 * stage)
		blocks--;
	stages = (chip / blocks - RESERVED_BYTES) / stage;
	stages = stages > MOST_STAGES ? MOST_STAGES : stages;
	require(stages >= 2);
	code_type(k->code, "Tile", "NnrTile<%s, %d, %d, %d, %d, %lld>", e->type, f->rows, f->columns, f->down,
	          f->across, (long long)stages);
	code_do(k->code, "NNR_CHIP(chip, %lld)", (long long)(stages * stage));
	write_outer(e, f->rows, f->columns);
	const char *depth = write_sides(e);
	depth = depth ? arena_printf(k->arena, "(%s + Tile::DEPTH - 1) / Tile::DEPTH", depth)
	              : literal(e, slices);
	code_let(k->code, "int", "slices", "%s", depth)->note = "of the depth";
	code_scope(k->code, ");",
	           "nnr_tile_product<Tile>(chip, left, right, at, slices, %lld, %s, %s, [&](int m, int n, "
	           "const float "
	           "*sums)",
	           (long long)parts, parts > 1 ? "partial" : "nullptr", parts > 1 ? "done" : "nullptr");
	write_results(e);
	code_close(k->code, 1);
	return (CudaLaunch){.blocks = tiles * parts,
	                    .threads = 32 * f->down * f->across,
	                    .per_multiprocessor = (int)blocks,
	                    .shared_bytes = stages * stage,
	                    .tensor_cores = true,
	                    .counters = parts > 1 ? tiles : 0};
}
