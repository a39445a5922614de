/* SPDX-License-Identifier: MIT */
/* Plain CUDA kernels of the matrix product and of convolution, forward and both gradients: what runs in double, what
 * runs where libraries are switched off, and the oracle for them.
 *
 * All four are one product of a left matrix [m,k] and a right one [k,n], `outer` times: a convolution's left or right
 * matrix is read from the image through a formula, and never stored. A block of 256 threads computes a tile of the
 * result, 16x16 threads of 1, 4 or 16 elements. It goes along k in slices of 16: while one slice is multiplied from
 * shared memory, the next is loaded into registers. Neighbouring threads load what lies side by side in memory, along k
 * or along the rows of the side. Every element is summed in ascending k by one thread. */
#include "base/checked.h"
#include "kernels/conv.h"
#include "codegen/lanes.h"
#include "kernels/matmul.h"

enum {
	SLICE = 16,         /* of k */
	SIDE = 16,          /* threads along one side of the tile */
	BLOCKS_WANTED = 128 /* fewer, and the tile is made smaller */
};

/* A declared index. */
typedef struct Value {
	const char *name, *text;
} Value;

/* One of the two matrices; the row of the right one is a column of the result. */
typedef struct Side {
	const char *name; /* "left", "right" */
	bool along_depth; /* neighbouring threads load neighbouring k, otherwise neighbouring rows */
	int64_t rows;
	/* What is computed once for a row, the text over @; once for a k, over `depth`; and for each element: there,
	 * and in `inside` and `element`, names of the first are followed by @. All end in a NULL name. */
	Value row[4], depth[4], place[3];
	const char *inside; /* whether the element is not zero; NULL: always */
	const char *element;
} Side;

typedef struct Product {
	int64_t outer, m, n, k;
	Side left, right;
	const char *row, *column; /* of the result, over m, n and z, the number of the product */
} Product;

/* Elements of a side of the tile. */
static int tile_of(int64_t outer, int64_t m, int64_t n)
{
	int tile = 64;
	while (tile > SIDE && outer * ceil_div(m, tile) * ceil_div(n, tile) < BLOCKS_WANTED)
		tile /= 2;
	return tile;
}

/* ---- the kernel */

typedef struct Tile {
	KernelText *k;
	Lanes l; /* for its index type */
	const Product *p;
	int size, each; /* elements of a side of the tile, and of a thread along it */
} Tile;

static void open_loop(const Tile *t, const char *variable, int end)
{
	code_turns(t->k->code, TURNS_UNROLLED, "");
	code_loop(t->k->code, (CodeLoop){.type = "int", .var = variable, .count = end});
}

/* What a thread needs to know about the rows it loads, for the whole kernel: its one row, or an array over j. */
static void write_rows(const Tile *t, const Side *s)
{
	Arena *a = t->k->arena;
	const char *first = s->name[0] == 'l' ? "m0" : "n0";
	if (!s->along_depth) {
		lanes_index(&t->l, arena_printf(a, "%s_row", s->name), "%s + threadIdx.x %% %d", first,
		            t->size);
		for (const Value *v = s->row; v->name; v++)
			lanes_index(&t->l, v->name, "%s",
			            text_at(a, v->text, arena_printf(a, "%s_row", s->name)));
		return;
	}
	code_array(t->k->code, "%s", "%s_row", "%d", t->l.index, s->name, t->each);
	for (const Value *v = s->row; v->name; v++)
		code_array(t->k->code, "%s", "%s", "%d", t->l.index, v->name, t->each);
	open_loop(t, "j", t->each);
	lanes_index(&t->l, "row", "%s + threadIdx.x / %d + j * %d", first, SLICE, SIDE);
	code_set(t->k->code, "%s_row[j]", "row", s->name);
	for (const Value *v = s->row; v->name; v++)
		code_set(t->k->code, "%s[j]", "%s", v->name, text_at(a, v->text, "row"));
	code_close(t->k->code, 1);
}

static void write_depth(const Tile *t, const Side *s)
{
	if (s->along_depth)
		lanes_index(&t->l, "depth", "k0 + threadIdx.x %% %d", SLICE);
	else
		lanes_index(&t->l, "depth", "k0 + threadIdx.x / %d + j * %d", t->size,
		            CUDA_THREADS / t->size);
	for (const Value *v = s->depth; v->name; v++)
		lanes_index(&t->l, v->name, "%s", v->text);
}

/* Loads this thread's elements of a slice into its registers. */
static void write_loads(const Tile *t, const Side *s)
{
	Arena *a = t->k->arena;
	const char *by = s->along_depth ? "[j]" : "";
	code_if(t->k->code, "k0 < %lld", (long long)t->p->k);
	if (s->along_depth)
		write_depth(t, s);
	open_loop(t, "j", t->each);
	if (!s->along_depth)
		write_depth(t, s);
	for (const Value *v = s->place; v->name; v++)
		lanes_index(&t->l, v->name, "%s", text_at(a, v->text, by));
	code_set(t->k->code, "%s[j]", "0", s->name);
	code_if_bare(t->k->code, "depth < %lld && %s_row%s < %lld%s%s", (long long)t->p->k, s->name, by,
	             (long long)s->rows, s->inside ? " && " : "", s->inside ? text_at(a, s->inside, by) : "");
	code_set(t->k->code, "%s[j]", "%s", s->name, text_at(a, s->element, by));
	code_close(t->k->code, 1);
	code_close(t->k->code, 2);
}

static void write_stores(const Tile *t, const Side *s)
{
	const char *n = s->name;
	if (s->along_depth)
		code_set(t->k->code, "%s_tile[threadIdx.x %% %d][threadIdx.x / %d + j * %d]", "%s[j]", n,
		         SLICE, SLICE, SIDE, n);
	else
		code_set(t->k->code, "%s_tile[threadIdx.x / %d + j * %d][threadIdx.x %% %d]", "%s[j]", n,
		         t->size, CUDA_THREADS / t->size, t->size, n);
}

static void write_multiply(const Tile *t)
{
	Code *w = t->k->code;
	open_loop(t, "k", SLICE);
	open_loop(t, "i", t->each);
	open_loop(t, "j", t->each);
	code_add(w, "sum[i][j]", "left_tile[k][thread_m * %d + i] * right_tile[k][thread_n + j * %d]",
	         t->each, SIDE);
	code_close(t->k->code, 3);
}

static void write_results(const Tile *t)
{
	const Product *p = t->p;
	int open = 2;
	open_loop(t, "i", t->each);
	lanes_index(&t->l, "m", "m0 + thread_m * %d + i", t->each);
	if (p->m % t->size) {
		code_if(t->k->code, "m < %lld", (long long)p->m);
		open++;
	}
	open_loop(t, "j", t->each);
	lanes_index(&t->l, "n", "n0 + thread_n + j * %d", SIDE);
	if (p->n % t->size) {
		code_if(t->k->code, "n < %lld", (long long)p->n);
		open++;
	}
	kernel_epilogue(t->k, p->row, p->column, "sum[i][j]");
	code_close(t->k->code, open);
}

static void product_emit(KernelText *k, const Node *n, const Product *p)
{
	enum { PADDING = 2 }; /* of a row of shared memory: 16 of them begin in different banks */
	Tile tile = {.k = k, .l = lanes_new(k, n, 1), .p = p, .size = tile_of(p->outer, p->m, p->n)},
	     *t = &tile;
	Code *w = k->code;
	long long across = ceil_div(p->n, t->size), down = ceil_div(p->m, t->size);
	t->each = t->size / SIDE;
	k->units = p->outer * down * across * CUDA_THREADS;
	code_shared(w, "%s", "left_tile", "%d][%d", k->real, SLICE, t->size + PADDING);
	code_also_shared(w, "right_tile", "%d][%d", SLICE, t->size + PADDING);
	lanes_index(&t->l, "thread_m", "threadIdx.x / %d", SIDE);
	lanes_index(&t->l, "thread_n", "threadIdx.x %% %d", SIDE);
	const char *tile_row = p->outer > 1 ? index_digit(k->arena, "blockIdx.x", across, down)
	                                    : index_over(k->arena, "blockIdx.x", across);
	lanes_index(&t->l, "m0", "%s", index_times(k->arena, tile_row, t->size));
	lanes_index(&t->l, "n0", "%s",
	            index_times(k->arena, index_digit(k->arena, "blockIdx.x", 1, across), t->size));
	if (p->outer > 1)
		lanes_index(&t->l, "z", "%s", index_over(k->arena, "blockIdx.x", across * down));
	write_rows(t, &p->left);
	write_rows(t, &p->right);
	code_array(w, "%s", "left", "%d", k->real, t->each);
	code_array(w, "%s", "right", "%d", k->real, t->each);
	code_var(w, "%s", "sum[%d][%d]", "{}", k->real, t->each, t->each);
	code_loop(w, (CodeLoop){.type = t->l.index,
	                        .var = "k0",
	                        .count = (ceil_div(p->k, SLICE) + 1) * SLICE,
	                        .by = SLICE});
	write_loads(t, &p->left);
	write_loads(t, &p->right);
	code_if(k->code, "k0 > 0");
	write_multiply(t);
	code_close(k->code, 1);
	code_barrier(w, "block");
	open_loop(t, "j", t->each);
	write_stores(t, &p->left);
	write_stores(t, &p->right);
	code_close(k->code, 1);
	code_barrier(w, "block");
	code_close(k->code, 1);
	write_results(t);
}

/* ---- matmul */

/* A matrix stored [rows,k], or [k,rows]. */
static Side matrix_side(Arena *a, const char *name, const char *pointer, const MatmulShape *s, int64_t rows,
                        bool rows_first)
{
	const char *at = arena_printf(a, "%s_at", name), *before = "";
	if (s->batch > 1)
		before = arena_printf(a, "z * %lld + ", (long long)(rows * s->k));
	Side side = {.name = name, .along_depth = rows_first, .rows = rows};
	if (rows_first) {
		side.row[0] = (Value){at, arena_printf(a, "%s@ * %lld", before, (long long)s->k)};
		side.element = arena_printf(a, "%s[%s@ + depth]", pointer, at);
	} else {
		side.row[0] = (Value){at, arena_printf(a, "%s@", before)};
		side.element = arena_printf(a, "%s[%s@ + depth * %lld]", pointer, at, (long long)rows);
	}
	return side;
}

static Product matmul_product(Arena *a, const Node *n)
{
	MatmulShape s;
	matmul_shape(n, &s);
	return (Product){.outer = s.batch,
	                 .m = s.m,
	                 .n = s.n,
	                 .k = s.k,
	                 .left = matrix_side(a, "left", "a", &s, s.m, !s.ta),
	                 .right = matrix_side(a, "right", "b", &s, s.n, s.tb),
	                 .row = s.batch > 1 ? arena_printf(a, "z * %lld + m", (long long)s.m) : "m",
	                 .column = "n"};
}

void matmul_emit_cuda(KernelText *k, const Node *n)
{
	Product p = matmul_product(k->arena, n);
	product_emit(k, n, &p);
}

/* ---- convolution: m, n and k of the three products are

	forward         pixels of y         filters of a group      (r, s, channel of a group)
	by the image    pixels of x         channels of a group     (r, s, filter of a group)
	by the filters  filters of a group  (r, s, channel of a group)    pixels of y */

typedef struct Sizes {
	long long H, W, C, P, Q, K, R, S, group_channels, group_filters, stride[2], pad[2], dilation[2];
} Sizes;

static Sizes sizes_of(const ConvShape *c)
{
	const Window *w = &c->win;
	return (Sizes){.H = w->in[0],
	               .W = w->in[1],
	               .C = c->channels,
	               .P = w->out[0],
	               .Q = w->out[1],
	               .K = c->filters,
	               .R = w->size[0],
	               .S = w->size[1],
	               .group_channels = c->channels / c->groups,
	               .group_filters = c->filters / c->groups,
	               .stride = {w->stride[0], w->stride[1]},
	               .pad = {w->pad[0], w->pad[1]},
	               .dilation = {w->dilation[0], w->dilation[1]}};
}

/* "image * 16 + z * 4": an offset into an image's tensor, at the first channel of the group. */
static const char *image_text(Arena *a, const ConvShape *c, const char *image, long long elements,
                              long long group)
{
	if (c->groups == 1)
		return index_times(a, image, elements);
	return arena_printf(a, "%s + %s", index_times(a, image, elements), index_times(a, "z", group));
}

/* Of a window element (r, s, c), numbered by `index` with `depth` channels: how far it is from the window's origin. */
static void tap_values(Arena *a, const Sizes *s, const char *index, long long depth, const long long less[2],
                       Value out[3])
{
	const char *dh = index_times(a, index_over(a, index, s->S * depth), s->dilation[0]);
	const char *dv = index_times(a, index_digit(a, index, depth, s->S), s->dilation[1]);
	out[0] = (Value){"dh", index_plus(a, dh, -less[0])};
	out[1] = (Value){"dv", index_plus(a, dv, -less[1])};
	out[2] = (Value){"c", index_digit(a, index, 1, depth)};
}

static Product fprop_product(Arena *a, const Node *n)
{
	const ConvShape c = conv_shape(n);
	Sizes s = sizes_of(&c);
	static const long long nothing[2];
	Product p = {
	        .outer = c.groups, .m = c.batch * s.P * s.Q, .n = s.group_filters, .row = "m", .column = "n"};
	p.k = s.R * s.S * s.group_channels;
	if (c.groups > 1)
		p.column = arena_printf(a, "z * %lld + n", s.group_filters);
	p.left = (Side){.name = "left", .along_depth = true, .rows = p.m};
	const char *image = index_over(a, "@", s.P * s.Q);
	p.left.row[0] = (Value){"image", image_text(a, &c, image, s.H * s.W * s.C, s.group_channels)};
	const char *h = index_times(a, index_digit(a, "@", s.Q, s.P), s.stride[0]);
	const char *v = index_times(a, index_digit(a, "@", 1, s.Q), s.stride[1]);
	p.left.row[1] = (Value){"h0", index_plus(a, h, -s.pad[0])};
	p.left.row[2] = (Value){"v0", index_plus(a, v, -s.pad[1])};
	tap_values(a, &s, "depth", s.group_channels, nothing, p.left.depth);
	p.left.place[0] = (Value){"h", "h0@ + dh"};
	p.left.place[1] = (Value){"v", "v0@ + dv"};
	p.left.inside = arena_printf(a, "h >= 0 && h < %lld && v >= 0 && v < %lld", s.H, s.W);
	p.left.element = arena_printf(a, "x[image@ + (h * %lld + v) * %lld + c]", s.W, s.C);
	p.right = (Side){.name = "right", .along_depth = true, .rows = p.n};
	p.right.row[0] = (Value){"right_at", image_text(a, &c, "@", p.k, s.group_filters * p.k)};
	p.right.element = "w[right_at@ + depth]";
	return p;
}

static Product dgrad_product(Arena *a, const Node *n)
{
	const ConvShape c = conv_shape(n);
	Sizes s = sizes_of(&c);
	static const long long nothing[2];
	Product p = {.outer = c.groups,
	             .m = c.batch * s.H * s.W,
	             .n = s.group_channels,
	             .row = "m",
	             .column = "n"};
	p.k = s.R * s.S * s.group_filters;
	if (c.groups > 1)
		p.column = arena_printf(a, "z * %lld + n", s.group_channels);
	p.left = (Side){.name = "left", .along_depth = true, .rows = p.m};
	const char *image = index_over(a, "@", s.H * s.W);
	p.left.row[0] = (Value){"image", image_text(a, &c, image, s.P * s.Q * s.K, s.group_filters)};
	p.left.row[1] = (Value){"h0", index_plus(a, index_digit(a, "@", s.W, s.H), s.pad[0])};
	p.left.row[2] = (Value){"v0", index_plus(a, index_digit(a, "@", 1, s.W), s.pad[1])};
	tap_values(a, &s, "depth", s.group_filters, nothing, p.left.depth);
	p.left.place[0] = (Value){"h", "h0@ - dh"};
	p.left.place[1] = (Value){"v", "v0@ - dv"};
	p.left.inside =
	        arena_printf(a,
	                     "h >= 0 && h %% %lld == 0 && h / %lld < %lld && v >= 0 && v %% %lld == 0 && "
	                     "v / %lld < %lld",
	                     s.stride[0], s.stride[0], s.P, s.stride[1], s.stride[1], s.Q);
	p.left.element = arena_printf(a, "dy[image@ + (h / %lld * %lld + v / %lld) * %lld + c]", s.stride[0],
	                              s.Q, s.stride[1], s.K);
	p.right = (Side){.name = "right", .rows = p.n};
	const char *filter = index_digit(a, "depth", 1, s.group_filters);
	long long elements = s.R * s.S * s.group_channels;
	p.right.depth[0] =
	        (Value){"right_at", image_text(a, &c, filter, elements, s.group_filters * elements)};
	p.right.element =
	        arena_printf(a, "w[right_at + %s + right_row@]",
	                     index_times(a, index_over(a, "depth", s.group_filters), s.group_channels));
	return p;
}

static Product wgrad_product(Arena *a, const Node *n)
{
	const ConvShape c = conv_shape(n);
	Sizes s = sizes_of(&c);
	Product p = {.outer = c.groups, .m = s.group_filters, .k = c.batch * s.P * s.Q};
	p.n = s.R * s.S * s.group_channels;
	const char *filter = c.groups > 1 ? arena_printf(a, "(z * %lld + m)", s.group_filters) : "m";
	p.row = arena_printf(a, "%s + %s", index_times(a, filter, s.R * s.S),
	                     index_over(a, "n", s.group_channels));
	p.column = index_digit(a, "n", 1, s.group_channels);
	p.left = (Side){.name = "left", .rows = p.m};
	p.left.depth[0] = (Value){"left_at", image_text(a, &c, "depth", s.K, s.group_filters)};
	p.left.element = "dy[left_at + left_row@]";
	p.right = (Side){.name = "right", .rows = p.n};
	tap_values(a, &s, "@", s.group_channels, s.pad, p.right.row);
	const char *image = index_over(a, "depth", s.P * s.Q);
	p.right.depth[0] = (Value){"image", image_text(a, &c, image, s.H * s.W * s.C, s.group_channels)};
	const char *h = index_times(a, index_digit(a, "depth", s.Q, s.P), s.stride[0]);
	const char *v = index_times(a, index_digit(a, "depth", 1, s.Q), s.stride[1]);
	p.right.place[0] = (Value){"h", arena_printf(a, "%s + dh@", h)};
	p.right.place[1] = (Value){"v", arena_printf(a, "%s + dv@", v)};
	p.right.inside = arena_printf(a, "h >= 0 && h < %lld && v >= 0 && v < %lld", s.H, s.W);
	p.right.element = arena_printf(a, "x[image + (h * %lld + v) * %lld + c@]", s.W, s.C);
	return p;
}

void conv_fprop_emit_cuda(KernelText *k, const Node *n)
{
	Product p = fprop_product(k->arena, n);
	product_emit(k, n, &p);
}

void conv_dgrad_emit_cuda(KernelText *k, const Node *n)
{
	Product p = dgrad_product(k->arena, n);
	product_emit(k, n, &p);
}

void conv_wgrad_emit_cuda(KernelText *k, const Node *n)
{
	Product p = wgrad_product(k->arena, n);
	product_emit(k, n, &p);
}
